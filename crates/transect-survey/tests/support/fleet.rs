//! Whole missions on random lakes, with random budgets and faults, over the real drivers and sockets in simulated time.
#![allow(dead_code, missing_docs)] // Not every test file uses everything.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use transect::Error;
use transect::budget::Budget;
use transect::geometry::{Polygon, Position, common_area};
use transect::mission::Mission;
use transect::planner::PlanError;
use transect::planner::{Context, PLANNERS, Plan, Planner};
use transect::sensor::seeded_uniform;
use transect_field::GeoPosition;
use transect_field::autopilot::{Mode, Parting};
use transect_field::bench::{BenchBoat, BenchRecord, BenchSettings, Fault, FaultKind, Heard};
use transect_field::clock::Clock;
use transect_field::skipper::{
    Before, Conclusion, Entry, FallbackSettings, Logbook, Operator, Order, Plane, Silence, Skipper,
    Told, Want, Why,
};
use transect_survey::field::{
    Coverage, Deck, FieldDocument, FieldWorld, Outcome, SameThread, SonarSettings, Survey, sail,
};

const MIDDLE: GeoPosition = GeoPosition::new(36.6, -84.2);
/// Noise of the receiver, and what a turn needs: the true boat may be this far from where it believes to be, m.
const TRACKING_M: f64 = 1.0;
/// A boat that is paused has come to rest after this time, s.
const RESTS_AFTER_S: f64 = 15.0;

/// What a mission is made of.
#[derive(Debug, Clone)]
pub struct Scenario {
    pub seed: u64,
    pub lake: Polygon,
    pub home: Position,
    pub margin_m: f64,
    pub budget: Budget,
    pub fallback: FallbackSettings,
    pub faults: Vec<Fault>,
    /// How long planning takes now and then, s.
    pub thinking_s: f64,
    /// The planner fails now and then.
    pub fails: bool,
    pub battery_percent: f64,
    /// The autopilot stops so far from its places, m.
    pub waypoint_radius_m: f64,
    /// Where the boat is when the mission begins: a mission that is taken up again may be anywhere.
    pub start: Position,
    /// North and east, m/s.
    pub current: (f64, f64),
    pub coast_s: f64,
    /// The boat's own failsafe stops it after this silence, s.
    pub failsafe_after_s: Option<f64>,
    /// When the operator interrupts the program, s.
    pub interrupts: Vec<f64>,
    /// When the operator pauses the mission, and for how long, s.
    pub pause: Option<(f64, f64)>,
    pub at_home: Parting,
    /// What a pause may cost, s.
    pub reserve_s: f64,
}

/// What went wrong with what was promised.
#[derive(Debug, Default, Clone)]
pub struct Verdict {
    pub legs: usize,
    pub soundings: usize,
    pub outside: Vec<String>,
    pub not_home: Vec<String>,
    pub panics: Vec<String>,
    pub recoveries: usize,
    /// The boat was left with a wrong last word, or taken from somebody else.
    pub disobeyed: Vec<String>,
    /// What was new about it.
    pub trials: Vec<&'static str>,
    pub conclusion: Option<Conclusion>,
}

impl Verdict {
    /// Everything that went wrong.
    pub fn wrong(&self) -> impl Iterator<Item = &String> {
        let Self {
            outside,
            not_home,
            disobeyed,
            panics,
            ..
        } = self;
        outside
            .iter()
            .chain(not_home)
            .chain(disobeyed)
            .chain(panics)
    }
}

struct Dice(Box<dyn FnMut() -> f64>);

impl Dice {
    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.0)()
    }

    fn chance(&mut self, share: f64) -> bool {
        (self.0)() < share
    }

    fn count(&mut self, low: usize, high: usize) -> usize {
        self.within(low as f64, high as f64 + 1.0).floor() as usize
    }
}

fn star(
    dice: &mut Dice,
    middle: Position,
    corners: usize,
    low_m: f64,
    high_m: f64,
) -> Option<Polygon> {
    let step_rad = std::f64::consts::TAU / corners as f64;
    let ring = (0..corners)
        .map(|i| {
            let (sin, cos) = (i as f64 * step_rad).sin_cos();
            let radius_m = dice.within(low_m, high_m);
            Position::new(middle.x + radius_m * cos, middle.y + radius_m * sin)
        })
        .collect();
    Polygon::new(ring, vec![]).ok()
}

pub fn plane() -> Plane {
    Plane::around(MIDDLE).unwrap()
}

fn lake(dice: &mut Dice) -> Option<Polygon> {
    let middle = plane().metres(MIDDLE)?;
    let corners = dice.count(5, 11);
    let shore = star(dice, middle, corners, 30.0, 60.0)?;
    let islands: Vec<Polygon> = (0..dice.count(0, 3))
        .filter_map(|_| {
            let at = Position::new(
                middle.x + dice.within(-40.0, 40.0),
                middle.y + dice.within(-40.0, 40.0),
            );
            let corners = dice.count(4, 7);
            star(dice, at, corners, 3.0, 9.0)
        })
        .collect();
    let pieces = common_area(&[shore], &islands).ok()?;
    pieces
        .into_iter()
        .max_by(|a, b| a.area().total_cmp(&b.area()))
}

impl Scenario {
    pub fn random(seed: u64) -> Self {
        let mut dice = Dice(Box::new(seeded_uniform(seed)));
        loop {
            let Some(lake) = lake(&mut dice) else {
                continue;
            };
            let margin_m = dice.within(2.0, 5.0);
            let bounds = lake.bounds();
            let start = Position::new(
                dice.within(bounds.xmin(), bounds.xmax()),
                dice.within(bounds.ymin(), bounds.ymax()),
            );
            let Ok(fence) = transect::fence::Fence::new(lake.clone(), margin_m, start) else {
                continue;
            };
            let turning_m = FieldDocument::default().turning_m();
            let Ok(fence) = fence.with_turning(turning_m, start) else {
                continue;
            };
            let home = fence.safe().nearest(start);
            if fence.safe().area() < 400.0 {
                continue;
            }
            let budget = Budget {
                soundings: dice.chance(0.3).then(|| dice.count(50, 150) as u64),
                distance_m: dice.chance(0.6).then(|| dice.within(100.0, 400.0)),
                time_s: Some(dice.within(250.0, 800.0)),
            };
            let fallback = FallbackSettings {
                without_plan: if dice.chance(0.7) {
                    Want::Lawnmower
                } else {
                    Want::Hold
                },
                without_sonar: if dice.chance(0.5) {
                    Silence::Hold
                } else {
                    Silence::Continue
                },
                plan_within_s: 5.0,
                line_spacing_m: dice.within(4.0, 10.0),
                stuck_after_s: 40.0,
                link_gone_s: 90.0,
                taken_over_s: 120.0,
                ready_within_s: 120.0,
                ..FallbackSettings::default()
            };
            let mut faults: Vec<Fault> = (0..dice.count(0, 3)).map(|_| fault(&mut dice)).collect();
            let mut reserve_s = 90.0;
            if dice.chance(0.3) {
                faults.extend(operator_during_silence(&mut dice));
                reserve_s = 190.0;
            }
            let start = if dice.chance(0.3) {
                let any = Position::new(
                    dice.within(bounds.xmin(), bounds.xmax()),
                    dice.within(bounds.ymin(), bounds.ymax()),
                );
                fence.safe().nearest(any)
            } else {
                home
            };
            let speed_mps = if dice.chance(0.4) {
                dice.within(0.0, 0.35)
            } else {
                0.0
            };
            let (sin, cos) = dice.within(0.0, std::f64::consts::TAU).sin_cos();
            let interrupts = if dice.chance(0.3) {
                let first_s = dice.within(0.5, 400.0);
                match dice.chance(0.6) {
                    true => vec![first_s, first_s + dice.within(0.0, 40.0)],
                    false => vec![first_s],
                }
            } else {
                Vec::new()
            };
            // Dice of their own: missions of before pauses stay what they were.
            let mut more = Dice(Box::new(seeded_uniform(seed ^ (1 << 40))));
            let pause = more
                .chance(0.25)
                .then(|| (more.within(10.0, 300.0), more.within(5.0, 120.0)));
            return Self {
                seed,
                pause,
                lake,
                home,
                start,
                current: (speed_mps * sin, speed_mps * cos),
                coast_s: dice.within(0.0, 2.0),
                failsafe_after_s: dice.chance(0.2).then(|| dice.within(4.0, 10.0)),
                interrupts,
                at_home: match dice.count(0, 3) {
                    0 => Parting::Hold,
                    1 => Parting::Loiter,
                    _ => Parting::Disarm,
                },
                reserve_s,
                margin_m,
                budget,
                fallback,
                faults,
                thinking_s: if dice.chance(0.3) {
                    dice.within(1.0, 20.0)
                } else {
                    0.0
                },
                fails: dice.chance(0.2),
                battery_percent: if dice.chance(0.2) {
                    dice.within(30.0, 60.0)
                } else {
                    100.0
                },
                waypoint_radius_m: if dice.chance(0.3) {
                    dice.within(2.0, 4.0)
                } else {
                    0.5
                },
            };
        }
    }

    fn lasts_for_good(&self, wanted: impl Fn(FaultKind) -> bool) -> bool {
        self.faults
            .iter()
            .any(|f| f.for_s.is_none() && wanted(f.kind))
    }

    /// Sails it.
    pub fn sail(&self) -> Verdict {
        let mut verdict = Verdict::default();
        match catch_unwind(AssertUnwindSafe(|| self.sail_and_judge())) {
            Ok(judged) => verdict = judged,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|s| (*s).to_string()));
                verdict
                    .panics
                    .push(format!("seed {}: {}", self.seed, text.unwrap_or_default()));
            }
        }
        verdict
    }

    fn document(&self, autopilot: &BenchBoat) -> FieldDocument {
        let mut document = FieldDocument {
            seed: self.seed,
            sonar: SonarSettings::Ping {
                link: autopilot.sonar_address(),
                interval_s: SonarSettings::USUAL_INTERVAL_S,
            },
            budget: self.budget,
            fallback: self.fallback,
            kernel: transect::settings::KernelChoice::named("rbf"),
            companions: Vec::new(),
            ..FieldDocument::default()
        };
        document.vehicle.link = autopilot.autopilot_address();
        document.boat.at_home = self.at_home;
        document.reserve.time_s = self.reserve_s;
        document.fence.margin_m = self.margin_m;
        document.training.pilot_steps = 10;
        // Fences and budgets are tried here, not maps: the model may stay simple and get few soundings.
        document.training.steps_per_sounding = 0;
        document.boat.sampling_rate_hz = 0.25;
        document
    }

    fn sail_and_judge(&self) -> Verdict {
        let plane = plane();
        let home = plane.degrees(self.home).unwrap();
        let lake_middle = self.home;
        let depth = move |at: GeoPosition| {
            let at = plane.metres(at)?;
            Some(6.0 + (0.1 * (at.x - lake_middle.x)).sin() + 0.05 * (at.y - lake_middle.y))
        };
        let bench = BenchSettings {
            home: plane.degrees(self.start).unwrap(),
            current_north_mps: self.current.0,
            current_east_mps: self.current.1,
            coast_s: self.coast_s,
            failsafe_after_s: self.failsafe_after_s,
            seed: self.seed,
            faults: self.faults.clone(),
            battery_percent: self.battery_percent,
            waypoint_radius_m: self.waypoint_radius_m,
            battery_percent_per_m: 0.05,
            ..BenchSettings::default()
        };
        let boat = BenchBoat::open(bench, depth).unwrap();
        let document = self.document(&boat);
        document.validate().unwrap();
        let survey = Survey {
            plane,
            area: self.lake.clone(),
            home: None,
        };
        let guard = survey.guard(&document, home).unwrap();
        let workspace = guard.fence().safe().clone();
        let entries = Entries(Arc::default(), std::env::var_os("TRANSECT_TELL").is_some());
        let crew = document.crew(Box::new(entries.clone())).unwrap();
        let operator = Operator::default();
        let skipper = Skipper::new(
            crew,
            plane,
            guard,
            document.limits(),
            document.fallback,
            Before {
                cut_off: self.start != self.home,
                ..Before::default()
            },
            operator.clone(),
        )
        .unwrap();
        let start = skipper.whereabouts();
        let boat = Rc::new(RefCell::new((boat, Vec::new())));
        let stepped = Rc::clone(&boat);
        let (interrupts, pause, clock) = (self.interrupts.clone(), self.pause, entries.clone());
        let deck = SameThread::new(skipper, Clock::by_hand(), move |now_s| {
            clock.is_now(now_s);
            match interrupts.iter().filter(|at_s| now_s >= **at_s).count() {
                0 => {}
                1 => operator.come_home(),
                _ => operator.stop(),
            }
            operator
                .pause(pause.is_some_and(|(at_s, for_s)| (at_s..at_s + for_s).contains(&now_s)));
            let (boat, track) = &mut *stepped.borrow_mut();
            boat.step(now_s - 0.05);
            boat.step(now_s);
            track.push((now_s, boat.record().position));
        });
        let deck = Late {
            deck,
            thinking_s: self.thinking_s,
            orders: 0,
        };
        let settings = document.mission_from(self.home);
        let coverage = Coverage::new(&workspace, document.stop).unwrap();
        let build = PLANNERS.get(&settings.planner.name).unwrap();
        let planner = Failing {
            planner: build(&settings, &workspace).unwrap(),
            fails: self.fails,
            plans: 0,
        };
        let mut mission = Mission::new(FieldWorld::new(deck, start), workspace, settings)
            .unwrap()
            .with_planner(Box::new(planner));
        let outcome = sail(&mut mission, &coverage, &mut (), &mut |_| {});
        let (boat, track) = &mut *boat.borrow_mut();
        let mut verdict = self.judge(&outcome, &entries, boat, track);
        // The program is gone. What the boat heard last is what it does from now on.
        let ended_s = track.last().map_or(0.0, |(now_s, _)| *now_s);
        for tick in 1..=200 {
            boat.step(ended_s + 0.05 * f64::from(tick));
        }
        self.judge_last_word(&outcome, ended_s, &boat.record(), &mut verdict);
        verdict
    }

    fn cut_at(&self, now_s: f64) -> bool {
        self.faults
            .iter()
            .any(|fault| fault.kind == FaultKind::LinkLost && fault.active(now_s))
    }

    /// The boat is left as it should be, and was never taken from anybody.
    fn judge_last_word(
        &self,
        outcome: &Outcome,
        ended_s: f64,
        record: &BenchRecord,
        verdict: &mut Verdict,
    ) {
        let mut wrong = |text: String| {
            verdict.disobeyed.push(format!(
                "seed {}: {:?} at {ended_s:.0} s: {text}; interrupts {:?}; {:?}; heard {:?}",
                self.seed,
                outcome.conclusion,
                self.interrupts,
                self.faults,
                record.heard.iter().rev().take(6).collect::<Vec<_>>()
            ));
        };
        if !record.overruled().is_empty() {
            wrong(format!("overruled {:?}", record.overruled()));
        }
        let foreign = record
            .heard
            .iter()
            .rev()
            .find_map(|(_, heard)| match heard {
                Heard::Operator(Mode::GUIDED) => Some(false),
                Heard::Operator(_) | Heard::Failsafe(_) => Some(true),
                _ => None,
            });
        // During a silence nothing can be said; it had begun when the boat did not confirm.
        let mute = (0..300).any(|tenth| self.cut_at(ended_s - 0.1 * f64::from(tenth)));
        let foreign = foreign == Some(true);
        let left = (record.mode, record.armed);
        let untouched = record
            .heard
            .iter()
            .all(|(_, heard)| *heard != Heard::Mode(Mode::GUIDED));
        let right = match outcome.conclusion {
            _ if foreign || mute => true,
            Conclusion::TakenOver if self.halted_and_cut_off() => true,
            Conclusion::Home => match self.at_home {
                Parting::Disarm => left == (Mode::HOLD, false),
                Parting::Hold => left == (Mode::HOLD, true) || left == (Mode::HOLD, false),
                Parting::Loiter => left == (Mode::LOITER, true) || left == (Mode::HOLD, false),
            },
            Conclusion::Stopped | Conclusion::NotReady => left == (Mode::HOLD, false),
            Conclusion::TakenOver | Conclusion::Unconfirmed | Conclusion::LinkGone => false,
        };
        if !right && !untouched {
            wrong(format!("left in {left:?}"));
        }
        let carried_mps = self.current.0.hypot(self.current.1);
        let free = record.mode != Mode::LOITER && !foreign && !mute && !untouched;
        if free && record.speed_mps > carried_mps + 0.1 {
            wrong(format!("under way at {:.2} m/s", record.speed_mps));
        }
    }

    fn judge(
        &self,
        outcome: &Outcome,
        entries: &Entries,
        boat: &BenchBoat,
        track: &[(f64, GeoPosition)],
    ) -> Verdict {
        let mut verdict = Verdict {
            trials: self.trials(),
            soundings: outcome.soundings.len(),
            conclusion: Some(outcome.conclusion),
            ..Verdict::default()
        };
        let metres = |place| plane().metres(place).unwrap();
        for (from, goal, why) in entries.legs() {
            verdict.legs += 1;
            if why == Why::Recovery {
                verdict.recoveries += 1;
                continue;
            }
            let kept_m = self.margin_m.min(self.lake.clearance(from)) - 1e-3;
            let closest_m = (0..=100)
                .map(|i| {
                    self.lake
                        .clearance(from.towards(goal, f64::from(i) / 100.0))
                })
                .fold(f64::INFINITY, f64::min);
            if closest_m < kept_m || closest_m < 0.0 {
                verdict.outside.push(format!(
                    "seed {}: leg {from} to {goal} comes to {closest_m}",
                    self.seed
                ));
            }
        }
        let record = boat.record();
        for (at_s, target) in &record.targets {
            if self.lake.clearance(metres(*target)) < 0.0 {
                verdict
                    .outside
                    .push(format!("seed {}: target at {at_s:.0} s", self.seed));
            }
        }
        let jumps = self
            .faults
            .iter()
            .any(|f| matches!(f.kind, FaultKind::PositionJump(_)));
        // A current carries a boat away that is not allowed to drive.
        let drifts = self.current != (0.0, 0.0);
        let halted_s = self.faults.iter().map(|fault| fault.at_s);
        let halted_s = halted_s.chain(self.interrupts.get(1).copied());
        let halted_s = halted_s.fold(f64::INFINITY, f64::min);
        let strayed = track
            .iter()
            .filter(|(at_s, _)| !drifts || *at_s < halted_s)
            .filter(|(_, at)| self.lake.clearance(metres(*at)) < 0.0)
            .count();
        // A boat whose receiver lies goes where the receiver says.
        if strayed > 0 && !jumps {
            verdict
                .outside
                .push(format!("seed {}: outside for {strayed} ticks", self.seed));
        }
        self.judge_pause(entries.homeward_s(), track, &mut verdict);
        self.judge_return(outcome, &record, &mut verdict);
        verdict
    }

    /// A boat that is told to wait stays where it came to rest, until it is on its way home.
    fn judge_pause(
        &self,
        homeward_s: Option<f64>,
        track: &[(f64, GeoPosition)],
        verdict: &mut Verdict,
    ) {
        let Some((at_s, for_s)) = self.pause else {
            return;
        };
        let until_s = (at_s + for_s).min(homeward_s.unwrap_or(f64::INFINITY));
        let (begun, faulty) = (
            at_s + RESTS_AFTER_S,
            self.faults.iter().any(|fault| fault.at_s < until_s),
        );
        let mut waiting = track
            .iter()
            .filter(|(now_s, _)| (begun..until_s).contains(now_s));
        let Some((_, first)) = waiting.next().filter(|_| !faulty) else {
            return;
        };
        let furthest_m = waiting
            .map(|(_, place)| place.distance_m(*first))
            .fold(0.0, f64::max);
        if furthest_m > self.waypoint_radius_m.max(2.0) + 2.0 * TRACKING_M {
            verdict.disobeyed.push(format!(
                "seed {}: {furthest_m:.1} m while paused from {at_s:.0} to {until_s:.0} s; current {:?}",
                self.seed, self.current
            ));
        }
    }

    /// The boat was stopped for want of a position, and cut off: nobody knows whose choice the stop is then, and nobody gives
    /// the boat back here.
    fn halted_and_cut_off(&self) -> bool {
        let position = |f: &Fault| {
            matches!(
                f.kind,
                FaultKind::NoGpsFix | FaultKind::GpsFrozen | FaultKind::PositionJump(_)
            )
        };
        let has = |wanted: &dyn Fn(&Fault) -> bool| self.faults.iter().any(wanted);
        has(&position) && has(&|f| f.kind == FaultKind::LinkLost)
    }

    /// How long operators have the boat, s.
    fn held_by_operator_s(&self) -> f64 {
        let held = |fault: &Fault| {
            matches!(fault.kind, FaultKind::OperatorMode(_))
                .then_some(fault.for_s)
                .flatten()
        };
        self.faults.iter().filter_map(held).sum()
    }

    /// What is new about it.
    fn trials(&self) -> Vec<&'static str> {
        let silence = |f: &Fault| f.kind == FaultKind::LinkLost;
        let during = |f: &Fault| {
            let begun = self.faults.iter().any(|g| silence(g) && g.active(f.at_s));
            matches!(f.kind, FaultKind::OperatorMode(_)) && begun
        };
        let is = [
            ("operator during silence", self.faults.iter().any(during)),
            ("current", self.current != (0.0, 0.0)),
            ("one interrupt", self.interrupts.len() == 1),
            ("two interrupts", self.interrupts.len() == 2),
            ("pause", self.pause.is_some()),
            ("taken up far from home", self.start != self.home),
            ("failsafe", self.failsafe_after_s.is_some()),
        ];
        is.into_iter().filter(|is| is.1).map(|is| is.0).collect()
    }

    fn judge_return(&self, outcome: &Outcome, record: &BenchRecord, verdict: &mut Verdict) {
        let (ended, way_m) = (plane().metres(record.position).unwrap(), record.distance_m);
        let failsafe = |heard: &(f64, Heard)| matches!(heard.1, Heard::Failsafe(_));
        let stopped = self.interrupts.len() > 1;
        let excused = match outcome.conclusion {
            Conclusion::Home => false,
            Conclusion::LinkGone => self.lasts_for_good(|kind| kind == FaultKind::LinkLost),
            Conclusion::NotReady => self.lasts_for_good(|kind| kind == FaultKind::ArmingRefused),
            Conclusion::TakenOver => {
                self.lasts_for_good(|kind| matches!(kind, FaultKind::OperatorMode(_)))
                    || record.heard.iter().any(failsafe)
                    || stopped
                    || self.halted_and_cut_off()
            }
            Conclusion::Stopped => stopped,
            Conclusion::Unconfirmed => stopped,
        };
        if excused {
            return;
        }
        let away_m = ended.distance_to(self.home);
        let spent = outcome.spent;
        // What a current does to a boat that somebody else holds counts as way, and the way back from there too.
        let adrift_m = 2.0 * self.current.0.hypot(self.current.1) * self.held_by_operator_s();
        let over_way = self
            .budget
            .distance_m
            .is_some_and(|most| way_m > most + adrift_m);
        let over_time = self.budget.time_s.is_some_and(|most| spent.time_s > most);
        let radius_m = self.waypoint_radius_m.ceil().max(2.0);
        // It keeps its place by driving back, and is carried while it comes to rest without motors.
        let carried_m = match self.current.0.hypot(self.current.1) {
            0.0 => 0.0,
            mps => 2.0 + 15.0 * mps,
        };
        let near_m = radius_m + TRACKING_M + self.coast_s + carried_m;
        let home = outcome.conclusion == Conclusion::Home && away_m < near_m;
        if !home || over_way || over_time {
            verdict.not_home.push(format!(
                "seed {}: {:?}, {away_m:.1} m of {near_m:.1} from home after {way_m:.0} m and {:.0} s of {:?}; {:?}; current {:?}, \
                 left to {:?}, radius {:.1}; heard {:?}",
                self.seed,
                outcome.conclusion,
                spent.time_s,
                self.budget,
                self.faults,
                self.current,
                self.at_home,
                self.waypoint_radius_m,
                record.heard.iter().rev().take(6).collect::<Vec<_>>()
            ));
        }
    }
}

fn fault(dice: &mut Dice) -> Fault {
    let at_s = dice.within(0.0, 300.0);
    let for_good = dice.chance(0.05);
    let mut lasts = |low: f64, high: f64| Some(dice.within(low, high));
    let (kind, for_s) = match (at_s * 1e6) as u64 % 13 {
        0 => (
            FaultKind::LinkLost,
            if for_good { None } else { lasts(5.0, 60.0) },
        ),
        1 => (FaultKind::NoGpsFix, lasts(3.0, 40.0)),
        2 => (FaultKind::PositionJump(50.0), lasts(1.0, 25.0)),
        3 => (FaultKind::GpsFrozen, lasts(5.0, 40.0)),
        4 => (FaultKind::SonarSilent, lasts(5.0, 60.0)),
        5 => (FaultKind::SonarStuck, lasts(5.0, 60.0)),
        6 => (FaultKind::SonarSpikes, lasts(5.0, 200.0)),
        7 => (FaultKind::SonarUnsure, lasts(5.0, 60.0)),
        8 => (FaultKind::Garbage, lasts(5.0, 200.0)),
        9 => (FaultKind::SecondSystem(42), lasts(5.0, 200.0)),
        10 => (FaultKind::ClockBack(1000.0), lasts(1.0, 60.0)),
        11 => (FaultKind::ArmingRefused, lasts(5.0, 30.0)),
        _ => (FaultKind::OperatorMode(Mode::MANUAL), lasts(5.0, 40.0)),
    };
    Fault { at_s, for_s, kind }
}

/// The link is cut, the operator takes over meanwhile, and gives back some time after the link is back.
fn operator_during_silence(dice: &mut Dice) -> [Fault; 2] {
    let (at_s, silent_s) = (dice.within(15.0, 250.0), dice.within(8.0, 60.0));
    let taken_s = dice.within(at_s, at_s + silent_s);
    let mode = match dice.count(0, 2) {
        0 => Mode::MANUAL,
        1 => Mode::HOLD,
        _ => Mode::LOITER,
    };
    let back_s = at_s + silent_s + dice.within(2.0, 30.0);
    [
        Fault {
            at_s,
            for_s: Some(silent_s),
            kind: FaultKind::LinkLost,
        },
        Fault {
            at_s: taken_s,
            for_s: Some(back_s - taken_s),
            kind: FaultKind::OperatorMode(mode),
        },
    ]
}

/// Keeps the legs that were begun, and when the boat turned home. Tells everything if asked to.
#[derive(Clone)]
struct Entries(Arc<Mutex<Kept>>, bool);

#[derive(Default)]
struct Kept {
    now_s: f64,
    homeward_s: Option<f64>,
    legs: Vec<(Position, Position, Why)>,
}

impl Entries {
    fn legs(&self) -> Vec<(Position, Position, Why)> {
        self.0.lock().unwrap().legs.clone()
    }

    fn is_now(&self, now_s: f64) {
        self.0.lock().unwrap().now_s = now_s;
    }

    fn homeward_s(&self) -> Option<f64> {
        self.0.lock().unwrap().homeward_s
    }
}

impl Logbook for Entries {
    fn entry(&mut self, _: f64, entry: &Entry) {
        let mut kept = self.0.lock().unwrap();
        if self.1 && !entry.is_routine() {
            eprintln!("{:8.1} {entry}", kept.now_s);
        }
        match entry {
            Entry::Leg {
                from, goal, why, ..
            } => kept.legs.push((*from, *goal, *why)),
            Entry::Homeward { .. } => kept.homeward_s = Some(kept.now_s),
            _ => {}
        }
    }
}

/// A mission that thinks for a while before every second order.
struct Late<F> {
    deck: SameThread<F>,
    thinking_s: f64,
    orders: usize,
}

impl<F: FnMut(f64)> Deck for Late<F> {
    fn order(&mut self, order: Order) {
        self.orders += 1;
        if self.thinking_s > 0.0 && self.orders.is_multiple_of(2) {
            self.deck.pass(self.thinking_s);
        }
        self.deck.order(order);
    }

    fn next(&mut self) -> Option<Told> {
        self.deck.next()
    }
}

/// A planner that fails at every third plan.
#[derive(Debug)]
struct Failing {
    planner: Box<dyn Planner>,
    fails: bool,
    plans: usize,
}

impl Planner for Failing {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        self.plans += 1;
        if self.fails && self.plans.is_multiple_of(3) {
            return Err(PlanError::NoScore.into());
        }
        self.planner.plan(context)
    }
}

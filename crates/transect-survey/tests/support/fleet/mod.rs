//! Whole missions on random lakes, with random budgets and faults, over the real drivers and sockets in simulated time.
#![allow(dead_code, missing_docs)] // Not every test file uses everything.

mod aboard;
mod dice;
mod judge;

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

use transect::budget::Budget;
use transect::geometry::{Polygon, Position};
use transect::mission::Mission;
use transect::planner::PLANNERS;
use transect::sensor::seeded_uniform;
use transect_field::GeoPosition;
use transect_field::autopilot::Parting;
use transect_field::bench::{BenchBoat, BenchSettings, Fault, FaultKind};
use transect_field::clock::Clock;
use transect_field::skipper::{Before, FallbackSettings, Operator, Silence, Skipper, Want};
use transect_survey::field::{
    Coverage, FieldDocument, FieldWorld, SameThread, SonarSettings, Survey, sail,
};

use aboard::{Entries, Failing, Late};
use dice::{Dice, fault, lake, operator_during_silence, plane};
pub use judge::Verdict;

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
}

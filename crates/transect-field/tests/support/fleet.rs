//! Whole missions on random lakes, with random budgets and faults, over the real drivers and sockets in simulated time.
#![allow(dead_code, missing_docs)] // Not every test file uses everything.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};

use transect::Error;
use transect::budget::Budget;
use transect::geometry::{Polygon, Position, common_area};
use transect::mission::Mission;
use transect::planner::{Context, Myopic, Plan, Planner};
use transect::sensor::seeded_uniform;
use transect_field::GeoPosition;
use transect_field::autopilot::Mode;
use transect_field::bench::{BenchBoat, BenchSettings, Fault, FaultKind};
use transect_field::clock::Clock;
use transect_field::mission::{
    Coverage, Deck, FieldDocument, FieldWorld, Outcome, PilotCount, SameThread, SonarSettings,
    Survey, sail,
};
use transect_field::skipper::{
    Before, Conclusion, Entry, FallbackSettings, Logbook, Order, Plane, Silence, Skipper, Told,
    Want, Why,
};

const MIDDLE: GeoPosition = GeoPosition::new(36.6, -84.2);
/// Noise of the receiver, and what a turn needs: the true boat may be this far from where it believes to be, m.
const TRACKING_M: f64 = 1.0;

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
    pub conclusion: Option<Conclusion>,
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
            let faults = (0..dice.count(0, 3)).map(|_| fault(&mut dice)).collect();
            return Self {
                seed,
                lake,
                home,
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
            pilot: PilotCount { soundings: 8 },
            kernel: transect::settings::KernelChoice::named("rbf"),
            companions: Vec::new(),
            ..FieldDocument::default()
        };
        document.vehicle.link = autopilot.autopilot_address();
        document.fence.margin_m = self.margin_m;
        document.planner.candidates = 60;
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
            home,
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
        let guard = survey.guard(self.margin_m, home).unwrap();
        let workspace = guard.fence().safe().clone();
        let entries = Entries::default();
        let crew = document.crew(Box::new(entries.clone())).unwrap();
        let skipper = Skipper::new(
            crew,
            plane,
            guard,
            document.limits(),
            document.fallback,
            Before::default(),
            Arc::new(AtomicUsize::new(0)),
        )
        .unwrap();
        let start = skipper.whereabouts();
        let boat = Rc::new(RefCell::new((boat, Vec::new())));
        let stepped = Rc::clone(&boat);
        let deck = SameThread::new(skipper, Clock::by_hand(), move |now_s| {
            let (boat, track) = &mut *stepped.borrow_mut();
            boat.step(now_s - 0.05);
            boat.step(now_s);
            track.push(boat.record().position);
        });
        let deck = Late {
            deck,
            thinking_s: self.thinking_s,
            orders: 0,
        };
        let settings = document.mission();
        let coverage = Coverage::new(&workspace, (8, 8), document.stop).unwrap();
        let planner = Myopic::new(
            settings.planner.candidates,
            settings.planner.objective(&workspace).unwrap(),
            settings.planner.distance_weight,
        );
        let planner = Failing {
            planner,
            fails: self.fails,
            plans: 0,
        };
        let mut mission = Mission::new(FieldWorld::new(deck, start), workspace, settings)
            .unwrap()
            .with_planner(Box::new(planner));
        let outcome = sail(&mut mission, &coverage, &mut (), &mut |_| {});
        let (boat, track) = &*boat.borrow();
        self.judge(&outcome, &entries, boat, track)
    }

    fn judge(
        &self,
        outcome: &Outcome,
        entries: &Entries,
        boat: &BenchBoat,
        track: &[GeoPosition],
    ) -> Verdict {
        let mut verdict = Verdict {
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
        let strayed = track
            .iter()
            .filter(|at| self.lake.clearance(metres(**at)) < 0.0)
            .count();
        // A boat whose receiver lies goes where the receiver says.
        if strayed > 0 && !jumps {
            verdict
                .outside
                .push(format!("seed {}: outside for {strayed} ticks", self.seed));
        }
        self.judge_return(
            outcome,
            metres(record.position),
            record.distance_m,
            &mut verdict,
        );
        verdict
    }

    fn judge_return(&self, outcome: &Outcome, ended: Position, way_m: f64, verdict: &mut Verdict) {
        let excused = match outcome.conclusion {
            Conclusion::Home => false,
            Conclusion::LinkGone => self.lasts_for_good(|kind| kind == FaultKind::LinkLost),
            Conclusion::NotReady => self.lasts_for_good(|kind| kind == FaultKind::ArmingRefused),
            Conclusion::TakenOver => {
                self.lasts_for_good(|kind| matches!(kind, FaultKind::OperatorMode(_)))
            }
            Conclusion::Stopped => false,
        };
        if excused {
            return;
        }
        let away_m = ended.distance_to(self.home);
        let spent = outcome.spent;
        let over_way = self.budget.distance_m.is_some_and(|most| way_m > most);
        let over_time = self.budget.time_s.is_some_and(|most| spent.time_s > most);
        let radius_m = self.waypoint_radius_m.ceil().max(2.0);
        let home = outcome.conclusion == Conclusion::Home && away_m < radius_m + TRACKING_M;
        if !home || over_way || over_time {
            verdict.not_home.push(format!(
                "seed {}: {:?}, {away_m:.1} m from home after {way_m:.0} m and {:.0} s of {:?}; {:?}",
                self.seed, outcome.conclusion, spent.time_s, self.budget, self.faults
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

/// Keeps the legs that were begun.
#[derive(Clone, Default)]
struct Entries(Arc<Mutex<Vec<(Position, Position, Why)>>>);

impl Entries {
    fn legs(&self) -> Vec<(Position, Position, Why)> {
        self.0.lock().unwrap().clone()
    }
}

impl Logbook for Entries {
    fn entry(&mut self, _: f64, entry: &Entry) {
        if let Entry::Leg { from, goal, why } = entry {
            self.0.lock().unwrap().push((*from, *goal, *why));
        }
    }
}

/// A mission that thinks for a while before every fifth order.
struct Late<F> {
    deck: SameThread<F>,
    thinking_s: f64,
    orders: usize,
}

impl<F: FnMut(f64)> Deck for Late<F> {
    fn order(&mut self, order: Order) {
        self.orders += 1;
        if self.thinking_s > 0.0 && self.orders.is_multiple_of(5) {
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
    planner: Myopic,
    fails: bool,
    plans: usize,
}

impl Planner for Failing {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        self.plans += 1;
        if self.fails && self.plans.is_multiple_of(3) {
            return Err(Error::NoScore);
        }
        self.planner.plan(context)
    }
}

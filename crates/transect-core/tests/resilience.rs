//! Missions that go wrong, and go on.

mod support;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use support::surface;
use transect::budget::Budget;
use transect::geometry::{Position, Rect, Workspace};
use transect::gp::kernel::{Kernel, Memory, rbf};
use transect::gp::random::Randomness;
use transect::gp::{Compute, Matrix, ParamSpec, Points, Regression};
use transect::mission::{
    Advance, Ending, Event, LegState, Mission, Observer, Reading, SimulatedWorld, Whereabouts,
    World,
};
use transect::planner::{Context, Plan, Planner};
use transect::sensor::{Dropouts, PointSensor, Sensor, seeded_uniform};
use transect::settings::{KernelChoice, MissionSettings, PilotSettings};
use transect::surrogate::{Auto, Committee, Remedy, Trouble};
use transect::terrain::Lookup;
use transect::vehicle::{Boat, Pose};
use transect::{Error, Sounding};

fn square() -> Workspace {
    Rect::new(-10.0, 10.0, -10.0, 10.0).unwrap().into()
}

fn small(planner: &str) -> MissionSettings {
    let mut settings = MissionSettings::default();
    settings.planner.name = planner.into();
    settings.planner.candidates = 50;
    settings.kernel = KernelChoice::named("rbf");
    settings.pilot = PilotSettings::paper();
    settings.pilot.soundings = 20;
    settings.budget = Budget::of_soundings(60);
    (settings.evaluation.columns, settings.evaluation.rows) = (10, 10);
    settings
}

/// What tests look at afterwards.
#[derive(Default)]
struct Diary {
    troubles: Vec<Trouble>,
    lost: usize,
    evaluations: usize,
    trained: usize,
}

impl Observer for Diary {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Trouble { trouble } => self.troubles.push((*trouble).clone()),
            Event::Lost { .. } => self.lost += 1,
            Event::Evaluated { .. } => self.evaluations += 1,
            Event::Trained { training, .. } => self.trained += training.steps,
            _ => {}
        }
    }
}

impl Diary {
    fn remedies(&self) -> Vec<Remedy> {
        let remedy = |trouble: &Trouble| match trouble {
            Trouble::Numerics { remedy, .. } | Trouble::Refused { remedy, .. } => Some(*remedy),
            _ => None,
        };
        self.troubles.iter().filter_map(remedy).collect()
    }
}

/// An RBF whose matrices are NaN while `broken` says so of the call.
#[derive(Debug)]
struct Flaky {
    inner: Box<dyn Kernel>,
    calls: Arc<AtomicUsize>,
    broken: fn(usize) -> bool,
}

impl Flaky {
    fn boxed(broken: fn(usize) -> bool) -> Box<Self> {
        Box::new(Self {
            inner: Box::new(rbf(1.0, 0.5)),
            calls: Arc::default(),
            broken,
        })
    }

    fn spoil(&self, out: &mut Matrix) {
        if (self.broken)(self.calls.fetch_add(1, Ordering::Relaxed)) {
            out.column_mut(0).fill(f64::NAN);
        }
    }
}

impl Kernel for Flaky {
    fn name(&self) -> &'static str {
        "flaky"
    }

    fn structure(&self) -> serde_json::Value {
        self.inner.structure()
    }

    fn params(&self) -> Vec<ParamSpec> {
        self.inner.params()
    }

    fn matrix(
        &self,
        theta: &[f64],
        x: &Points,
        out: &mut Matrix,
        memory: &mut Memory,
        compute: &Compute,
    ) {
        self.inner.matrix(theta, x, out, memory, compute);
        self.spoil(out);
    }

    fn cross(
        &self,
        theta: &[f64],
        a: &Points,
        b: &Points,
        out: &mut Matrix,
        memory: &mut Memory,
        c: &Compute,
    ) {
        self.inner.cross(theta, a, b, out, memory, c);
        self.spoil(out);
    }

    fn diagonal(&self, theta: &[f64], x: &Points, out: &mut [f64]) {
        self.inner.diagonal(theta, x, out);
    }

    fn contract(
        &self,
        theta: &[f64],
        x: &Points,
        slopes: &Matrix,
        gradient: &mut [f64],
        memory: &mut Memory,
        compute: &Compute,
    ) {
        self.inner
            .contract(theta, x, slopes, gradient, memory, compute);
        if (self.broken)(self.calls.fetch_add(1, Ordering::Relaxed)) {
            gradient.fill(f64::NAN);
        }
    }
}

fn regression<W: World>(mission: &Mission<W>) -> &Regression {
    let any: &dyn std::any::Any = mission.surrogate().unwrap();
    let exact = any.downcast_ref::<Auto>().and_then(Auto::exact);
    exact
        .or(any.downcast_ref::<Committee>())
        .unwrap()
        .regression()
}

fn with_flaky(
    planner: &str,
    broken: fn(usize) -> bool,
) -> (Ending, Diary, Mission<SimulatedWorld>) {
    let mission = Mission::simulated(surface(), square(), small(planner)).unwrap();
    let mut mission = mission.with_kernel(Flaky::boxed(broken));
    let mut diary = Diary::default();
    let ending = mission.run(&mut diary).unwrap();
    (ending, diary, mission)
}

#[test]
fn a_kernel_that_is_nan_now_and_then_costs_a_few_steps() {
    for planner in ["random", "active", "myopic"] {
        let (ending, diary, mission) = with_flaky(planner, |call| call % 37 >= 32);
        assert_eq!(ending, Ending::BudgetSpent);
        assert_eq!(mission.soundings().len(), 60);
        assert!(diary.remedies().contains(&Remedy::SkippedTraining));
        assert!(diary.trained > 20, "{}", diary.trained);
        assert!(diary.evaluations > 1);
        let model = regression(&mission);
        assert_eq!(model.len(), 60);
        assert!(model.params().natural().iter().all(|p| p.is_finite()));
    }
}

#[test]
fn a_kernel_that_breaks_down_for_a_while_recovers() {
    let (ending, diary, mission) = with_flaky("active", |call| (150..260).contains(&call));
    assert_eq!(
        (ending, mission.soundings().len()),
        (Ending::BudgetSpent, 60)
    );
    let remedies = diary.remedies();
    for expected in [
        Remedy::RestoredParameters,
        Remedy::RestartedParameters,
        Remedy::KeptPosterior,
    ] {
        assert!(remedies.contains(&expected), "{expected:?}");
    }
    let last = diary.troubles.last().unwrap();
    assert!(matches!(
        last,
        Trouble::Numerics { .. } | Trouble::Refused { .. }
    ));
    // It judged maps before and after.
    assert!(diary.evaluations > 20, "{}", diary.evaluations);
}

#[test]
fn a_kernel_that_never_works_still_brings_all_soundings_home() {
    let (ending, diary, mission) = with_flaky("myopic", |_| true);
    assert_eq!(
        (ending, mission.soundings().len()),
        (Ending::BudgetSpent, 60)
    );
    // It plans with next to nothing: the mean and spread of the first readings.
    assert_eq!(diary.trained, 0);
    assert!(diary.remedies().contains(&Remedy::KeptPosterior));
    assert!(
        diary.troubles[0]
            .to_string()
            .contains("covariance matrix is not positive definite")
    );
}

/// Measures at one place for ever.
#[derive(Debug)]
struct Buoy;

impl Planner for Buoy {
    fn plan(&mut self, _: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        Ok(Some(Plan::jump(Position::new(1.0, 2.0))))
    }
}

#[test]
fn the_same_place_over_and_over_under_absurd_parameters() {
    let mut settings = small("random");
    // An amplitude so large, and noise so small, that equal rows stay equal in floating point.
    settings.kernel = settings
        .kernel
        .with("amplitude", 1e13)
        .with("lengthscale", 30.0);
    settings.training.noise_variance = 1.1e-6;
    settings.sensor.noise_std = 0.0;
    let mission = Mission::simulated(surface(), square(), settings).unwrap();
    let mut mission = mission.with_planner(Box::new(Buoy));
    let mut diary = Diary::default();
    let ending = mission.run(&mut diary).unwrap();
    assert_eq!(
        (ending, mission.soundings().len()),
        (Ending::BudgetSpent, 60)
    );
    assert!(!diary.remedies().is_empty());
    let parameters = regression(&mission).params();
    assert!(parameters.natural().iter().all(|p| p.is_finite()));
}

#[test]
fn explosive_training_is_undone() {
    let mut settings = small("random");
    settings.kernel = KernelChoice::named("ak");
    (settings.training.hyper_rate, settings.training.network_rate) = (400.0, 400.0);
    let mut mission = Mission::simulated(surface(), square(), settings).unwrap();
    let mut diary = Diary::default();
    let ending = mission.run(&mut diary).unwrap();
    assert_eq!(
        (ending, mission.soundings().len()),
        (Ending::BudgetSpent, 60)
    );
    assert_eq!(diary.evaluations + count_skipped(&diary), 41);
}

fn count_skipped(diary: &Diary) -> usize {
    let remedies = diary.remedies();
    remedies
        .iter()
        .filter(|r| **r == Remedy::SkippedEvaluation)
        .count()
}

fn boat() -> Boat {
    let start = Pose {
        position: Position::new(-5.0, -10.0),
        heading_rad: 0.0,
    };
    Boat::new(start, MissionSettings::default().boat).unwrap()
}

fn sonar() -> PointSensor {
    PointSensor::new(surface(), Lookup::Nearest, 1.0).unwrap()
}

#[test]
fn lost_readings_are_not_missed() {
    for planner in ["random", "myopic"] {
        let sensor = Dropouts::new(sonar(), 0.4, seeded_uniform(1)).unwrap();
        let world = SimulatedWorld::new(sensor, boat());
        let mut mission = Mission::new(world, square(), small(planner)).unwrap();
        let mut diary = Diary::default();
        assert_eq!(mission.run(&mut diary).unwrap(), Ending::BudgetSpent);
        assert_eq!(mission.soundings().len(), 60);
        assert!(diary.lost > 15, "{}", diary.lost);
    }
}

/// Reads so often, then never again.
struct Dying(usize);

impl Sensor for Dying {
    fn measure(&mut self, at: Position, _: &mut dyn FnMut() -> f64) -> Option<f64> {
        self.0 = self.0.checked_sub(1)?;
        Some(at.x)
    }
}

#[test]
fn a_dead_sensor_ends_the_mission_with_its_reason() {
    for (readings, planner) in [(0, "random"), (0, "myopic"), (30, "random"), (30, "myopic")] {
        let world = SimulatedWorld::new(Dying(readings), boat());
        let mut mission = Mission::new(world, square(), small(planner)).unwrap();
        let mut diary = Diary::default();
        let ending = mission.run(&mut diary).unwrap();
        assert_eq!(ending, Ending::NoReadings, "{planner}");
        assert_eq!(mission.soundings().len(), readings);
        assert!(diary.lost <= 200);
        assert_eq!(mission.surrogate().is_some(), readings > 20);
    }
}

/// A sensor driver that gives NaN or the largest number for readings it does not have.
struct Careless(usize);

impl Sensor for Careless {
    fn measure(&mut self, at: Position, _: &mut dyn FnMut() -> f64) -> Option<f64> {
        self.0 += 1;
        Some(match self.0 % 4 {
            0 => f64::NAN,
            1 => f64::MAX,
            _ => at.x * at.y,
        })
    }
}

#[test]
fn what_is_not_a_number_is_no_reading() {
    let world = SimulatedWorld::new(Careless(0), boat());
    let mut mission = Mission::new(world, square(), small("myopic")).unwrap();
    assert_eq!(mission.run(&mut ()).unwrap(), Ending::BudgetSpent);
    assert!(mission.soundings().iter().all(|s| s.value.abs() < 101.0));
}

/// A vehicle that runs aground after the pilot survey.
struct Aground(SimulatedWorld);

impl World for Aground {
    fn sample_at(&mut self, at: Position, noise: &mut dyn Randomness) -> Result<Reading, Error> {
        self.0.sample_at(at, noise)
    }

    fn follow(&mut self, _: &[Position], _: &[f64]) -> Result<(), Error> {
        Ok(())
    }

    fn advance(&mut self, _: &mut dyn Randomness) -> Result<Advance, Error> {
        Ok(Advance {
            reading: None,
            leg: LegState::Stuck,
        })
    }

    fn whereabouts(&self) -> Whereabouts {
        self.0.whereabouts()
    }
}

#[test]
fn a_vehicle_that_does_not_move_ends_the_mission_with_its_reason() {
    let world = Aground(SimulatedWorld::over(surface(), &square(), &small("myopic")).unwrap());
    let mut mission = Mission::new(world, square(), small("myopic")).unwrap();
    assert_eq!(mission.run(&mut ()).unwrap(), Ending::NoProgress);
    assert_eq!(mission.soundings().len(), 20);
}

/// Gives back recorded readings, whatever it is asked.
struct Log {
    readings: VecDeque<Sounding>,
    at: Pose,
}

impl Log {
    fn next(&mut self) -> Result<Reading, Error> {
        let next = self.readings.pop_front();
        let sounding = next.ok_or_else(|| Error::World("the log is over".into()))?;
        self.at.position = sounding.position;
        Ok(Reading::Taken(sounding))
    }
}

impl World for Log {
    fn sample_at(&mut self, _: Position, _: &mut dyn Randomness) -> Result<Reading, Error> {
        self.next()
    }

    fn follow(&mut self, _: &[Position], _: &[f64]) -> Result<(), Error> {
        Ok(())
    }

    fn advance(&mut self, _: &mut dyn Randomness) -> Result<Advance, Error> {
        Ok(Advance {
            reading: Some(self.next()?),
            leg: LegState::Underway,
        })
    }

    fn whereabouts(&self) -> Whereabouts {
        Whereabouts {
            pose: self.at,
            distance_m: 0.0,
            time_s: 0.0,
        }
    }
}

#[test]
fn a_log_replays_to_the_same_decisions_and_the_end_of_the_log_is_an_error() {
    let mut goals = Vec::new();
    let mut mission = Mission::simulated(surface(), square(), small("active")).unwrap();
    mission
        .run(&mut |event: &Event<'_>| {
            if let Event::Planned { plan, .. } = event {
                goals.push(plan.goal());
            }
        })
        .unwrap();

    let log = Log {
        readings: mission.soundings()[..55].iter().copied().collect(),
        at: boat_pose(),
    };
    let mut replay = Mission::new(log, square(), small("active")).unwrap();
    let mut replayed = Vec::new();
    let error = replay
        .run(&mut |event: &Event<'_>| {
            if let Event::Planned { plan, .. } = event {
                replayed.push(plan.goal());
            }
        })
        .unwrap_err();
    assert_eq!(error.to_string(), "the log is over");
    assert_eq!(replayed, goals[..56]);
    assert_eq!(replay.soundings(), &mission.soundings()[..55]);
}

fn boat_pose() -> Pose {
    Pose {
        position: Position::default(),
        heading_rad: 0.0,
    }
}

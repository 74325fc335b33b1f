//! A mission that was watched can be run again from what was seen; prior readings reach the model.

mod support;

use support::surface;
use transect::Sounding;
use transect::budget::Budget;
use transect::geometry::{Polygon, Position, Rect, Workspace};
use transect::mission::{Ending, Evaluator, Event, Mission, Recorded, RecordedWorld, Whereabouts};
use transect::planner::Travel;
use transect::planner::{PLANNERS, Plan};
use transect::settings::{KernelChoice, MissionSettings, PilotSettings};

fn square() -> Workspace {
    Rect::new(-10.0, 10.0, -10.0, 10.0).unwrap().into()
}

fn with_island() -> Workspace {
    let ring = |low: f64, high: f64| {
        [[low, low], [high, low], [high, high], [low, high]]
            .map(Position::from)
            .to_vec()
    };
    let lake = Polygon::new(ring(-9.0, 9.0), vec![ring(-2.0, 3.0)]).unwrap();
    lake.into()
}

fn small(planner: &str, base: MissionSettings) -> MissionSettings {
    let mut settings = base;
    settings.planner.name = planner.into();
    settings.planner.candidates = 60;
    settings.pilot = PilotSettings::paper();
    settings.pilot.soundings = 15;
    settings.budget = Budget::of_soundings(45);
    settings.kernel = KernelChoice::named("matern32");
    (settings.evaluation.columns, settings.evaluation.rows) = (8, 8);
    settings
}

/// What is decided, and what is learnt from it.
#[derive(Default, Debug, PartialEq)]
struct Decisions {
    plans: Vec<Plan>,
    losses: Vec<Option<f64>>,
    ending: Option<Ending>,
}

impl Decisions {
    fn note(&mut self, event: &Event<'_>) {
        match event {
            Event::Planned { plan, .. } => self.plans.push(Plan::clone(plan)),
            Event::Trained { training, .. } => self.losses.push(training.loss),
            Event::Finished { ending, .. } => self.ending = Some(*ending),
            _ => {}
        }
    }
}

fn assert_repeats(workspace: Workspace, settings: MissionSettings) {
    let name = settings.planner.name.clone();
    let (mut steps, mut first, mut start) = (Vec::new(), Decisions::default(), None);
    Mission::simulated(surface(), workspace.clone(), settings.clone())
        .unwrap()
        .run(&mut |event: &Event<'_>| {
            if let Event::Started { vehicle, .. } = event {
                start = Some(*vehicle);
            }
            steps.extend(Recorded::of(event));
            first.note(event);
        })
        .unwrap();
    let start: Whereabouts = start.unwrap();
    let world = RecordedWorld::new(start, steps, &settings);
    let mut again = Decisions::default();
    // Judging a map factors the covariance, and when it is factored shows in the last digits.
    let (grid, lookup) = (settings.evaluation, settings.sensor.lookup);
    let truth = |at| surface().value(at, lookup);
    let evaluator = Evaluator::on_grid(&workspace, grid.columns, grid.rows, truth).unwrap();
    let mission = Mission::new(world, workspace, settings).unwrap();
    let mut mission = mission.with_evaluator(evaluator);
    mission
        .run(&mut |event: &Event<'_>| again.note(event))
        .unwrap();
    assert!(!first.plans.is_empty(), "{name}");
    assert_eq!(first, again, "{name}");
}

#[test]
fn every_planner_decides_the_same_again() {
    for (planner, _) in PLANNERS.entries() {
        for workspace in [square(), with_island()] {
            assert_repeats(workspace, small(planner, MissionSettings::default()));
        }
        assert_repeats(square(), small(planner, MissionSettings::paper()));
    }
}

#[test]
fn driven_pilots_and_budgets_of_distance_and_time_repeat() {
    for budget in [
        Budget {
            distance_m: Some(120.0),
            ..Budget::default()
        },
        Budget {
            time_s: Some(130.0),
            ..Budget::default()
        },
    ] {
        let mut settings = small("myopic", MissionSettings::default());
        settings.pilot.travel = Travel::Drive;
        settings.budget = budget;
        assert_repeats(with_island(), settings);
    }
}

#[test]
fn a_recording_that_was_cut_off_says_so() {
    let settings = small("myopic", MissionSettings::default());
    let (mut steps, mut start) = (Vec::new(), None);
    Mission::simulated(surface(), square(), settings.clone())
        .unwrap()
        .run(&mut |event: &Event<'_>| {
            if let Event::Started { vehicle, .. } = event {
                start = Some(*vehicle);
            }
            steps.extend(Recorded::of(event));
        })
        .unwrap();
    for length in [0, 1, 7, steps.len() / 2] {
        let world = RecordedWorld::new(start.unwrap(), steps[..length].to_vec(), &settings);
        let mut mission = Mission::new(world, square(), settings.clone()).unwrap();
        assert!(mission.run(&mut ()).is_err());
        assert!(mission.world_mut().is_over(), "{length}");
    }
}

#[test]
fn prior_readings_make_the_first_map_better_and_cost_nothing() {
    let terrain = surface();
    let lookup = transect::terrain::Lookup::Nearest;
    let prior: Vec<Sounding> = (0..100)
        .map(|i| {
            Position::new(
                -9.0 + 2.0 * f64::from(i % 10),
                -9.0 + 2.0 * f64::from(i / 10),
            )
        })
        .map(|position| Sounding {
            position,
            value: terrain.value(position, lookup).unwrap(),
            time_s: 0.0,
        })
        .collect();
    let first_map = |prior: Vec<Sounding>| {
        let settings = small("myopic", MissionSettings::default());
        let mission = Mission::simulated(surface(), square(), settings).unwrap();
        let mut mission = mission.with_prior(prior).unwrap();
        let mut maps = Vec::new();
        mission
            .run(&mut |event: &Event<'_>| {
                if let Event::Evaluated { evaluation, .. } = event {
                    maps.push((evaluation.samples, evaluation.rmse));
                }
            })
            .unwrap();
        assert_eq!(mission.spent().soundings, 45);
        maps[0]
    };
    let (without, with) = (first_map(Vec::new()), first_map(prior));
    assert_eq!((without.0, with.0), (15, 115));
    assert!(with.1 < 0.7 * without.1, "{with:?} {without:?}");

    let mission = Mission::simulated(
        surface(),
        square(),
        small("myopic", MissionSettings::default()),
    )
    .unwrap();
    let bad = Sounding {
        position: Position::new(f64::NAN, 0.0),
        value: 1.0,
        time_s: 0.0,
    };
    let refusal = mission.with_prior(vec![bad]).err().unwrap().to_string();
    assert!(
        refusal.contains("prior sounding number 0 is NaN"),
        "{refusal}"
    );
}

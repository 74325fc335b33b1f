//! Soundings of which one in twenty is nonsense, uniform over ten times the range of the surface.

mod support;

use std::sync::Arc;

use support::{papers_terrain, surface};
use transect::budget::Budget;
use transect::geometry::{Position, Rect, Workspace};
use transect::mission::{Evaluator, Event, Mission, SimulatedWorld};
use transect::sensor::{Outliers, PointSensor, seeded_uniform};
use transect::settings::{MissionSettings, PilotSettings};
use transect::terrain::{Lookup, Terrain};
use transect::vehicle::{Boat, Pose};

/// SMSE at the end of a survey of so many soundings with a share of nonsense, and what the mission said about it.
fn survey(
    (terrain, soundings): (&Arc<Terrain>, u64),
    nonsense: f64,
    ignore_outliers: bool,
) -> (f64, Vec<String>) {
    let workspace: Workspace = Rect::new(-10.0, 10.0, -10.0, 10.0).unwrap().into();
    let mut settings = MissionSettings {
        pilot: PilotSettings::paper(),
        ..MissionSettings::default()
    };
    settings.planner.name = "random".into();
    settings.budget = Budget::of_soundings(soundings);
    settings.training.ignore_outliers = ignore_outliers;
    let summary = terrain.summary();
    let sensor = PointSensor::new(terrain.clone(), Lookup::Nearest, 0.1).unwrap();
    let range = (summary.min, summary.max);
    let sensor = Outliers::new(sensor, nonsense, range, 10.0, seeded_uniform(3)).unwrap();
    let start = Pose {
        position: Position::new(-5.0, -10.0),
        heading_rad: 0.0,
    };
    let world = SimulatedWorld::new(sensor, Boat::new(start, settings.boat).unwrap());
    let truth = |at| terrain.value(at, Lookup::Nearest);
    let evaluator = Evaluator::on_grid(&workspace, 20, 20, truth).unwrap();
    let mut mission = Mission::new(world, workspace, settings)
        .unwrap()
        .with_evaluator(evaluator);
    let (mut smse, mut said) = (f64::NAN, Vec::new());
    let mut observer = |event: &Event<'_>| match event {
        Event::Evaluated { evaluation, .. } => smse = evaluation.smse,
        Event::Trouble { trouble } => said.push(trouble.to_string()),
        _ => {}
    };
    mission.run(&mut observer).unwrap();
    (smse, said)
}

#[test]
fn nonsense_is_told_of_and_can_be_ignored() {
    let place = (&surface(), 150);
    let (clean, _) = survey(place, 0.0, false);
    let (spoilt, said) = survey(place, 0.05, false);
    assert!(spoilt > 1.25 * clean, "{spoilt} {clean}");
    let warning = "set training.ignore_outliers";
    assert!(said.iter().any(|s| s.contains(warning)), "{said:?}");
    let (saved, said) = survey(place, 0.05, true);
    assert!(saved < 1.25 * clean, "{saved} {clean}");
    let ignored = "the model ignores them";
    assert!(said.iter().any(|s| s.contains(ignored)), "{said:?}");
}

#[test]
#[cfg_attr(not(transect_data), ignore = "needs TRANSECT_DATA")]
fn nonsense_does_not_spoil_maps_of_the_papers_terrains() {
    for name in ["N17E073", "N43W080", "N45W123", "N47W124"] {
        let place = (&papers_terrain(name), 300);
        let (clean, _) = survey(place, 0.0, true);
        let (told, said) = survey(place, 0.05, false);
        let warned = said.iter().any(|s| s.contains("training.ignore_outliers"));
        let (saved, _) = survey(place, 0.05, true);
        println!(
            "{name}: SMSE {clean:.4} clean, {told:.4} with nonsense, {saved:.4} with nonsense ignored"
        );
        assert!(saved < 1.25 * clean, "{name}: {saved} {clean}");
        assert!(warned, "{name}: {said:?}");
    }
}

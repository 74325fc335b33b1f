//! Missions against runs of the paper's own program (`pypolo` 0.0.3), seed for seed: soundings, and metrics
//! after every epoch.
//!
//! The first epochs run by default; the whole runs with
//! `TRANSECT_DATA=<folder> cargo test --release -p transect-core --test paper_runs -- --include-ignored --nocapture`

mod support;

use support::{data, papers_terrain};
use transect::geometry::{Rect, Workspace};
use transect::metrics::Evaluation;
use transect::mission::{Event, Mission};
use transect::settings::{KernelChoice, MissionSettings};

fn table(path: &str) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(data(path)).expect("the series is there");
    let row = |line: &str| line.split(',').map(|f| f.parse().unwrap()).collect();
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(row).collect()
}

/// Follows a run for so many epochs after the pilot survey, or to its end.
fn follow(name: &str, epochs: usize, tolerance: f64) {
    let parts: Vec<&str> = name.split('_').collect();
    let [place, planner, kernel, seed] = parts[..] else {
        panic!("{name}: terrain_planner_kernel_seed");
    };
    let mut settings = MissionSettings::paper();
    settings.seed = seed.strip_prefix("seed").unwrap().parse().unwrap();
    settings.planner.name = planner.into();
    settings.kernel = KernelChoice::paper(kernel);
    let workspace = Workspace::from(Rect::new(-10.0, 10.0, -10.0, 10.0).unwrap());
    let mut mission = Mission::simulated(papers_terrain(place), workspace, settings).unwrap();

    let metrics = table(&format!("series/runs/{name}.csv"));
    let mut evaluations: Vec<Evaluation> = Vec::new();
    let mut troubles = Vec::new();
    let mut observer = |event: &Event<'_>| match event {
        Event::Evaluated { evaluation, .. } => evaluations.push((*evaluation).clone()),
        Event::Trouble { trouble } => troubles.push(trouble.to_string()),
        _ => {}
    };
    let pilot = mission.settings().pilot.soundings;
    for _ in 0..=pilot.saturating_add(epochs) {
        if mission.step(&mut observer).unwrap().ending.is_some() {
            break;
        }
    }
    assert_eq!(troubles, [""; 0]);
    assert_eq!(
        evaluations.len(),
        metrics.len().min(epochs.saturating_add(1))
    );

    let soundings = data(&format!("series/runs/{name}_soundings.csv"));
    let mut worst_sounding = 0.0_f64;
    if soundings.exists() {
        let expected = table(&format!("series/runs/{name}_soundings.csv"));
        assert!(mission.soundings().len() <= expected.len());
        for (index, (got, expected)) in mission.soundings().iter().zip(&expected).enumerate() {
            let got = [got.position.x, got.position.y, got.value];
            for (got, expected) in got.iter().zip(expected) {
                let error = (got - expected).abs();
                worst_sounding = worst_sounding.max(error);
                assert!(error <= 1e-6, "{name} sounding {index}: {got}, {expected}");
            }
        }
    }
    let mut worst = [0.0_f64; 5];
    for (epoch, (got, expected)) in evaluations.iter().zip(&metrics).enumerate() {
        assert_eq!(got.samples as f64, expected[0], "{name} epoch {epoch}");
        let got = [got.smse, got.msll, got.nlpd, got.rmse, got.mae];
        for (metric, (got, expected)) in got.iter().zip(&expected[1..]).enumerate() {
            let error = (got - expected).abs();
            worst[metric] = worst[metric].max(error);
            assert!(
                metric > 2 || error <= tolerance,
                "{name} epoch {epoch}, metric {metric}: {got}, published {expected}"
            );
        }
    }
    let worst = worst.map(|error| format!("{error:.1e}")).join(" ");
    println!(
        "{name}: {} epochs; worst smse, msll, nlpd, rmse, mae: {worst}; worst sounding: {worst_sounding:.1e}",
        evaluations.len()
    );
}

macro_rules! run {
    ($name:ident, $run:literal, $short:literal, $tolerance:literal) => {
        mod $name {
            use super::follow;

            #[test]
            #[cfg_attr(not(transect_data), ignore = "needs TRANSECT_DATA")]
            fn first_epochs() {
                follow($run, $short, $tolerance);
            }

            #[test]
            #[ignore = "whole run; see the top of this file"]
            fn all_epochs() {
                follow($run, usize::MAX, $tolerance);
            }
        }
    };
}

run!(random_ak, "N17E073_random_ak_seed0", 150, 1e-5);
run!(random_rbf, "N17E073_random_rbf_seed0", 150, 1e-5);
run!(myopic_ak, "N45W123_myopic_ak_seed1", 40, 1e-4);

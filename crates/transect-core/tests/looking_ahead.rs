//! Planners that search for a path, on a pond so small that every path can be tried.

use std::f64::consts::TAU;

use transect::Sounding;
use transect::budget::{Budget, Spent};
use transect::geometry::{Position, Rect, Workspace};
use transect::gp::kernel::{Kernel, matern32};
use transect::gp::random::Stream;
use transect::gp::{Compute, InputScaler, Points};
use transect::inputs;
use transect::objective::{IntegratedVariance, Objective};
use transect::planner::{Context, PLANNERS, Plan};
use transect::settings::{ErrorBars, MissionSettings, TrainingSettings};
use transect::surrogate::{Committee, Surrogate};
use transect::travel::{Track, TravelModel};
use transect::vehicle::Pose;

const HORIZON_S: f64 = 8.0;

/// 8 x 8 m of which the west is known; the vehicle is in the middle.
struct Pond {
    area: Workspace,
    model: Committee,
    start: Pose,
    travel: TravelModel,
}

impl Pond {
    fn new() -> Self {
        let area = Rect::new(0.0, 8.0, 0.0, 8.0).unwrap();
        let rows: Vec<[f64; 2]> = (0..12)
            .map(|i| [0.3 + 0.9 * f64::from(i % 3), 0.5 + 2.2 * f64::from(i / 3)])
            .collect();
        let y: Vec<f64> = rows.iter().map(|[a, b]| (2.0 * a).sin() + b).collect();
        let settings = TrainingSettings {
            error_bars: ErrorBars::Kernels,
            warp_knots: 0,
            ..TrainingSettings::default()
        };
        let kernel: Box<dyn Kernel> = Box::new(matern32(1.0, 0.4));
        let inputs = InputScaler::from_ranges(&[(0.0, 8.0), (0.0, 8.0)]).unwrap();
        let x = Points::from_rows(&rows).unwrap();
        let data = (&x, &y[..]);
        Self {
            area: Workspace::from(area),
            model: Committee::fit(kernel.into(), &settings, inputs, data, Compute::default())
                .unwrap(),
            start: Pose {
                position: Position::new(4.0, 4.0),
                heading_rad: 0.0,
            },
            travel: TravelModel::of(&MissionSettings::default().boat).unwrap(),
        }
    }

    /// What the readings of the first `time_s` are worth, one a second.
    fn worth(&self, corners: &[Position], time_s: f64) -> f64 {
        let track = Track::new(&self.travel, self.start, corners);
        let mut places = track.soundings(1.0, 1.0);
        places.truncate(time_s as usize);
        let places = inputs::places(&places).unwrap();
        let objective = IntegratedVariance::over(&self.area).unwrap();
        objective
            .path(self.model.posterior().as_ref(), &places)
            .unwrap()
    }

    fn settings(name: &str, trials: usize) -> MissionSettings {
        let mut settings = MissionSettings::default();
        settings.planner.name = name.into();
        settings.planner.objective = "integrated-variance".into();
        settings.planner.trials = trials;
        settings.planner.horizon_s = Some(HORIZON_S);
        settings
    }

    fn plan(&self, name: &str, trials: usize, home: Option<Position>, left_s: f64) -> Option<Plan> {
        let settings = Self::settings(name, trials);
        let mut planner = PLANNERS.get(name).unwrap()(&settings, &self.area).unwrap();
        let none: [Sounding; 0] = [];
        let mut context = Context {
            known: Some(self.model.posterior()),
            workspace: &self.area,
            stay_inside: true,
            pose: self.start,
            randomness: &mut Stream::new(5),
            budget: &Budget {
                time_s: Some(left_s),
                ..Budget::default()
            },
            spent: Spent::default(),
            home,
            prior: &none,
            soundings: &none,
        };
        planner.plan(&mut context).unwrap()
    }

    /// The best of every path of `legs` equal legs in `directions` directions that stays inside, except straight back, within `time_s`.
    fn best_of(&self, legs: usize, directions: usize, time_s: f64) -> f64 {
        let leg_m = HORIZON_S * self.travel.speed_mps() / legs as f64;
        let mut best = f64::NEG_INFINITY;
        for code in 0..directions.pow(legs as u32) {
            let choices: Vec<usize> = (0..legs as u32)
                .map(|leg| code / directions.pow(leg) % directions)
                .collect();
            let back = |pair: &[usize]| (pair[0] + directions / 2) % directions == pair[1];
            if choices.windows(2).any(back) {
                continue;
            }
            let mut at = self.start.position;
            let mut corners = Vec::new();
            for choice in choices {
                let (sin, cos) = (TAU * choice as f64 / directions as f64).sin_cos();
                at = Position::new(at.x + leg_m * cos, at.y + leg_m * sin);
                corners.push(at);
            }
            if corners.iter().all(|c| self.area.contains(*c)) {
                best = best.max(self.worth(&corners, time_s));
            }
        }
        best
    }
}

#[test]
fn tree_search_finds_the_best_of_all_paths_of_its_kind() {
    let pond = Pond::new();
    let plan = pond.plan("mcts", 8 * 7 * 7 * 7, None, 600.0).unwrap();
    let best = pond.best_of(4, 8, f64::INFINITY);
    let found = plan.score.unwrap();
    assert!((found - best).abs() <= 1e-12 * best, "{found} of {best}");
    assert!((pond.worth(&plan.path, f64::INFINITY) - found).abs() <= 1e-12 * best);
}

#[test]
fn tree_search_needs_few_of_them_for_a_good_one() {
    let pond = Pond::new();
    let found = pond.plan("mcts", 200, None, 600.0).unwrap().score.unwrap();
    assert!(found > 0.95 * pond.best_of(4, 8, f64::INFINITY), "{found}");
}

/// Their paths bend where they like, so that they may do better than every path of three legs on a fan of directions.
#[test]
fn continuous_planners_find_what_trying_every_path_finds() {
    let pond = Pond::new();
    let best = pond.best_of(3, 16, HORIZON_S);
    for (name, trials) in [("rig-tree", 4000), ("cma-es", 1500)] {
        let plan = pond.plan(name, trials, None, 600.0).unwrap();
        let found = plan.score.unwrap();
        assert!(found > 0.98 * best, "{name}: {found} of {best}");
        let time_s = pond.travel.time_s(pond.start, &plan.path);
        assert!(time_s <= 1.01 * HORIZON_S, "{name}: {time_s} s");
        assert!(plan.path.iter().all(|p| pond.area.contains(*p)));
    }
}

#[test]
fn they_are_home_when_the_budget_ends() {
    let pond = Pond::new();
    let home = Position::new(1.0, 4.0);
    for name in ["rig-tree", "mcts", "cma-es"] {
        let mut plan = pond.plan(name, 300, Some(home), 12.0).unwrap();
        plan.path.push(home);
        let time_s = pond.travel.time_s(pond.start, &plan.path);
        assert!(time_s <= 12.0, "{name}: {time_s} s");
        // Nothing but the way home can be afforded.
        let plan = pond.plan(name, 300, Some(home), 2.0).unwrap();
        assert_eq!(plan.path, [home], "{name}");
    }
}

//! Planners against a lawnmower, with the same boat in the same time.
//!
//! Every mission drives the default profile's boat, which does not stop, over the paper's area; nothing is given away: the opening costs its
//! time. The lawnmower has all the time for its lines. What each brought home is judged alike: by the map that a new model of
//! the default profile makes of the soundings.

use super::Profile;
use super::job::{Stopwatch, Watch};
use crate::data::DataFolder;
use crate::error::Result;
use crate::results::{Output, SOUNDINGS, Table};
use serde::Serialize;
use std::time::Instant;
use transect::budget::Budget;
use transect::geometry::{Rect, Workspace};
use transect::gp::{Compute, Points};
use transect::inputs;
use transect::metrics::Evaluation;
use transect::mission::{Evaluator, Event, Mission, Phase};
use transect::planner::Travel;
use transect::settings::{MissionSettings, PilotSettings, PilotShape, PlannerSettings};
use transect::surrogate::{FirstReadings, SURROGATES};
use transect::terrain::Terrain;

/// The terrains that planners are compared on.
pub const PLANNERS_TERRAINS: [&str; 5] = ["N17E073", "N43W080", "N45W123", "N47W124", "jacksboro"];
/// What is compared, the yardstick last.
pub const PLANNERS: [&str; 3] = ["tour", "myopic", LAWNMOWER];
/// The yardstick.
pub const LAWNMOWER: &str = "lawnmower";
/// Takes a part of a planner away.
pub type TakeAway = fn(&mut MissionSettings);
/// The tour with one of its parts taken away, by the name of what is left.
pub const WITHOUT: [(&str, TakeAway); 5] = [
    ("tour-no-opening", |settings| {
        // The paper's curve: as many soundings as its pilot survey has.
        let paper = PilotSettings::paper();
        settings.pilot = PilotSettings {
            travel: Travel::Drive,
            ..paper
        };
    }),
    ("tour-no-rope", |settings| settings.planner.refine = false),
    ("tour-no-pace", |settings| settings.planner.pace = false),
    ("tour-no-foresight", |settings| {
        settings.planner.horizon_s = Some(FORESIGHT_S);
    }),
    ("tour-no-replanning", |settings| {
        settings.planner.replan_share = 1.0;
    }),
];
/// What is left of looking ahead without it, s.
const FORESIGHT_S: f64 = 30.0;
/// Boat times, s.
pub const TIMES_S: [u32; 2] = [300, 600];
/// Columns of `judged.csv`.
pub const JUDGED: [&str; 8] = [
    "time_s",
    "soundings",
    "distance_m",
    "smse",
    "msll",
    "rmse",
    "coverage_95",
    "own_smse",
];
/// Columns of `decisions.csv`: seconds that each decision took.
pub const DECISIONS: [&str; 2] = ["soundings", "seconds"];
/// Range of the heights that built-in terrains are brought to: that of the paper's.
const RANGE: f64 = 255.0;
/// Readings that count as the first ones when a model learns all at once.
const FIRST: usize = 50;

/// One mission of a planner.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlannersJob {
    /// The terrain's name.
    pub terrain: String,
    /// The planner's name.
    pub planner: String,
    /// Boat time, s.
    pub time_s: u32,
    /// The seed.
    pub seed: u64,
}

impl PlannersJob {
    /// The run's folder.
    #[must_use]
    pub fn path(&self) -> String {
        let Self {
            terrain,
            planner,
            time_s,
            seed,
        } = self;
        format!("planners/{terrain}/{planner}/{time_s}s/seed{seed}")
    }

    pub(super) fn settings(&self) -> MissionSettings {
        let whole = self.planner == LAWNMOWER;
        let pilot = PilotSettings {
            shape: PilotShape::Lines,
            travel: Travel::Drive,
            ..PilotSettings::default()
        };
        let without = WITHOUT.iter().find(|(name, _)| *name == self.planner);
        let name = without.map_or(&self.planner[..], |_| "tour");
        let mut settings = MissionSettings {
            seed: self.seed,
            budget: Budget {
                time_s: Some(f64::from(self.time_s)),
                ..Budget::default()
            },
            // The lawnmower's lines are its opening, and all there is.
            pilot: PilotSettings {
                share: if whole { 1.0 } else { pilot.share },
                ..pilot
            },
            planner: PlannerSettings::named(name),
            ..Profile::Default.settings()
        };
        if let Some((_, take_away)) = without {
            take_away(&mut settings);
        }
        settings
    }

    pub(super) fn validate(&self) -> Result<()> {
        Ok(self.settings().validate()?)
    }

    pub(super) fn run(
        &self,
        data: &DataFolder,
        watch: Watch<'_>,
        clock: &mut Stopwatch,
    ) -> Result<Vec<Output>> {
        let extent = Rect::new(-11.0, 11.0, -11.0, 11.0)?;
        let given = PLANNERS_TERRAINS.contains(&&self.terrain[..]);
        let terrain = if given {
            data.terrain(&self.terrain, extent)?
        } else {
            data.terrain_of_range(&self.terrain, extent, RANGE)?
        };
        let workspace = Workspace::from(Rect::new(-10.0, 10.0, -10.0, 10.0)?);
        let settings = self.settings();
        let mut mission = Mission::simulated(terrain.clone(), workspace.clone(), settings.clone())?;
        clock.lap("prepare");
        let mut decisions = Table::new(&DECISIONS);
        let (mut soundings, mut own_smse, mut last) = (0.0, f64::NAN, Instant::now());
        let mut observer = |event: &Event<'_>| {
            match event {
                Event::Planned {
                    phase: Phase::Survey,
                    ..
                } => {
                    decisions.push(&[soundings, last.elapsed().as_secs_f64()]);
                    clock.lap("plan");
                }
                Event::Sounding { .. } => {
                    soundings += 1.0;
                    clock.lap("move");
                }
                Event::Trained { .. } => clock.lap("train"),
                Event::Evaluated { evaluation, .. } => {
                    own_smse = evaluation.smse;
                    clock.lap("evaluate");
                }
                _ => {}
            }
            last = Instant::now();
        };
        loop {
            let progress = mission.step(&mut observer)?;
            watch(0.8 * progress.spent.time_s / f64::from(self.time_s));
            if progress.ending.is_some() {
                break;
            }
        }
        let (places, readings) =
            inputs::soundings(mission.soundings()).map_err(transect::Error::from)?;
        let evaluation = judge(&settings, &terrain, &workspace, &places, &readings)?;
        clock.lap("judge");
        let spent = mission.spent();
        let mut judged = Table::new(&JUDGED);
        judged.push(&[
            spent.time_s,
            readings.len() as f64,
            spent.distance_m,
            evaluation.smse,
            evaluation.msll,
            evaluation.rmse,
            evaluation.calibration.coverage_95,
            own_smse,
        ]);
        let mut track = Table::new(&SOUNDINGS);
        for sounding in mission.soundings() {
            track.push(&[sounding.position.x, sounding.position.y, sounding.value]);
        }
        Ok(vec![
            Output::text("judged.csv", judged.to_csv()),
            Output::text("decisions.csv", decisions.to_csv()),
            Output::text("soundings.csv", track.to_csv()),
        ])
    }
}

/// Judges soundings by the map that a new model makes of them, on the grid that `settings` evaluate on.
///
/// # Errors
/// If there are too few soundings to learn from, or `settings` name no model.
pub fn judge(
    settings: &MissionSettings,
    terrain: &Terrain,
    workspace: &Workspace,
    places: &Points,
    readings: &[f64],
) -> Result<Evaluation> {
    let build = SURROGATES.get(&settings.surrogate.name)?.build;
    let mut model = build(&FirstReadings {
        settings,
        workspace,
        places,
        readings,
        compute: Compute::default(),
    })?;
    model.train(settings.training.steps_for(readings.len(), FIRST));
    let grid = settings.evaluation;
    let evaluator = Evaluator::on_grid(workspace, grid.columns, grid.rows, |at| {
        terrain.value(at, settings.sensor.lookup)
    })?;
    Ok(evaluator.evaluate(&*model.posterior(), readings)?.0)
}

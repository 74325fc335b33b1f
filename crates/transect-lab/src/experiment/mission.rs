//! A simulated mission of `tables`, `sensitivity`, `ablation` or `field`.

use super::job::{Stopwatch, Watch};
use super::{Experiment, Profile, parts};
use crate::data::DataFolder;
use crate::error::Result;
use crate::results::{COVERAGE, MAP, METRICS, Output, SOUNDINGS, Table};
use serde::Serialize;
use transect::budget::Budget;
use transect::geometry::{Rect, Workspace};
use transect::mission::{Event, Mission};
use transect::settings::{KernelChoice, MissionSettings, PilotSettings, PlannerSettings};
use transect::vehicle::BoatSettings;

/// One mission on a terrain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MissionJob {
    /// The experiment it belongs to.
    pub experiment: Experiment,
    /// Whose behaviour it has.
    pub profile: Profile,
    /// The terrain's name.
    pub terrain: String,
    /// The planner's name.
    pub strategy: String,
    /// The kernel's name in paths.
    pub label: String,
    /// The kernel.
    pub kernel: KernelChoice,
    /// The seed.
    pub seed: u64,
    /// Soundings to take.
    pub samples: usize,
}

/// The boat of the paper's field experiment.
const FIELD_SPEED_MPS: f64 = 0.7;
const FIELD_GOAL_M: f64 = 2.0;

/// The workspace of the paper's field experiment, 80 x 88 m.
///
/// # Errors
/// Never: the numbers are a rectangle's.
pub(crate) fn field_extent() -> Result<Rect> {
    Ok(Rect::new(0.0, 80.0, 0.0, 88.0)?)
}

/// The seed whose maps are kept for the figures.
const PICTURED_SEED: u64 = 0;

impl MissionJob {
    /// The run's folder.
    #[must_use]
    pub fn path(&self) -> String {
        let (experiment, profile) = (self.experiment.name(), self.profile.name());
        let strategy = match self.experiment {
            Experiment::Tables => format!("{}/", self.strategy),
            _ => String::new(),
        };
        format!(
            "{experiment}/{profile}/{}/{strategy}{}/seed{}",
            self.terrain, self.label, self.seed
        )
    }

    pub(super) fn settings(&self) -> MissionSettings {
        let mut settings = MissionSettings {
            seed: self.seed,
            budget: Budget::of_soundings(self.samples as u64),
            kernel: self.kernel.clone(),
            // Both profiles drive the paper's boat by the paper's strategies: what differs is the model.
            boat: BoatSettings::paper(),
            pilot: PilotSettings::paper(),
            planner: PlannerSettings::named(&self.strategy),
            ..self.profile.settings()
        };
        if self.experiment == Experiment::Field {
            settings.boat.max_speed_mps = FIELD_SPEED_MPS;
            settings.boat.goal_tolerance_m = FIELD_GOAL_M;
        }
        let taken_away = parts::named(&self.label).filter(|_| self.profile == Profile::Default);
        if let Some(change) = taken_away {
            change(&mut settings);
        }
        settings
    }

    pub(super) fn validate(&self) -> Result<()> {
        Ok(self.settings().validate()?)
    }

    /// The numbers of soundings at which the paper shows maps, in order.
    fn pictured_at(&self) -> Vec<usize> {
        let shown = match (self.experiment, &self.strategy[..]) {
            (Experiment::Tables, "myopic") => vec![400],
            (Experiment::Tables, _) => vec![570],
            // An early map and the last.
            (Experiment::Field, _) => vec![self.samples / 4, self.samples],
            _ => Vec::new(),
        };
        shown.into_iter().map(|n| n.min(self.samples)).collect()
    }

    /// Where the terrain and the workspace are.
    fn place(&self) -> Result<(Rect, Rect)> {
        Ok(match self.experiment {
            Experiment::Field => (field_extent()?, field_extent()?),
            _ => (
                Rect::new(-11.0, 11.0, -11.0, 11.0)?,
                Rect::new(-10.0, 10.0, -10.0, 10.0)?,
            ),
        })
    }

    pub(super) fn run(
        &self,
        data: &DataFolder,
        watch: Watch<'_>,
        clock: &mut Stopwatch,
    ) -> Result<Vec<Output>> {
        let (extent, area) = self.place()?;
        let terrain = data.terrain(&self.terrain, extent)?;
        let workspace = Workspace::from(area);
        let settings = self.settings();
        let grid = (settings.evaluation.columns, settings.evaluation.rows);
        let lookup = settings.sensor.lookup;
        let mut mission = Mission::simulated(terrain.clone(), workspace.clone(), settings)?;
        clock.lap("prepare");

        let (mut metrics, mut coverage) = (Table::new(&METRICS), Table::new(&COVERAGE));
        let mut wanted = match self.seed {
            PICTURED_SEED => self.pictured_at(),
            _ => Vec::new(),
        };
        let mut pictured: Vec<(usize, Table)> = Vec::new();
        let mut observer = |event: &Event<'_>| match event {
            Event::Planned { .. } => clock.lap("plan"),
            Event::Sounding { .. } | Event::Lost { .. } | Event::LegEnded { .. } => {
                clock.lap("move")
            }
            Event::Trained { .. } => clock.lap("train"),
            Event::Evaluated {
                evaluation,
                prediction,
            } => {
                metrics.push(&[
                    evaluation.samples as f64,
                    evaluation.smse,
                    evaluation.msll,
                    evaluation.nlpd,
                    evaluation.rmse,
                    evaluation.mae,
                ]);
                let calibration = &evaluation.calibration;
                coverage.push(&[
                    evaluation.samples as f64,
                    calibration.coverage_50,
                    calibration.coverage_90,
                    calibration.coverage_95,
                ]);
                let samples = evaluation.samples;
                if wanted.first().is_some_and(|due| samples >= *due) {
                    wanted.retain(|due| samples < *due);
                    let truth = |at| terrain.value(at, lookup).unwrap_or(f64::NAN);
                    pictured.push((samples, map_table(&workspace, grid, truth, prediction)));
                }
                clock.lap("evaluate");
            }
            _ => {}
        };
        loop {
            let progress = mission.step(&mut observer)?;
            watch(progress.spent.soundings as f64 / self.samples as f64);
            if progress.ending.is_some() {
                break;
            }
        }

        let mut soundings = Table::new(&SOUNDINGS);
        for sounding in mission.soundings() {
            soundings.push(&[sounding.position.x, sounding.position.y, sounding.value]);
        }
        let mut outputs = vec![
            Output::text("metrics.csv", metrics.to_csv()),
            Output::text("coverage.csv", coverage.to_csv()),
            Output::text("soundings.csv", soundings.to_csv()),
        ];
        for (samples, map) in pictured {
            outputs.push(Output::text(&format!("map{samples}.csv"), map.to_csv()));
        }
        Ok(outputs)
    }
}

/// Truth and prediction on the evaluation grid.
pub(super) fn map_table(
    workspace: &Workspace,
    (columns, rows): (usize, usize),
    truth: impl Fn(transect::geometry::Position) -> f64,
    prediction: &transect::gp::Prediction,
) -> Table {
    let bounds = workspace.bounds();
    let mut table = Table::new(&MAP);
    for (i, (mean, std)) in prediction.mean.iter().zip(&prediction.std).enumerate() {
        let along = |low: f64, high: f64, k: usize, n: usize| {
            low + (high - low) * k as f64 / (n - 1) as f64
        };
        let x = along(bounds.xmin(), bounds.xmax(), i % columns, columns);
        let y = along(bounds.ymin(), bounds.ymax(), i / columns, rows);
        let at = transect::geometry::Position::new(x, y);
        table.push(&[x, y, truth(at), *mean, *std]);
    }
    table
}

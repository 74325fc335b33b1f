//! What the experiments on fixed samples of a terrain share: the unit square, uniform samples, a
//! 100 x 100 test grid, a model that starts with a noise variance of 0.1.

use super::Profile;
use crate::data::DataFolder;
use crate::error::{LabError, Result};
use transect::geometry::{Position, Rect, Workspace};
use transect::gp::{Points, Regression};
use transect::mission::Evaluator;
use transect::settings::{KernelChoice, MissionSettings};

/// Points along each side of the test grid.
pub(super) const SIDE: usize = 100;
/// Start of the noise variance.
const NOISE: f64 = 0.1;

/// Samples of a terrain, its test grid and an untrained model.
pub(super) struct FixedSamples {
    pub(super) model: Regression,
    pub(super) train: Points,
    pub(super) targets: Vec<f64>,
    pub(super) grid: Evaluator,
    pub(super) workspace: Workspace,
}

/// The settings of a profile.
pub(super) fn settings(profile: Profile) -> MissionSettings {
    match profile {
        Profile::Paper => MissionSettings::paper(),
        Profile::Default => MissionSettings::default(),
    }
}

impl FixedSamples {
    pub(super) fn draw(
        data: &DataFolder,
        (terrain, profile): (&str, Profile),
        kernel: &KernelChoice,
        seed: u64,
        samples: usize,
    ) -> Result<Self> {
        let unit = Rect::new(0.0, 1.0, 0.0, 1.0)?;
        let terrain = data.terrain(terrain, unit)?;
        let workspace = Workspace::from(unit);
        let settings = settings(profile);
        let lookup = settings.sensor.lookup;
        let mut stream = settings.streams.randomness(seed);
        let places =
            workspace.sample_uniform(samples, &mut |low, high| stream.uniform(low, high))?;
        let read = |at: &Position| {
            let nowhere = || LabError::Request(format!("no terrain at {}, {}", at.x, at.y));
            terrain.value(*at, lookup).ok_or_else(nowhere)
        };
        let targets: Vec<f64> = places.iter().map(read).collect::<Result<_>>()?;
        let rows: Vec<[f64; 2]> = places.iter().map(|at| [at.x, at.y]).collect();
        let train = Points::from_rows(&rows)?;
        let kernel = KernelChoice {
            gibbs_exponent: settings.kernel.gibbs_exponent,
            ..kernel.clone()
        };
        let kernel = kernel.build(&mut *settings.streams.networks(seed))?;
        let grid = Evaluator::on_grid(&workspace, SIDE, SIDE, |at| terrain.value(at, lookup))?;
        Ok(Self {
            model: Regression::fit(kernel, NOISE, &train, &targets)?,
            train,
            targets,
            grid,
            workspace,
        })
    }
}

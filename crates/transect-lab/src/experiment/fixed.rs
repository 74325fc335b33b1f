//! What the experiments on fixed samples of a terrain share: the unit square, uniform samples, a
//! 100 x 100 test grid, an untrained model.

use super::Profile;
use crate::data::DataFolder;
use crate::error::{LabError, Result};
use serde::Serialize;
use transect::geometry::{Position, Rect, Workspace};
use transect::gp::{Compute, Points};
use transect::inputs;
use transect::mission::Evaluator;
use transect::settings::{KernelChoice, TrainingSettings};
use transect::surrogate::{Committee, Kernels, Surrogate, Trouble};

/// Points along each side of the test grid.
pub(super) const SIDE: usize = 100;
/// Where the paper starts the noise variance here.
const PAPER_NOISE: f64 = 0.1;

/// What is learnt from fixed samples of a terrain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FixedJob {
    /// Whose behaviour it has.
    pub profile: Profile,
    /// The terrain's name.
    pub terrain: String,
    /// The kernel.
    pub kernel: KernelChoice,
    /// The seed.
    pub seed: u64,
    /// Fixed samples.
    pub samples: usize,
    /// Training steps.
    pub steps: usize,
}

impl FixedJob {
    /// The run's folder within those of `experiment`.
    pub(super) fn path(&self, experiment: &str) -> String {
        format!(
            "{experiment}/{}/{}/{}/seed{}",
            self.profile.name(),
            self.terrain,
            self.kernel.name,
            self.seed
        )
    }

    /// The samples, and how many training steps they get.
    pub(super) fn draw(&self, data: &DataFolder) -> Result<(FixedSamples, usize)> {
        let from = (self.terrain.as_str(), self.profile);
        let fixed = FixedSamples::draw(data, from, &self.kernel, self.seed, self.samples)?;
        let steps = self.steps.min(fixed.enough_steps);
        Ok((fixed, steps))
    }
}

/// Samples of a terrain, its test grid and an untrained model.
pub(super) struct FixedSamples {
    pub(super) model: Committee,
    /// Training steps after which the profile's scheme stops by itself.
    enough_steps: usize,
    pub(super) train: Points,
    pub(super) targets: Vec<f64>,
    pub(super) grid: Evaluator,
    pub(super) workspace: Workspace,
}

impl FixedSamples {
    fn draw(
        data: &DataFolder,
        (terrain, profile): (&str, Profile),
        kernel: &KernelChoice,
        seed: u64,
        samples: usize,
    ) -> Result<Self> {
        let unit = Rect::new(0.0, 1.0, 0.0, 1.0)?;
        let terrain = data.terrain(terrain, unit)?;
        let workspace = Workspace::from(unit);
        let settings = profile.settings();
        let lookup = settings.sensor.lookup;
        let mut stream = settings.streams.randomness(seed);
        let places =
            workspace.sample_uniform(samples, &mut |low, high| stream.uniform(low, high))?;
        let read = |at: &Position| {
            let nowhere = || LabError::Request(format!("no terrain at {}, {}", at.x, at.y));
            terrain.value(*at, lookup).ok_or_else(nowhere)
        };
        let targets: Vec<f64> = places.iter().map(read).collect::<Result<_>>()?;
        let train = inputs::places(&places)?;
        let networks = &mut *settings.streams.networks(seed);
        let first = kernel.build(networks)?;
        let companions = settings.companions.iter();
        let kernels = Kernels {
            first,
            companions: companions
                .map(|choice| choice.build(networks))
                .collect::<std::result::Result<_, _>>()?,
        };
        let (training, enough_steps) = match profile {
            Profile::Paper => {
                let training = TrainingSettings {
                    noise_variance: PAPER_NOISE,
                    ..settings.training
                };
                (training, usize::MAX)
            }
            Profile::Default => {
                let steps = settings
                    .training
                    .steps_for(samples, settings.pilot.soundings);
                (settings.training, steps)
            }
        };
        let inputs = training.scaling.scaler(&unit, &train)?;
        let grid = Evaluator::on_grid(&workspace, SIDE, SIDE, |at| terrain.value(at, lookup))?;
        Ok(Self {
            model: Committee::fit(
                kernels,
                &training,
                inputs,
                (&train, &targets),
                Compute::default(),
            )?,
            enough_steps,
            train,
            targets,
            grid,
            workspace,
        })
    }
}

/// A mission goes on where training fails; an experiment on training does not.
pub(super) fn refuse_trouble(model: &mut Committee) -> Result<()> {
    let numerics = |trouble: Trouble| match trouble {
        Trouble::Numerics { error, .. } => Some(error),
        _ => None,
    };
    match model.take_troubles().into_iter().find_map(numerics) {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

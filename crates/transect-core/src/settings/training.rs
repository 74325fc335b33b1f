//! How the model learns.

use serde::{Deserialize, Serialize};
use transect_gp::{InputScaler, Points};

use super::{positive, require};
use crate::Error;
use crate::geometry::Rect;

/// What a length-scale of 1 means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum InputScaling {
    /// Half the longer side of the workspace's bounds, along both axes: one metre is one metre in
    /// every direction, and does not depend on where the pilot survey went.
    #[default]
    Workspace,
    /// Half the pilot survey's width along x, and half its height along y.
    PilotBounds,
}

impl InputScaling {
    /// The scaler of a survey within `bounds` whose pilot survey went to `pilot`.
    ///
    /// # Errors
    /// If there are no pilot soundings.
    pub fn scaler(self, bounds: &Rect, pilot: &Points) -> Result<InputScaler, Error> {
        Ok(match self {
            Self::Workspace => {
                let half = 0.5 * (bounds.xmax() - bounds.xmin()).max(bounds.ymax() - bounds.ymin());
                let about =
                    |low: f64, high: f64| (0.5 * (low + high) - half, 0.5 * (low + high) + half);
                InputScaler::from_ranges(&[
                    about(bounds.xmin(), bounds.xmax()),
                    about(bounds.ymin(), bounds.ymax()),
                ])?
            }
            Self::PilotBounds => InputScaler::fit(pilot)?,
        })
    }
}

/// How wide error bars are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ErrorBars {
    /// As the kernels have them.
    Kernels,
    /// Widened or narrowed by one factor, so that leave-one-out errors of the readings are as wide as predicted.
    Overall,
    /// And made to grow as fast as errors do when neighbours of a reading are left out with it.
    Grown,
    /// And by a factor that differs from place to place, where the errors do.
    #[default]
    Local,
}

/// Most knots of a scale: the work of learning it grows with their cube.
const MOST_WARP_KNOTS: usize = 100;

/// How the model learns.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct TrainingSettings {
    /// What a length-scale of 1 means.
    pub scaling: InputScaling,
    /// Start of the noise variance, of the standardised readings.
    pub noise_variance: f64,
    /// Adam's rate for amplitude, length-scale and noise.
    pub hyper_rate: f64,
    /// Adam's rate for network weights.
    pub network_rate: f64,
    /// Steps after the pilot survey.
    pub pilot_steps: usize,
    /// Steps for every later reading.
    pub steps_per_sounding: usize,
    /// Knots of the scale on which maps are made, learnt so that the surface is equally rough at every height; below 2 maps are made of the
    /// readings as they are.
    pub warp_knots: usize,
    /// How wide error bars are.
    pub error_bars: ErrorBars,
    /// Makes readings that do not fit the others count for nothing. They are reported in any case.
    pub ignore_outliers: bool,
}

impl Default for TrainingSettings {
    fn default() -> Self {
        Self {
            scaling: InputScaling::Workspace,
            noise_variance: 0.05,
            hyper_rate: 0.01,
            network_rate: 0.001,
            pilot_steps: 150,
            steps_per_sounding: 1,
            warp_knots: 20,
            error_bars: ErrorBars::Local,
            ignore_outliers: false,
        }
    }
}

impl TrainingSettings {
    /// What the paper's program does.
    pub fn paper() -> Self {
        Self {
            scaling: InputScaling::PilotBounds,
            noise_variance: 1.0,
            hyper_rate: 0.01,
            network_rate: 0.001,
            pilot_steps: 50,
            steps_per_sounding: 1,
            warp_knots: 0,
            error_bars: ErrorBars::Kernels,
            ignore_outliers: false,
        }
    }

    /// Training steps that a model of `readings` readings has had by the end of a survey, `pilot` of them from the pilot
    /// survey. Data that are there all at once get as many: further steps fit the network to their accidents.
    pub fn steps_for(&self, readings: usize, pilot: usize) -> usize {
        self.pilot_steps + readings.saturating_sub(pilot) * self.steps_per_sounding
    }

    pub(super) fn validate(&self) -> Result<(), Error> {
        positive("training.hyper_rate", self.hyper_rate)?;
        positive("training.network_rate", self.network_rate)?;
        require(
            self.warp_knots <= MOST_WARP_KNOTS,
            "training.warp_knots",
            self.warp_knots as f64,
            "at most 100 are of use",
        )?;
        require(
            self.error_bars != ErrorBars::Kernels || !self.ignore_outliers,
            "training.ignore_outliers",
            1.0,
            "training.error_bars must not be \"kernels\": both look at leave-one-out errors",
        )?;
        let noise = self.noise_variance;
        require(
            noise > 1e-6 && noise.is_finite(),
            "training.noise_variance",
            noise,
            "a finite number above 1e-6 is needed",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_knots_than_are_of_use_are_refused() {
        let settings = TrainingSettings {
            warp_knots: 101,
            ..TrainingSettings::default()
        };
        let message = settings.validate().unwrap_err().to_string();
        assert!(
            message.starts_with("training.warp_knots is 101: at most 100"),
            "{message}"
        );
    }

    #[test]
    fn a_metre_is_a_metre_in_every_direction() {
        let bounds = Rect::new(0.0, 40.0, 5.0, 15.0).unwrap();
        let pilot = Points::from_rows(&[[10.0, 5.0], [30.0, 15.0]]).unwrap();
        let corners = Points::from_rows(&[[0.0, 5.0], [40.0, 15.0]]).unwrap();
        let scaled = |scaling: InputScaling| {
            let scaler = scaling.scaler(&bounds, &pilot).unwrap();
            let scaled = scaler.scale(&corners).unwrap();
            [scaled.row(0), scaled.row(1)]
        };
        assert_eq!(
            scaled(InputScaling::Workspace),
            [[-1.0, -0.25], [1.0, 0.25]]
        );
        assert_eq!(
            scaled(InputScaling::PilotBounds),
            [[-2.0, -1.0], [2.0, 1.0]]
        );
    }
}

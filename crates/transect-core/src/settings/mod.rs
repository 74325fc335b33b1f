//! Everything a mission can be told, in two profiles.
//!
//! - [`MissionSettings`]: the whole; `default()` is the corrected behaviour, [`MissionSettings::paper`]
//!   what the paper's program does, seed for seed
//! - [`KernelChoice`]: which kernel, and how it starts
//! - [`Streams`]: which random numbers
//!
//! | topic | `paper` | default |
//! |---|---|---|
//! | random numbers | NumPy's and PyTorch's | ChaCha |
//! | sampling period | 1.1 s (see [`SamplingClock`](crate::vehicle::SamplingClock)) | 1 s |
//! | Gibbs exponent | times the dimension | textbook |
//! | terrain lookup | cell size 1e-4 m too large | exact |
//! | boat | backs up, turns at any rate | does not back up, turns at 1 rad/s at most |
//! | leaving the workspace | happens | forbidden |
//! | budget | a leg is finished | kept exactly |
//! | attentive kernel | RBF, 10 length-scales evenly on [0.01, 0.5] | Matérn 1/2, 8 by ratio on [0.05, 4] |
//! | unit of length | half the pilot survey's bounds, per axis | half the workspace's longer side |
//! | companions | none | a stationary Matérn 1/2 |
//! | training | noise variance 1, rates 0.01 and 0.001, 50 first steps | 0.05, 0.01 and 0.001, 150 |
//! | `myopic` sees | the model's variance | more by 1, of the standardised readings |
//! | maps are made of | readings | readings on a [scale](transect_gp::Warp) that suits the surface |
//! | error bars | the kernel's | widened, place by place, by leave-one-out errors |

mod error;
mod kernel;
#[cfg(feature = "schema")]
mod kernel_schema;
mod mission;
mod names;
mod parts;
mod streams;
mod training;

pub use error::SettingError;
pub use kernel::{KernelChoice, kernel_names};
pub use mission::MissionSettings;
pub use names::nearest;
pub use parts::{
    EvaluationSettings, PatienceSettings, PilotSettings, PilotShape, PlannerSettings,
    SensorSettings, SurrogateSettings,
};
pub use streams::Streams;
pub use training::{ErrorBars, InputScaling, TrainingSettings};

use crate::Error;

/// Refuses a number that does not satisfy `good`.
fn require(
    good: bool,
    name: &'static str,
    value: f64,
    accepted: &'static str,
) -> Result<(), Error> {
    if good {
        return Ok(());
    }
    Err(Error::Setting(SettingError::OutOfRange {
        name,
        value,
        accepted,
    }))
}

fn positive(name: &'static str, value: f64) -> Result<(), Error> {
    let good = value > 0.0 && value.is_finite();
    require(good, name, value, "a positive, finite number is needed")
}

fn not_negative(name: &'static str, value: f64) -> Result<(), Error> {
    let good = value >= 0.0 && value.is_finite();
    require(good, name, value, "a finite number, 0 or more, is needed")
}

fn at_least_one(name: &'static str, value: usize) -> Result<(), Error> {
    require(value >= 1, name, value as f64, "at least 1 is needed")
}

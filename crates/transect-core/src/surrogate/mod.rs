//! What learns.
//!
//! A [`Surrogate`] takes readings, trains, and hands out what is known as a [`Posterior`]. All numerical trouble, and every
//! remedy, happens while it learns; nothing that is decided, drawn or judged from a posterior can disturb it.
//!
//! | file | what |
//! |---|---|
//! | `auto` | exact while readings are few, then the nearest-neighbour one |
//! | `committee` | the exact surrogate: one Gaussian process or several, pooled |
//! | `ignorance` | a posterior that knows next to nothing, for a mission to go on with when numbers fail |
//! | `many` | a nearest-neighbour surrogate of many readings |
//! | `member` | a Gaussian process that survives its own numerics |
//! | `outliers` | readings that have nothing to do with the surface |
//! | `pool` | one prediction from several |
//! | `recalibrate` | judges the committee by its errors: outliers, scale, error bars |
//! | `saved` | a committee as JSON |
//! | `snapshot` | what a committee knows |
//! | `trouble` | what went wrong, and what was done about it |

mod auto;
mod committee;
mod ignorance;
mod many;
mod member;
mod outliers;
mod pool;
mod recalibrate;
mod saved;
mod snapshot;
mod trouble;

pub use auto::{Auto, EXACT_UP_TO};
pub use committee::{Committee, Kernels};
pub use many::Nearest;
pub(crate) use pool::pooled;
pub use trouble::{Remedy, Task, Trouble};

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use transect_gp::{Compute, InputScaler, Points};

use crate::Error;
use crate::geometry::Workspace;
use crate::posterior::{Forecast, Posterior};
use crate::registry::Registry;
use crate::settings::MissionSettings;

/// With a smaller share of readings inside their 95 % intervals the error bars cannot be trusted. Of 100 readings of a
/// calibrated model, fewer than 88 are inside about once in 700 surveys.
pub const TRUSTWORTHY_COVERAGE: f64 = 0.88;

/// What a round of training did.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Training {
    /// Steps taken.
    pub steps: usize,
    /// Loss (negative log evidence of the standardised data, nats) of the first kernel's model before the last
    /// step; none when no step was taken.
    pub loss: Option<f64>,
}

/// Learns a surface from readings.
///
/// `examples/inverse_distance.rs` is a small one, written outside this crate.
pub trait Surrogate: Any + Debug + Send {
    /// The name under which [`SURROGATES`] lists it.
    fn name(&self) -> &'static str;

    /// Adds readings at `places` and brings what is known up to date.
    ///
    /// # Errors
    /// If a number is not finite or counts do not match; nothing is added then.
    fn add(&mut self, places: &Points, readings: &[f64]) -> Result<(), Error>;

    /// All readings, in raw units, in the order they came.
    fn readings(&self) -> &[f64];

    /// Takes up to `steps` training steps. A step that fails is undone, and those after it are left out.
    fn train(&mut self, steps: usize) -> Training;

    /// What is known now.
    fn posterior(&self) -> Arc<dyn Posterior>;

    /// Predictions of each reading from all the others, with the error bars of the map, noise included; none where the
    /// surrogate cannot make them.
    fn left_out(&mut self) -> Option<Forecast> {
        None
    }

    /// What went wrong since this was last asked.
    fn take_troubles(&mut self) -> Vec<Trouble> {
        Vec::new()
    }

    /// The surrogate as JSON with a `format`, which its entry in [`SURROGATES`] reads again.
    ///
    /// # Errors
    /// If nobody could read it again.
    fn save(&self) -> Result<String, Error>;
}

/// What a surrogate begins with.
#[derive(Debug)]
pub struct FirstReadings<'a> {
    /// What the mission was told.
    pub settings: &'a MissionSettings,
    /// The area of the survey.
    pub workspace: &'a Workspace,
    /// Rows of model inputs: see [`crate::inputs`].
    pub places: &'a Points,
    /// Readings there.
    pub readings: &'a [f64],
    /// How work is carried out.
    pub compute: Compute,
}

impl FirstReadings<'_> {
    /// How places are scaled.
    fn scaler(&self) -> Result<InputScaler, Error> {
        let bounds = self.workspace.bounds();
        let scaling = self.settings.training.scaling;
        scaling.scaler(&bounds, self.places)
    }
}

/// How a surrogate is made and read again.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Makes a surrogate from the first readings.
    pub build: fn(&FirstReadings<'_>) -> Result<Box<dyn Surrogate>, Error>,
    /// The `format` of its files.
    pub format: &'static str,
    /// Reads what [`Surrogate::save`] wrote.
    pub load: fn(&str) -> Result<Box<dyn Surrogate>, Error>,
}

/// The name of the exact surrogate.
const EXACT: &str = "exact";
/// That of the one of many readings.
const NEAREST: &str = "nearest";
/// That of the one that begins as the first and goes on as the second.
const AUTO: &str = "auto";

/// Every surrogate by name. A new one is one file and one line here, or `SURROGATES.register` from outside.
pub static SURROGATES: Registry<Entry> = Registry::new(
    "surrogate.name",
    &[
        (
            AUTO,
            // It is saved as the one that it is.
            Entry {
                build: Auto::begin,
                format: saved::FORMAT,
                load: |json| Ok(Box::new(Committee::load(json)?)),
            },
        ),
        (
            EXACT,
            Entry {
                build: Committee::begin,
                format: saved::FORMAT,
                load: |json| Ok(Box::new(Committee::load(json)?)),
            },
        ),
        (
            NEAREST,
            Entry {
                build: Nearest::begin,
                format: many::FORMAT,
                load: |json| Ok(Box::new(Nearest::load(json)?)),
            },
        ),
    ],
);

/// Reads a surrogate of any kind from what its `save` wrote.
///
/// # Errors
/// If it is no such JSON, or of a format that nobody has registered.
pub fn load(json: &str) -> Result<Box<dyn Surrogate>, Error> {
    #[derive(Deserialize)]
    struct Header {
        format: String,
    }
    let refuse = |reason: String| Error::Model { reason };
    let header: Header = serde_json::from_str(json).map_err(|error| refuse(error.to_string()))?;
    let known = SURROGATES.entries();
    let found = known
        .iter()
        .find(|(_, entry)| entry.format == header.format);
    let Some((_, entry)) = found else {
        let known: Vec<&str> = known.iter().map(|(_, entry)| entry.format).collect();
        let (format, known) = (header.format, known.join(", "));
        return Err(refuse(format!(
            "its `format` is {format:?}; known are {known}"
        )));
    };
    (entry.load)(json)
}

//! Saving and loading a process as JSON.
//!
//! The order of the points and their embedding follow from them and are not saved.

use super::{Neighbours, Vecchia};
use crate::error::{GpError, Result};
use crate::kernel::by_name;
use crate::points::Points;
use crate::save::{SavedGroup, require_format};
use crate::scaler::{InputScaler, TargetScaler};
use serde::{Deserialize, Serialize};
use serde_json::Value;

const FORMAT: &str = "transect-nearest-model";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    format: String,
    version: u32,
    kernel: String,
    structure: Value,
    parameters: Vec<SavedGroup>,
    input_scaler: InputScaler,
    target_scaler: TargetScaler,
    neighbours: Neighbours,
    evidence_neighbours: Neighbours,
    /// Scaled inputs, point after point.
    inputs: Vec<f64>,
    /// Standardised targets.
    targets: Vec<f64>,
    /// Noise variances in units of the common one.
    noise_shares: Vec<f64>,
}

impl Vecchia {
    /// The process as JSON.
    ///
    /// # Errors
    /// If the kernel is not one of [`crate::kernel::kinds`], so that nobody could load it.
    pub fn save(&self) -> Result<String> {
        by_name(self.kernel.name(), self.kernel.structure())?;
        let places = self.levels.places();
        let saved = Saved {
            format: FORMAT.into(),
            version: VERSION,
            kernel: self.kernel.name().into(),
            structure: self.kernel.structure(),
            parameters: SavedGroup::of(&self.params),
            input_scaler: self.inputs.clone(),
            target_scaler: self.targets,
            neighbours: self.neighbours,
            evidence_neighbours: self.evidence,
            inputs: (0..places.len())
                .flat_map(|i| places.row(i))
                .copied()
                .collect(),
            targets: self.y.clone(),
            noise_shares: self.noise_share.clone(),
        };
        serde_json::to_string(&saved).map_err(|error| GpError::Model(error.to_string()))
    }

    /// Reads what [`Vecchia::save`] wrote. Points are in one order then, also those that came late.
    ///
    /// # Errors
    /// If it is not a process of this version, or does not hold together.
    pub fn load(json: &str) -> Result<Self> {
        require_format(json, FORMAT, VERSION)?;
        let saved: Saved =
            serde_json::from_str(json).map_err(|error| GpError::Model(error.to_string()))?;
        let kernel = by_name(&saved.kernel, saved.structure)?;
        let dim = saved.input_scaler.dim();
        let scalers = (saved.input_scaler, saved.target_scaler);
        let mut process = Self::empty(kernel, 1.0, scalers)?;
        SavedGroup::restore(saved.parameters, &mut process.params)?;
        process.set_neighbours(saved.neighbours, saved.evidence_neighbours);
        let x = Points::from_flat(dim, &saved.inputs)?;
        process.append_scaled(&x, saved.targets, saved.noise_shares)?;
        Ok(process)
    }
}

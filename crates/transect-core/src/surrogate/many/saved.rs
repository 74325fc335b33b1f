//! A model of many readings as JSON: the readings, their means, and an exact committee of some of them, which has the kernels and their
//! parameters.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use transect_gp::{Compute, GpError, Warp, require_format};

use super::super::saved::refuse;
use super::{Cells, Committee, Nearest, Pings, Start};
use crate::calibration::ErrorScale;
use crate::settings::TrainingSettings;

pub(in super::super) const FORMAT: &str = "transect-nearest";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    format: String,
    version: u32,
    training: TrainingSettings,
    seed: u64,
    rounds: u64,
    /// In raw units.
    readings: Vec<f64>,
    pings: Pings,
    cells: Cells,
    is_taught: bool,
    reviewed: usize,
    warp: Warp,
    error_scale: ErrorScale,
    committee: Value,
}

impl Nearest {
    /// The model as readable JSON. The state of its optimisers is not part of it.
    ///
    /// # Errors
    /// If a kernel is not one that the engine knows by name, so that nobody could load it.
    pub(super) fn to_json(&self) -> Result<String, GpError> {
        let committee = self.coarse.to_json()?;
        let saved = Saved {
            format: FORMAT.into(),
            version: VERSION,
            training: self.settings,
            seed: self.seed,
            rounds: self.rounds,
            readings: self.readings.clone(),
            pings: self.pings.clone(),
            cells: self.cells.clone(),
            is_taught: self.is_taught,
            reviewed: self.reviewed,
            warp: self.warp.clone(),
            error_scale: ErrorScale::clone(&self.error_scale),
            committee: serde_json::from_str(&committee).map_err(refuse)?,
        };
        serde_json::to_string(&saved).map_err(refuse)
    }

    /// Reads what [`Surrogate::save`](crate::surrogate::Surrogate::save) wrote.
    ///
    /// # Errors
    /// If it is not a model of this version, or does not hold together.
    pub fn load(json: &str) -> Result<Self, GpError> {
        require_format(json, FORMAT, VERSION)?;
        let mut saved: Saved = serde_json::from_str(json).map_err(refuse)?;
        let coarse = Committee::load(&saved.committee.to_string())?;
        let (inputs, _) = coarse.regression().scalers();
        let wrong = |what: &str| Err(GpError::Model(what.into()));
        saved.cells.restore()?;
        if inputs != saved.cells.inputs() {
            return wrong("its cells are scaled otherwise than its committee");
        }
        if saved.cells.of_reading().len() != saved.readings.len() {
            return wrong("its cells are those of more or fewer readings");
        }
        if saved.readings.iter().any(|reading| !reading.is_finite()) {
            return wrong("a reading is not a number");
        }
        if !saved.error_scale.suits(inputs.dim()) || !saved.pings.suits(inputs.dim()) {
            return wrong("its error scale or its last readings have other coordinates");
        }
        let start = Start {
            settings: saved.training,
            readings: saved.readings,
            pings: saved.pings,
            cells: saved.cells,
            is_taught: saved.is_taught,
        };
        let mut model = Self::made(start, coarse, saved.seed, Compute::default())?;
        (model.rounds, model.reviewed) = (saved.rounds, saved.reviewed);
        model.warp = saved.warp;
        model.error_scale = Arc::new(saved.error_scale);
        model.refresh();
        Ok(model)
    }
}

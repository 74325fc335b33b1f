//! Saving and loading a trained model as JSON.
//!
//! The file names its format and version; a reader refuses what it does not understand rather
//! than guess.

use crate::error::{GpError, Result};
use crate::kernel::by_name;
use crate::params::{Group, Parameters};
use crate::points::Points;
use crate::regression::Regression;
use crate::scaler::{InputScaler, TargetScaler};
use serde::{Deserialize, Serialize};
use serde_json::Value;

const FORMAT: &str = "transect-model";
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
    /// Scaled inputs, one row each.
    inputs: Vec<Vec<f64>>,
    /// Standardised targets.
    targets: Vec<f64>,
    /// Noise variance of each target beyond the common one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    extra_noise: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SavedGroup {
    name: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    frozen: bool,
    values: Vec<f64>,
}

impl SavedGroup {
    /// Parameters as they are saved.
    pub(crate) fn of(params: &Parameters) -> Vec<Self> {
        let group = |group: &Group| Self {
            name: group.name.clone(),
            frozen: group.frozen,
            values: params.natural()[group.range.clone()].to_vec(),
        };
        params.groups().iter().map(group).collect()
    }

    /// Gives parameters the values that were saved.
    pub(crate) fn restore(saved: Vec<Self>, params: &mut Parameters) -> Result<()> {
        let known = params.groups().len();
        if known != saved.len() {
            return Err(GpError::Length {
                what: "parameters in the saved model".into(),
                expected: known,
                got: saved.len(),
            });
        }
        for (i, group) in saved.iter().enumerate() {
            if saved[..i].iter().any(|g| g.name == group.name) {
                return Err(GpError::Model(format!(
                    "parameter `{}` is there twice",
                    group.name
                )));
            }
            params.set(&group.name, &group.values)?;
            params.freeze(&group.name, group.frozen)?;
        }
        Ok(())
    }
}

/// Just enough to tell what a file is.
#[derive(Deserialize)]
struct Header {
    format: Option<String>,
    version: Option<u32>,
}

/// Refuses JSON that does not say it is of this format and version.
///
/// # Errors
/// If it is not JSON, or says something else.
pub fn require_format(json: &str, format: &str, version: u32) -> Result<()> {
    let header: Header =
        serde_json::from_str(json).map_err(|error| GpError::Model(error.to_string()))?;
    if header.format.as_deref() != Some(format) {
        return Err(GpError::Model(format!(
            "its `format` is {:?}, not `{format}`",
            header.format.unwrap_or_default()
        )));
    }
    if header.version != Some(version) {
        return Err(GpError::Model(format!(
            "its version is {}; this program reads version {version}",
            header.version.map_or("missing".into(), |v| v.to_string())
        )));
    }
    Ok(())
}

impl Regression {
    /// The model as readable JSON. Optimiser state is not part of it.
    ///
    /// # Errors
    /// If the kernel is not one of [`crate::kernel::kinds`], so that nobody could load it.
    pub fn save(&self) -> Result<String> {
        by_name(self.kernel().name(), self.kernel().structure())?;
        let (x, y) = self.data();
        let saved = Saved {
            format: FORMAT.into(),
            version: VERSION,
            kernel: self.kernel().name().into(),
            structure: self.kernel().structure(),
            parameters: SavedGroup::of(self.params()),
            input_scaler: self.scalers().0.clone(),
            target_scaler: *self.scalers().1,
            inputs: (0..x.len()).map(|i| x.row(i)).collect(),
            targets: y.to_vec(),
            extra_noise: self.extra_noise().to_vec(),
        };
        serde_json::to_string_pretty(&saved).map_err(|error| GpError::Model(error.to_string()))
    }

    /// Reads what [`Regression::save`] wrote.
    ///
    /// # Errors
    /// If it is not a model of this version, or does not hold together.
    pub fn load(json: &str) -> Result<Self> {
        let refuse = |error: serde_json::Error| GpError::Model(error.to_string());
        require_format(json, FORMAT, VERSION)?;
        let saved: Saved = serde_json::from_str(json).map_err(refuse)?;
        let kernel = by_name(&saved.kernel, saved.structure)?;
        let scalers = (saved.input_scaler, saved.target_scaler);
        let dim = scalers.0.dim();
        let mut model = Self::empty(kernel, 1.0, scalers)?;
        SavedGroup::restore(saved.parameters, model.params_mut())?;
        if let Some(row) = saved.inputs.iter().find(|row| row.len() != dim) {
            return Err(GpError::Dimension {
                expected: dim,
                got: row.len(),
            });
        }
        model.restore(
            Points::from_flat(dim, &saved.inputs.concat())?,
            saved.targets,
        )?;
        model.set_extra_noise(saved.extra_noise);
        Ok(model)
    }
}

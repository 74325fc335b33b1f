//! A committee as JSON: each member as the engine writes it, and the calibration made from their errors.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use transect_gp::{Compute, GpError, Regression, Warp, require_format};

use super::Committee;
use super::member::Member;
use crate::calibration::ErrorScale;
use crate::settings::TrainingSettings;

pub(super) const FORMAT: &str = "transect-committee";
const VERSION: u32 = 6;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    format: String,
    version: u32,
    training: TrainingSettings,
    /// In raw units.
    readings: Vec<f64>,
    warp: Warp,
    error_scale: ErrorScale,
    members: Vec<Value>,
}

impl Committee {
    /// The committee as readable JSON. The state of its optimisers is not part of it.
    ///
    /// # Errors
    /// If a kernel is not one that the engine knows by name, so that nobody could load it.
    pub(super) fn to_json(&self) -> Result<String, GpError> {
        let members = std::iter::once(&self.first).chain(&self.companions);
        let written = |member: &Member| {
            let json = member.regression().save()?;
            serde_json::from_str(&json).map_err(refuse)
        };
        let saved = Saved {
            format: FORMAT.into(),
            version: VERSION,
            training: self.settings,
            readings: self.readings.clone(),
            warp: self.warp.clone(),
            error_scale: ErrorScale::clone(&self.error_scale),
            members: members.map(written).collect::<Result<_, _>>()?,
        };
        serde_json::to_string(&saved).map_err(refuse)
    }

    /// Reads what [`Surrogate::save`](super::Surrogate::save) wrote.
    ///
    /// # Errors
    /// If it is not a model of this version, or does not hold together.
    pub fn load(json: &str) -> Result<Self, GpError> {
        require_format(json, FORMAT, VERSION)?;
        let saved: Saved = serde_json::from_str(json).map_err(refuse)?;
        let read = |value: &Value| Regression::load(&value.to_string());
        let regressions: Vec<Regression> =
            saved.members.iter().map(read).collect::<Result<_, _>>()?;
        let mut members = regressions
            .into_iter()
            .map(|regression| Member::of(regression, &saved.training));
        let first = members
            .next()
            .ok_or_else(|| GpError::Model("it has no members".into()))?;
        let dimensions = first.regression().scalers().0.dim();
        if !saved.error_scale.suits(dimensions) {
            return Err(GpError::Model(format!(
                "its error scale is not one of places with {dimensions} coordinates"
            )));
        }
        let companions: Vec<_> = members.collect();
        let all = std::iter::once(&first).chain(&companions);
        if let Some(other) = all
            .map(|member| member.regression().len())
            .find(|count| *count != saved.readings.len())
        {
            return Err(GpError::Model(format!(
                "a member has {other} readings instead of {}",
                saved.readings.len()
            )));
        }
        let members = (first, companions);
        let mut model =
            Self::of_members(members, saved.readings, &saved.training, Compute::default());
        model.warp = saved.warp;
        model.error_scale = Arc::new(saved.error_scale);
        model.refresh();
        Ok(model)
    }
}

pub(super) fn refuse(error: serde_json::Error) -> GpError {
    GpError::Model(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{InputScaling, KernelChoice};
    use crate::surrogate::{Kernels, Surrogate};
    use transect_gp::random::Stream;
    use transect_gp::{Of, Points};

    #[test]
    fn a_loaded_committee_predicts_the_same_bits() {
        let axis: Vec<f64> = (0..12).map(f64::from).collect();
        let x = Points::grid(&[&axis, &axis]).unwrap();
        // Rugged on the right only, so that the error scale is not the same everywhere.
        let y: Vec<f64> = (0..x.len())
            .map(|i| x.column(0)[i].max(6.0) * (7.3 * i as f64).sin() + x.column(1)[i])
            .collect();
        let build = |name: &str| {
            let choice = KernelChoice::named(name);
            choice.build(&mut Stream::new(1)).unwrap()
        };
        let kernels = Kernels {
            first: build("ak"),
            companions: vec![build("matern12")],
        };
        let training = TrainingSettings::default();
        let bounds = crate::geometry::Rect::new(0.0, 11.0, 0.0, 11.0).unwrap();
        let inputs = InputScaling::Workspace.scaler(&bounds, &x).unwrap();
        let compute = Compute::default();
        let mut model = Committee::fit(kernels, &training, inputs, (&x, &y), compute).unwrap();
        model.train(20);
        let at = Points::from_rows(&[[0.3, 4.4], [9.1, 2.2]]).unwrap();
        let json = model.save().unwrap();
        let mut loaded = Committee::load(&json).unwrap();
        let (before, after) = (model.posterior(), loaded.posterior());
        assert_eq!(after.forecast(&at), before.forecast(&at));
        assert_eq!(loaded.left_out().unwrap(), model.left_out().unwrap());
        for of in [Of::Quantity, Of::Measurement] {
            assert_eq!(after.marginals(&at, of), before.marginals(&at, of));
        }
        assert!(!model.warp.is_identity());

        let refusal = |json: &str| Committee::load(json).unwrap_err().to_string();
        let other = json.replacen("transect-committee", "transect-model", 1);
        assert!(refusal(&other).contains("not `transect-committee`"));
        let newer = json.replacen("\"version\":6", "\"version\":7", 1);
        assert!(refusal(&newer).contains("its version is 7"));
        let mut value: Value = serde_json::from_str(&json).unwrap();
        value["members"] = Value::Array(Vec::new());
        assert!(refusal(&value.to_string()).contains("no members"));
        let mut value: Value = serde_json::from_str(&json).unwrap();
        value["readings"] = serde_json::json!([1.0]);
        assert!(refusal(&value.to_string()).contains("144 readings instead of 1"));
        let mut value: Value = serde_json::from_str(&json).unwrap();
        value["error_scale"]["local"]["places"] = serde_json::json!([[1.0]]);
        assert!(refusal(&value.to_string()).contains("error scale"));
    }
}

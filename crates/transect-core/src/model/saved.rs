//! A model as JSON: each member as the engine writes it, and what became of their errors.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use transect_gp::{GpError, Regression, Warp, require_format};

use super::member::Member;
use super::temperature::Temperature;
use super::{Model, Scale};
use crate::settings::TrainingSettings;

const FORMAT: &str = "transect-committee";
const VERSION: u32 = 5;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    format: String,
    version: u32,
    training: TrainingSettings,
    /// In raw units.
    readings: Vec<f64>,
    warp: Warp,
    temperature: Temperature,
    members: Vec<Value>,
}

impl Model {
    /// The model as readable JSON. What its optimisers remember is not part of it.
    ///
    /// # Errors
    /// If a kernel is not one that the engine knows by name, so that nobody could load it.
    pub fn save(&mut self) -> Result<String, GpError> {
        self.take_up(Scale::Plain)?;
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
            temperature: self.temperature.clone(),
            members: members.map(written).collect::<Result<_, _>>()?,
        };
        serde_json::to_string(&saved).map_err(refuse)
    }

    /// Reads what [`Model::save`] wrote.
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
        if !saved.temperature.suits(dimensions) {
            return Err(GpError::Model(format!(
                "its temperature is not one of places with {dimensions} coordinates"
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
        let mut model = Self::of_members(members, saved.readings, &saved.training);
        model.warp = saved.warp;
        model.temperature = saved.temperature;
        Ok(model)
    }
}

fn refuse(error: serde_json::Error) -> GpError {
    GpError::Model(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::pool::pool;
    use crate::settings::{InputScaling, KernelChoice};
    use transect_gp::random::Stream;
    use transect_gp::{Of, Points};

    #[test]
    fn a_loaded_committee_predicts_the_same_bits() {
        let axis: Vec<f64> = (0..12).map(f64::from).collect();
        let x = Points::grid(&[&axis, &axis]).unwrap();
        // Rugged on the right only, so that the temperature is not the same everywhere.
        let y: Vec<f64> = (0..x.len())
            .map(|i| x.column(0)[i].max(6.0) * (7.3 * i as f64).sin() + x.column(1)[i])
            .collect();
        let build = |name: &str| {
            let choice = KernelChoice::named(name);
            choice.build(&mut Stream::new(1)).unwrap()
        };
        let kernels = (build("ak"), vec![build("matern12")]);
        let training = TrainingSettings::default();
        let bounds = crate::geometry::Rect::new(0.0, 11.0, 0.0, 11.0).unwrap();
        let inputs = InputScaling::Workspace.scaler(&bounds, &x).unwrap();
        let mut model = Model::fit(kernels, &training, inputs, (&x, &y)).unwrap();
        model.train(20);
        let at = Points::from_rows(&[[0.3, 4.4], [9.1, 2.2]]).unwrap();
        let json = model.save().unwrap();
        let mut loaded = Model::load(&json).unwrap();
        let expected = model.predict(&at, Of::Measurement).unwrap();
        assert_eq!(loaded.predict(&at, Of::Measurement).unwrap(), expected);
        assert_eq!(
            loaded.leave_one_out().unwrap(),
            model.leave_one_out().unwrap()
        );

        let quantity = model.predict(&at, Of::Quantity).unwrap();
        assert_eq!(loaded.predict(&at, Of::Quantity).unwrap(), quantity);
        assert!(quantity.std.iter().zip(&expected.std).all(|(q, m)| q < m));
        assert_eq!(loaded.tails(), model.tails());
        assert!(!model.warp.is_identity());
        model.take_up(Scale::Plain).unwrap();
        let (unwidened, planned) = (
            pool(model.predict_each(&at).unwrap()),
            loaded.predict_for_planning(&at).unwrap(),
        );
        let unit = model.regression().scalers().1.unit();
        for (planned, std) in planned.std.iter().zip(&unwidened.std) {
            let more = (planned * planned - std * std) / (unit * unit);
            assert!((more - training.planning_variance).abs() < 1e-9, "{more}");
        }

        let refusal = |json: &str| Model::load(json).unwrap_err().to_string();
        let other = json.replacen("transect-committee", "transect-model", 1);
        assert!(refusal(&other).contains("not `transect-committee`"));
        let newer = json.replacen("\"version\":5", "\"version\":6", 1);
        assert!(refusal(&newer).contains("its version is 6"));
        let mut value: Value = serde_json::from_str(&json).unwrap();
        value["members"] = Value::Array(Vec::new());
        assert!(refusal(&value.to_string()).contains("no members"));
        let mut value: Value = serde_json::from_str(&json).unwrap();
        value["readings"] = serde_json::json!([1.0]);
        assert!(refusal(&value.to_string()).contains("144 readings instead of 1"));
        let mut value: Value = serde_json::from_str(&json).unwrap();
        value["temperature"]["local"]["places"] = serde_json::json!([[1.0]]);
        assert!(refusal(&value.to_string()).contains("temperature"));
    }
}

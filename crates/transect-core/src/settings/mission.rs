//! The whole of a mission's settings.

use serde::{Deserialize, Serialize};

use super::{
    EvaluationSettings, KernelChoice, PatienceSettings, PilotSettings, PlannerSettings,
    SensorSettings, Streams, SurrogateSettings, TrainingSettings,
};
use crate::Error;
use crate::budget::Budget;
use crate::geometry::Position;
use crate::terrain::Lookup;
use crate::vehicle::BoatSettings;

/// Everything a mission can be told. Checked once, when a mission is built.
///
/// ```
/// use transect::settings::MissionSettings;
/// let mut settings = MissionSettings::default();
/// settings.planner.name = "activ".into();
/// let error = settings.validate().unwrap_err();
/// assert!(error.to_string().starts_with("planner.name is `activ`: did you mean `active`?"));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct MissionSettings {
    /// Decides all random numbers.
    pub seed: u64,
    /// Which random numbers.
    pub streams: Streams,
    /// Finishes a leg that was begun within the budget; otherwise the budget is kept exactly (distance and
    /// time to within a control step).
    pub overshoot_budget: bool,
    /// Keeps planned legs and the simulated boat inside the workspace.
    pub stay_inside: bool,
    /// What the mission may spend.
    pub budget: Budget,
    /// Where the vehicle is to be when that is used up, in metres; the planner `tour` keeps time for the way. Anywhere when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(example = Position::new(0.0, 0.0)))]
    pub home: Option<Position>,
    /// The survey before there is a model.
    pub pilot: PilotSettings,
    /// How the next place is chosen.
    pub planner: PlannerSettings,
    /// What learns.
    pub surrogate: SurrogateSettings,
    /// The model's kernel.
    pub kernel: KernelChoice,
    /// Kernels of further models that learn from the same readings; predictions of all are pooled. None for
    /// a model of one kernel.
    pub companions: Vec<KernelChoice>,
    /// How the model learns.
    pub training: TrainingSettings,
    /// The simulated sensor.
    pub sensor: SensorSettings,
    /// The simulated boat.
    pub boat: BoatSettings,
    /// The grid that maps are judged on.
    pub evaluation: EvaluationSettings,
    /// How much may go wrong in a row.
    pub patience: PatienceSettings,
}

impl Default for MissionSettings {
    fn default() -> Self {
        Self {
            seed: 0,
            streams: Streams::Chacha,
            overshoot_budget: false,
            stay_inside: true,
            budget: Budget::of_soundings(700),
            home: None,
            pilot: PilotSettings::default(),
            planner: PlannerSettings::default(),
            surrogate: SurrogateSettings::default(),
            kernel: KernelChoice::default(),
            companions: vec![KernelChoice::named("matern12").with("lengthscale", 2.0)],
            training: TrainingSettings::default(),
            sensor: SensorSettings::default(),
            boat: BoatSettings::default(),
            evaluation: EvaluationSettings::default(),
            patience: PatienceSettings::default(),
        }
    }
}

impl MissionSettings {
    /// What the paper's program does.
    pub fn paper() -> Self {
        Self {
            streams: Streams::Paper,
            pilot: PilotSettings::paper(),
            overshoot_budget: true,
            stay_inside: false,
            planner: PlannerSettings::paper(),
            surrogate: SurrogateSettings::paper(),
            kernel: KernelChoice::paper("ak"),
            companions: Vec::new(),
            training: TrainingSettings::paper(),
            sensor: SensorSettings {
                lookup: Lookup::PaperNearest,
                ..SensorSettings::default()
            },
            boat: BoatSettings::paper(),
            ..Self::default()
        }
    }

    /// Refuses settings that no mission can have; the error names the key.
    pub fn validate(&self) -> Result<(), Error> {
        self.streams.validate(self.seed)?;
        self.budget.validate()?;
        if let Some(home) = self.home {
            let sum = home.x + home.y;
            super::require(
                sum.is_finite(),
                "home",
                sum,
                "two finite numbers are needed",
            )?;
        }
        self.pilot.validate()?;
        self.planner.validate()?;
        self.surrogate.validate()?;
        self.kernel.validate()?;
        self.companions
            .iter()
            .try_for_each(KernelChoice::validate)?;
        self.training.validate()?;
        self.sensor.validate()?;
        self.boat.validate()?;
        self.evaluation.validate()?;
        self.patience.validate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_profiles_are_valid_and_survive_a_document() {
        for settings in [MissionSettings::paper(), MissionSettings::default()] {
            settings.validate().unwrap();
            let text = serde_json::to_string(&settings).unwrap();
            let read: MissionSettings = serde_json::from_str(&text).unwrap();
            assert_eq!(read, settings);
        }
        let empty: MissionSettings = serde_json::from_str("{}").unwrap();
        assert_eq!(empty, MissionSettings::default());
    }

    #[test]
    fn misspelt_keys_are_refused() {
        let text = r#"{"planner": {"candidate": 10}}"#;
        let error = serde_json::from_str::<MissionSettings>(text).unwrap_err();
        assert!(error.to_string().contains("`candidates`"), "{error}");
    }

    #[test]
    fn refusals_name_the_key() {
        let refused = |change: fn(&mut MissionSettings), start: &str| {
            let mut settings = MissionSettings::paper();
            change(&mut settings);
            let message = settings.validate().unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        };
        refused(|s| s.seed = 1 << 32, "seed is 4294967296: NumPy's");
        refused(|s| s.pilot.soundings = 1, "pilot.soundings is 1");
        refused(
            |s| s.planner.objective = "entropie".into(),
            "planner.objective is",
        );
        refused(|s| s.planner.candidates = 0, "planner.candidates is 0");
        refused(
            |s| s.planner.distance_weight = -1.0,
            "planner.distance_weight is -1",
        );
        refused(
            |s| s.planner.line_spacing_m = Some(-1.0),
            "planner.line_spacing_m is -1",
        );
        refused(
            |s| s.training.noise_variance = 0.0,
            "training.noise_variance is 0",
        );
        refused(|s| s.sensor.noise_std = f64::NAN, "sensor.noise_std is NaN");
        refused(|s| s.evaluation.rows = 1, "evaluation.rows is 1");
        refused(
            |s| s.patience.lost_readings = 0,
            "patience.lost_readings is 0",
        );
    }
}

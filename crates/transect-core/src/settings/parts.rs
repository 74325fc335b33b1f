//! The parts of a mission's settings.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::names::{choose, names_of};
use super::{at_least_one, not_negative, positive, require};
use crate::Error;
use crate::objective::{OBJECTIVES, Objective};
use crate::planner::PLANNERS;
use crate::terrain::Lookup;

/// How the pilot survey gets from point to point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Travel {
    /// One reading at each point.
    #[default]
    Jump,
    /// Readings on the way, at the vehicle's sampling rate.
    Drive,
}

/// The survey before there is a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PilotSettings {
    /// Points on the curve: readings, when jumping from one to the next.
    pub soundings: usize,
    /// How to get from one to the next.
    pub travel: Travel,
    /// There is no pilot survey when at least so many readings from before the mission are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = 100)]
    pub unless_known: Option<usize>,
}

impl Default for PilotSettings {
    fn default() -> Self {
        Self {
            soundings: 50,
            travel: Travel::Jump,
            unless_known: None,
        }
    }
}

impl PilotSettings {
    pub(super) fn validate(&self) -> Result<(), Error> {
        let (name, count) = ("pilot.soundings", self.soundings);
        require(count >= 2, name, count as f64, "at least 2 are needed")
    }
}

/// How the next place is chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PlannerSettings {
    /// The planner (one of [`PLANNERS`]).
    #[schemars(extend("enum" = names_of(PLANNERS)))]
    pub name: String,
    /// Random places that are compared.
    pub candidates: usize,
    /// What they are compared by (one of [`OBJECTIVES`]).
    #[schemars(extend("enum" = names_of(OBJECTIVES)))]
    pub objective: String,
    /// What the way to a place counts against what is learnt there, both scaled to [0, 1] over the
    /// candidates: 0 goes anywhere, 1 is the paper's trade-off. For planners that drive.
    pub distance_weight: f64,
    /// Distance between the lines of a lawnmower survey, m; as the budget allows when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = 2.0)]
    pub line_spacing_m: Option<f64>,
}

impl Default for PlannerSettings {
    fn default() -> Self {
        Self {
            name: "myopic".into(),
            candidates: 1000,
            objective: "entropy".into(),
            distance_weight: 1.0,
            line_spacing_m: None,
        }
    }
}

impl PlannerSettings {
    /// The planner of this name with everything else at its default.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    pub(super) fn validate(&self) -> Result<(), Error> {
        choose("planner.name", &self.name, PLANNERS)?;
        self.objective()?;
        at_least_one("planner.candidates", self.candidates)?;
        not_negative("planner.distance_weight", self.distance_weight)?;
        self.line_spacing_m.map_or(Ok(()), |spacing| {
            positive("planner.line_spacing_m", spacing)
        })
    }

    /// The objective.
    pub fn objective(&self) -> Result<Box<dyn Objective>, Error> {
        Ok(choose("planner.objective", &self.objective, OBJECTIVES)?())
    }
}

/// The simulated sensor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SensorSettings {
    /// Standard deviation of its noise, in the terrain's units.
    pub noise_std: f64,
    /// How the terrain is read.
    pub lookup: Lookup,
}

impl Default for SensorSettings {
    fn default() -> Self {
        Self {
            noise_std: 1.0,
            lookup: Lookup::Nearest,
        }
    }
}

impl SensorSettings {
    pub(super) fn validate(&self) -> Result<(), Error> {
        not_negative("sensor.noise_std", self.noise_std)
    }
}

/// The grid that maps are judged on, ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct EvaluationSettings {
    /// Points along x.
    pub columns: usize,
    /// Points along y.
    pub rows: usize,
}

impl Default for EvaluationSettings {
    fn default() -> Self {
        Self {
            columns: 50,
            rows: 50,
        }
    }
}

impl EvaluationSettings {
    pub(super) fn validate(&self) -> Result<(), Error> {
        for (name, count) in [
            ("evaluation.columns", self.columns),
            ("evaluation.rows", self.rows),
        ] {
            require(count >= 2, name, count as f64, "at least 2 are needed")?;
        }
        Ok(())
    }
}

/// How much goes wrong in a row before a mission ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PatienceSettings {
    /// Readings that are lost.
    pub lost_readings: usize,
    /// Plans that bring no reading.
    pub empty_plans: usize,
}

impl Default for PatienceSettings {
    fn default() -> Self {
        Self {
            lost_readings: 200,
            empty_plans: 200,
        }
    }
}

impl PatienceSettings {
    pub(super) fn validate(&self) -> Result<(), Error> {
        at_least_one("patience.lost_readings", self.lost_readings)?;
        at_least_one("patience.empty_plans", self.empty_plans)
    }
}

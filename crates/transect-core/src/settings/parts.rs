//! The parts of a mission's settings.

use serde::{Deserialize, Serialize};

use super::{at_least_one, not_negative, positive, require};
use crate::Error;
use crate::geometry::Workspace;
use crate::objective::{OBJECTIVES, Objective};
use crate::planner::{PLANNERS, Travel};
use crate::surrogate::SURROGATES;
use crate::terrain::Lookup;

/// Where the survey before there is a model goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PilotShape {
    /// Along the paper's curve, round the edge and through the middle.
    Curve,
    /// Along parallel lines over the whole area, driven, which later ones can refine between.
    #[default]
    Lines,
}

/// The survey before there is a model.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct PilotSettings {
    /// Where it goes.
    pub shape: PilotShape,
    /// The share of the budget that lines have, in (0, 1]; the way to the first of them included.
    pub share: f64,
    /// Points on the curve: readings, when jumping from one to the next.
    pub soundings: usize,
    /// How to get from one to the next.
    pub travel: Travel,
    /// There is no pilot survey when at least this many readings from before the mission are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(example = 100))]
    pub unless_known: Option<usize>,
}

impl Default for PilotSettings {
    fn default() -> Self {
        Self {
            shape: PilotShape::Lines,
            share: 0.33,
            soundings: 50,
            travel: Travel::Drive,
            unless_known: None,
        }
    }
}

impl PilotSettings {
    /// What the paper's program does.
    pub fn paper() -> Self {
        Self {
            shape: PilotShape::Curve,
            travel: Travel::Jump,
            ..Self::default()
        }
    }

    pub(super) fn validate(&self) -> Result<(), Error> {
        require(
            self.share > 0.0 && self.share <= 1.0,
            "pilot.share",
            self.share,
            "a share above 0, up to 1, is needed",
        )?;
        let (name, count) = ("pilot.soundings", self.soundings);
        require(count >= 2, name, count as f64, "at least 2 are needed")
    }
}

/// How the next place is chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct PlannerSettings {
    /// The planner (one of [`PLANNERS`]).
    #[cfg_attr(feature = "schema", schemars(extend("enum" = PLANNERS.names())))]
    pub name: String,
    /// Random places that are compared.
    pub candidates: usize,
    /// What they are compared by (one of [`OBJECTIVES`]).
    #[cfg_attr(feature = "schema", schemars(extend("enum" = OBJECTIVES.names())))]
    pub objective: String,
    /// What the way to a place counts against what is learnt there, both scaled to [0, 1] over the
    /// candidates: 0 goes anywhere, 1 is the paper's trade-off. For planners that drive.
    pub distance_weight: f64,
    /// Variance that `myopic` adds to that of readings, in units of the first readings' variance. The larger it is, the more a place
    /// far from all readings stands out from one that is not so far; the paper's models start with a noise of 1 and need none.
    pub tempering: f64,
    /// Standard deviations that the objectives `upper-confidence` and `level-set` look to either side of the mean.
    pub confidence: f64,
    /// The level, in the unit of the readings, whose line on the map the objective `level-set` looks for.
    pub level: f64,
    /// Paths that `rig-tree`, `mcts` and `cma-es` judge for each decision.
    pub trials: usize,
    /// How far to look ahead, s; when left out, or where it must come home, `tour` looks at all that is left of the budget; others at 40 s.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(example = 60.0))]
    pub horizon_s: Option<f64>,
    /// The share of a tour that is driven before the next is planned; 1 drives it to its end.
    pub replan_share: f64,
    /// Whether the soundings of a tour are pulled to where they leave least to be known; for comparison.
    pub refine: bool,
    /// Whether the boat of a tour goes slower where soundings should be closer together than it goes between two of them at full speed. Vehicles on the water do not.
    pub pace: bool,
    /// Places whose standard deviation is below this, in the unit of the readings, are known well enough: `tour` plans for the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(example = 0.5))]
    pub enough_std: Option<f64>,
    /// Distance between the lines of a lawnmower survey, m; as the budget allows when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(example = 2.0))]
    pub line_spacing_m: Option<f64>,
}

impl Default for PlannerSettings {
    fn default() -> Self {
        Self {
            name: "tour".into(),
            candidates: 1000,
            objective: "entropy".into(),
            distance_weight: 1.0,
            tempering: 1.0,
            confidence: 1.96,
            level: 0.0,
            trials: 200,
            horizon_s: None,
            replan_share: 0.5,
            refine: true,
            pace: true,
            enough_std: None,
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

    /// What the paper's program does.
    pub fn paper() -> Self {
        Self {
            name: "myopic".into(),
            tempering: 0.0,
            ..Self::default()
        }
    }

    pub(super) fn validate(&self) -> Result<(), Error> {
        PLANNERS.get(&self.name)?;
        OBJECTIVES.get(&self.objective)?;
        not_negative("planner.tempering", self.tempering)?;
        not_negative("planner.confidence", self.confidence)?;
        require(
            self.level.is_finite(),
            "planner.level",
            self.level,
            "a finite number is needed",
        )?;
        at_least_one("planner.candidates", self.candidates)?;
        at_least_one("planner.trials", self.trials)?;
        if let Some(horizon_s) = self.horizon_s {
            positive("planner.horizon_s", horizon_s)?;
        }
        require(
            self.replan_share > 0.0 && self.replan_share <= 1.0,
            "planner.replan_share",
            self.replan_share,
            "a number above 0 and at most 1 is needed",
        )?;
        not_negative("planner.distance_weight", self.distance_weight)?;
        if let Some(std) = self.enough_std {
            positive("planner.enough_std", std)?;
        }
        self.line_spacing_m.map_or(Ok(()), |spacing| {
            positive("planner.line_spacing_m", spacing)
        })
    }

    /// The objective.
    pub fn objective(&self, workspace: &Workspace) -> Result<Box<dyn Objective>, Error> {
        OBJECTIVES.get(&self.objective)?(self, workspace)
    }
}

/// What learns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct SurrogateSettings {
    /// The surrogate (one of [`SURROGATES`]): `exact`, whose work grows with the third power of the readings; `nearest`, for many
    /// readings; or `auto`, which is exact up to 1,000 readings and goes on as `nearest`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = SURROGATES.names())))]
    pub name: String,
}

impl Default for SurrogateSettings {
    fn default() -> Self {
        Self {
            name: "auto".into(),
        }
    }
}

impl SurrogateSettings {
    /// What the paper's program does.
    pub fn paper() -> Self {
        Self {
            name: "exact".into(),
        }
    }

    pub(super) fn validate(&self) -> Result<(), Error> {
        SURROGATES.get(&self.name).map(|_| ())
    }
}

/// The simulated sensor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
        let points = self.columns as f64 * self.rows as f64;
        require(
            points <= MOST_EVALUATED,
            "evaluation.columns times evaluation.rows",
            points,
            "at most 4 million points can be judged after each decision",
        )
    }
}

/// Points of the grid that maps are judged on, at most.
const MOST_EVALUATED: f64 = 4e6;

/// How much goes wrong in a row before a mission ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

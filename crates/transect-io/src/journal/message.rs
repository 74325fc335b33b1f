//! What a journal's messages hold.

use crate::Crs;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use transect::Sounding;
use transect::budget::Spent;
use transect::geometry::Workspace;
use transect::metrics::Evaluation;
use transect::mission::{Ending, Evaluator, LegEnd, Phase, Whereabouts};
use transect::planner::Plan;
use transect::settings::MissionSettings;
use transect::surrogate::Training;
use transect::terrain::Terrain;

/// Something a journal can hold.
pub trait Message: Serialize + DeserializeOwned + JsonSchema {
    /// What messages of this kind are filed under.
    const TOPIC: &'static str;
    /// The name that other programs know its schema by, where they do.
    const SCHEMA: Option<&'static str> = None;
}

/// A mission began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Begun {
    /// The program and its version.
    pub program: String,
    /// What the mission was told.
    pub settings: MissionSettings,
    /// Where.
    pub workspace: Workspace,
    /// Where the vehicle was.
    pub vehicle: Whereabouts,
    /// Readings from before the mission.
    pub prior: Vec<Sounding>,
}

/// The truth that maps are judged by, where it is known: at the places of the evaluation's grid that are inside the
/// workspace, x running fastest; none at voids.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Truth {
    /// The values.
    pub values: Vec<Option<f64>>,
}

impl Truth {
    /// The truth of a simulated mission.
    pub fn of(terrain: &Terrain, workspace: &Workspace, settings: &MissionSettings) -> Self {
        let (grid, lookup) = (settings.evaluation, settings.sensor.lookup);
        let places = Evaluator::places(workspace, grid.columns, grid.rows).into_iter();
        let values = places.map(|at| terrain.value(at, lookup)).collect();
        Self { values }
    }
}

/// The next path was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Planned {
    /// By whom.
    pub phase: Phase,
    /// The plan.
    pub plan: Plan,
    /// Where the vehicle was then.
    pub vehicle: Whereabouts,
}

/// A reading was taken.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Taken {
    /// In which part of the mission.
    pub phase: Phase,
    /// The reading.
    pub sounding: Sounding,
    /// Where the vehicle was when it came.
    pub vehicle: Whereabouts,
}

/// A reading was due, but none came.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Lost {
    /// Where the vehicle was.
    pub vehicle: Whereabouts,
}

/// A leg is over.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LegOver {
    /// Why.
    pub end: LegEnd,
    /// Where the vehicle was.
    pub vehicle: Whereabouts,
}

/// The pilot survey is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PilotOver {
    /// Readings it brought.
    pub soundings: usize,
}

/// The model has learnt.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Trained(pub Training);

/// The map was judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Evaluated(pub Evaluation);

/// Something went wrong and did not end the mission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Troubled {
    /// What, and what was done about it.
    pub text: String,
}

/// The mission is over.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finished {
    /// Why.
    pub ending: Ending,
    /// What it took.
    pub spent: Spent,
}

/// What the coordinates and values of a mission mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// An EPSG code, or `local`.
    #[schemars(with = "String")]
    pub crs: Crs,
    /// What is measured.
    pub quantity: String,
    /// Its unit.
    pub unit: String,
    /// Greater values lie deeper.
    pub downward: bool,
}

macro_rules! topics {
    ($($kind:ty: $topic:literal),* $(,)?) => {$(
        impl Message for $kind {
            const TOPIC: &'static str = $topic;
        }
    )*};
}

topics! {
    Begun: "begun",
    Place: "place",
    Truth: "truth",
    Planned: "plan",
    Taken: "sounding",
    Lost: "lost",
    LegOver: "leg",
    PilotOver: "pilot",
    Trained: "training",
    Evaluated: "evaluation",
    Troubled: "trouble",
    Finished: "ending",
}

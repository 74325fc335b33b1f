//! Everything that can be wrong with what a caller hands in, by concern.

use transect_gp::GpError;

use crate::geometry::GeometryError;
use crate::map::MapError;
use crate::metrics::MetricError;
use crate::planner::PlanError;
use crate::settings::SettingError;
use crate::terrain::TerrainError;
use crate::vehicle::VehicleError;

/// The errors of this crate. Each concern has its own, beside the module that it belongs to.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An area is wrong.
    #[error(transparent)]
    Geometry(#[from] GeometryError),

    /// A terrain is wrong.
    #[error(transparent)]
    Terrain(#[from] TerrainError),

    /// A setting is wrong.
    #[error(transparent)]
    Setting(#[from] SettingError),

    /// Numbers cannot be evaluated.
    #[error(transparent)]
    Metric(#[from] MetricError),

    /// A planner cannot decide.
    #[error(transparent)]
    Plan(#[from] PlanError),

    /// A vehicle cannot go where it is told to.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),

    /// A map cannot be made.
    #[error(transparent)]
    Map(#[from] MapError),

    /// A file that holds no model, or not one that can be read.
    #[error("this is not a model that can be read: {reason}")]
    Model {
        /// Why not.
        reason: String,
    },

    /// The engine refused or could not finish.
    #[error(transparent)]
    Gp(#[from] GpError),

    /// A world (simulation, vehicle, log) can no longer do what it is asked.
    #[error("{0}")]
    World(String),
}

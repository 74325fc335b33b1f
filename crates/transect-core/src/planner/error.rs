//! Why a planner cannot decide.

use crate::geometry::Position;

/// Why a planner cannot decide.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A planner that needs a model was asked before there was one.
    #[error("there is no model yet: this planner cannot lead a pilot survey")]
    NoModel,

    /// No candidate has a score that is a number.
    #[error("no candidate has a score that is a number")]
    NoScore,

    /// No candidate can be reached inside the workspace.
    #[error("no way inside the workspace leads from {from} to any candidate")]
    NoWay {
        /// Where the vehicle is.
        from: Position,
    },
}

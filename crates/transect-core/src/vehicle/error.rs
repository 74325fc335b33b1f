//! What can be wrong with where a vehicle is told to be.

use crate::geometry::Position;

/// Why a vehicle cannot be placed or sent somewhere.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VehicleError {
    /// A vehicle was placed outside the workspace it must stay in, or nowhere.
    #[error(
        "the vehicle cannot be placed at {at}: the position must be finite and inside the workspace"
    )]
    BadStart {
        /// The position.
        at: Position,
    },

    /// A goal outside the workspace, or nowhere.
    #[error("the vehicle cannot go to {at}: a goal must be finite and inside the workspace")]
    BadGoal {
        /// The goal.
        at: Position,
    },

    /// A current that the vehicle cannot hold its line in.
    #[error(
        "the current is {current_mps} m/s and the boat makes {speed_mps} m/s: it could not come home; wait for weaker \
         current or use a faster boat"
    )]
    CurrentTooFast {
        /// Speed of the current, m/s.
        current_mps: f64,
        /// Speed of the vehicle through the water, m/s.
        speed_mps: f64,
    },
}

//! One reading of the surface.

use serde::{Deserialize, Serialize};

use crate::geometry::Position;

/// One reading: where, what and when.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Sounding {
    /// Where it was taken.
    pub position: Position,
    /// What was read, in the units of the surface.
    pub value: f64,
    /// When it was taken, s since the mission began.
    pub time_s: f64,
}

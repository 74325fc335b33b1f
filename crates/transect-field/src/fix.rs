//! Where the vehicle was, and when.

use serde::{Deserialize, Serialize};

use crate::GeoPosition;

/// One position report.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Fix {
    /// When it arrived, s on the caller's clock.
    pub time_s: f64,
    /// Where.
    pub position: GeoPosition,
    /// Where the bow points, degrees clockwise from true north; some receivers do not know.
    pub heading_deg: Option<f64>,
    /// Speed over ground, m/s.
    pub speed_mps: Option<f64>,
}

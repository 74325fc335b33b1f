//! One depth, as a device gave it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One reading.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DepthReading {
    /// When it arrived, s on the caller's clock.
    pub time_s: f64,
    /// From the transducer down to the bed, m. No offset of the device is included.
    pub depth_m: f64,
    /// How sure the device is, 0 to 1, where it says so.
    pub confidence: Option<f64>,
    /// Where it came from.
    pub source: DepthSource,
}

/// Where a reading came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DepthSource {
    /// A Ping1D sonar.
    Ping,
    /// An NMEA 0183 `DBT` sentence.
    NmeaDbt,
    /// An NMEA 0183 `DPT` sentence.
    NmeaDpt,
    /// A MAVLink `WATER_DEPTH` message.
    WaterDepth,
    /// A MAVLink `DISTANCE_SENSOR` message that looks down.
    DistanceSensor,
}

impl fmt::Display for DepthSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ping => "Ping1D",
            Self::NmeaDbt => "NMEA DBT",
            Self::NmeaDpt => "NMEA DPT",
            Self::WaterDepth => "MAVLink WATER_DEPTH",
            Self::DistanceSensor => "MAVLink DISTANCE_SENSOR",
        })
    }
}

//! Why a reading is not used.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::autopilot::PositionTrouble;

/// Why a reading is not used.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Rejection {
    /// The sonar is not sure.
    Confidence {
        /// How sure it is, 0 to 1.
        confidence: f64,
    },
    /// Too shallow, too deep, or no number at all.
    Range {
        /// Below the transducer, m.
        range_m: f64,
    },
    /// Far from the readings before it.
    Jump {
        /// From their median, m.
        by_m: f64,
    },
    /// The same value again and again while the boat moved.
    Stuck {
        /// How often.
        readings: usize,
    },
    /// The position was not to be trusted at that time.
    Position {
        /// Why.
        trouble: PositionTrouble,
    },
    /// No fix before it, or none after it soon enough.
    NoFix,
    /// The fixes around it are too far apart in time.
    FixGap {
        /// Time between them, s.
        gap_s: f64,
    },
    /// The sonar is away from the antenna and the heading is not known.
    Heading,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Confidence { confidence } => {
                write!(f, "the sonar is only {:.0} % sure", 100.0 * confidence)
            }
            Self::Range { range_m } => write!(f, "{range_m:.2} m is out of range"),
            Self::Jump { by_m } => write!(f, "{by_m:.1} m away from the readings before"),
            Self::Stuck { readings } => {
                write!(f, "the sonar is stuck: {readings} equal readings under way")
            }
            Self::Position { trouble } => write!(f, "{trouble}"),
            Self::NoFix => write!(f, "no position around its time"),
            Self::FixGap { gap_s } => write!(f, "the positions around it are {gap_s:.1} s apart"),
            Self::Heading => write!(f, "the heading is not known"),
        }
    }
}

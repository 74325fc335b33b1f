//! Soundings that are set aside, and why.

use std::fmt;

/// A sounding that is set aside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Flag {
    /// Which, among all that were read.
    pub index: usize,
    /// Why.
    pub reason: Reason,
}

/// Why a sounding is set aside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reason {
    /// Latitude and longitude are none.
    NoPlace,
    /// (0, 0): the receiver had no fix.
    NoFix,
    /// Far from all others.
    FarAway {
        /// From the middle of the survey, km.
        km: f64,
    },
    /// A depth of zero: the sonar lost the bottom.
    NoBottom,
    /// It jumps away from the track around it, alone or with a few others, and the track comes back.
    Spike {
        /// What the track around it says.
        expected: f64,
        /// How many in a row.
        run: usize,
    },
    /// Beyond `--min` or `--max`.
    OutOfRange,
    /// In a polygon or among rows that the user excluded.
    Excluded,
    /// Outside of the area.
    OutsideArea,
    /// It has nothing to do with the soundings around it, by the map's model.
    Misfit,
}

impl Reason {
    /// One word for files.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::NoPlace => "no-place",
            Self::NoFix => "no-fix",
            Self::FarAway { .. } => "far-away",
            Self::NoBottom => "no-bottom",
            Self::Spike { .. } => "spike",
            Self::OutOfRange => "out-of-range",
            Self::Excluded => "excluded",
            Self::OutsideArea => "outside-area",
            Self::Misfit => "misfit",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPlace => f.write_str("no place on the earth"),
            Self::NoFix => f.write_str("at (0, 0): the receiver had no fix"),
            Self::FarAway { km } => write!(f, "{km:.1} km from the middle of the survey"),
            Self::NoBottom => f.write_str("depth zero: the sonar lost the bottom"),
            Self::Spike { expected, run: 1 } => {
                write!(f, "jumps away from {expected:.2} before and after it")
            }
            Self::Spike { expected, run } => {
                write!(
                    f,
                    "one of {run} in a row that jump away from {expected:.2} before and after them"
                )
            }
            Self::OutOfRange => f.write_str("beyond --min or --max"),
            Self::Excluded => f.write_str("excluded"),
            Self::OutsideArea => f.write_str("outside of the area"),
            Self::Misfit => f.write_str("far from what the soundings around it say"),
        }
    }
}

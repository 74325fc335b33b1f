//! What can be wrong with a request to the field.

use std::path::PathBuf;

use crate::GeoPosition;

/// Why a link or a driver could not be set up, or a setting was refused.
#[derive(Debug, thiserror::Error)]
pub enum FieldError {
    /// A link address that cannot be read.
    #[error(
        "link address `{address}`: {reason}; write udp:HOST:PORT, udpin:HOST:PORT, tcp:HOST:PORT, \
         serial:DEVICE:BAUD or file:PATH"
    )]
    Address {
        /// The address as written.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A link that cannot be opened, whatever the other side does.
    #[error("link `{address}`: {source}")]
    Link {
        /// The address.
        address: String,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A log that cannot be read.
    #[error("{}: {source}", path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A setting outside its range.
    #[error("`{name}` is {value}: {expected}")]
    Setting {
        /// The setting, with the table it is in.
        name: &'static str,
        /// What it was set to.
        value: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// A bench boat that cannot be built.
    #[error("bench boat: {0}")]
    Bench(String),
    /// A place without metres.
    #[error(
        "{place} is not on the survey's map: a place within a few degrees of the area is needed"
    )]
    OffTheMap {
        /// The place.
        place: GeoPosition,
    },
}

impl FieldError {
    /// Whether the request was wrong (exit code 2) rather than the work (exit code 1).
    pub fn is_request(&self) -> bool {
        !matches!(self, Self::Link { .. } | Self::Bench(_))
    }
}

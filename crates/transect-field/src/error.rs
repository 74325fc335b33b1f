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
    /// An area that cannot be surveyed.
    #[error("{}: {reason}", path.display())]
    Area {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A place without metres.
    #[error(
        "{place} is not on the survey's map: a place within a few degrees of the area is needed"
    )]
    OffTheMap {
        /// The place.
        place: GeoPosition,
    },
    /// A planner for simulated vehicles only.
    #[error(
        "planner.name is `{planner}`: it takes single readings anywhere, and a vehicle on the water cannot jump; \
         choose one that drives, such as `tour`"
    )]
    Jumps {
        /// Its name.
        planner: String,
    },
    /// A file that cannot be used.
    #[error(transparent)]
    Io(#[from] transect_io::IoError),
    /// A mission that cannot be built.
    #[error(transparent)]
    Mission(#[from] transect::Error),
    /// No vehicle with a good position.
    #[error(
        "no vehicle with a good position on `{link}` within {within_s} s: check vehicle.link and the GPS, or set area.home"
    )]
    NoVehicle {
        /// Where it was looked for.
        link: String,
        /// For how long, s.
        within_s: f64,
    },
    /// A folder that holds a mission already.
    #[error(
        "{} is not empty: continue the mission in it with --resume, choose another folder with --out, or --force to write over it",
        path.display()
    )]
    FolderTaken {
        /// The folder.
        path: PathBuf,
    },
    /// A folder without a mission to continue.
    #[error(
        "{} is not there: there is no mission to continue; leave --resume out to begin one",
        path.display()
    )]
    NothingToResume {
        /// The folder.
        path: PathBuf,
    },
    /// A mission that does not say where home is.
    #[error(
        "the mission in {} does not say where home is, and the vehicle may be anywhere by now: set area.home",
        path.display()
    )]
    NoHome {
        /// The folder.
        path: PathBuf,
    },
    /// Something in a document that cannot be.
    #[error(transparent)]
    Request(#[from] transect_survey::document::DocumentError),
    /// Settings that no document can hold.
    #[error("the settings do not fit into a document: {0}")]
    Document(String),
    /// A result that cannot be made or written.
    #[error(transparent)]
    Survey(#[from] transect_survey::SurveyError),
    /// No area to survey.
    #[error(
        "area.file is not set: a vehicle on the water needs an area (GeoJSON, KML or a QGroundControl plan)"
    )]
    NoArea,
}

impl FieldError {
    /// Whether the request was wrong (exit code 2) rather than the work (exit code 1).
    pub fn is_request(&self) -> bool {
        match self {
            Self::Io(error) => error.is_request(),
            Self::Survey(error) => error.is_request(),
            Self::Link { .. } | Self::Bench(_) | Self::NoVehicle { .. } => false,
            _ => true,
        }
    }
}

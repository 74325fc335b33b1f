//! What can be wrong with a mission on the water.

use crate::SurveyError;
use crate::document::DocumentError;
use std::path::PathBuf;
use transect_field::{FieldError, GeoPosition};

/// Why a mission on the water could not be set up, carried out or written down.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VoyageError {
    /// A link, a driver or one of its settings.
    #[error(transparent)]
    Driver(#[from] FieldError),
    /// An area that cannot be surveyed.
    #[error("{}: {reason}", path.display())]
    Area {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
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
    Request(#[from] DocumentError),
    /// Settings that no document can hold.
    #[error("the settings do not fit into a document: {0}")]
    Document(String),
    /// A result that cannot be made or written.
    #[error(transparent)]
    Survey(#[from] SurveyError),
    /// No area to survey.
    #[error(
        "area.file is not set: a vehicle on the water needs an area (GeoJSON, KML or a QGroundControl plan)"
    )]
    NoArea,
}

impl VoyageError {
    /// A place that the survey's map does not reach.
    pub(super) fn off_the_map(place: GeoPosition) -> Self {
        FieldError::OffTheMap { place }.into()
    }

    /// Whether the request was wrong (exit code 2) rather than the work (exit code 1).
    #[must_use]
    pub fn is_request(&self) -> bool {
        match self {
            Self::Driver(error) => error.is_request(),
            Self::Io(error) => error.is_request(),
            Self::Survey(error) => error.is_request(),
            Self::NoVehicle { .. } => false,
            _ => true,
        }
    }
}

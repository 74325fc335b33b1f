//! What can go wrong with a survey.

use crate::document::DocumentError;
use std::path::{Path, PathBuf};

/// Why a survey could not be run, written or repeated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SurveyError {
    /// A document is wrong.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// A request that cannot be carried out as it stands.
    #[error("{0}")]
    Request(String),
    /// A file or folder could not be written.
    #[error("{}: {source}; check that the folder may be written to and the disk is not full", path.display())]
    Writing {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// A file is unusable.
    #[error(transparent)]
    File(#[from] transect_io::IoError),
    /// A mission came to nothing.
    #[error("there is no map: {0}, before there was a model")]
    NoModel(transect::mission::Ending),
    /// A replay came out differently.
    #[error("{0}")]
    Differs(String),
    /// A mission refused or failed.
    #[error(transparent)]
    Mission(#[from] transect::Error),
    /// The engine refused or failed.
    #[error(transparent)]
    Engine(#[from] transect::gp::GpError),
    /// A figure could not be drawn.
    #[error(transparent)]
    Figure(#[from] transect_plot::PlotError),
}

/// The result type of surveys.
pub type Result<T> = std::result::Result<T, SurveyError>;

impl SurveyError {
    /// Whether the request itself was wrong (exit code 2), rather than the work.
    #[must_use]
    pub fn is_request(&self) -> bool {
        match self {
            Self::Document(_) | Self::Request(_) => true,
            Self::File(error) => error.is_request(),
            _ => false,
        }
    }

    /// Names the file in what the operating system said about writing.
    pub(crate) fn writing(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |source| Self::Writing {
            path: path.to_owned(),
            source,
        }
    }
}

//! What can go wrong in the lab.

use std::path::{Path, PathBuf};
use transect_survey::SurveyError;

/// Why an experiment could not be run or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// A name that is in no list.
    #[error("{what} `{name}` is not known: {}there are {known}", nearest.as_ref().map(|n| format!("did you mean `{n}`? ")).unwrap_or_default())]
    Unknown {
        /// What was named.
        what: &'static str,
        /// The name given.
        name: String,
        /// The most similar name there is.
        nearest: Option<String>,
        /// All names.
        known: String,
    },
    /// A request that cannot be carried out as it stands.
    #[error("{0}")]
    Request(String),
    /// A file or folder could not be read or written.
    #[error("{}: {source}; {advice}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
        /// What to do.
        advice: &'static str,
    },
    /// A result on disk is not what it should be. It is left as it is.
    #[error("{}{}: {reason}; nothing was changed: move the folder away to have the run done again", path.display(), line.map(|l| format!(", line {l}")).unwrap_or_default())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: Option<usize>,
        /// What is wrong with it.
        reason: String,
    },
    /// The results folder was made by another version.
    #[error("{} holds results of format {found}, this program writes format {expected}; choose another --out", path.display())]
    Format {
        /// The folder.
        path: PathBuf,
        /// Its format.
        found: String,
        /// Ours.
        expected: u32,
    },
    /// A survey refused or failed.
    #[error(transparent)]
    Survey(SurveyError),
    /// The scheduler could not be used, or a task failed.
    #[error("{0}")]
    Scheduler(String),
}

/// The lab's result type.
pub type Result<T> = std::result::Result<T, LabError>;

/// Whatever can go wrong with a survey can go wrong with one in an experiment.
impl<E: Into<SurveyError>> From<E> for LabError {
    fn from(error: E) -> Self {
        Self::Survey(error.into())
    }
}

impl LabError {
    /// Whether the request itself was wrong (exit code 2), rather than the work.
    #[must_use]
    pub fn is_request(&self) -> bool {
        match self {
            Self::Unknown { .. } | Self::Request(_) | Self::Format { .. } => true,
            Self::Survey(error) => error.is_request(),
            _ => false,
        }
    }

    /// What was found wrong before any work began is wrong with the request.
    pub(crate) fn into_request(self) -> Self {
        match self.is_request() {
            true => self,
            false => Self::Request(self.to_string()),
        }
    }

    /// Names the file in what the operating system said about reading.
    pub(crate) fn reading(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        Self::system(path, "check that it exists and may be read")
    }

    /// Names the file in what the operating system said about writing.
    pub(crate) fn writing(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        Self::system(
            path,
            "check that the folder may be written to and the disk is not full",
        )
    }

    fn system<'a>(
        path: &'a Path,
        advice: &'static str,
    ) -> impl FnOnce(std::io::Error) -> Self + 'a {
        move |source| Self::System {
            path: path.to_owned(),
            source,
            advice,
        }
    }

    /// An unknown name, with the nearest one there is.
    pub(crate) fn unknown(what: &'static str, name: &str, known: &[&str]) -> Self {
        let nearest = transect::settings::nearest(name, known.iter().copied());
        Self::Unknown {
            what,
            name: name.into(),
            nearest: nearest.map(String::from),
            known: known.join(", "),
        }
    }
}

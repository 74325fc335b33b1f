//! What can be wrong with a file.

use std::path::{Path, PathBuf};

/// Why a file could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IoError {
    /// The operating system would not let it be read.
    #[error("{}: {source}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
    /// The operating system would not let it be written.
    #[error("{}: {source}; check that the folder is there and may be written to, and the disk is not full", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
    /// The file is there already.
    #[error("{} is there already; choose another name, or write over it with --force", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Neither a file nor a name.
    #[error("there is no terrain `{name}`: no such file; {advice}")]
    NoTerrain {
        /// What was asked for.
        name: String,
        /// What to ask for.
        advice: String,
    },
    /// The file is not what it should be.
    #[error("{}: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

impl IoError {
    /// Names the file in what the operating system said.
    pub fn system(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |source| Self::System {
            path: path.to_owned(),
            source,
        }
    }

    /// Names the file in what is wrong with it.
    pub fn content(path: &Path) -> impl Fn(String) -> Self + '_ {
        move |reason| Self::Content {
            path: path.to_owned(),
            reason,
        }
    }

    /// Whether the request was wrong (exit code 2) rather than the work (exit code 1).
    pub fn is_request(&self) -> bool {
        !matches!(self, Self::Write { .. })
    }
}

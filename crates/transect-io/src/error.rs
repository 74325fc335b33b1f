//! What can be wrong with a file.

use std::path::{Path, PathBuf};

/// Why a file could not be used.
#[derive(Debug, thiserror::Error)]
pub enum IoError {
    /// The operating system said no.
    #[error("{}: {source}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
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
}

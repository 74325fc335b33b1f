//! The terrains of the paper, from its authors' public repository (MIT licence).
//!
//! The four survey terrains are browse images of SRTM tiles, 8 bits deep, averaged over blocks of 10 x 10 pixels to 360 x 360 values;
//! `helens` is Mount St. Helens after its eruption, 100 x 100. What arrives must be the authors' files to the byte: published numbers can only be
//! checked on the same ground.

use super::{FetchError, download};
use crate::IoError;
use crate::atomic::{self, Existing};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The authors' repository at the commit whose files are meant.
pub const REPOSITORY: &str = "https://raw.githubusercontent.com/Weizhe-Chen/attentive_kernels/1ccb7255e1a09d215af39da3bb1efe6305cf4dea";

/// A file of the paper's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaperFile {
    /// The terrain's name.
    pub name: &'static str,
    /// Where it is in the repository.
    pub path: &'static str,
    /// Its size.
    pub bytes: u64,
    /// SHA-256 of its contents.
    pub sha256: &'static str,
}

/// All of them.
pub const FILES: [PaperFile; 5] = [
    PaperFile {
        name: "N17E073",
        path: "data/srtm/preprocessed/N17E073.npy",
        bytes: 1_036_928,
        sha256: "a83da6ecf20d48346cbff8dc031c396b155e6b41cc81cb1d50bc142ac72756b4",
    },
    PaperFile {
        name: "N43W080",
        path: "data/srtm/preprocessed/N43W080.npy",
        bytes: 1_036_928,
        sha256: "94c1161c8a5cca7b72d22ab50f7fdd94bf332d5a8022c8370addff32e1603b9d",
    },
    PaperFile {
        name: "N45W123",
        path: "data/srtm/preprocessed/N45W123.npy",
        bytes: 1_036_928,
        sha256: "214bd67ffe43f40c41c5e273259bce2b3f5e2e9c0dd257f8d42a6477b26dc009",
    },
    PaperFile {
        name: "N47W124",
        path: "data/srtm/preprocessed/N47W124.npy",
        bytes: 1_036_928,
        sha256: "81f19ee4ecddaae1e86e229aefc420cc4dc04853d1bd9f4e58962509eac567e5",
    },
    PaperFile {
        name: "helens",
        path: "data/volcano/preprocessed/helens.npy",
        bytes: 80_128,
        sha256: "d252e96a57705fa1f7217047f777950cafafff4272356210ad6771423198cd26",
    },
];

impl PaperFile {
    /// Its file in a folder.
    #[must_use]
    pub fn in_folder(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}.npy", self.name))
    }

    /// Where it comes from, below `from`.
    #[must_use]
    pub fn url(&self, from: &str) -> String {
        format!("{}/{}", from.trim_end_matches('/'), self.path)
    }

    /// Whether the folder has it, whole.
    #[must_use]
    pub fn is_in(&self, folder: &Path) -> bool {
        std::fs::read(self.in_folder(folder)).is_ok_and(|bytes| self.check(&bytes).is_ok())
    }

    fn check(&self, bytes: &[u8]) -> Result<(), String> {
        if bytes.len() as u64 != self.bytes {
            return Err(format!(
                "it has {} bytes instead of {}",
                bytes.len(),
                self.bytes
            ));
        }
        let hash: String = Sha256::digest(bytes)
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
        match hash == self.sha256 {
            true => Ok(()),
            false => Err(
                "it is not the file that the paper's authors published (SHA-256 differs)".into(),
            ),
        }
    }

    /// Downloads it into a folder, whole or not at all. `watch` is told how many bytes have come, and how many there are.
    ///
    /// # Errors
    /// If the server cannot be reached or sends something else; if the file cannot be written.
    pub fn fetch(
        &self,
        from: &str,
        folder: &Path,
        watch: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<(), FetchError> {
        let (url, path) = (self.url(from), self.in_folder(folder));
        let failed = |reason: String| FetchError::Download {
            url: url.clone(),
            reason,
            path: path.clone(),
        };
        let bytes = download(&url, from, &path, self.bytes, watch)?;
        let bytes = bytes.ok_or_else(|| failed("the server does not have it".into()))?;
        self.check(&bytes).map_err(failed)?;
        std::fs::create_dir_all(folder).map_err(|source| IoError::Write {
            path: folder.to_owned(),
            source,
        })?;
        Ok(atomic::write(&path, &bytes, Existing::Replace)?)
    }
}

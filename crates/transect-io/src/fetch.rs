//! SRTM tiles from the public elevation tiles on AWS, and the paper's terrains ([`paper`]), or from a mirror with the same paths. Behind the feature `fetch`,
//! so that those who only read files need no TLS.

pub mod paper;

use crate::atomic::{self, Existing};
use crate::{Crs, IoError, terrain};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The public bucket; below it are `skadi/N17/N17E073.hgt.gz` and so on.
pub const BUCKET: &str = "https://elevation-tiles-prod.s3.amazonaws.com";
/// A packed tile has at most 26 MB; anything larger is no tile.
const LARGEST_TILE: u64 = 64 << 20;
const PATIENCE: Duration = Duration::from_secs(20);
const WHOLE_PATIENCE: Duration = Duration::from_secs(900);
/// Bytes read between two reports of progress.
const PIECE: usize = 64 << 10;

/// Why a tile could not be fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// A name that no tile has.
    #[error(
        "`{name}` is no tile; tiles are named after their south-western corner, N17E073 or S34W070 say"
    )]
    NotATile {
        /// The name.
        name: String,
    },
    /// The server has no such tile.
    #[error("there is no tile {name} at {from}; tiles without land are left out")]
    NoTile {
        /// The tile.
        name: String,
        /// The server.
        from: String,
    },
    /// The server's address is not one.
    #[error("{from}: {reason}")]
    Address {
        /// What was given.
        from: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The download failed, or what came is no tile.
    #[error("{url}: {reason}; check the network, or download it elsewhere and save it as {}", path.display())]
    Download {
        /// What was asked for.
        url: String,
        /// What went wrong.
        reason: String,
        /// Where the tile belongs.
        path: PathBuf,
    },
    /// The tile could not be written.
    #[error(transparent)]
    File(#[from] IoError),
}

impl FetchError {
    /// Whether the request was wrong (exit code 2) rather than the work (exit code 1).
    #[must_use]
    pub fn is_request(&self) -> bool {
        match self {
            Self::NotATile { .. } | Self::NoTile { .. } | Self::Address { .. } => true,
            Self::Download { .. } => false,
            Self::File(error) => error.is_request(),
        }
    }
}

/// A tile and where it belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tile {
    name: String,
    path: PathBuf,
}

impl Tile {
    /// The tile called `name`, in the folder `cache`.
    ///
    /// # Errors
    /// If no tile has such a name.
    pub fn named(name: &str, cache: &Path) -> Result<Self, FetchError> {
        let upper = name.to_ascii_uppercase();
        if !terrain::is_tile(&upper) {
            return Err(FetchError::NotATile { name: name.into() });
        }
        let path = terrain::cached_tile(cache, &upper);
        Ok(Self { name: upper, path })
    }

    /// Its name, `N17E073` say.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its file, whether or not it is there.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Downloads the tile from the server `from` ([`BUCKET`], or a mirror of it) into its file, whole or not at all. `watch`
    /// is told how many bytes have come, and how many there are if the server says so.
    ///
    /// # Errors
    /// If the server has no such tile, cannot be reached, or sends something else; if the file cannot be written.
    pub fn fetch(
        &self,
        from: &str,
        watch: &mut dyn FnMut(u64, Option<u64>),
    ) -> Result<(), FetchError> {
        let Self { name, path } = self;
        let url = format!(
            "{}/skadi/{}/{name}.hgt.gz",
            from.trim_end_matches('/'),
            &name[..3]
        );
        let failed = |reason: &dyn std::fmt::Display| FetchError::Download {
            url: url.clone(),
            reason: reason.to_string(),
            path: path.clone(),
        };
        let Some(bytes) = download(&url, from, path, LARGEST_TILE, watch)? else {
            return Err(FetchError::NoTile {
                name: name.clone(),
                from: from.into(),
            });
        };
        // Only a whole tile goes to the cache.
        terrain::decode(&bytes, &format!("{name}.hgt.gz"), Crs::Local)
            .map_err(|reason| failed(&reason))?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|source| IoError::Write {
                path: folder.to_owned(),
                source,
            })?;
        }
        Ok(atomic::write(path, &bytes, Existing::Replace)?)
    }
}

/// The bytes at `url`, at most `most` of them; nothing if the server has none. `from` is how the server was named, `path` where the file belongs.
fn download(
    url: &str,
    from: &str,
    path: &Path,
    most: u64,
    watch: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Option<Vec<u8>>, FetchError> {
    let failed = |reason: &dyn std::fmt::Display| FetchError::Download {
        url: url.into(),
        reason: reason.to_string(),
        path: path.into(),
    };
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .timeout_global(Some(WHOLE_PATIENCE))
        .build()
        .into();
    let mut response = match agent.get(url).call() {
        Ok(response) => response,
        Err(ureq::Error::StatusCode(403 | 404)) => return Ok(None),
        Err(error @ (ureq::Error::BadUri(_) | ureq::Error::Http(_))) => {
            return Err(FetchError::Address {
                from: from.into(),
                reason: error.to_string(),
            });
        }
        Err(error) => return Err(failed(&error)),
    };
    let length = response.body().content_length();
    let mut body = response.body_mut().as_reader().take(most + 1);
    let (mut bytes, mut piece) = (Vec::new(), vec![0; PIECE]);
    loop {
        match body.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => bytes.extend_from_slice(&piece[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(failed(&error)),
        }
        watch(bytes.len() as u64, length);
    }
    if bytes.len() as u64 > most {
        return Err(failed(&"it is larger than any such file"));
    }
    Ok(Some(bytes))
}

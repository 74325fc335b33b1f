//! Gzip and zip: the one file inside that matters.

use crate::raster::LARGEST_FILE;
use flate2::read::MultiGzDecoder;
use std::io::{Cursor, Read};
use zip::ZipArchive;

/// The endings of files in an archive that can be a terrain, best first.
const TERRAIN_ENDINGS: [&str; 11] = [
    ".npy", ".hgt", ".tif", ".tiff", ".asc", ".png", ".jpg", ".jpeg", ".xyz", ".csv", ".txt",
];

/// A file that was packed.
pub(super) struct Inside {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// What is inside if this is a packed file, nothing if it is not.
pub(super) fn unpack(bytes: &[u8], name: &str) -> Result<Option<Inside>, String> {
    match bytes {
        [0x1f, 0x8b, ..] => gunzip(bytes, name).map(Some),
        [b'P', b'K', 3, 4, ..] => unzip(bytes).map(Some),
        _ => Ok(None),
    }
}

fn gunzip(bytes: &[u8], name: &str) -> Result<Inside, String> {
    let inside = read_bounded(
        MultiGzDecoder::new(bytes),
        "its gzip data are damaged or cut off",
    )?;
    let stem = name
        .strip_suffix(".gz")
        .or_else(|| name.strip_suffix(".GZ"));
    Ok(Inside {
        name: stem.unwrap_or(name).into(),
        bytes: inside,
    })
}

fn unzip(bytes: &[u8]) -> Result<Inside, String> {
    let wrong = |error| format!("it is not a zip archive that can be read: {error}");
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(wrong)?;
    let names: Vec<String> = archive
        .file_names()
        .filter_map(|name| Some(name.ok()?.into_owned()))
        .collect();
    let with = |ending: &str| {
        let mut matching = names
            .iter()
            .filter(|n| n.to_ascii_lowercase().ends_with(ending));
        matching.next()
    };
    let name = TERRAIN_ENDINGS.into_iter().find_map(with).ok_or_else(|| {
        format!(
            "none of the {} files in the archive is a terrain; one ending with {} is looked for",
            names.len(),
            TERRAIN_ENDINGS.join(", ")
        )
    })?;
    let file = archive.by_name(name).map_err(wrong)?;
    Ok(Inside {
        name: name.rsplit('/').next().unwrap_or(name).to_owned(),
        bytes: read_bounded(file, "its zip data are damaged or cut off")?,
    })
}

fn read_bounded(source: impl Read, damaged: &str) -> Result<Vec<u8>, String> {
    let mut inside = Vec::new();
    source
        .take(LARGEST_FILE + 1)
        .read_to_end(&mut inside)
        .map_err(|error| format!("{damaged}: {error}"))?;
    if inside.len() as u64 > LARGEST_FILE {
        return Err(format!(
            "what is packed in it is larger than {} MiB",
            LARGEST_FILE >> 20
        ));
    }
    Ok(inside)
}

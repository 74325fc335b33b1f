//! Terrain in: one function for every format.
//!
//! | file | format |
//! |---|---|
//! | [`crate::npy`] | NumPy `.npy`, and `.npz` through `unpack` |
//! | `hgt` | SRTM tiles `.hgt` |
//! | [`crate::geotiff`] | GeoTIFF and other TIFF |
//! | `ascii_grid` | ESRI ASCII grids `.asc` |
//! | `picture` | PNG and JPEG as heights |
//! | `table` | CSV and XYZ grids |
//! | `unpack` | gzip and zip around any of these |
//! | `catalogue` | terrains by name: files, built in, fetched |
//! | `prj` | the coordinate system in a `.prj` file beside an ASCII grid |
//!
//! What a file is, is told by its first bytes; its name only decides where these say nothing.

mod ascii_grid;
mod catalogue;
mod hgt;
mod picture;

mod table;
mod unpack;

pub use catalogue::{cache_folder, cached_tile, find, in_folder, is_tile};
pub use hgt::tile_corner;

use crate::crs::Crs;
use crate::error::IoError;
use crate::raster::{LARGEST_FILE, Placement, Raster};
use crate::{bounded, geotiff, npy};
use std::path::Path;

/// Reads a terrain from a file of any format above.
///
/// # Errors
/// If the file cannot be read, or holds no terrain: the message names it and the reason.
pub fn read(path: &Path) -> Result<Raster, IoError> {
    let bytes = bounded::read(path, LARGEST_FILE)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let crs = crate::prj::beside(path);
    decode(&bytes, &name, crs).map_err(IoError::content(path))
}

/// The terrain in the bytes of a file with this name. `crs` is for formats that cannot tell it themselves.
///
/// # Errors
/// What is wrong with the bytes.
pub fn decode(bytes: &[u8], name: &str, crs: Crs) -> Result<Raster, String> {
    let inner;
    let (bytes, name) = match unpack::unpack(bytes, name)? {
        Some(unpacked) => {
            inner = unpacked;
            (&inner.bytes[..], &inner.name[..])
        }
        None => (bytes, name),
    };
    let raster = decode_plain(bytes, name, crs)?;
    match raster.values().iter().position(|value| value.is_infinite()) {
        Some(at) => Err(format!(
            "row {}, column {} (counted from 0 in the north-west) is infinite",
            at / raster.columns(),
            at % raster.columns()
        )),
        None => Ok(raster),
    }
}

fn decode_plain(bytes: &[u8], name: &str, crs: Crs) -> Result<Raster, String> {
    match bytes {
        [] => Err("it is empty".into()),
        [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => array(bytes, crs),
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => geotiff::decode(bytes),
        [0x89, b'P', b'N', b'G', ..] => picture::decode_png(bytes),
        [0xff, 0xd8, 0xff, ..] => picture::decode_jpeg(bytes),
        _ if name.to_ascii_lowercase().ends_with(".hgt") => hgt::decode(bytes, name),
        _ if hgt::is_size(bytes.len()) && tile_corner(name).is_some() => hgt::decode(bytes, name),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) if ascii_grid::is_one(text) => ascii_grid::decode(text, crs),
            Ok(text) if !text.contains('\0') => table::decode(text),
            _ => Err(
                "it is none of the formats that are understood: NumPy, SRTM (.hgt), GeoTIFF, ESRI ASCII grid, PNG, JPEG, \
                 CSV or XYZ, and gzip or zip of these"
                    .into(),
            ),
        },
    }
}

/// An array has rows in the order of its numbers; as in the paper's terrains, the first is the southernmost.
fn array(bytes: &[u8], crs: Crs) -> Result<Raster, String> {
    let npy::Array {
        rows,
        columns,
        values,
    } = npy::parse(bytes)?;
    let values = crate::raster::upside_down(values, columns);
    Raster::new(values, rows, columns, Placement::unknown(rows), crs)
        .map_err(|error| error.to_string())
}

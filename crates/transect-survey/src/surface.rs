//! Terrains by name: those that come with the program, tiles that were fetched, and files.

use transect_io::builtin::Builtin;
use transect_io::{Raster, terrain};

/// Whether this is the name of a terrain rather than a file: of a built-in one, or of a tile that was fetched.
pub(crate) fn is_builtin(name: &str) -> bool {
    Builtin::named(name).is_some() || terrain::is_tile(name)
}

/// The terrain of this name, or in this file.
pub(crate) fn raster(source: &str) -> Result<Raster, String> {
    // A mission means the same in any folder: what is built in comes before a file that happens to be called so.
    match Builtin::named(source) {
        Some(builtin) => builtin.raster(),
        None => {
            let cache = terrain::cache_folder();
            terrain::find(source, cache.as_deref()).map_err(|error| error.to_string())
        }
    }
}

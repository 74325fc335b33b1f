//! Terrains by name: those that come with the program, and files.

use std::path::Path;
use transect_io::builtin::{BUILTIN, Builtin};
use transect_io::{Raster, terrain};

/// Whether this is the name of a built-in terrain.
pub(crate) fn is_builtin(name: &str) -> bool {
    Builtin::named(name).is_some()
}

/// The terrain of this name, or in this file.
pub(crate) fn raster(source: &str) -> Result<Raster, String> {
    let path = Path::new(source);
    match Builtin::named(source) {
        Some(builtin) => builtin.raster(),
        None if !path.exists() => {
            let names: Vec<&str> = BUILTIN.iter().map(|builtin| builtin.name).collect();
            Err(format!(
                "there is no file {source}; built-in terrains are {}",
                names.join(", ")
            ))
        }
        None => terrain::read(path).map_err(|error| error.to_string()),
    }
}

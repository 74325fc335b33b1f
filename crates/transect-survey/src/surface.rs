//! Terrains by name: those that come with the program, and files.

use std::path::Path;
use transect::geometry::Rect;
use transect_io::{Crs, Raster, builtin, npy};

/// The built-in terrains.
const BUILTIN: [&str; 1] = ["jacksboro"];

/// Whether this is the name of a built-in terrain.
pub(crate) fn is_builtin(name: &str) -> bool {
    BUILTIN.contains(&name)
}

/// The terrain of this name, or in this file.
pub(crate) fn raster(source: &str) -> Result<Raster, String> {
    let path = Path::new(source);
    let array = match is_builtin(source) {
        true => builtin::jacksboro()?,
        false if !path.exists() => {
            let names = BUILTIN.join(", ");
            return Err(format!(
                "there is no file {source}; built-in terrains are {names}"
            ));
        }
        false => npy::read(path).map_err(|error| error.to_string())?,
    };
    let (rows, columns) = (array.rows, array.columns);
    let extent = Rect::new(0.0, columns as f64, 0.0, rows as f64);
    extent
        .and_then(|extent| Raster::from_south_up(&array.values, rows, columns, extent, Crs::Local))
        .map_err(|error| format!("{source}: {error}"))
}

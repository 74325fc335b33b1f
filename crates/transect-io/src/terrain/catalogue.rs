//! Terrains by name: a file, one that comes with the program, or a tile that was fetched.

use super::{read, tile_corner};
use crate::builtin::{BUILTIN, Builtin};
use crate::error::IoError;
use crate::raster::Raster;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder for fetched tiles: `transect` in `$XDG_CACHE_HOME`, or in `.cache` at home. Nothing without a home.
pub fn cache_folder() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let cache = variable("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(variable("HOME")?).join(".cache")));
    Some(cache?.join("transect"))
}

/// Where the tile of this name is kept in a folder of fetched tiles.
pub fn cached_tile(cache: &Path, name: &str) -> PathBuf {
    cache.join(format!("{}.hgt.gz", name.to_ascii_uppercase()))
}

/// Whether this is the name of an SRTM tile, `N17E073`, and nothing else.
pub fn is_tile(name: &str) -> bool {
    name.len() == 7 && tile_corner(name).is_some()
}

/// Endings of terrain files, the one that is meant first if files differ in nothing else.
const ENDINGS: [&str; 11] = [
    ".npy", ".npz", ".hgt", ".tif", ".tiff", ".asc", ".xyz", ".csv", ".png", ".jpg", ".jpeg",
];
/// Any of them may be packed.
const PACKINGS: [&str; 3] = ["", ".gz", ".zip"];

/// The terrain files in a folder by their names without ending, in the order of these; none if it cannot be read.
/// Nothing is opened: whether they hold terrains is seen when they are read.
pub fn in_folder(folder: &Path) -> BTreeMap<String, PathBuf> {
    let mut ranked = BTreeMap::new();
    for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let Some((rank, name)) = file.file_name().to_str().and_then(without_ending) else {
            continue;
        };
        let found = (rank, file.path());
        let known = ranked.entry(name).or_insert_with(|| found.clone());
        *known = found.min(known.clone());
    }
    let plain = |(name, (_, path))| (name, path);
    ranked.into_iter().map(plain).collect()
}

fn without_ending(file: &str) -> Option<(usize, String)> {
    let endings = PACKINGS
        .iter()
        .flat_map(|packing| ENDINGS.map(|ending| format!("{ending}{packing}")));
    let lower = file.to_ascii_lowercase();
    let (rank, ending) = endings
        .enumerate()
        .find(|(_, ending)| lower.ends_with(ending))?;
    let name = file.get(..file.len() - ending.len())?;
    (!name.is_empty()).then(|| (rank, name.to_owned()))
}

/// The terrain that is meant: a file of that path, else one that comes with the program, else a tile in `cache`.
///
/// # Errors
/// If there is none, with the nearest name; or the file cannot be used.
pub fn find(name: &str, cache: Option<&Path>) -> Result<Raster, IoError> {
    let path = Path::new(name);
    if path.is_file() {
        return read(path);
    }
    if let Some(builtin) = Builtin::named(name) {
        return builtin.raster().map_err(IoError::content(path));
    }
    if let Some(tile) = cache
        .filter(|_| is_tile(name))
        .map(|cache| cached_tile(cache, name))
        .filter(|tile| tile.exists())
    {
        return read(&tile);
    }
    if path.exists() {
        // A folder, say: reading tells.
        return read(path);
    }
    let advice = match is_tile(name) {
        true => format!("`transect fetch {name}` downloads that tile"),
        false => {
            let names = BUILTIN.iter().map(|builtin| builtin.name);
            // Documents make paths of what they do not know.
            let last = path.file_name().and_then(|last| last.to_str());
            let nearest = transect::settings::nearest(last.unwrap_or(name), names.clone());
            let question = nearest
                .map(|known| format!("did you mean `{known}`? "))
                .unwrap_or_default();
            format!(
                "{question}built in are {}",
                names.collect::<Vec<_>>().join(", ")
            )
        }
    };
    Err(IoError::NoTerrain {
        name: name.into(),
        advice,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_folder_are_known_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        for file in [
            "lake.tif",
            "lake.npy",
            "lake.prj",
            "N17E073.hgt.gz",
            "SEA.ASC",
            ".npy",
            "notes.md",
        ] {
            std::fs::write(folder.path().join(file), "").unwrap();
        }
        let found = in_folder(folder.path());
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(names, ["N17E073", "SEA", "lake"]);
        assert_eq!(found["lake"], folder.path().join("lake.npy"));
        assert!(in_folder(&folder.path().join("none")).is_empty());
    }

    #[test]
    fn names_lead_to_built_in_terrains_files_and_tiles() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(find("quarry", None).unwrap().columns(), 160);
        let file = folder.path().join("small.asc");
        std::fs::write(
            &file,
            "ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n7\n",
        )
        .unwrap();
        assert_eq!(find(file.to_str().unwrap(), None).unwrap().at(0, 0), 7.0);

        let message = |name: &str| find(name, Some(folder.path())).unwrap_err().to_string();
        assert!(
            message("Quary").contains("did you mean `quarry`?"),
            "{}",
            message("Quary")
        );
        assert!(
            message("zzz.tif").contains("`zzz.tif`") && message("zzz.tif").contains("jacksboro")
        );
        assert!(message("N17E073").contains("transect fetch N17E073"));

        let tile = cached_tile(folder.path(), "n17e073");
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, &vec![1; 2 * 1201 * 1201]).unwrap();
        std::fs::write(tile, packed.finish().unwrap()).unwrap();
        let raster = find("N17E073", Some(folder.path())).unwrap();
        assert_eq!((raster.rows(), raster.at(600, 600)), (1201, 257.0));
    }
}

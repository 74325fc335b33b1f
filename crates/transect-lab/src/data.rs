//! Where terrains and the 1-D data sets come from.

use crate::error::{LabError, Result};
use crate::experiment::{TERRAINS, VOLCANO};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use transect::geometry::Rect;
use transect::terrain::Terrain;
use transect_io::builtin::BUILTIN;
use transect_io::npy::{self, Array};
use transect_io::{IoError, Raster, terrain};

/// A folder of terrain files, with the 1-D data sets in it or beside it.
#[derive(Debug, Clone)]
pub struct DataFolder(PathBuf);

/// Inputs and targets of a 1-D data set.
#[derive(Debug, Clone)]
pub struct LineData {
    /// Training inputs.
    pub x: Vec<f64>,
    /// Training targets.
    pub y: Vec<f64>,
    /// Test inputs.
    pub test_x: Vec<f64>,
    /// The function there.
    pub test_y: Vec<f64>,
}

impl DataFolder {
    /// A folder of terrain files, or the folder that has one called `terrain`.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        let inner = path.join("terrain");
        Self(if inner.is_dir() { inner } else { path.into() })
    }

    /// Where `transect fetch paper` puts its files, if there is a place for them.
    #[must_use]
    pub fn fetched() -> Option<PathBuf> {
        Some(terrain::cache_folder()?.join("paper"))
    }

    /// The terrain `name` over `extent`: a file of the folder, by its name without ending, or a built-in terrain, or a
    /// tile that was fetched.
    ///
    /// # Errors
    /// If there is no such terrain, or it is none one can survey.
    pub fn terrain(&self, name: &str, extent: Rect) -> Result<Arc<Terrain>> {
        let (place, array) = self.heights(name)?;
        let refuse = |reason: &str| LabError::Request(format!("{place}: {reason}"));
        let terrain = Terrain::new(array.values, array.rows, array.columns, extent)
            .map_err(|error| refuse(&error.to_string()))?;
        if terrain.summary().voids > 0 {
            let voids = terrain.summary().voids;
            return Err(refuse(&format!(
                "{voids} cells are void (NaN); the experiments need the whole terrain: fill them first"
            )));
        }
        if terrain.is_constant() {
            return Err(refuse(
                "every cell has the same value; there is nothing to learn",
            ));
        }
        Ok(Arc::new(terrain))
    }

    /// The same with heights from 0 to `range`.
    ///
    /// # Errors
    /// As [`DataFolder::terrain`].
    pub fn terrain_of_range(&self, name: &str, extent: Rect, range: f64) -> Result<Arc<Terrain>> {
        let terrain = self.terrain(name, extent)?;
        let least = terrain
            .values()
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min);
        let most = terrain
            .values()
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let scaled = |height: &f64| (height - least) / (most - least) * range;
        let heights = terrain.values().iter().map(scaled).collect();
        let (rows, columns) = (terrain.rows(), terrain.columns());
        Ok(Arc::new(Terrain::new(heights, rows, columns, extent)?))
    }

    /// The file of the terrain `name`: the folder's, or one of the paper's that was fetched.
    #[must_use]
    pub fn file(&self, name: &str) -> Option<PathBuf> {
        let own = terrain::in_folder(&self.0).remove(name);
        own.or_else(|| Self::fetched_file(name))
    }

    fn fetched_file(name: &str) -> Option<PathBuf> {
        let known = TERRAINS.contains(&name) || name == VOLCANO;
        let path = Self::fetched()?.join(format!("{name}.npy"));
        (known && path.is_file()).then_some(path)
    }

    /// A published series, `runs/N17E073_random_ak_seed0.csv` say, in the folder `series` in this folder or beside it.
    #[must_use]
    pub fn series(&self, name: &str) -> Option<PathBuf> {
        let folders = [self.0.join("series"), self.0.join("..").join("series")];
        folders
            .into_iter()
            .map(|f| f.join(name))
            .find(|path| path.is_file())
    }

    /// Where the terrain `name` is, and its heights from the south on.
    fn heights(&self, name: &str) -> Result<(String, Array)> {
        let mut files = terrain::in_folder(&self.0);
        let own = files.remove(name);
        if let Some(path) = own.or_else(|| Self::fetched_file(name)) {
            let heights = match path.extension().is_some_and(|ending| ending == "npy") {
                // An array may begin anywhere; its rows are taken as they come, and named so in errors.
                true => npy::read(&path)?,
                false => from_south(&terrain::read(&path)?)?,
            };
            return Ok((path.display().to_string(), heights));
        }
        // Results go to folders of that name: a path does not do.
        if !name.contains(['/', '\\']) {
            // The paper's terrains are parts of the tiles they are named after: a tile that was fetched is not meant.
            let cache = terrain::cache_folder().filter(|_| !TERRAINS.contains(&name));
            match terrain::find(name, cache.as_deref()) {
                Ok(raster) => return Ok((name.into(), from_south(&raster)?)),
                Err(IoError::NoTerrain { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        if TERRAINS.contains(&name) || name == VOLCANO {
            return Err(LabError::Request(format!(
                "there is no terrain `{name}` in {}; it is one of the paper's: `transect fetch paper` gets them (or says what to put \
                 where), --data names a folder that has them, and built-in terrains need no file: {}",
                self.0.display(),
                builtin().join(", ")
            )));
        }
        if files.is_empty() {
            return Err(LabError::Request(format!(
                "there is no terrain `{name}` in {}; name the folder that has it with --data, or a built-in terrain: {}",
                self.0.display(),
                builtin().join(", ")
            )));
        }
        let files = files.keys().map(String::as_str);
        let known: Vec<&str> = files.chain(builtin()).collect();
        Err(LabError::unknown("terrain", name, &known))
    }

    /// Refuses a terrain that is not there or cannot be surveyed.
    ///
    /// # Errors
    /// As [`DataFolder::terrain`].
    pub fn check(&self, name: &str) -> Result<()> {
        self.terrain(name, Rect::new(0.0, 1.0, 0.0, 1.0)?).map(drop)
    }

    /// The 1-D data set `name` (`step` or `sin`): files of the folder `demo1d` in this folder or beside it, or made from its
    /// formula.
    ///
    /// # Errors
    /// If files that are there do not fit together.
    pub fn line(&self, name: &str) -> Result<LineData> {
        let inside = self.0.join("demo1d").join(name);
        let beside = self.0.join("..").join("demo1d").join(name);
        let folder = if inside.exists() { inside } else { beside };
        if let Some(made) = crate::demo1d::made(name).filter(|_| !folder.exists()) {
            return Ok(made);
        }
        let column = |file: &str| -> Result<Vec<f64>> { Ok(npy::read(&folder.join(file))?.values) };
        let data = LineData {
            x: column("x_train.npy")?,
            y: column("y_train.npy")?,
            test_x: column("x_test.npy")?,
            test_y: column("y_test.npy")?,
        };
        if data.x.len() != data.y.len() || data.test_x.len() != data.test_y.len() {
            return Err(LabError::Request(format!(
                "{}: inputs and targets differ in number",
                folder.display()
            )));
        }
        Ok(data)
    }
}

fn builtin() -> Vec<&'static str> {
    BUILTIN.iter().map(|builtin| builtin.name).collect()
}

fn from_south(raster: &Raster) -> Result<Array> {
    Ok(Array {
        rows: raster.rows(),
        columns: raster.columns(),
        values: raster.to_terrain()?.values().to_vec(),
    })
}

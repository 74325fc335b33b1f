//! Where terrains and the 1-D data sets come from.

use crate::error::{LabError, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use transect::geometry::Rect;
use transect::terrain::Terrain;

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
    /// A folder of terrain files.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// The terrain `name` over `extent`.
    ///
    /// # Errors
    /// If there is no such file, or it is no terrain one can survey.
    pub fn terrain(&self, name: &str, extent: Rect) -> Result<Arc<Terrain>> {
        let path = self.0.join(format!("{name}.npy"));
        if !path.exists() {
            let known = self.names();
            if known.is_empty() {
                return Err(LabError::Request(format!(
                    "no terrain files (*.npy) in {}; name the folder that has them with --data",
                    self.0.display()
                )));
            }
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return Err(LabError::unknown("terrain", name, &known));
        }
        let array = transect_io::npy::read(&path)?;
        let refuse = |reason: &str| LabError::Request(format!("{}: {reason}", path.display()));
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

    /// Refuses a terrain that is not there or cannot be surveyed.
    ///
    /// # Errors
    /// As [`DataFolder::terrain`].
    pub fn check(&self, name: &str) -> Result<()> {
        self.terrain(name, Rect::new(0.0, 1.0, 0.0, 1.0)?).map(drop)
    }

    /// Names of the terrains there are.
    fn names(&self) -> Vec<String> {
        let files = std::fs::read_dir(&self.0).into_iter().flatten().flatten();
        let mut names: Vec<String> = files
            .map(|file| file.path())
            .filter(|path| path.extension().is_some_and(|e| e == "npy"))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_string()))
            .collect();
        names.sort();
        names
    }

    /// The 1-D data set `name` (`step` or `sin`).
    ///
    /// # Errors
    /// If its files are not there or do not fit together.
    pub fn line(&self, name: &str) -> Result<LineData> {
        let inside = self.0.join("demo1d").join(name);
        let beside = self.0.join("..").join("demo1d").join(name);
        let folder = if inside.exists() { inside } else { beside };
        let column = |file: &str| -> Result<Vec<f64>> {
            Ok(transect_io::npy::read(&folder.join(file))?.values)
        };
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

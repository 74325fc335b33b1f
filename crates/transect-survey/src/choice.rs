//! Where a simulated mission takes place, as its document says it.

use crate::surface;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

// Examples of settings. They have names because schemars' macro reads arrays only where some other crate happens to ask
// for all of syn.
const LAKE: [f64; 4] = [0.0, 0.0, 80.0, 88.0];
const INNER: [f64; 4] = [5.0, 5.0, 75.0, 83.0];
const TRIANGLE: [[f64; 2]; 3] = [[0.0, 0.0], [80.0, 0.0], [60.0, 88.0]];

/// Terrain, area and what is known before.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SceneChoice {
    /// A CSV file of soundings from before the mission, which the model is given too. Columns are recognised by
    /// their names; longitude and latitude are understood where the terrain's coordinates are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "old.csv")]
    pub prior: Option<PathBuf>,
    /// The surface that is surveyed.
    pub terrain: TerrainChoice,
    /// The area of the survey. The whole terrain when nothing is set here; otherwise one of file, rectangle and
    /// outline.
    pub area: AreaChoice,
}

/// The surface that is surveyed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TerrainChoice {
    /// The name of a built-in terrain, or a file: NumPy, SRTM, GeoTIFF, ASCII grid, picture, CSV or XYZ. Paths
    /// start from the folder of this document.
    pub source: String,
    /// Where the cells lie, m: [xmin, ymin, xmax, ymax]. Needed for files that do not say (their cells are 1 m wide
    /// otherwise); in place of what a file or built-in terrain says.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = LAKE)]
    pub extent: Option<[f64; 4]>,
    /// Width of a cell, m: another way of saying where the cells lie, from the origin on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = 2.5)]
    pub cell_m: Option<f64>,
    /// What the values are, for captions.
    pub quantity: String,
    /// The unit of the values, for captions.
    pub unit: String,
}

/// The terrain of missions that do not name one: a small lake, of a size that suits the default boat.
pub const DEFAULT_TERRAIN: &str = "quarry";

impl Default for TerrainChoice {
    fn default() -> Self {
        Self {
            source: DEFAULT_TERRAIN.into(),
            extent: None,
            cell_m: None,
            quantity: "Elevation".into(),
            unit: "m".into(),
        }
    }
}

/// The area of the survey, in metres in the terrain's coordinates.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AreaChoice {
    /// A GeoJSON, KML or QGroundControl plan file with the area's boundary in longitude and latitude.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "lake.geojson")]
    pub file: Option<PathBuf>,
    /// [xmin, ymin, xmax, ymax], m.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = INNER)]
    pub rectangle: Option<[f64; 4]>,
    /// Corners [x, y] of a polygon, m, in order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = TRIANGLE)]
    pub outline: Option<Vec<[f64; 2]>>,
    /// Polygons inside the outline that do not belong to the area: islands.
    pub holes: Vec<Vec<[f64; 2]>>,
}

impl TerrainChoice {
    /// The same with a path that does not depend on where the program is started; see [`SceneChoice::based_in`].
    #[must_use]
    pub fn based_in(mut self, folder: &Path) -> Self {
        if !surface::is_builtin(&self.source) {
            let path = absolute(folder, Path::new(&self.source));
            self.source = path.to_string_lossy().into_owned();
        }
        self
    }
}

impl SceneChoice {
    /// The same with paths that do not depend on where the program is started: relative ones start from `folder`.
    #[must_use]
    pub fn based_in(mut self, folder: &Path) -> Self {
        self.prior = self.prior.map(|path| absolute(folder, &path));
        self.area.file = self.area.file.map(|path| absolute(folder, &path));
        self.terrain = self.terrain.based_in(folder);
        self
    }
}

/// A path that a document in `folder` names, wherever the program is started.
pub fn absolute(folder: &Path, path: &Path) -> PathBuf {
    let path = folder.join(path);
    std::path::absolute(&path).unwrap_or(path)
}

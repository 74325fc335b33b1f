//! Maps of what a model makes of its samples: prediction, uncertainty, absolute error, beside the truth.
//!
//! Predictions share one colour scale with the truth and errors another, so that models can be compared; each map of
//! uncertainty has its own, as in the paper.

use crate::error::{LabError, Result};
use crate::results::{MAP, SOUNDINGS, Table};
use std::path::{Path, PathBuf};
use transect::terrain::Terrain;
use transect_plot::{Axis, ColorMap, ColorScale, Extent, Figure, Grid, Heatmap};

const WIDTH: f64 = 200.0;
const TRUTH: &str = "Truth and samples";

/// What a model predicted after some samples.
#[derive(Debug, Clone)]
pub(super) struct Snapshot {
    /// The row's label.
    pub(super) label: String,
    truth: Vec<f64>,
    mean: Vec<f64>,
    std: Vec<f64>,
    error: Vec<f64>,
    columns: usize,
    extent: Extent,
    samples: Vec<[f64; 2]>,
    /// The truth in all its detail, where the terrain is at hand.
    ground: Option<Grid>,
}

/// How samples are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shown {
    /// As dots.
    Dots,
    /// As the way from each to the next.
    Path,
}

/// What the axes of a map measure.
#[derive(Debug, Clone, Copy)]
pub(super) struct Units {
    /// Of x and y; empty for none.
    pub(super) place: &'static str,
    /// Of elevation.
    pub(super) height: &'static str,
}

impl Snapshot {
    /// Reads a map and the first `count` soundings beside it (all, without a count).
    pub(super) fn read(
        label: String,
        folder: &Path,
        map: &str,
        count: Option<usize>,
    ) -> Result<Self> {
        let path = folder.join(map);
        let table = Table::read(&path, &MAP)?;
        let (columns, extent) = shape(&table, &path)?;
        let soundings = Table::read(&folder.join("soundings.csv"), &SOUNDINGS)?;
        let at = soundings.column("x").iter().zip(soundings.column("y"));
        let (truth, mean) = (table.column("truth"), table.column("mean"));
        Ok(Self {
            label,
            error: mean.iter().zip(truth).map(|(m, t)| (m - t).abs()).collect(),
            truth: truth.to_vec(),
            mean: mean.to_vec(),
            std: table.column("std").to_vec(),
            columns,
            extent,
            ground: None,
            samples: at
                .map(|(x, y)| [*x, *y])
                .take(count.unwrap_or(usize::MAX))
                .collect(),
        })
    }

    /// The same with the truth at the terrain's own resolution.
    pub(super) fn on(mut self, terrain: &Terrain) -> Result<Self> {
        let (rows, columns, all) = (terrain.rows(), terrain.columns(), terrain.extent());
        let inside = |low: f64, high: f64, from: f64, to: f64, count: usize| {
            let cell = (high - low) / count as f64;
            let first = ((from - low) / cell).round().clamp(0.0, count as f64) as usize;
            let last = ((to - low) / cell).round().clamp(0.0, count as f64) as usize;
            (
                first,
                last,
                low + first as f64 * cell,
                low + last as f64 * cell,
            )
        };
        let e = self.extent;
        let (left, right, west, east) = inside(all.xmin(), all.xmax(), e.x.low, e.x.high, columns);
        let (bottom, top, south, north) = inside(all.ymin(), all.ymax(), e.y.low, e.y.high, rows);
        if right < left + 2 || top < bottom + 2 {
            return Ok(self);
        }
        let values: Vec<f64> = (bottom..top)
            .flat_map(|row| &terrain.values()[row * columns + left..row * columns + right])
            .copied()
            .collect();
        let extent = Extent::new(west, east, south, north)?;
        self.ground = Some(Grid::new(&values, right - left, extent)?);
        Ok(self)
    }

    /// How many samples it shows.
    pub(super) fn count(&self) -> usize {
        self.samples.len()
    }
}

/// Columns and extent of a map's grid; each of its points is the middle of a cell.
fn shape(table: &Table, path: &Path) -> Result<(usize, Extent)> {
    let (x, y) = (table.column("x"), table.column("y"));
    let columns = y.iter().take_while(|other| **other == y[0]).count();
    let rows = x.len().checked_div(columns).unwrap_or(0);
    let corrupt = || LabError::Corrupt {
        path: path.to_owned(),
        line: None,
        reason: format!("{} points make no grid with {columns} columns", x.len()),
    };
    if columns < 2 || rows < 2 || rows * columns != x.len() {
        return Err(corrupt());
    }
    let around = |first: f64, last: f64, count: usize| {
        let half = (last - first) / (count - 1) as f64 / 2.0;
        (first - half, last + half)
    };
    let (west, east) = around(x[0], x[columns - 1], columns);
    let (south, north) = around(y[0], y[y.len() - 1], rows);
    let extent = Extent::new(west, east, south, north).map_err(|_| corrupt())?;
    Ok((columns, extent))
}

/// The map in a run's folder that was taken after the most samples, and after how many.
pub(super) fn find_map(folder: &Path) -> Option<(PathBuf, usize)> {
    all_maps(folder).pop()
}

/// All maps in a run's folder and after how many samples they were taken, the first of them first.
pub(super) fn all_maps(folder: &Path) -> Vec<(PathBuf, usize)> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut maps: Vec<(PathBuf, usize)> = files
        .filter_map(|file| {
            let path = file.path();
            let name = path.file_name()?.to_str()?;
            let count = name.strip_prefix("map")?.strip_suffix(".csv")?;
            Some((PathBuf::from(name), count.parse().ok()?))
        })
        .collect();
    maps.sort_by_key(|(_, count)| *count);
    maps
}

/// A row of maps for each snapshot: the truth under the samples, prediction, uncertainty, error.
pub(super) fn figure(
    title: String,
    snapshots: &[Snapshot],
    shown: Shown,
    units: Units,
) -> Result<Figure> {
    let all = |layer: fn(&Snapshot) -> &[f64]| snapshots.iter().map(layer).collect::<Vec<_>>();
    let heights = [all(|s| &s.truth), all(|s| &s.mean)].concat();
    let elevation =
        ColorScale::covering(ColorMap::Terrain, &heights).label("Elevation", units.height);
    let errors = [vec![[0.0].as_slice()], all(|s| &s.error)].concat();
    let wrong =
        ColorScale::covering(ColorMap::Viridis, &errors).label("Absolute error", units.height);
    let labels = snapshots.iter().map(|s| s.label.clone());
    let mut figure = Figure::new(title).columns(4).row_labels(labels);
    for (row, snapshot) in snapshots.iter().enumerate() {
        // Titles above the first row, x below the last, y beside the first column.
        let (top, bottom) = (row == 0, row + 1 == snapshots.len());
        let drawn = |grid: &Grid, scale: &ColorScale, title: &str| {
            let label = |name: &str, wanted: bool| match wanted {
                true => Axis::new(name).unit(units.place),
                false => Axis::default(),
            };
            let map = Heatmap::new(grid, scale.clone()).width(WIDTH);
            map.title(if top { title } else { "" })
                .axes(label("x", bottom), label("y", title == TRUTH))
        };
        let map = |values: &[f64], scale: &ColorScale, title: &str| -> Result<Heatmap> {
            let grid = Grid::new(values, snapshot.columns, snapshot.extent)?;
            Ok(drawn(&grid, scale, title))
        };
        let truth = match &snapshot.ground {
            Some(grid) => drawn(grid, &elevation, TRUTH),
            None => map(&snapshot.truth, &elevation, TRUTH)?,
        };
        let truth = truth.without_bar();
        let truth = match shown {
            Shown::Dots => truth.samples(&snapshot.samples),
            Shown::Path => truth.path(&snapshot.samples),
        };
        // As in the paper, each map of uncertainty has a scale of its own: colours say where a model is least sure.
        let spread = ColorScale::covering(ColorMap::Cividis, &[&snapshot.std])
            .label("Standard deviation", units.height);
        figure = figure
            .panel(truth)
            .panel(map(&snapshot.mean, &elevation, "Prediction")?)
            .panel(map(&snapshot.std, &spread, "Uncertainty")?)
            .panel(map(&snapshot.error, &wrong, "Error")?);
    }
    Ok(figure)
}

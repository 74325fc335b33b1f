//! The map that a survey's model makes.

use crate::error::Result;
use transect::geometry::{Position, Rect, Workspace};
use transect::inputs;
use transect::metrics::{Calibration, Tails};
use transect::posterior::Posterior;
use transect::terrain::{Lookup, Terrain};
use transect_io::contours::{contours, geojson, suitable_interval};
use transect_io::geotiff::{Band, encode};
use transect_io::{Crs, Raster};
use transect_plot::{Axis, ColorMap, ColorScale, Extent, Figure, Grid, Heatmap};

/// Cells along the longer side of a map.
const LONGER_SIDE: usize = 120;
/// Rows that are predicted together.
const ROWS_AT_ONCE: usize = 16;
/// Width of a map in the picture, and pixels for each unit of that.
const WIDTH: f64 = 420.0;
const PIXELS_PER_UNIT: f64 = 2.0;

/// Mean and standard deviation of the surface at the centres of square cells. Row 0 is in the south; NaN is outside the
/// area.
#[derive(Debug, Clone, PartialEq)]
pub struct MissionMap {
    /// Number of columns, along x.
    pub columns: usize,
    /// Number of rows, along y.
    pub rows: usize,
    /// What the cells cover, m.
    pub extent: Rect,
    /// The surface.
    pub mean: Vec<f64>,
    /// One standard deviation of the surface itself.
    pub std: Vec<f64>,
    /// The shape of the distributions that these are the mean and standard deviation of, where the model's scale is straight.
    pub tails: Tails,
}

impl MissionMap {
    /// The map of what is known of an area.
    ///
    /// # Errors
    /// If the posterior cannot predict there.
    pub fn of(known: &dyn Posterior, area: &Workspace) -> Result<Self> {
        Self::with_side(LONGER_SIDE, known, area)
    }

    /// The same with so many cells along the longer side.
    ///
    /// # Errors
    /// If the posterior cannot predict there.
    pub fn with_side(side: usize, known: &dyn Posterior, area: &Workspace) -> Result<Self> {
        let bounds = area.bounds();
        let cell_m = bounds.width().max(bounds.height()) / side as f64;
        let count = |length: f64| ((length / cell_m).round() as usize).max(1);
        let (columns, rows) = (count(bounds.width()), count(bounds.height()));
        let extent = bounds;
        let axis = |low: f64, length: f64, cells: usize| -> Vec<f64> {
            let centre = |i| low + length * (i as f64 + 0.5) / cells as f64;
            (0..cells).map(centre).collect()
        };
        let x = axis(extent.xmin(), extent.width(), columns);
        let y = axis(extent.ymin(), extent.height(), rows);
        let mut map = Self {
            columns,
            rows,
            extent,
            mean: Vec::new(),
            std: Vec::new(),
            tails: Tails::Gaussian,
        };
        // In bands: one prediction of the whole map would take much memory. Each is a grid, which is fast.
        for rows in y.chunks(ROWS_AT_ONCE) {
            let surface = known.forecast(&inputs::grid(&x, rows)?)?.surface;
            map.tails = surface.tails();
            let band = surface.moments();
            map.mean.extend(band.mean);
            map.std.extend(band.std);
        }
        for cell in 0..columns * rows {
            if !area.contains(Position::new(x[cell % columns], y[cell / columns])) {
                (map.mean[cell], map.std[cell]) = (f64::NAN, f64::NAN);
            }
        }
        Ok(map)
    }

    /// The terrain's values at the same places; NaN outside the area and where it has none.
    pub fn truth(&self, terrain: &Terrain, lookup: Lookup) -> Vec<f64> {
        let (width, height) = (self.extent.width(), self.extent.height());
        let value = |cell: usize| {
            let x = ((cell % self.columns) as f64 + 0.5) / self.columns as f64;
            let y = ((cell / self.columns) as f64 + 0.5) / self.rows as f64;
            let at = Position::new(
                self.extent.xmin() + x * width,
                self.extent.ymin() + y * height,
            );
            match self.mean[cell].is_nan() {
                true => f64::NAN,
                false => terrain.value(at, lookup).unwrap_or(f64::NAN),
            }
        };
        (0..self.mean.len()).map(value).collect()
    }

    /// How honest the error bars are, where the truth is known.
    pub fn calibration(&self, truth: &[f64]) -> Option<Calibration> {
        let known: Vec<usize> = (0..truth.len()).filter(|i| !truth[*i].is_nan()).collect();
        let pick = |values: &[f64]| -> Vec<f64> { known.iter().map(|i| values[*i]).collect() };
        Calibration::of(
            &pick(&self.mean),
            &pick(&self.std),
            self.tails,
            &pick(truth),
        )
        .ok()
    }

    /// The bytes of a GeoTIFF: band 1 mean, band 2 standard deviation.
    ///
    /// # Errors
    /// Never for a map of ordinary size.
    pub fn to_geotiff(&self, crs: Crs) -> Result<Vec<u8>> {
        let (mean, std) = (self.raster(&self.mean, crs)?, self.raster(&self.std, crs)?);
        let bands = [("mean", &mean), ("std", &std)].map(|(name, raster)| Band {
            name,
            meaning: "",
            raster,
        });
        encode(&bands).map_err(crate::SurveyError::Request)
    }
    /// Contour lines as GeoJSON, at levels that suit the map.
    ///
    /// # Errors
    /// Never for a map of ordinary size.
    pub fn to_contours(&self, crs: Crs) -> Result<String> {
        let mean = self.raster(&self.mean, crs)?;
        let lines = match suitable_interval(&mean) {
            Some(interval) => contours(&mean, interval).map_err(crate::SurveyError::Request)?,
            None => Vec::new(),
        };
        Ok(geojson(&lines, crs))
    }

    /// A picture of both bands.
    ///
    /// # Errors
    /// Never for a map of ordinary size.
    pub fn to_png(&self) -> Result<Vec<u8>> {
        let sides = Extent::new(
            self.extent.xmin(),
            self.extent.xmax(),
            self.extent.ymin(),
            self.extent.ymax(),
        )?;
        let panel = |values: &[f64], colors: ColorMap, title: &str| -> Result<Heatmap> {
            let grid = Grid::new(values, self.columns, sides)?;
            let scale = ColorScale::robust(colors, &[values]).label(title, "");
            let [x, y] = ["x", "y"].map(|name| Axis::new(name).unit("m"));
            let panel = Heatmap::new(&grid, scale).title(title).axes(x, y);
            Ok(panel.width(WIDTH).scale_bar("m"))
        };
        let figure = Figure::new("")
            .columns(2)
            .panel(panel(&self.mean, ColorMap::Terrain, "Map")?)
            .panel(panel(&self.std, ColorMap::Cividis, "Standard deviation")?);
        Ok(figure.to_png(PIXELS_PER_UNIT)?)
    }

    fn raster(&self, values: &[f64], crs: Crs) -> Result<Raster> {
        Ok(Raster::from_south_up(
            values,
            self.rows,
            self.columns,
            self.extent,
            crs,
        )?)
    }
}

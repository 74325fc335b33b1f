//! A grid of values that knows where on the earth it lies.

use crate::crs::Crs;
use transect::Error;
use transect::geometry::GeometryError;
use transect::geometry::Rect;
use transect::terrain::Terrain;
use transect::terrain::TerrainError;

/// More cells than this are refused, in any format: 2²⁵ f64 are a quarter of a GiB, so that a file, what is packed in
/// it and its heights fit into one together.
pub const MOST_CELLS: usize = 1 << 25;

/// No file of the most cells is larger, f64 with a header; nor is anything packed.
pub(crate) const LARGEST_FILE: u64 = 8 * MOST_CELLS as u64 + (1 << 16);

/// The number of cells, if it is one that is read: to be asked before memory is set aside.
pub(crate) fn checked_cells(rows: usize, columns: usize) -> Result<usize, String> {
    if rows == 0 || columns == 0 {
        return Err(format!("it has {rows} x {columns} cells"));
    }
    let cells = rows
        .checked_mul(columns)
        .filter(|cells| *cells <= MOST_CELLS);
    cells.ok_or_else(|| {
        format!(
            "it claims {rows} x {columns} cells; at most {MOST_CELLS} are read: crop it or make its cells larger"
        )
    })
}

/// Where a grid's cells are: north is up, and the sides of cells are parallel to the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// x of the outer (western) side of the first column, in units of the coordinate system.
    pub west: f64,
    /// y of the outer (northern) side of the first row.
    pub north: f64,
    /// Width of a cell, positive.
    pub cell_width: f64,
    /// Height of a cell, positive.
    pub cell_height: f64,
}

impl Placement {
    /// The placement of `rows` x `columns` cells over a rectangle.
    pub fn over(extent: Rect, rows: usize, columns: usize) -> Self {
        Self {
            west: extent.xmin(),
            north: extent.ymax(),
            cell_width: extent.width() / columns as f64,
            cell_height: extent.height() / rows as f64,
        }
    }

    /// Cells with a side of one unit, the south-western corner at the origin: for files that do not say.
    pub fn unknown(rows: usize) -> Self {
        Self {
            west: 0.0,
            north: rows as f64,
            cell_width: 1.0,
            cell_height: 1.0,
        }
    }

    /// The centre of a cell, row 0 in the north.
    pub fn centre(&self, row: usize, column: usize) -> (f64, f64) {
        (
            self.west + (column as f64 + 0.5) * self.cell_width,
            self.north - (row as f64 + 0.5) * self.cell_height,
        )
    }
}

/// Values on a grid, row 0 in the north (as geographic files have it; [`Terrain`] begins in the south). NaN marks a
/// cell without data.
#[derive(Debug, Clone, PartialEq)]
pub struct Raster {
    values: Vec<f64>,
    rows: usize,
    columns: usize,
    placement: Placement,
    crs: Crs,
}

impl Raster {
    /// A raster from row-major values, row 0 in the north.
    ///
    /// # Errors
    /// If there are no cells, their number is not `values.len()`, or the placement is not finite.
    pub fn new(
        values: Vec<f64>,
        rows: usize,
        columns: usize,
        placement: Placement,
        crs: Crs,
    ) -> Result<Self, Error> {
        if rows == 0 || columns == 0 {
            return Err(TerrainError::Empty { rows, columns }.into());
        }
        if rows.checked_mul(columns) != Some(values.len()) {
            return Err(TerrainError::Size {
                rows,
                columns,
                values: values.len(),
            }
            .into());
        }
        let raster = Self {
            values,
            rows,
            columns,
            placement,
            crs,
        };
        let positive = |side: f64| side > 0.0;
        if !positive(placement.cell_width) || !positive(placement.cell_height) {
            let (xmin, xmax, ymin, ymax) = raster.sides();
            return Err(GeometryError::BadExtent {
                xmin,
                xmax,
                ymin,
                ymax,
            }
            .into());
        }
        raster.extent()?;
        Ok(raster)
    }

    /// A raster from row-major values with row 0 in the *south*, such as predictions on a grid.
    ///
    /// # Errors
    /// As [`Raster::new`].
    pub fn from_south_up(
        values: &[f64],
        rows: usize,
        columns: usize,
        extent: Rect,
        crs: Crs,
    ) -> Result<Self, Error> {
        let placement = Placement::over(extent, rows, columns);
        let values = upside_down(values.to_vec(), columns);
        Self::new(values, rows, columns, placement, crs)
    }

    /// The raster of a terrain.
    ///
    /// # Errors
    /// Never for a terrain of ordinary size: its cells must have a positive width and height.
    pub fn from_terrain(terrain: &Terrain, crs: Crs) -> Result<Self, Error> {
        let (rows, columns) = (terrain.rows(), terrain.columns());
        Self::from_south_up(terrain.values(), rows, columns, terrain.extent(), crs)
    }

    /// The terrain of these values, in the units of the coordinate system.
    ///
    /// # Errors
    /// If no cell has data, or one is infinite.
    pub fn to_terrain(&self) -> Result<Terrain, Error> {
        let values = upside_down(self.values.clone(), self.columns);
        Terrain::new(values, self.rows, self.columns, self.extent()?)
    }

    /// Row-major values, row 0 in the north; NaN without data.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The value of a cell; NaN without data or beyond the edge.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        match column < self.columns {
            true => *self
                .values
                .get(row * self.columns + column)
                .unwrap_or(&f64::NAN),
            false => f64::NAN,
        }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Where the cells are.
    pub fn placement(&self) -> Placement {
        self.placement
    }

    /// What the coordinates mean.
    pub fn crs(&self) -> Crs {
        self.crs
    }

    /// The rectangle that the cells cover, in units of the coordinate system.
    ///
    /// # Errors
    /// Never for a raster that was made: it was checked then.
    pub fn extent(&self) -> Result<Rect, Error> {
        let (xmin, xmax, ymin, ymax) = self.sides();
        Rect::new(xmin, xmax, ymin, ymax)
    }

    fn sides(&self) -> (f64, f64, f64, f64) {
        let Placement {
            west,
            north,
            cell_width,
            cell_height,
        } = self.placement;
        let south = north - self.rows as f64 * cell_height;
        let east = west + self.columns as f64 * cell_width;
        (west, east, south, north)
    }

    /// The same values as another's, cell for cell in place and meaning.
    pub fn same_grid(&self, other: &Self) -> bool {
        (self.rows, self.columns) == (other.rows, other.columns)
            && self.placement == other.placement
            && self.crs == other.crs
    }
}

/// The same rows in the opposite order.
pub(crate) fn upside_down(mut values: Vec<f64>, columns: usize) -> Vec<f64> {
    let columns = columns.max(1);
    let half = values.len() / columns / 2 * columns;
    let (upper, lower) = values.split_at_mut(half);
    for (one, other) in upper
        .chunks_exact_mut(columns)
        .zip(lower.rchunks_exact_mut(columns))
    {
        one.swap_with_slice(other);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use transect::geometry::Position;
    use transect::terrain::Lookup;

    #[test]
    fn north_is_up_here_and_down_in_terrains() {
        let placement = Placement {
            west: 100.0,
            north: 60.0,
            cell_width: 10.0,
            cell_height: 5.0,
        };
        let values = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let raster = Raster::new(values.clone(), 2, 3, placement, Crs::Local).unwrap();
        let terrain = raster.to_terrain().unwrap();
        let north_west = Position::new(101.0, 59.0);
        assert_eq!(terrain.value(north_west, Lookup::Nearest), Some(1.0));
        let south_east = Position::new(129.0, 51.0);
        assert_eq!(terrain.value(south_east, Lookup::Nearest), Some(6.0));
        assert_eq!(Raster::from_terrain(&terrain, Crs::Local).unwrap(), raster);
        assert_eq!(placement.centre(1, 2), (125.0, 52.5));
    }

    #[test]
    fn refuses_what_has_no_place() {
        let unit = Placement::unknown(1);
        assert!(Raster::new(vec![], 0, 0, unit, Crs::Local).is_err());
        assert!(Raster::new(vec![1.0], 1, 2, unit, Crs::Local).is_err());
        for cell_width in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let placement = Placement { cell_width, ..unit };
            assert!(Raster::new(vec![1.0], 1, 1, placement, Crs::Local).is_err());
        }
    }
}

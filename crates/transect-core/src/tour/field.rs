//! What is known, on a lattice: a covariance that soundings are taken from.

use crate::geometry::{Position, Rect};

/// Soundings are believed to be no more exact than this share of the mean variance: rounding must not make variances negative.
const LEAST_NOISE: f64 = 2e-3;
/// Covariances below this share of a place's variance are not followed.
const NEGLIGIBLE: f32 = 1e-3;

/// Cells of equal size over a rectangle, x running fastest; places are their centres.
#[derive(Debug, Clone, PartialEq)]
pub struct Lattice {
    bounds: Rect,
    columns: usize,
    rows: usize,
}

impl Lattice {
    /// About `cells` cells over `bounds`, as square as possible.
    pub fn over(bounds: Rect, cells: usize) -> Self {
        let side_m = (bounds.area() / cells.max(1) as f64).sqrt();
        let count = |length_m: f64| ((length_m / side_m).round() as usize).clamp(1, cells.max(1));
        Self {
            bounds,
            columns: count(bounds.width()),
            rows: count(bounds.height()),
        }
    }

    /// Cells along x.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Cells along y.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// All cells.
    pub fn len(&self) -> usize {
        self.columns * self.rows
    }

    /// Whether it has no cells; it always has some.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sides of a cell along x and y, m.
    pub fn cell_m(&self) -> [f64; 2] {
        [
            self.bounds.width() / self.columns as f64,
            self.bounds.height() / self.rows as f64,
        ]
    }

    /// The centre of a cell.
    pub fn place(&self, cell: usize) -> Position {
        let [width, height] = self.cell_m();
        let (column, row) = (cell % self.columns, cell / self.columns);
        Position::new(
            self.bounds.xmin() + (column as f64 + 0.5) * width,
            self.bounds.ymin() + (row as f64 + 0.5) * height,
        )
    }

    /// The cell a place is in; none outside.
    pub fn cell(&self, place: Position) -> Option<usize> {
        let [width, height] = self.cell_m();
        let index = |from_m: f64, size_m: f64, count: usize| {
            let index = (from_m / size_m).floor();
            // The far sides belong to the last cells.
            (index >= 0.0 && index <= count as f64).then(|| (index as usize).min(count - 1))
        };
        let column = index(place.x - self.bounds.xmin(), width, self.columns)?;
        let row = index(place.y - self.bounds.ymin(), height, self.rows)?;
        Some(row * self.columns + column)
    }
}

/// A joint covariance of the surface at the places of a lattice, given what has been taken so far.
#[derive(Debug, Clone)]
pub struct Field {
    lattice: Lattice,
    noise: f32,
    /// Rows of the covariance; cells that do not count have none.
    covariance: Vec<f32>,
    /// Σ_i C_ij² of every place.
    squares: Vec<f32>,
    row: Vec<f32>,
}

impl Field {
    /// The field of a lattice, of which `inside` are the cells that count, with the covariance of their places in the
    /// same order (row by row) and the variance of a sounding's noise.
    ///
    /// # Panics
    /// If the covariance is not that of as many places.
    pub fn new(
        lattice: Lattice,
        inside: &[usize],
        covariance: &[f64],
        noise_variance: f64,
    ) -> Self {
        let (cells, count) = (lattice.len(), inside.len());
        assert_eq!(covariance.len(), count * count, "one row for each place");
        let mean = (0..count).map(|i| covariance[i * count + i]).sum::<f64>() / count.max(1) as f64;
        // In units of the mean variance, so that single precision has the same room whatever is measured.
        let unit = if mean > 0.0 { 1.0 / mean } else { 1.0 };
        let mut full = vec![0.0f32; cells * cells];
        for (i, &cell) in inside.iter().enumerate() {
            for (j, &other) in inside.iter().enumerate() {
                full[cell * cells + other] = (covariance[i * count + j] * unit) as f32;
            }
        }
        let mut field = Self {
            noise: (noise_variance * unit).max(LEAST_NOISE) as f32,
            squares: vec![0.0; cells],
            row: vec![0.0; cells],
            covariance: full,
            lattice,
        };
        for cell in 0..cells {
            field.squares[cell] = field.row(cell).iter().map(|c| c * c).sum();
        }
        field
    }

    /// The lattice.
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Variance of a sounding's noise, in units of the mean variance of the places at the beginning.
    pub(super) fn noise(&self) -> f32 {
        self.noise
    }

    /// Covariances of the place `cell` with all others.
    pub(super) fn row(&self, cell: usize) -> &[f32] {
        let cells = self.lattice.len();
        &self.covariance[cell * cells..(cell + 1) * cells]
    }

    /// Whether soundings there tell anything.
    pub fn counts(&self, cell: usize) -> bool {
        self.squares[cell] > 0.0
    }

    /// What a sounding at `cell` takes from the variance of the map.
    pub fn gain(&self, cell: usize) -> f32 {
        let variance = self.row(cell)[cell].max(0.0);
        self.squares[cell] / (variance + self.noise)
    }

    /// The variance of the map, summed over its places.
    pub fn variance(&self) -> f64 {
        (0..self.lattice.len())
            .map(|i| f64::from(self.row(i)[i]))
            .sum()
    }

    /// Takes a sounding at `cell`.
    pub fn take(&mut self, cell: usize) {
        let cells = self.lattice.len();
        let mut row = std::mem::take(&mut self.row);
        row.copy_from_slice(self.row(cell));
        let variance = row[cell].max(0.0);
        let weight = 1.0 / (variance + self.noise);
        let negligible = NEGLIGIBLE * variance;
        for i in 0..cells {
            if row[i].abs() <= negligible {
                continue;
            }
            let factor = row[i] * weight;
            let mut square = 0.0;
            let changed = &mut self.covariance[i * cells..(i + 1) * cells];
            for (c, r) in changed.iter_mut().zip(&row) {
                *c -= factor * r;
                square += *c * *c;
            }
            self.squares[i] = square;
        }
        self.row = row;
    }
}

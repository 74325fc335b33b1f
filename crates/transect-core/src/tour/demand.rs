//! What each part of the area asks for: how rough its ground is, and how far the nearest sounding is.
//!
//! Rough ground is nearly a random walk, but farther from one sounding others tell too: at a distance d from the nearest the posterior's variance is about
//! `σ² √d` (fitted to surveys of the paper's terrains, the power has a median of 0.37). The roughness σ² around a place is the mean of the variances that the
//! posterior gives there, over that of the roots of the distances: `σ² = Σ v / Σ √d`. With distances themselves, ground far from all soundings, where
//! variances no longer grow, would be taken for smoother than it is.
//!
//! Where soundings have the density ρ, the error is `σ² / ρ^(1/4)`. Its mean over the area is least for `ρ ∝ (σ²)^(4/5)`. Soundings in the centroids of their own
//! Voronoi cells, under a weight φ, have the density `√φ`: in theory the weight of a cell is `φ = (σ²)^(8/5)`. Measured, a little more does better ([`EXPONENT`]):
//! σ is averaged over a window and learnt from few errors, so that it varies less than the truth does.

use super::Lattice;
use super::nearest::Nearest;
use crate::geometry::{Position, Workspace};

/// Cells of the index of places.
const CELLS: usize = 4096;
/// The weight of a cell is this power of σ².
const EXPONENT: f64 = 1.8;
/// Variances within this share of the longer side of the area are averaged. A roughness of less would be that of single errors.
const WINDOW: f64 = 0.08;
/// No ground is taken to be smoother than this share of the mean.
const SMOOTHEST: f64 = 0.01;

/// A cell that asks for soundings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cell {
    pub(super) place: Position,
    /// σ², in units of its mean.
    pub(super) roughness: f64,
    /// φ.
    pub(super) weight: f64,
    /// Distance to the nearest sounding there is, m.
    pub(super) measured_m: f64,
}

/// What an area asks for.
#[derive(Debug, Clone)]
pub struct Demand {
    pub(super) cells: Vec<Cell>,
    /// The mean of σ², variance per root of a metre.
    unit: f64,
}

impl Demand {
    /// Cells that soundings are spread over where they are taken on the way, somewhere between corners.
    pub const CELLS: usize = 4096;
    /// Cells where every sounding has a place of its own.
    pub const FINE_CELLS: usize = 8192;

    /// The demand of an area, in `cells`, where soundings were taken at `measured` and variances of the surface are those at the places of a lattice.
    /// Places whose variance is below `enough` ask for nothing, nor do those whose variance is not a number.
    ///
    /// # Panics
    /// If there are not as many variances as places.
    pub fn new(
        workspace: &Workspace,
        cells: usize,
        measured: &[Position],
        (lattice, variances): (&Lattice, &[f64]),
        enough: f64,
    ) -> Self {
        assert_eq!(
            variances.len(),
            lattice.len(),
            "one variance for each place"
        );
        let bounds = workspace.bounds();
        let farthest_m = bounds.width().hypot(bounds.height());
        let index = Nearest::of(measured, bounds, CELLS);
        let distance_m = |place| index.find(place, farthest_m).map_or(farthest_m, |(_, m)| m);
        let roughness = roughness(lattice, variances, distance_m);
        let known = roughness.iter().filter(|r| **r > 0.0);
        let unit = known.clone().sum::<f64>() / known.count().max(1) as f64;
        let fine = Lattice::over(bounds, cells);
        let cell = |place: Position| {
            let at = lattice.cell(place)?;
            if !(variances[at] > enough && workspace.contains(place)) {
                return None;
            }
            let roughness = (roughness[at] / unit).max(SMOOTHEST);
            Some(Cell {
                place,
                roughness,
                weight: roughness.powf(EXPONENT),
                measured_m: distance_m(place),
            })
        };
        let cells = (0..fine.len())
            .filter_map(|i| cell(fine.place(i)))
            .collect();
        Self { cells, unit }
    }

    /// The mean variance that is left with soundings at `places` too.
    pub(super) fn left(&self, places: &[Position], workspace: &Workspace) -> f64 {
        let index = Nearest::of(places, workspace.bounds(), CELLS);
        let left = |cell: &Cell| {
            let nearest = index.find(cell.place, cell.measured_m);
            let distance_m = nearest.map_or(cell.measured_m, |(_, distance_m)| distance_m);
            cell.roughness * distance_m.sqrt()
        };
        let sum: f64 = self.cells.iter().map(left).sum();
        self.unit * sum / self.cells.len().max(1) as f64
    }

    /// For each of `places` the centroid of the cells that it is nearest to, nearer than what is measured; none where there are none.
    pub(super) fn centroids(
        &self,
        places: &[Position],
        workspace: &Workspace,
    ) -> Vec<Option<Position>> {
        let index = Nearest::of(places, workspace.bounds(), CELLS);
        let mut sums = vec![[0.0; 3]; places.len()];
        for cell in &self.cells {
            if let Some((nearest, _)) = index.find(cell.place, cell.measured_m) {
                let [mass, x, y] = &mut sums[nearest];
                *mass += cell.weight;
                *x += cell.weight * cell.place.x;
                *y += cell.weight * cell.place.y;
            }
        }
        let centroid =
            |[mass, x, y]: [f64; 3]| (mass > 0.0).then(|| Position::new(x / mass, y / mass));
        sums.into_iter().map(centroid).collect()
    }
}

/// `σ² = Σ v / Σ √d` around each place of a lattice; 0 where nothing is known.
fn roughness(
    lattice: &Lattice,
    variances: &[f64],
    distance_m: impl Fn(Position) -> f64,
) -> Vec<f64> {
    let roots: Vec<f64> = (0..lattice.len())
        .map(|i| distance_m(lattice.place(i)).sqrt())
        .collect();
    let bounds = lattice.bounds();
    let window_m = WINDOW * bounds.width().max(bounds.height());
    let [width, height] = lattice.cell_m();
    let (columns, rows) = (lattice.columns(), lattice.rows());
    let (reach_x, reach_y) = ((window_m / width) as usize, (window_m / height) as usize);
    let around = |column: usize, row: usize| {
        let (mut variance, mut root) = (0.0, 0.0);
        for y in row.saturating_sub(reach_y)..=(row + reach_y).min(rows - 1) {
            for x in column.saturating_sub(reach_x)..=(column + reach_x).min(columns - 1) {
                let away_m =
                    (x.abs_diff(column) as f64 * width).hypot(y.abs_diff(row) as f64 * height);
                let weight = 1.0 - (away_m / window_m).powi(2);
                let i = y * columns + x;
                if weight > 0.0 && variances[i].is_finite() {
                    variance += weight * variances[i];
                    root += weight * roots[i];
                }
            }
        }
        if root > 0.0 { variance / root } else { 0.0 }
    };
    (0..lattice.len())
        .map(|i| around(i % columns, i / columns))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rect;

    /// Variances `σ² √d` with σ² = 3 to the left and 12 to the right.
    #[test]
    fn roughness_is_found_again() {
        let bounds = Rect::new(0.0, 20.0, 0.0, 20.0).unwrap();
        let workspace = Workspace::from(bounds);
        let lattice = Lattice::over(bounds, 1024);
        let measured: Vec<Position> = (0..10)
            .map(|i| Position::new(2.0 * f64::from(i) + 1.0, 9.0))
            .collect();
        let variance = |place: Position| {
            let nearest = measured
                .iter()
                .map(|m| place.distance_to(*m))
                .fold(f64::INFINITY, f64::min);
            nearest.sqrt() * if place.x < 10.0 { 3.0 } else { 12.0 }
        };
        let variances: Vec<f64> = (0..lattice.len())
            .map(|i| variance(lattice.place(i)))
            .collect();
        let demand = Demand::new(
            &workspace,
            Demand::CELLS,
            &measured,
            (&lattice, &variances),
            0.0,
        );
        let at = |x: f64| {
            demand
                .cells
                .iter()
                .find(|c| c.place.distance_to(Position::new(x, 15.0)) < 0.4)
        };
        let sigma = |x: f64| at(x).unwrap().roughness * demand.unit;
        assert!((sigma(5.0) - 3.0).abs() < 1e-9 && (sigma(15.0) - 12.0).abs() < 1e-9);
        // What is left is the mean of the variances; soundings everywhere leave nothing.
        let mean = variances.iter().sum::<f64>() / variances.len() as f64;
        assert!((demand.left(&[], &workspace) / mean - 1.0).abs() < 0.02);
        let everywhere: Vec<Position> = demand.cells.iter().map(|c| c.place).collect();
        assert!(demand.left(&everywhere, &workspace) < 1e-9 * mean);
        // Enough is enough.
        let few = Demand::new(
            &workspace,
            Demand::CELLS,
            &measured,
            (&lattice, &variances),
            15.0,
        );
        assert!(few.cells.iter().all(|c| c.place.x > 10.0) && !few.cells.is_empty());
    }
}

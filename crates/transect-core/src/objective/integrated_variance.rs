//! What readings take from the uncertainty of the whole map.
//!
//! With `C_UA` the covariances of the map's places U with the places A of readings, and `S_A` the covariance matrix of the readings,
//! the map's variances shrink by the diagonal of `C_UA S_A^-1 C_UA'`, whatever is read.

use transect_gp::linalg::solve_lower;
use transect_gp::{Compute, Matrix, Of, Points};

use super::{Objective, factored, map_places};
use crate::Error;
use crate::geometry::Workspace;
use crate::posterior::Posterior;

/// The expected reduction of the mean variance of the map, in squared raw units.
#[derive(Debug, Clone)]
pub struct IntegratedVariance {
    map: Points,
}

impl IntegratedVariance {
    /// The objective over a coarse grid that stands for the map of an area.
    ///
    /// # Errors
    /// If the area has no finite place.
    pub fn over(area: &Workspace) -> Result<Self, Error> {
        Ok(Self {
            map: map_places(area)?,
        })
    }

    /// The objective over these places.
    pub fn at(map: Points) -> Self {
        Self { map }
    }
}

impl Objective for IntegratedVariance {
    fn path(&self, known: &dyn Posterior, places: &Points) -> Result<f64, Error> {
        let readings = known.joint(places, Of::Measurement)?;
        let mut shared: Matrix = known.covariance(places, &self.map)?;
        let factor = factored(&readings.covariance)?;
        let lower = factor.lower().view();
        solve_lower(lower, shared.view_mut(), &Compute::default());
        let squares = |j: usize| shared.column(j).iter().map(|v| v * v).sum::<f64>();
        let total: f64 = (0..self.map.len()).map(squares).sum();
        Ok(total / self.map.len() as f64)
    }

    fn each(&self, known: &dyn Posterior, places: &Points) -> Result<Vec<f64>, Error> {
        let readings = known.marginals(places, Of::Measurement)?;
        let shared = known.covariance(&self.map, places)?;
        let worth = |(j, std): (usize, &f64)| {
            let squares: f64 = shared.column(j).iter().map(|v| v * v).sum();
            squares / (std * std) / self.map.len() as f64
        };
        Ok(readings.std.iter().enumerate().map(worth).collect())
    }
}

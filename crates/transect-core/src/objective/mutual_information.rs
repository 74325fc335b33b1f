//! What readings and the map tell about each other (Krause, Singh and Guestrin 2008, for noisy readings).
//!
//! `I(y_A; f_U) = H(y_A) - H(y_A | f_U)`, with the surface f at the map's places U. For Gaussians this is
//! `½ log det S_A - ½ log det (S_A - C_AU K_U^-1 C_UA)`.

use transect_gp::linalg::solve_lower;
use transect_gp::{Compute, Of, Points};

use super::{Objective, factored, log_determinant, map_places};
use crate::Error;
use crate::geometry::Workspace;
use crate::posterior::Posterior;

/// The mutual information of readings and the map, nats.
#[derive(Debug, Clone)]
pub struct MutualInformation {
    map: Points,
}

impl MutualInformation {
    /// The objective with a coarse grid that stands for the map of an area.
    ///
    /// # Errors
    /// If the area has no finite place.
    pub fn over(area: &Workspace) -> Result<Self, Error> {
        Ok(Self {
            map: map_places(area)?,
        })
    }

    /// The objective with the surface at these places.
    pub fn with(map: Points) -> Self {
        Self { map }
    }
}

impl Objective for MutualInformation {
    fn path(&self, known: &dyn Posterior, places: &Points) -> Result<f64, Error> {
        let readings = known.joint(places, Of::Measurement)?.covariance;
        let surface = factored(&known.joint(&self.map, Of::Quantity)?.covariance)?;
        let mut shared = known.covariance(&self.map, places)?;
        let lower = surface.lower().view();
        solve_lower(lower, shared.view_mut(), &Compute::default());
        let mut left = readings.clone();
        for j in 0..places.len() {
            for i in 0..places.len() {
                let pairs = shared.column(i).iter().zip(shared.column(j));
                left.column_mut(j)[i] -= pairs.map(|(a, b)| a * b).sum::<f64>();
            }
        }
        let before = log_determinant(&factored(&readings)?);
        Ok(0.5 * (before - log_determinant(&factored(&left)?)))
    }

    fn each(&self, known: &dyn Posterior, places: &Points) -> Result<Vec<f64>, Error> {
        let readings = known.marginals(places, Of::Measurement)?;
        let surface = factored(&known.joint(&self.map, Of::Quantity)?.covariance)?;
        let mut shared = known.covariance(&self.map, places)?;
        let lower = surface.lower().view();
        solve_lower(lower, shared.view_mut(), &Compute::default());
        let worth = |(j, std): (usize, &f64)| {
            let variance = std * std;
            let told: f64 = shared.column(j).iter().map(|v| v * v).sum();
            // Rounding must not leave less than the noise, which the surface cannot tell.
            let left = (variance - told).max(known.noise_variance().min(variance));
            0.5 * (variance / left).ln()
        };
        Ok(readings.std.iter().enumerate().map(worth).collect())
    }
}

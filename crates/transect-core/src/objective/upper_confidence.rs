//! Where the surface may be high: `mean + k std`, of the surface itself.

use transect_gp::{Of, Points};

use super::Objective;
use crate::Error;
use crate::posterior::Posterior;

/// The upper end of an interval for the surface, in raw units; summed over a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UpperConfidence {
    confidence: f64,
}

impl UpperConfidence {
    /// The objective `mean + confidence * std`.
    pub fn new(confidence: f64) -> Self {
        Self { confidence }
    }
}

impl Objective for UpperConfidence {
    fn path(&self, known: &dyn Posterior, places: &Points) -> Result<f64, Error> {
        Ok(self.each(known, places)?.iter().sum())
    }

    fn each(&self, known: &dyn Posterior, places: &Points) -> Result<Vec<f64>, Error> {
        let surface = known.marginals(places, Of::Quantity)?;
        let both = surface.mean.iter().zip(&surface.std);
        Ok(both
            .map(|(mean, std)| mean + self.confidence * std)
            .collect())
    }
}

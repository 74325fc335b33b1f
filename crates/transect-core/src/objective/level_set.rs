//! Where the surface may cross a level: the straddle heuristic `k std - |mean - level|` (Bryan et al. 2005).

use transect_gp::{Of, Points};

use super::Objective;
use crate::Error;
use crate::posterior::Posterior;

/// How far an interval for the surface reaches beyond a level, in raw units; summed over a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelSet {
    level: f64,
    confidence: f64,
}

impl LevelSet {
    /// The objective for a level, with an interval of this many standard deviations to either side.
    pub fn new(level: f64, confidence: f64) -> Self {
        Self { level, confidence }
    }
}

impl Objective for LevelSet {
    fn path(&self, known: &dyn Posterior, places: &Points) -> Result<f64, Error> {
        Ok(self.each(known, places)?.iter().sum())
    }

    fn each(&self, known: &dyn Posterior, places: &Points) -> Result<Vec<f64>, Error> {
        let surface = known.marginals(places, Of::Quantity)?;
        let both = surface.mean.iter().zip(&surface.std);
        let straddle =
            |(mean, std): (&f64, &f64)| self.confidence * std - (mean - self.level).abs();
        Ok(both.map(straddle).collect())
    }
}

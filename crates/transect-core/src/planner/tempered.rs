//! A posterior that makes what is known look less certain than it is.

use std::sync::Arc;

use transect_gp::{Joint, Matrix, Of, Points, Prediction};

use crate::Error;
use crate::posterior::Posterior;

/// A posterior whose readings have more noise.
#[derive(Debug)]
pub(super) struct Tempered<'a> {
    known: &'a dyn Posterior,
    /// Variance on top, in squared raw units.
    more: f64,
}

impl<'a> Tempered<'a> {
    /// With `tempering` times the readings' variance on top.
    pub(super) fn new(known: &'a dyn Posterior, tempering: f64) -> Self {
        let unit = known.unit();
        Self {
            known,
            more: tempering * unit * unit,
        }
    }

    fn on_top(&self, of: Of) -> f64 {
        match of {
            Of::Measurement => self.more,
            Of::Quantity => 0.0,
        }
    }
}

impl Posterior for Tempered<'_> {
    fn marginals(&self, places: &Points, of: Of) -> Result<Prediction, Error> {
        let mut prediction = self.known.marginals(places, of)?;
        let more = self.on_top(of);
        if more > 0.0 {
            for std in &mut prediction.std {
                *std = (*std * *std + more).sqrt();
            }
        }
        Ok(prediction)
    }

    fn joint(&self, places: &Points, of: Of) -> Result<Joint, Error> {
        let mut joint = self.known.joint(places, of)?;
        for i in 0..places.len() {
            joint.covariance.column_mut(i)[i] += self.on_top(of);
        }
        Ok(joint)
    }

    fn covariance(&self, rows: &Points, columns: &Points) -> Result<Matrix, Error> {
        self.known.covariance(rows, columns)
    }

    /// Hypothetical readings keep their own noise: only the worth of places is judged with more.
    fn given(&self, places: &Points) -> Result<Arc<dyn Posterior>, Error> {
        self.known.given(places)
    }

    fn noise_variance(&self) -> f64 {
        self.known.noise_variance() + self.more
    }

    fn unit(&self) -> f64 {
        self.known.unit()
    }
}

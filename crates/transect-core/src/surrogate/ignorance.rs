//! A posterior that knows next to nothing: the mean and spread of some readings, everywhere.
//!
//! A mission goes on with it while its model's numbers break down.

use std::sync::Arc;

use transect_gp::{Joint, Matrix, Of, Points, Prediction};

use crate::Error;
use crate::posterior::Posterior;

/// The same distribution at every place, and no place tells of another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ignorance {
    mean: f64,
    std: f64,
}

impl Ignorance {
    /// The ignorance that is left when only the mean and spread of some readings are known.
    pub(super) fn of(readings: &[f64]) -> Self {
        let count = readings.len().max(1) as f64;
        let mean = readings.iter().sum::<f64>() / count;
        let squares = readings.iter().map(|y| (y - mean) * (y - mean));
        let std = (squares.sum::<f64>() / count).sqrt();
        Self {
            mean,
            std: if std > 0.0 { std } else { 1.0 },
        }
    }
}

impl Posterior for Ignorance {
    fn marginals(&self, places: &Points, _: Of) -> Result<Prediction, Error> {
        Ok(Prediction {
            mean: vec![self.mean; places.len()],
            std: vec![self.std; places.len()],
            floored: 0,
        })
    }

    fn joint(&self, places: &Points, _: Of) -> Result<Joint, Error> {
        let mut covariance = Matrix::zeros(places.len(), places.len());
        for i in 0..places.len() {
            covariance.column_mut(i)[i] = self.std * self.std;
        }
        Ok(Joint {
            mean: vec![self.mean; places.len()],
            covariance,
        })
    }

    fn covariance(&self, rows: &Points, columns: &Points) -> Result<Matrix, Error> {
        Ok(Matrix::zeros(rows.len(), columns.len()))
    }

    fn given(&self, _: &Points) -> Result<Arc<dyn Posterior>, Error> {
        Ok(Arc::new(*self))
    }

    fn noise_variance(&self) -> f64 {
        0.0
    }

    fn unit(&self) -> f64 {
        self.std
    }
}

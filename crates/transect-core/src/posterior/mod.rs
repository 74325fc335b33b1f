//! What is known now.
//!
//! A [`Posterior`] is the one thing that decisions, maps, pages, stop rules and scripts are made from. It is a snapshot:
//! asking it changes nothing, any number of threads may, and it stays as it is while its
//! [`Surrogate`](crate::surrogate::Surrogate) learns on.
//!
//! - [`Posterior::marginals`], [`Posterior::joint`], [`Posterior::covariance`]: what the model's kernels say, with nothing
//!   added; planners decide with these
//! - [`Posterior::given`]: what would be known after measuring at some places
//! - [`Posterior::forecast`]: the distributions a map is made of, with error bars as wide as errors have been
//!
//! Places are rows of model inputs: see [`crate::inputs`].

mod forecast;

pub use forecast::Forecast;
pub(crate) use forecast::Standing;

use std::fmt::Debug;
use std::sync::Arc;

use transect_gp::{Joint, Matrix, Of, Points, Prediction};

use crate::Error;

/// What is known: immutable, cheap to share. All values are in the unit of the readings.
///
/// `examples/inverse_distance.rs` is a small one, written outside this crate.
pub trait Posterior: Debug + Send + Sync {
    /// Means and standard deviations at `places`, of the surface or of readings there.
    ///
    /// # Errors
    /// If the places are not such as the model was made for.
    fn marginals(&self, places: &Points, of: Of) -> Result<Prediction, Error>;

    /// Means and covariance matrix of the surface or of readings at `places`; the diagonal holds the squared standard
    /// deviations of [`Posterior::marginals`].
    ///
    /// # Errors
    /// As [`Posterior::marginals`].
    fn joint(&self, places: &Points, of: Of) -> Result<Joint, Error>;

    /// Covariances of the surface at each of `rows` with that at each of `columns`.
    ///
    /// # Errors
    /// As [`Posterior::marginals`].
    fn covariance(&self, rows: &Points, columns: &Points) -> Result<Matrix, Error>;

    /// What would be known after one reading at each of `places`, without measuring: uncertainty shrinks. Readings are thought to be what is
    /// expected there, so means stay, up to what members of a committee then agree on.
    ///
    /// # Errors
    /// As [`Posterior::marginals`].
    fn given(&self, places: &Points) -> Result<Arc<dyn Posterior>, Error>;

    /// Variance of the noise of a reading.
    fn noise_variance(&self) -> f64;

    /// The standard deviation that the model uses as its unit: uncertainties are large or small compared with it.
    fn unit(&self) -> f64;

    /// Predicted distributions of readings and of the surface at `places`, for maps and those who judge them.
    /// Gaussian with the [`Posterior::marginals`] unless the surrogate knows better.
    ///
    /// # Errors
    /// As [`Posterior::marginals`].
    fn forecast(&self, places: &Points) -> Result<Forecasts, Error> {
        let gaussian = |of| self.marginals(places, of).map(Forecast::gaussian);
        Ok(Forecasts {
            reading: gaussian(Of::Measurement)?,
            surface: gaussian(Of::Quantity)?,
        })
    }
}

/// Predicted distributions at the same places.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecasts {
    /// Of readings: the noise is part of them.
    pub reading: Forecast,
    /// Of the surface itself.
    pub surface: Forecast,
}

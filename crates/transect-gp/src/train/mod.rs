//! Training: minimising the loss over the raw parameters.
//!
//! An optimiser owns the loop; a hook sees every step and may stop it.

mod adam;
mod lbfgs;

pub use adam::Adam;
pub use lbfgs::Lbfgs;

use crate::params::Parameters;

/// One training step as a hook sees it: everything belongs to the parameters *before* the step.
#[derive(Debug, Clone, Copy)]
pub struct Step<'a> {
    /// Counts the steps of this call, from 0.
    pub index: usize,
    /// The negative log evidence.
    pub loss: f64,
    /// Mean leave-one-out log density of the training targets, in raw units.
    pub left_out_density: f64,
    /// The parameters.
    pub params: &'a Parameters,
    /// The gradient of the loss with respect to the raw parameters.
    pub gradient: &'a [f64],
}

//! Covariance functions.
//!
//! One trait, [`Kernel`]; one file per kernel; one line per kernel in the list of [`kinds`]. A kernel holds
//! its structure and never changes; its parameters are handed in as `theta`, so that kernels
//! compose by cutting `theta` in two, and so is the [`Memory`] it works in.
//!
//! | kernel | k(x, x'), with d = \|x - x'\| |
//! |---|---|
//! | [`rbf`] | `A exp(-d^2 / (2 l^2))` |
//! | [`matern12`] | `A exp(-d / l)` |
//! | [`matern32`] | `A (1 + s) exp(-s)`, `s = sqrt(3) d / l` |
//! | [`matern52`] | `A (1 + s + s^2 / 3) exp(-s)`, `s = sqrt(5) d / l` |
//! | [`rational_quadratic`] | `A (1 + d^2 / (2 alpha l^2))^-alpha` |
//! | [`Attentive`] | `A (zbar . zbar') sum_m wbar_m wbar'_m k_m(d)`: a network selects length-scales, place by place |
//! | [`Gibbs`] | `A (2 l l' / S)^(D/2) exp(-c d^2 / S)`, `S = l^2 + l'^2`: a network says l(x) |
//! | [`Deep`] | `A exp(-\|f - f'\|^2 / (2 l^2))`: a network makes features f(x) |
//! | [`Sum`], [`Product`] | `k1 + k2`, `k1 k2` |

mod attentive;
mod composite;
mod deep;
mod family;
mod gibbs;
mod kind;
mod matern12;
mod matern32;
mod matern52;
mod memory;
pub mod pairs;
mod rational_quadratic;
mod rbf;
mod stationary;

pub use attentive::{Attention, Attentive, Lengthscales, Variant};
pub use composite::{Composite, Operation, Plus, Product, Sum, Times};
pub use deep::Deep;
pub use family::Family;
pub use gibbs::{Exponent, Gibbs};
pub use kind::{Choice, Kind, Recipe, Setting, Start, by_name, kinds, recipes, register};
pub use matern12::matern12;
pub use matern32::matern32;
pub use matern52::matern52;
pub use memory::Memory;
pub use rational_quadratic::rational_quadratic;
pub use rbf::rbf;
pub use stationary::Stationary;

use crate::compute::Compute;
use crate::error::{GpError, Result};
use crate::linalg::Matrix;
use crate::params::ParamSpec;
use crate::points::Points;
use serde_json::Value;

/// A covariance function k(x, x') with parameters `theta`.
///
/// `theta` holds the values of [`Kernel::params`], group after group, as they are used (a
/// positive parameter arrives positive). A kernel does not change: models, posteriors and threads share it.
///
/// `CONTRIBUTING.md` walks through writing one.
///
/// ```
/// use transect_gp::kernel::{Kernel, Memory, rbf};
/// use transect_gp::{Compute, Matrix, Points};
///
/// let kernel = rbf(2.0, 0.5);
/// let x = Points::line(&[0.0, 0.5])?;
/// let mut k = Matrix::default();
/// kernel.matrix(&[2.0, 0.5], &x, &mut k, &mut Memory::default(), &Compute::default());
/// assert!((k.column(0)[1] - 2.0 * (-0.5_f64).exp()).abs() < 1e-15);
/// # Ok::<(), transect_gp::GpError>(())
/// ```
pub trait Kernel: std::fmt::Debug + Send + Sync {
    /// The name under which [`kinds`] lists it.
    fn name(&self) -> &'static str;

    /// Its structure (not its parameters), as [`by_name`] takes it.
    fn structure(&self) -> Value;

    /// The dimension its inputs must have, if it cares.
    fn dim(&self) -> Option<usize> {
        None
    }

    /// Refuses inputs of a dimension it does not take.
    ///
    /// # Errors
    /// If `got` is not [`Kernel::dim`].
    fn require_dim(&self, got: usize) -> Result<()> {
        match self.dim() {
            Some(expected) if expected != got => Err(GpError::Dimension { expected, got }),
            _ => Ok(()),
        }
    }

    /// Its parameters, in the order of `theta`.
    fn params(&self) -> Vec<ParamSpec>;

    /// Recomputes the [derived](crate::Role::Derived) values in `theta` from the training set `x`;
    /// says whether anything changed. Called before every training step, not before predictions.
    fn refresh(
        &self,
        _theta: &mut [f64],
        _x: &Points,
        _memory: &mut Memory,
        _compute: &Compute,
    ) -> bool {
        false
    }

    /// The lower triangle of `k(x_i, x_j)`; resizes `out`.
    fn matrix(
        &self,
        theta: &[f64],
        x: &Points,
        out: &mut Matrix,
        memory: &mut Memory,
        compute: &Compute,
    );

    /// `k(a_i, b_j)`; resizes `out`.
    fn cross(
        &self,
        theta: &[f64],
        a: &Points,
        b: &Points,
        out: &mut Matrix,
        memory: &mut Memory,
        compute: &Compute,
    );

    /// `k(x_i, x_i)`.
    fn diagonal(&self, theta: &[f64], x: &Points, out: &mut [f64]);

    /// Adds to `gradient`, for every parameter p, the contraction
    /// `sum_ij slopes_ij dk(x_i, x_j)/dp` over the whole symmetric matrix, of which `slopes`
    /// (dLoss/dK) holds the lower triangle.
    fn contract(
        &self,
        theta: &[f64],
        x: &Points,
        slopes: &Matrix,
        gradient: &mut [f64],
        memory: &mut Memory,
        compute: &Compute,
    );

    /// What small sets of covariances are computed from: one row of numbers per point, the point's own coordinates
    /// first. A kernel with a network runs it here, once per point, and not again for every set the point is in.
    ///
    /// By default the point itself.
    fn embed(
        &self,
        _theta: &[f64],
        x: &Points,
        _memory: &mut Memory,
        _compute: &Compute,
    ) -> Points {
        x.clone()
    }

    /// [`Kernel::matrix`] of points that [`Kernel::embed`] has made, on one thread.
    fn embedded_matrix(
        &self,
        theta: &[f64],
        x: &Points,
        out: &mut Matrix,
        memory: &mut Memory,
        compute: &Compute,
    ) {
        self.matrix(theta, x, out, memory, &compute.on_one_thread());
    }

    /// [`Kernel::cross`] of points that [`Kernel::embed`] has made, on one thread.
    fn embedded_cross(
        &self,
        theta: &[f64],
        sets: (&Points, &Points),
        out: &mut Matrix,
        memory: &mut Memory,
        compute: &Compute,
    ) {
        self.cross(theta, sets.0, sets.1, out, memory, &compute.on_one_thread());
    }

    /// [`Kernel::contract`] of points that [`Kernel::embed`] has made, on one thread. What depends on parameters only
    /// through the embedding is not added to `gradient` but to `slopes_of`, one row of numbers per point as the
    /// embedding has them, in the form that [`Kernel::contract_embedding`] of the same kernel takes.
    fn embedded_contract(
        &self,
        theta: &[f64],
        (x, slopes): (&Points, &Matrix),
        gradient: &mut [f64],
        _slopes_of: &mut Matrix,
        memory: &mut Memory,
        compute: &Compute,
    ) {
        self.contract(theta, x, slopes, gradient, memory, &compute.on_one_thread());
    }

    /// Adds to `gradient` what sums of [`Kernel::embedded_contract`] at the embedding of `x` come to.
    fn contract_embedding(
        &self,
        _theta: &[f64],
        (_x, _slopes): (&Points, &Matrix),
        _gradient: &mut [f64],
        _memory: &mut Memory,
        _compute: &Compute,
    ) {
    }

    /// The attention weights w(x) and z(x), where the kernel has them.
    fn attention(
        &self,
        _theta: &[f64],
        _x: &Points,
        _memory: &mut Memory,
        _compute: &Compute,
    ) -> Option<Attention> {
        None
    }
}

/// Serialises a kernel's structure; every structure here is plain data.
fn to_value(kernel: &impl serde::Serialize) -> Value {
    serde_json::to_value(kernel).unwrap_or(Value::Null)
}

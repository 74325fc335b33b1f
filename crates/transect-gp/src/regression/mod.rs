//! Exact Gaussian process regression: kernel, parameters, data and their factor here, loss and gradient in `evidence`,
//! predictions of targets from the other points in `left_out`. What is known at the end is a [`Posterior`].
//!
//! With `Ky = K + s2 I = L L'` and `a = Ky^-1 y` (targets standardised, prior mean 0):
//!
//! - loss (negative log evidence): `1/2 (y'a + sum log L_ii^2 + N log 2 pi)`;
//! - its gradient: `sum_ij G_ij dK_ij/dp` with `G = 1/2 (Ky^-1 - a a')`;
//! - leave-one-out: point i without itself has mean `y_i - a_i / (Ky^-1)_ii` and variance
//!   `1 / (Ky^-1)_ii`.

mod evidence;
mod left_out;

pub use left_out::LeftOut;

use crate::compute::Compute;
use crate::error::{GpError, Result, require_finite, require_within};
use crate::kernel::{Kernel, Memory};
use crate::linalg::{
    Factor, InverseWorkspace, Matrix, PackedLower, solve_lower, solve_lower_transposed,
};
use crate::params::{ParamSpec, Parameters};
use crate::points::Points;
use crate::posterior::{Known, Posterior};
use crate::scaler::{InputScaler, SCALED_LIMIT, TargetScaler};
use std::sync::Arc;

/// Added to the diagonal in turn when a factorisation fails.
pub(crate) const JITTERS: [f64; 4] = [0.0, 1e-6, 1e-5, 1e-4];
/// The name of the noise variance among the parameters.
pub(crate) const NOISE: &str = "noise";

/// A Gaussian process model: kernel, parameters, data.
///
/// Inputs are scaled, targets y standardised, the prior mean is 0. With `Ky = K + s2 I = L L'` and `a = Ky^-1 y`,
///
/// ```text
/// loss (negative log evidence)      1/2 (y'a + sum_i log L_ii^2 + N log 2 pi)
/// its gradient                      sum_ij G_ij dK_ij/dp,   G = 1/2 (Ky^-1 - a a')
/// point i, from all the others      mean y_i - a_i / (Ky^-1)_ii,   variance 1 / (Ky^-1)_ii
/// ```
///
/// ```
/// use transect_gp::{Of, Points, Regression, kernel::rbf, train::Adam};
///
/// let x = Points::line(&[0.0, 1.0, 2.0, 3.0, 4.0])?;
/// let y = [0.0, 0.8, 0.9, 0.1, -0.8];
/// let mut model = Regression::fit(Box::new(rbf(1.0, 0.5)), 0.1, &x, &y)?;
/// model.train(&mut Adam::default(), 100)?;
/// let at = model.posterior()?.predict(&Points::line(&[1.5])?, Of::Quantity)?;
/// assert!((at.mean[0] - 1.0_f64).abs() < 0.2);
/// # Ok::<(), transect_gp::GpError>(())
/// ```
#[derive(Debug)]
pub struct Regression {
    kernel: Arc<dyn Kernel>,
    params: Parameters,
    inputs: InputScaler,
    targets: TargetScaler,
    x: Points,
    y: Vec<f64>,
    /// Noise variance of each point beyond the common one; points without an entry have none.
    extra_noise: Vec<f64>,
    compute: Compute,
    factor: Factor,
    /// What the factor was made with, if it is up to date.
    state: Option<State>,
    scratch: Scratch,
}

#[derive(Debug, Clone, Copy)]
struct State {
    jitter: f64,
    inverse: Inverse,
    /// Whether the packed factor belongs to the current one.
    packed: bool,
}

/// What the scratch memory holds of this factor's `Ky^-1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inverse {
    Nothing,
    Diagonal,
    Whole,
}

#[derive(Debug, Default)]
struct Scratch {
    /// `a = Ky^-1 y`.
    weights: Matrix,
    /// `Ky^-1`, then G.
    inverse: Matrix,
    inverse_diagonal: Vec<f64>,
    workspace: InverseWorkspace,
    gradient: Vec<f64>,
    cross: Matrix,
    corner: Matrix,
    /// Where the kernel works.
    kernel: Memory,
    /// The factor as posteriors have it.
    packed: Arc<PackedLower>,
}

/// A kernel and its parameters, the noise variance last, where a process of inputs so scaled starts.
pub(crate) fn start(
    kernel: Box<dyn Kernel>,
    noise: f64,
    inputs: &InputScaler,
) -> Result<(Arc<dyn Kernel>, Parameters)> {
    kernel.require_dim(inputs.dim())?;
    let mut specs = kernel.params();
    specs.push(ParamSpec::positive(NOISE, noise));
    Ok((Arc::from(kernel), Parameters::new(specs)?))
}

impl Regression {
    /// A model of the given data, scaled by their own statistics. `noise` is the start value of
    /// the noise variance, in standardised units.
    ///
    /// # Errors
    /// If the data are empty, not finite, or do not fit together or the kernel.
    pub fn fit(kernel: Box<dyn Kernel>, noise: f64, x: &Points, y: &[f64]) -> Result<Self> {
        let scalers = (InputScaler::fit(x)?, TargetScaler::fit(y)?);
        let mut model = Self::empty(kernel, noise, scalers)?;
        model.add(x, y)?;
        Ok(model)
    }

    /// Gives back the memory that training and prediction work in, three matrices of the size of the covariance, if it is more than
    /// [`Compute::cache_bytes`]; it is allocated again when it is needed. For callers who keep several models and use one at a time.
    pub fn give_back_memory(&mut self) {
        let numbers = 3 * self.y.len().pow(2);
        if numbers * size_of::<f64>() > self.compute.cache_bytes {
            self.scratch.inverse = Matrix::default();
            self.forget_inverse();
            self.scratch.workspace = InverseWorkspace::default();
            self.scratch.packed = Arc::default();
            if let Some(state) = &mut self.state {
                state.packed = false;
            }
        }
    }

    /// A model without data.
    ///
    /// # Errors
    /// If the kernel wants another dimension than the scaler has, or a start value is out of
    /// range.
    pub fn empty(
        kernel: Box<dyn Kernel>,
        noise: f64,
        (inputs, targets): (InputScaler, TargetScaler),
    ) -> Result<Self> {
        let (kernel, params) = start(kernel, noise, &inputs)?;
        Ok(Self {
            params,
            kernel,
            x: Points::empty(inputs.dim())?,
            y: Vec::new(),
            extra_noise: Vec::new(),
            inputs,
            targets,
            compute: Compute::default(),
            factor: Factor::default(),
            state: None,
            scratch: Scratch::default(),
        })
    }

    /// How work is carried out from now on.
    pub fn set_compute(&mut self, compute: Compute) {
        self.compute = compute;
        // Factors are packed for one instruction set.
        if let Some(state) = &mut self.state {
            state.packed = false;
        }
    }

    /// How work is carried out.
    #[must_use]
    pub fn compute(&self) -> Compute {
        self.compute
    }

    /// Training points.
    #[must_use]
    pub fn len(&self) -> usize {
        self.y.len()
    }

    /// Whether there are no training points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.y.is_empty()
    }

    /// The kernel.
    #[must_use]
    pub fn kernel(&self) -> &dyn Kernel {
        &*self.kernel
    }

    /// The kernel, to be shared with another model.
    pub(crate) fn shared_kernel(&self) -> Arc<dyn Kernel> {
        Arc::clone(&self.kernel)
    }

    /// The parameters; the kernel's first, then `noise`.
    #[must_use]
    pub fn params(&self) -> &Parameters {
        &self.params
    }

    /// The parameters, to be set or frozen.
    pub fn params_mut(&mut self) -> &mut Parameters {
        self.state = None;
        &mut self.params
    }

    /// The scalers of inputs and targets.
    #[must_use]
    pub fn scalers(&self) -> (&InputScaler, &TargetScaler) {
        (&self.inputs, &self.targets)
    }

    /// Training inputs (scaled) and targets (standardised).
    #[must_use]
    pub fn data(&self) -> (&Points, &[f64]) {
        (&self.x, &self.y)
    }

    /// Gives training points noise variance beyond the common one (standardised, in the order the points were
    /// added; points without an entry have none), so that some count for less or, at a great variance, for nothing.
    /// NaN and negative values count as 0.
    pub fn set_extra_noise(&mut self, variances: Vec<f64>) {
        self.extra_noise = variances;
        self.extra_noise.truncate(self.y.len());
        for variance in &mut self.extra_noise {
            *variance = match *variance > 0.0 {
                true => variance.min(SCALED_LIMIT),
                false => 0.0,
            };
        }
        self.state = None;
    }

    /// Noise variances beyond the common one, of the first points; the others have none.
    #[must_use]
    pub fn extra_noise(&self) -> &[f64] {
        &self.extra_noise
    }

    /// The jitter the current factor needed, if there is one and it needed any.
    #[must_use]
    pub fn jitter(&self) -> Option<f64> {
        self.state.map(|state| state.jitter).filter(|j| *j > 0.0)
    }

    /// Adds data. While the parameters stay as they are, the factor is extended, at a cost of
    /// N^2 per new point, and not made anew.
    ///
    /// # Errors
    /// If a number is not finite or too far from the scalers' range, or counts or dimensions do
    /// not match; nothing is added then.
    pub fn add(&mut self, x: &Points, y: &[f64]) -> Result<()> {
        require_finite("target", y)?;
        if x.len() != y.len() {
            return Err(GpError::Length {
                what: "targets".into(),
                expected: x.len(),
                got: y.len(),
            });
        }
        let new = self.inputs.scale(x)?;
        let scaled = y.iter().map(|y| self.targets.scale(*y));
        require_within(SCALED_LIMIT, "standardised target", scaled)?;
        if self.state.is_some() && !y.is_empty() && self.extend_factor(&new).is_err() {
            self.state = None;
        }
        self.x.append(&new)?;
        self.y.extend(y.iter().map(|y| self.targets.scale(*y)));
        if let Some(state) = &mut self.state {
            if !y.is_empty() {
                state.inverse = Inverse::Nothing;
                state.packed = false;
            }
            self.solve_weights();
        }
        Ok(())
    }

    /// `L^-1 columns` with `K + s2 I = L L'`: columns that the model takes for samples of itself become white noise.
    ///
    /// # Errors
    /// If there are no data, a column has more or fewer numbers than there are points, or the covariance cannot be factored.
    pub fn whiten(&mut self, columns: &Matrix) -> Result<Matrix> {
        if columns.rows() != self.y.len() {
            return Err(GpError::Length {
                what: "rows to whiten".into(),
                expected: self.y.len(),
                got: columns.rows(),
            });
        }
        self.factorise()?;
        let mut whitened = columns.clone();
        solve_lower(
            self.factor.lower().view(),
            whitened.view_mut(),
            &self.compute,
        );
        Ok(whitened)
    }

    fn extend_factor(&mut self, new: &Points) -> std::result::Result<(), usize> {
        let (theta, noise) = kernel_and_noise(&self.params);
        let Scratch {
            cross,
            corner,
            kernel: memory,
            ..
        } = &mut self.scratch;
        let (kernel, compute) = (&self.kernel, &self.compute);
        kernel.cross(theta, &self.x, new, cross, memory, compute);
        // Not `matrix`: it would give up what the kernel keeps about the training set.
        kernel.cross(theta, new, new, corner, memory, compute);
        let added = noise + self.state.map_or(0.0, |state| state.jitter);
        for j in 0..corner.columns() {
            corner.column_mut(j)[j] += added;
        }
        self.factor.extend(cross, corner, &self.compute)
    }

    /// Makes sure that factor and weights belong to the current parameters and data.
    fn factorise(&mut self) -> Result<()> {
        if self.state.is_some() {
            return Ok(());
        }
        if self.is_empty() {
            return Err(GpError::Empty);
        }
        let (theta, noise) = kernel_and_noise(&self.params);
        let n = self.y.len();
        let mut pivot = 0;
        let memory = &mut self.scratch.kernel;
        for jitter in JITTERS {
            let build = |out: &mut Matrix| {
                self.kernel
                    .matrix(theta, &self.x, out, memory, &self.compute);
                for j in 0..n {
                    out.column_mut(j)[j] += noise + jitter;
                }
                for (j, extra) in self.extra_noise.iter().enumerate() {
                    out.column_mut(j)[j] += extra;
                }
            };
            match self.factor.factorise(n, &self.compute, build) {
                Ok(()) => {
                    self.state = Some(State {
                        jitter,
                        inverse: Inverse::Nothing,
                        packed: false,
                    });
                    self.solve_weights();
                    return Ok(());
                }
                Err(failed) => pivot = failed,
            }
        }
        Err(GpError::NotPositiveDefinite {
            size: n,
            pivot,
            jitter: JITTERS[JITTERS.len() - 1],
            parameters: self.params.summary(),
        })
    }

    fn solve_weights(&mut self) {
        let weights = &mut self.scratch.weights;
        weights.resize(self.y.len(), 1);
        weights.column_mut(0).copy_from_slice(&self.y);
        let lower = self.factor.lower().view();
        solve_lower(lower, weights.view_mut(), &self.compute);
        solve_lower_transposed(lower, weights.view_mut(), &self.compute);
    }

    /// What is known now. All numerical trouble is met here: predictions from what this returns have none.
    ///
    /// # Errors
    /// If there are no data or the covariance cannot be factored.
    pub fn posterior(&mut self) -> Result<Posterior> {
        self.posterior_of(&[])
    }

    /// What is known now, of the targets and of other ones at the same points (raw units): a posterior with further
    /// columns of means. The covariance does not depend on targets.
    ///
    /// # Errors
    /// As [`Regression::posterior`]; if a target is not finite or too far from the scaler's range, or there are more or
    /// fewer than points.
    pub fn posterior_of(&mut self, others: &[&[f64]]) -> Result<Posterior> {
        self.factorise()?;
        let own = self.scratch.weights.column(0).to_vec();
        let mut weights = vec![own];
        for targets in others {
            let scaled = self.scaled(targets)?;
            weights.push(self.weights_of(&scaled));
        }
        for column in &weights {
            require_finite("weight of a reading", column)?;
        }
        let packed = self.packed();
        let (theta, noise) = kernel_and_noise(&self.params);
        let posterior = Posterior::new(Known {
            kernel: Arc::clone(&self.kernel),
            theta: theta.to_vec(),
            noise,
            inputs: self.inputs.clone(),
            targets: self.targets,
            x: self.x.clone(),
            lower: packed,
            weights,
            compute: self.compute,
        });
        posterior.probe()?;
        Ok(posterior)
    }

    /// The factor as posteriors have it; the memory of the last one, where no posterior holds it any more.
    fn packed(&mut self) -> Arc<PackedLower> {
        let current = self.state.is_some_and(|state| state.packed);
        if !current {
            if Arc::get_mut(&mut self.scratch.packed).is_none() {
                self.scratch.packed = Arc::default();
            }
            if let Some(packed) = Arc::get_mut(&mut self.scratch.packed) {
                packed.pack(self.factor.lower(), &self.compute);
            }
            if let Some(state) = &mut self.state {
                state.packed = true;
            }
        }
        Arc::clone(&self.scratch.packed)
    }

    /// Targets of all points, standardised.
    pub(super) fn scaled(&self, targets: &[f64]) -> Result<Vec<f64>> {
        require_finite("target", targets)?;
        if targets.len() != self.y.len() {
            return Err(GpError::Length {
                what: "targets".into(),
                expected: self.y.len(),
                got: targets.len(),
            });
        }
        let scaled: Vec<f64> = targets.iter().map(|y| self.targets.scale(*y)).collect();
        require_within(SCALED_LIMIT, "standardised target", scaled.iter().copied())?;
        Ok(scaled)
    }

    /// `Ky^-1 y` of standardised targets y.
    pub(super) fn weights_of(&self, y: &[f64]) -> Vec<f64> {
        let mut weights = Matrix::zeros(y.len(), 1);
        weights.column_mut(0).copy_from_slice(y);
        let lower = self.factor.lower().view();
        solve_lower(lower, weights.view_mut(), &self.compute);
        solve_lower_transposed(lower, weights.view_mut(), &self.compute);
        weights.column(0).to_vec()
    }

    /// A model with the same kernel, parameters and scalers, without data.
    #[must_use]
    pub fn emptied(&self) -> Self {
        Self {
            kernel: Arc::clone(&self.kernel),
            params: self.params.clone(),
            inputs: self.inputs.clone(),
            targets: self.targets,
            x: self.x.slice(0, 0),
            y: Vec::new(),
            extra_noise: Vec::new(),
            compute: self.compute,
            factor: Factor::default(),
            state: None,
            scratch: Scratch::default(),
        }
    }

    /// Replaces the data by data that are scaled already.
    pub(crate) fn restore(&mut self, x: Points, y: Vec<f64>) -> Result<()> {
        require_within(SCALED_LIMIT, "standardised target", y.iter().copied())?;
        for d in 0..x.dim() {
            require_within(SCALED_LIMIT, "scaled input", x.column(d).iter().copied())?;
        }
        if x.len() != y.len() {
            return Err(GpError::Length {
                what: "targets".into(),
                expected: x.len(),
                got: y.len(),
            });
        }
        (self.x, self.y, self.state) = (x, y, None);
        Ok(())
    }

    /// Replaces the trained parameters.
    pub(crate) fn set_raw(&mut self, raw: &[f64]) {
        self.params.set_raw(raw);
        self.state = None;
    }
}

/// The kernel's parameters and the noise variance.
fn kernel_and_noise(params: &Parameters) -> (&[f64], f64) {
    let (theta, noise) = params.natural().split_at(params.natural().len() - 1);
    (theta, noise[0])
}

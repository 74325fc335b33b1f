//! Exact Gaussian process regression.
//!
//! With `Ky = K + s2 I = L L'` and `a = Ky^-1 y` (targets standardised, prior mean 0):
//!
//! - prediction: mean `k*' a`, variance `k** - |L^-1 k*|^2` (floored), plus s2 for noisy ones;
//! - loss (negative log evidence): `1/2 (y'a + sum log L_ii^2 + N log 2 pi)`;
//! - its gradient: `sum_ij G_ij dK_ij/dp` with `G = 1/2 (Ky^-1 - a a')`;
//! - leave-one-out: point i without itself has mean `y_i - a_i / (Ky^-1)_ii` and variance
//!   `1 / (Ky^-1)_ii`.

use crate::compute::Compute;
use crate::error::{GpError, Result, require_finite, require_within};
use crate::kernel::{Attention, Kernel};
use crate::linalg::{
    Factor, InverseWorkspace, Matrix, PackedLower, invert_spd, solve_lower, solve_lower_transposed,
};
use crate::params::{ParamSpec, Parameters};
use crate::points::Points;
use crate::scaler::{InputScaler, SCALED_LIMIT, TargetScaler};
use crate::train::Adam;

/// Added to the diagonal in turn when a factorisation fails.
const JITTERS: [f64; 4] = [0.0, 1e-6, 1e-5, 1e-4];
/// The smallest predictive variance (standardised), before noise is added.
const VARIANCE_FLOOR: f64 = 1e-6;
/// Test points handled together: their kernel block stays in the cache.
const CHUNK: usize = 512;
/// The name of the noise variance among the parameters.
pub(crate) const NOISE: &str = "noise";

/// Whether a prediction is of the next measurement or of the quantity itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// A measurement: its uncertainty includes the noise.
    Measurement,
    /// The quantity itself.
    Quantity,
}

/// Predictions in raw units.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prediction {
    /// Means.
    pub mean: Vec<f64>,
    /// Standard deviations.
    pub std: Vec<f64>,
    /// How many variances rounding had pushed below the floor.
    pub floored: usize,
}

/// A leave-one-out prediction of one training target, in raw units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeftOut {
    /// Mean predicted from all other points.
    pub mean: f64,
    /// Standard deviation, noise included, but not the point's [extra noise](Regression::set_extra_noise).
    pub std: f64,
    /// Log density of the target under that prediction.
    pub log_density: f64,
}

/// A Gaussian process model: kernel, parameters, data.
///
/// ```
/// use transect_gp::{Of, Points, Regression, kernel::rbf, train::Adam};
///
/// let x = Points::line(&[0.0, 1.0, 2.0, 3.0, 4.0])?;
/// let y = [0.0, 0.8, 0.9, 0.1, -0.8];
/// let mut model = Regression::fit(Box::new(rbf(1.0, 0.5)), 0.1, &x, &y)?;
/// model.train(&mut Adam::default(), 100)?;
/// let at = model.predict(&Points::line(&[1.5])?, Of::Quantity)?;
/// assert!((at.mean[0] - 1.0_f64).abs() < 0.2);
/// # Ok::<(), transect_gp::GpError>(())
/// ```
#[derive(Debug)]
pub struct Regression {
    kernel: Box<dyn Kernel>,
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
    packed: PackedLower,
    corner: Matrix,
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
        kernel.require_dim(inputs.dim())?;
        let mut specs = kernel.params();
        specs.push(ParamSpec::positive(NOISE, noise));
        Ok(Self {
            params: Parameters::new(specs)?,
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

    /// Training targets in raw units.
    pub fn raw_targets(&self) -> impl Iterator<Item = f64> + '_ {
        self.y.iter().map(|y| self.targets.unscale(*y))
    }

    /// Gives training points noise variance beyond the common one (standardised, in the order the points were
    /// added; points without an entry have none), so that some count for less or, at a great variance, for nothing.
    /// What is not a number or below 0 counts as 0.
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
        if self.state.is_some() {
            self.solve_weights();
        }
        Ok(())
    }

    fn extend_factor(&mut self, new: &Points) -> std::result::Result<(), usize> {
        let (theta, noise) = kernel_and_noise(&self.params);
        let Scratch { cross, corner, .. } = &mut self.scratch;
        self.kernel.cross(theta, &self.x, new, cross, &self.compute);
        // Not `matrix`: it would give up what the kernel keeps about the training set.
        self.kernel.cross(theta, new, new, corner, &self.compute);
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
        for jitter in JITTERS {
            let build = |out: &mut Matrix| {
                self.kernel.matrix(theta, &self.x, out, &self.compute);
                for j in 0..n {
                    out.column_mut(j)[j] += noise + jitter;
                }
                for (j, extra) in self.extra_noise.iter().enumerate() {
                    out.column_mut(j)[j] += extra;
                }
            };
            match self.factor.factorise(n, &self.compute, build) {
                Ok(()) => {
                    self.state = Some(State { jitter });
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

    /// Predicts at `points`.
    ///
    /// # Errors
    /// If the dimension differs, there are no data, or the covariance cannot be factored.
    pub fn predict(&mut self, points: &Points, of: Of) -> Result<Prediction> {
        let points = self.inputs.scale(points)?;
        self.factorise()?;
        let (theta, noise) = kernel_and_noise(&self.params);
        let mut prediction = Prediction {
            mean: Vec::with_capacity(points.len()),
            std: Vec::with_capacity(points.len()),
            floored: 0,
        };
        let mut variances = vec![0.0; points.len()];
        self.kernel.diagonal(theta, &points, &mut variances);
        let layer = points.layer();
        let step = (CHUNK / layer).max(1) * layer;
        let Scratch {
            cross,
            packed,
            weights,
            ..
        } = &mut self.scratch;
        packed.pack(self.factor.lower(), &self.compute);
        let weights = weights.column(0);
        for from in (0..points.len()).step_by(step) {
            let chunk = points.slice(from, (from + step).min(points.len()));
            self.kernel
                .cross(theta, &self.x, &chunk, cross, &self.compute);
            for j in 0..chunk.len() {
                let mean = dot(cross.column(j), weights);
                prediction.mean.push(self.targets.unscale(mean));
            }
            packed.solve(cross, &self.compute);
            for j in 0..chunk.len() {
                let column = cross.column(j);
                let mut variance = variances[from + j] - dot(column, column);
                if variance < VARIANCE_FLOOR {
                    variance = VARIANCE_FLOOR;
                    prediction.floored += 1;
                }
                if of == Of::Measurement {
                    variance += noise;
                }
                prediction.std.push(variance.sqrt() * self.targets.unit());
            }
        }
        require_finite("predicted mean", &prediction.mean)?;
        require_finite("predicted deviation", &prediction.std)?;
        Ok(prediction)
    }

    /// Means and the lower triangle of the joint covariance of the quantity at `points`, in raw
    /// units.
    ///
    /// # Errors
    /// As [`Regression::predict`].
    pub fn predict_jointly(&mut self, points: &Points) -> Result<(Vec<f64>, Matrix)> {
        let points = self.inputs.scale(points)?;
        self.factorise()?;
        let (theta, _) = kernel_and_noise(&self.params);
        let cross = &mut self.scratch.cross;
        self.kernel
            .cross(theta, &self.x, &points, cross, &self.compute);
        let weights = self.scratch.weights.column(0);
        let mean = (0..points.len())
            .map(|j| self.targets.unscale(dot(cross.column(j), weights)))
            .collect();
        solve_lower(self.factor.lower().view(), cross.view_mut(), &self.compute);
        let mut covariance = Matrix::default();
        self.kernel
            .cross(theta, &points, &points, &mut covariance, &self.compute);
        let unit = self.targets.unit();
        for j in 0..points.len() {
            for i in j..points.len() {
                let prior = covariance.column(j)[i];
                let posterior = prior - dot(cross.column(i), cross.column(j));
                covariance.column_mut(j)[i] = posterior * unit * unit;
            }
        }
        Ok((mean, covariance))
    }

    /// Draws `count` functions from the posterior at `points`, in raw units; `normal` yields
    /// standard normal deviates.
    ///
    /// # Errors
    /// As [`Regression::predict`].
    pub fn sample(
        &mut self,
        points: &Points,
        count: usize,
        mut normal: impl FnMut() -> f64,
    ) -> Result<Vec<Vec<f64>>> {
        let (mean, covariance) = self.predict_jointly(points)?;
        let n = mean.len();
        let scale = self.targets.unit() * self.targets.unit();
        let mut factor = Factor::default();
        let mut pivot = 0;
        // The posterior of points close to data is singular up to rounding: jitter from the start.
        for jitter in [1e-10, 1e-8, 1e-6, 1e-5, 1e-4] {
            let build = |out: &mut Matrix| {
                for j in 0..n {
                    out.column_mut(j)[j..].copy_from_slice(&covariance.column(j)[j..]);
                    out.column_mut(j)[j] += jitter * scale;
                }
            };
            match factor.factorise(n, &self.compute, build) {
                Err(failed) => pivot = failed,
                Ok(()) => {
                    let draw = |_| {
                        let deviates: Vec<f64> = (0..n).map(|_| normal()).collect();
                        let mut sample = mean.clone();
                        for (j, deviate) in deviates.iter().enumerate() {
                            let column = &factor.lower().column(j)[j..];
                            for (value, l) in sample[j..].iter_mut().zip(column) {
                                *value += l * deviate;
                            }
                        }
                        sample
                    };
                    return Ok((0..count).map(draw).collect());
                }
            }
        }
        Err(GpError::NotPositiveDefinite {
            size: n,
            pivot,
            jitter: JITTERS[JITTERS.len() - 1],
            parameters: self.params.summary(),
        })
    }

    /// The loss: the negative log evidence of the standardised targets.
    ///
    /// # Errors
    /// If there are no data or the covariance cannot be factored.
    pub fn loss(&mut self) -> Result<f64> {
        if self.is_empty() {
            return Err(GpError::Empty);
        }
        self.refresh();
        self.factorise()?;
        Ok(self.loss_from_factor())
    }

    fn loss_from_factor(&self) -> f64 {
        let n = self.y.len();
        let lower = self.factor.lower();
        let log_determinant: f64 = (0..n)
            .map(|i| (lower.column(i)[i] * lower.column(i)[i]).ln())
            .sum();
        let fit = dot(&self.y, self.scratch.weights.column(0));
        0.5 * (fit + log_determinant + n as f64 * std::f64::consts::TAU.ln())
    }

    /// The loss and its gradient with respect to the raw parameters.
    ///
    /// # Errors
    /// If there are no data or the covariance cannot be factored.
    pub fn loss_and_gradient(&mut self) -> Result<(f64, &[f64])> {
        let loss = self.loss()?;
        self.invert();
        let Scratch {
            weights,
            inverse,
            gradient,
            ..
        } = &mut self.scratch;
        let weights = weights.column(0);
        let mut trace = 0.0;
        for j in 0..weights.len() {
            let column = inverse.column_mut(j)[j..].iter_mut();
            for (entry, weight) in column.zip(&weights[j..]) {
                *entry = 0.5 * (*entry - weight * weights[j]);
            }
            trace += inverse.column(j)[j];
        }
        gradient.clear();
        gradient.resize(self.params.natural().len(), 0.0);
        let (theta, _) = kernel_and_noise(&self.params);
        let (kernel_gradient, noise_gradient) = gradient.split_at_mut(theta.len());
        self.kernel
            .contract(theta, &self.x, inverse, kernel_gradient, &self.compute);
        noise_gradient[0] = trace;
        self.params.chain(gradient);
        require_finite("loss", &[loss])?;
        require_finite("component of the gradient", gradient)?;
        Ok((loss, gradient))
    }

    /// Writes `Ky^-1` and its diagonal into the scratch memory.
    fn invert(&mut self) {
        let Scratch {
            inverse,
            inverse_diagonal,
            workspace,
            ..
        } = &mut self.scratch;
        invert_spd(self.factor.lower(), inverse, workspace, &self.compute);
        inverse_diagonal.clear();
        inverse_diagonal.extend((0..inverse.columns()).map(|j| inverse.column(j)[j]));
    }

    /// Leave-one-out predictions of every training target, in closed form.
    ///
    /// # Errors
    /// If there are no data or the covariance cannot be factored.
    pub fn leave_one_out(&mut self) -> Result<Vec<LeftOut>> {
        self.factorise()?;
        self.invert();
        Ok(self.left_out().collect())
    }

    fn left_out(&self) -> impl Iterator<Item = LeftOut> + '_ {
        let weights = self.scratch.weights.column(0);
        let diagonal = &self.scratch.inverse_diagonal;
        self.y
            .iter()
            .zip(weights)
            .zip(diagonal)
            .enumerate()
            .map(|(i, ((y, weight), precision))| {
                let unit = self.targets.unit();
                let error = weight / precision;
                // Its own extra noise says nothing about what an ordinary measurement would have been.
                let extra = self.extra_noise.get(i).copied().unwrap_or(0.0);
                let std = match extra > 0.0 {
                    true => (1.0 / precision - extra).max(VARIANCE_FLOOR).sqrt(),
                    false => 1.0 / precision.sqrt(),
                };
                LeftOut {
                    mean: self.targets.unscale(y - error),
                    std: unit * std,
                    log_density: 0.5 * (precision.ln() - std::f64::consts::TAU.ln())
                        - 0.5 * error * weight
                        - unit.ln(),
                }
            })
    }

    /// The mean leave-one-out log density at the parameters of the last gradient.
    pub(crate) fn left_out_density(&self) -> f64 {
        self.left_out().map(|point| point.log_density).sum::<f64>() / self.y.len() as f64
    }

    /// Takes `steps` training steps.
    ///
    /// # Errors
    /// If there are no data or the covariance cannot be factored.
    pub fn train(&mut self, optimiser: &mut Adam, steps: usize) -> Result<()> {
        optimiser.run(self, steps, |_| std::ops::ControlFlow::Continue(()))
    }

    /// w(x) and z(x) at `points`, where the kernel has them.
    ///
    /// # Errors
    /// If the dimension differs.
    pub fn attention(&mut self, points: &Points) -> Result<Option<Attention>> {
        let points = self.inputs.scale(points)?;
        let (theta, _) = kernel_and_noise(&self.params);
        Ok(self.kernel.attention(theta, &points, &self.compute))
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

    /// Lets the kernel follow the training set.
    fn refresh(&mut self) {
        let theta = self.params.natural_mut();
        let (theta, _) = theta.split_at_mut(theta.len() - 1);
        if self.kernel.refresh(theta, &self.x, &self.compute) {
            self.params.keep_derived();
            self.state = None;
        }
    }
}

/// The kernel's parameters and the noise variance.
fn kernel_and_noise(params: &Parameters) -> (&[f64], f64) {
    let (theta, noise) = params.natural().split_at(params.natural().len() - 1);
    (theta, noise[0])
}

/// `a . b`, summed in eight interleaved parts so that it vectorises.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_blocks, a_rest) = a.as_chunks::<8>();
    let (b_blocks, b_rest) = b.as_chunks::<8>();
    let mut parts = [0.0; 8];
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for l in 0..8 {
            parts[l] += a[l] * b[l];
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    parts.iter().sum::<f64>() + rest
}

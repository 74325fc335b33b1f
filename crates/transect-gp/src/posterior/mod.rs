//! What is known after some readings.
//!
//! A [`Posterior`] is a snapshot: it never changes, any number of threads may ask it, and clones share what it holds.
//! With `Ky = K + s2 I = L L'`, `a = Ky^-1 y`, and `V = L^-1 K(X, Q)` for places Q:
//!
//! - means `K(Q, X) a`; variances `k** - |v|^2` of the columns v of V, floored, plus s2 for readings;
//! - joint covariance `K(Q, Q) - V'V`, plus s2 on the diagonal for readings;
//! - with hypothetical readings at places P ([`Posterior::given`], in `given`): the same less `C'C`,
//!   `C = M^-1 (K(P, Q) - B'V)` where `B = L^-1 K(X, P)` and `M M' = K(P, P) - B'B + s2 I`; and, if the readings are
//!   thought to be r instead of their means m, means more by `C' M^-1 (r - m)`.
//!
//! Joint covariances and samples are in `joint`.

mod given;
mod joint;

pub use joint::Joint;

use crate::compute::Compute;
use crate::error::{Result, require_finite};
use crate::kernel::{Attention, Kernel, Memory};
use crate::linalg::dots::dots;
use crate::linalg::{Matrix, PackedLower};
use crate::points::Points;
use crate::scaler::{InputScaler, TargetScaler};
use given::Given;
use std::sync::Arc;

/// Places handled together: their kernel block stays in the cache.
const CHUNK: usize = 512;
/// The smallest predictive variance (standardised), before noise is added.
pub(crate) const VARIANCE_FLOOR: f64 = 1e-6;

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

/// What is known: immutable, shared by its clones, in raw units.
///
/// With N readings y at places X, `Ky = K(X, X) + s2 I = L L'` and `V = L^-1 K(X, Q)`, the quantity at places Q has
///
/// ```text
/// mean K(Q, X) Ky^-1 y,   covariance K(Q, Q) - V'V
/// ```
///
/// and readings there have the noise variance s2 more, each on its own. After hypothetical readings at places P
/// ([`Posterior::given`]) the covariance is less by `C'C`, with `C = M^-1 (K(P, Q) - B'V)`, `B = L^-1 K(X, P)` and
/// `M M' = K(P, P) - B'B + s2 I`. All of this is standardised; what goes in and comes out is not.
///
/// ```
/// use transect_gp::{Of, Points, Regression, kernel::rbf};
///
/// let x = Points::line(&[0.0, 1.0, 2.0])?;
/// let mut model = Regression::fit(Box::new(rbf(1.0, 0.5)), 0.1, &x, &[0.0, 0.8, 0.9])?;
/// let posterior = model.posterior()?;
/// let there = Points::line(&[3.0])?;
/// let now = posterior.predict(&there, Of::Quantity)?;
/// // What would be known if one measured there? No reading is needed to tell.
/// let then = posterior.given(&there)?.predict(&there, Of::Quantity)?;
/// assert!(then.std[0] < now.std[0] && then.mean == now.mean);
/// # Ok::<(), transect_gp::GpError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Posterior {
    known: Arc<Known>,
    given: Option<Arc<Given>>,
}

/// What a regression hands over.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) kernel: Arc<dyn Kernel>,
    pub(crate) theta: Vec<f64>,
    /// Noise variance, standardised.
    pub(crate) noise: f64,
    pub(crate) inputs: InputScaler,
    pub(crate) targets: TargetScaler,
    /// Places of readings, scaled.
    pub(crate) x: Points,
    /// L.
    pub(crate) lower: Arc<PackedLower>,
    /// `Ky^-1 y` for every column of targets.
    pub(crate) weights: Vec<Vec<f64>>,
    pub(crate) compute: Compute,
}

/// Columns for one chunk of places, and where the kernel works.
#[derive(Debug, Default)]
struct Workspace {
    memory: Memory,
    /// `K(X, Q)`, then V.
    solved: Matrix,
    /// C.
    gained: Matrix,
    given_memory: Memory,
}

impl Posterior {
    pub(crate) fn new(known: Known) -> Self {
        Self {
            known: Arc::new(known),
            given: None,
        }
    }

    /// Readings this is based on, without hypothetical ones.
    #[must_use]
    pub fn readings(&self) -> usize {
        self.known.x.len()
    }

    /// Hypothetical readings.
    #[must_use]
    pub fn hypothetical(&self) -> usize {
        self.given.as_ref().map_or(0, |given| given.len())
    }

    /// Variance of the noise of a reading, in squared raw units.
    #[must_use]
    pub fn noise_variance(&self) -> f64 {
        let unit = self.known.targets.unit();
        self.known.noise * unit * unit
    }

    /// Predicts at `points`.
    ///
    /// # Errors
    /// If the dimension differs.
    pub fn predict(&self, points: &Points, of: Of) -> Result<Prediction> {
        let mut columns = self.columns(points, of, 1)?;
        Ok(columns.swap_remove(0))
    }

    /// Predicts every column of targets at `points`. They have the same standard deviations.
    ///
    /// # Errors
    /// If the dimension differs.
    pub fn predict_columns(&self, points: &Points, of: Of) -> Result<Vec<Prediction>> {
        self.columns(points, of, self.known.weights.len())
    }

    /// Refuses parameters that give no finite prediction even at the place of a reading.
    pub(crate) fn probe(&self) -> Result<()> {
        let first = self.known.x.slice(0, 1.min(self.known.x.len()));
        self.at_scaled(&first, Of::Measurement, self.known.weights.len())?;
        Ok(())
    }

    fn columns(&self, points: &Points, of: Of, count: usize) -> Result<Vec<Prediction>> {
        self.at_scaled(&self.known.inputs.scale(points)?, of, count)
    }

    fn at_scaled(&self, points: &Points, of: Of, count: usize) -> Result<Vec<Prediction>> {
        let known = &*self.known;
        let mut variances = vec![0.0; points.len()];
        known.kernel.diagonal(&known.theta, points, &mut variances);
        let mut means: Vec<Vec<f64>> = vec![Vec::with_capacity(points.len()); count];
        let layer = points.layer();
        let step = (CHUNK / layer).max(1) * layer;
        let mut work = Workspace::default();
        let mut products = Vec::new();
        for from in (0..points.len()).step_by(step) {
            let chunk = points.slice(from, (from + step).min(points.len()));
            let cross = &mut work.solved;
            let (theta, compute) = (&known.theta, &known.compute);
            let kernel = &known.kernel;
            kernel.cross(theta, &known.x, &chunk, cross, &mut work.memory, compute);
            for (means, weights) in means.iter_mut().zip(&known.weights) {
                dots(cross, Some(weights), compute.simd, &mut products);
                means.extend_from_slice(&products);
            }
            known.lower.solve(cross, compute);
            dots(cross, None, compute.simd, &mut products);
            take(&mut variances[from..], &products);
            if let Some(given) = &self.given {
                given.columns(known, &chunk, &mut work);
                dots(&work.gained, None, compute.simd, &mut products);
                take(&mut variances[from..], &products);
                for (means, news) in means.iter_mut().zip(given.news()) {
                    dots(&work.gained, Some(news), compute.simd, &mut products);
                    add(&mut means[from..], &products);
                }
            }
        }
        let floored = variances.iter().filter(|v| **v < VARIANCE_FLOOR).count();
        let noise = match of {
            Of::Measurement => known.noise,
            Of::Quantity => 0.0,
        };
        let std = |variance: &f64| {
            // Not `f64::max`: it would hide what is not a number.
            let floored = if *variance < VARIANCE_FLOOR {
                VARIANCE_FLOOR
            } else {
                *variance
            };
            (floored + noise).sqrt() * known.targets.unit()
        };
        let std: Vec<f64> = variances.iter().map(std).collect();
        require_finite("predicted deviation", &std)?;
        let prediction = |mut mean: Vec<f64>| {
            mean.iter_mut()
                .for_each(|mean| *mean = known.targets.unscale(*mean));
            require_finite("predicted mean", &mean)?;
            Ok(Prediction {
                mean,
                std: std.clone(),
                floored,
            })
        };
        means.into_iter().map(prediction).collect()
    }

    /// w(x) and z(x) at `points`, where the kernel has them.
    ///
    /// # Errors
    /// If the dimension differs.
    pub fn attention(&self, points: &Points) -> Result<Option<Attention>> {
        let known = &*self.known;
        let points = known.inputs.scale(points)?;
        let mut memory = Memory::default();
        let kernel = &known.kernel;
        Ok(kernel.attention(&known.theta, &points, &mut memory, &known.compute))
    }
}

/// Subtracts from the first variances what the columns explain.
fn take(variances: &mut [f64], explained: &[f64]) {
    for (variance, explained) in variances.iter_mut().zip(explained) {
        *variance -= explained;
    }
}

fn add(means: &mut [f64], more: &[f64]) {
    for (mean, more) in means.iter_mut().zip(more) {
        *mean += more;
    }
}

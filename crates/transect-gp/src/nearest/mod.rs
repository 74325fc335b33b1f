//! Nearest-neighbour (Vecchia 1988) Gaussian process regression: any kernel, many points.
//!
//! The points have an order, coarse to fine. Each is conditioned on few of those before it, near and far ones, instead
//! of on all, so that with `c(i)` for the set of point i
//!
//! - evidence: `log p(y) = sum_i log p(y_i | y_c(i))`;
//! - prediction: `f* | y_c(*)`, the surface given *noisy* readings: the noise is variance of the neighbours, never of
//!   the surface.
//!
//! Nothing of the size of the data is ever factored, so points are added without refitting, memory is that of the
//! points, and every place is independent of the others and can be computed on any thread.
//!
//! | file | what |
//! |---|---|
//! | `rows`, `tree`, `levels` | points by place, coarse to fine |
//! | `sets` | which points a place is conditioned on |
//! | `block` | the small dense algebra of one set |
//! | `conditional` | evidence of single points and its gradient |
//! | `learn` | training on minibatches of conditionals |
//! | `predict` | marginals at many places |
//! | `joint` | the joint distribution of a few hundred places |
//! | `given` | what would be known after measuring somewhere |
//! | `save` | a process as JSON |
//!
//! ```
//! use transect_gp::nearest::{Minibatches, Vecchia};
//! use transect_gp::{InputScaler, Points, TargetScaler, kernel::matern32};
//!
//! let places: Vec<[f64; 2]> = (0..2000).map(|i| [f64::from(i % 50), f64::from(i / 50)]).collect();
//! let depths: Vec<f64> = places.iter().map(|[x, y]| (0.2 * x).sin() + 0.1 * y).collect();
//! let x = Points::from_rows(&places)?;
//! let scalers = (InputScaler::fit(&x)?, TargetScaler::fit(&depths)?);
//! let mut process = Vecchia::empty(Box::new(matern32(1.0, 0.5)), 0.05, scalers)?;
//! process.add(&x, &depths, &vec![1.0; depths.len()])?;
//! process.learn(&Minibatches { steps: 50, ..Minibatches::default() }, &mut |_step, _loss| ())?;
//! let at = process.marginals(&Points::from_rows(&[[20.5, 20.5]])?)?;
//! assert!((at.mean[0] - (0.2_f64 * 20.5).sin() - 2.05).abs() < 0.05);
//! # Ok::<(), transect_gp::GpError>(())
//! ```

mod block;
mod conditional;
mod given;
mod joint;
mod learn;
mod levels;
mod predict;
mod rows;
mod save;
mod sets;
mod tree;

pub use conditional::{Conditional, Without};
pub use given::Given;
pub use learn::Minibatches;
pub use sets::Neighbours;

use crate::compute::Compute;
use crate::error::{GpError, Result, require_finite, require_within};
use crate::kernel::{Kernel, Memory};
use crate::params::Parameters;
use crate::points::Points;
use crate::regression::{Regression, start};
use crate::scaler::{InputScaler, SCALED_LIMIT, TargetScaler};
use given::{NOTHING, View};
use levels::Levels;
use rows::Rows;
use std::sync::Arc;

/// Points embedded at a time.
const CHUNK: usize = 4096;

/// A Gaussian process of many points: kernel, parameters, data, and the order of the data.
#[derive(Debug, Clone)]
pub struct Vecchia {
    kernel: Arc<dyn Kernel>,
    params: Parameters,
    inputs: InputScaler,
    targets: TargetScaler,
    /// Standardised.
    y: Vec<f64>,
    /// Noise variance of each point in units of the common one: 1/k for the mean of k readings.
    noise_share: Vec<f64>,
    /// Shared by all processes of the same points.
    levels: Arc<Levels>,
    /// The points as the kernel embeds them.
    rows: Rows,
    /// What predictions are made from.
    neighbours: Neighbours,
    /// What the evidence is made from.
    evidence: Neighbours,
    /// Whether places amid points are predicted from fewer.
    is_screened: bool,
    compute: Compute,
}

impl Vecchia {
    /// A process without points. `noise` is the start value of the noise variance, in standardised units.
    ///
    /// # Errors
    /// If the kernel wants another dimension than the scaler has, or a start value is out of range.
    pub fn empty(
        kernel: Box<dyn Kernel>,
        noise: f64,
        (inputs, targets): (InputScaler, TargetScaler),
    ) -> Result<Self> {
        let (kernel, params) = start(kernel, noise, &inputs)?;
        Ok(Self {
            params,
            kernel,
            levels: Arc::new(Levels::new(inputs.dim())),
            inputs,
            targets,
            y: Vec::new(),
            noise_share: Vec::new(),
            rows: Rows::new(0),
            neighbours: Neighbours::default(),
            evidence: Neighbours::EVIDENCE,
            is_screened: false,
            compute: Compute::default(),
        })
    }

    /// A process without points, with the kernel, the parameters and the scalers of an exact one.
    #[must_use]
    pub fn like(exact: &Regression) -> Self {
        let (inputs, targets) = exact.scalers();
        Self {
            kernel: exact.shared_kernel(),
            params: exact.params().clone(),
            levels: Arc::new(Levels::new(inputs.dim())),
            inputs: inputs.clone(),
            targets: *targets,
            y: Vec::new(),
            noise_share: Vec::new(),
            rows: Rows::new(0),
            neighbours: Neighbours::default(),
            evidence: Neighbours::EVIDENCE,
            is_screened: false,
            compute: Compute::default(),
        }
    }

    /// The same process of other points, given as for [`Vecchia::add`]. Nothing is factored, so that this costs no more than
    /// looking at every point.
    ///
    /// # Errors
    /// As [`Vecchia::add`].
    pub fn with_points(&self, x: &Points, y: &[f64], readings: &[f64]) -> Result<Self> {
        let mut other = Self {
            kernel: Arc::clone(&self.kernel),
            params: self.params.clone(),
            levels: Arc::new(Levels::new(self.inputs.dim())),
            inputs: self.inputs.clone(),
            y: Vec::new(),
            noise_share: Vec::new(),
            rows: Rows::new(0),
            ..*self
        };
        other.add(x, y, readings)?;
        Ok(other)
    }

    /// The same process of the points of another, with whom it shares their order.
    ///
    /// # Errors
    /// If the other scales places or targets otherwise.
    pub fn with_points_of(&self, other: &Self) -> Result<Self> {
        if self.scalers() != other.scalers() {
            return Err(GpError::Setting(
                "processes can only share points that both scale alike".into(),
            ));
        }
        let mut same = Self {
            kernel: Arc::clone(&self.kernel),
            params: self.params.clone(),
            levels: Arc::clone(&other.levels),
            inputs: self.inputs.clone(),
            y: other.y.clone(),
            noise_share: other.noise_share.clone(),
            rows: Rows::new(0),
            ..*self
        };
        same.embed_all();
        Ok(same)
    }

    /// The same process with other targets at its points, in raw units.
    ///
    /// # Errors
    /// If one is not finite, or there are more or fewer than points.
    pub fn with_targets(&self, y: &[f64]) -> Result<Self> {
        let (y, _) = self.standardised(self.len(), y, &vec![1.0; self.len()])?;
        require_within(SCALED_LIMIT, "standardised target", y.iter().copied())?;
        let mut other = self.clone();
        other.y = y;
        Ok(other)
    }

    /// How work is carried out from now on.
    pub fn set_compute(&mut self, compute: Compute) {
        self.compute = compute;
    }

    /// How many points condition a place, in predictions and in the evidence, from now on.
    pub fn set_neighbours(&mut self, predictions: Neighbours, evidence: Neighbours) {
        (self.neighbours, self.evidence) = (predictions, evidence);
    }

    /// Has places amid points, rather than in a gap between them, predicted from a part of the neighbours from now on: theirs screen off the
    /// others. Of a map whose readings have little noise it saves half of the time; where they have much, means are off by a tenth of a standard
    /// deviation.
    pub fn screen(&mut self) {
        self.is_screened = true;
    }

    /// How many points there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.y.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.y.is_empty()
    }

    /// The parameters; the kernel's first, then `noise`.
    #[must_use]
    pub fn params(&self) -> &Parameters {
        &self.params
    }

    /// Replaces the parameters by others of the same names.
    ///
    /// # Errors
    /// If they are not those of this kernel.
    pub fn set_params(&mut self, params: &Parameters) -> Result<()> {
        for group in params.groups() {
            self.params.set(&group.name, params.get(&group.name)?)?;
        }
        self.embed_all();
        Ok(())
    }

    /// The scalers of inputs and targets.
    #[must_use]
    pub fn scalers(&self) -> (&InputScaler, &TargetScaler) {
        (&self.inputs, &self.targets)
    }

    /// Bytes that the points and what is made of them take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let numbers = self.y.capacity() + self.noise_share.capacity();
        self.levels.bytes() + self.rows.bytes() + numbers * size_of::<f64>()
    }

    /// Adds points, in raw units. `readings` says of how many readings each is the mean.
    ///
    /// # Errors
    /// If a number is not finite or counts do not match; nothing is added then.
    pub fn add(&mut self, x: &Points, y: &[f64], readings: &[f64]) -> Result<()> {
        let (y, shares) = self.standardised(x.len(), y, readings)?;
        let scaled = self.inputs.scale(x)?;
        self.append_scaled(&scaled, y, shares)
    }

    /// Standardised targets, and noise variances in units of the common one, of `count` points.
    fn standardised(
        &self,
        count: usize,
        y: &[f64],
        readings: &[f64],
    ) -> Result<(Vec<f64>, Vec<f64>)> {
        for (what, got) in [
            ("targets", y.len()),
            ("numbers of readings", readings.len()),
        ] {
            if got != count {
                return Err(GpError::Length {
                    what: what.into(),
                    expected: count,
                    got,
                });
            }
        }
        require_finite("target", y)?;
        if let Some(count) = readings
            .iter()
            .find(|count| count.is_nan() || **count <= 0.0)
        {
            return Err(GpError::NotPositive {
                what: "a number of readings".into(),
                value: *count,
                above: 0.0,
            });
        }
        let standardised = y.iter().map(|y| self.targets.scale(*y)).collect();
        let shares = readings.iter().map(|count| 1.0 / count).collect();
        Ok((standardised, shares))
    }

    /// Adds points that are scaled already.
    fn append_scaled(&mut self, scaled: &Points, y: Vec<f64>, shares: Vec<f64>) -> Result<()> {
        for (what, got) in [("targets", y.len()), ("noise variances", shares.len())] {
            if got != scaled.len() {
                return Err(GpError::Length {
                    what: what.into(),
                    expected: scaled.len(),
                    got,
                });
            }
        }
        require_within(SCALED_LIMIT, "standardised target", y.iter().copied())?;
        require_finite("noise variance", &shares)?;
        let is_first = self.is_empty();
        let rows = (0..scaled.len()).map(|i| scaled.row(i));
        Arc::make_mut(&mut self.levels).extend(rows);
        if is_first {
            self.embed_all();
        } else {
            self.embed(scaled);
        }
        self.y.extend(y);
        self.noise_share.extend(shares);
        Ok(())
    }

    /// Embeds more points.
    fn embed(&mut self, scaled: &Points) {
        let theta = self.kernel_theta().to_vec();
        let mut memory = Memory::default();
        for from in (0..scaled.len()).step_by(CHUNK) {
            let part = scaled.slice(from, (from + CHUNK).min(scaled.len()));
            let embedded = self.kernel.embed(&theta, &part, &mut memory, &self.compute);
            if self.rows.width() != embedded.dim() {
                self.rows = Rows::new(embedded.dim());
            }
            self.rows.append(&embedded);
        }
    }

    /// Embeds all points again, with the parameters as they are now.
    fn embed_all(&mut self) {
        self.rows = Rows::new(self.rows.width());
        let all = self.levels.places().points();
        let theta = self.params.natural_mut();
        let of_kernel = theta.len() - 1;
        let memory = &mut Memory::default();
        let theta = &mut theta[..of_kernel];
        if self.kernel.refresh(theta, &all, memory, &self.compute) {
            self.params.keep_derived();
        }
        self.embed(&all);
    }

    fn kernel_theta(&self) -> &[f64] {
        let all = self.params.natural();
        &all[..all.len() - 1]
    }

    /// The noise variance of a single reading, standardised.
    #[must_use]
    pub fn noise(&self) -> f64 {
        self.params.natural().last().copied().unwrap_or_default()
    }

    fn view(&self) -> View<'_> {
        View {
            process: self,
            more: &NOTHING,
        }
    }
}

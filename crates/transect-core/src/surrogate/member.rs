//! A Gaussian process that survives its own numerics.
//!
//! Training can walk into parameters at which the covariance matrix cannot be factored, or data can make
//! it so. [`Member`] then goes back to the last parameters that worked, raises the noise, in the end starts
//! the parameters afresh. What it met and what it did are kept as [`Trouble`]s, for the mission to report.

use std::ops::ControlFlow;

use transect_gp::kernel::Kernel;
use transect_gp::train::{Adam, Lbfgs};
use transect_gp::{
    Compute, GpError, InputScaler, LeftOut, Matrix, Parameters, Points, Posterior, Regression,
    TargetScaler,
};

use super::{Remedy, Task, Training, Trouble};
use crate::settings::TrainingSettings;

/// Added to the noise variance of a reading that is to count for nothing, in units of the standardised data: enough for the -9999 of files.
const IGNORED_VARIANCE: f64 = 1e8;
/// The engine's name of the noise variance.
const NOISE: &str = "noise";
/// Each raise of the noise variance multiplies it by this.
const NOISE_RAISE: f64 = 10.0;
/// Beyond the variance of the data themselves, raising the noise variance is pointless.
const NOISE_CEILING: f64 = 1.0;

/// Most steps of L-BFGS, for data that stay as they are.
pub(super) const MOST_STEPS: usize = 60;
/// Steps without improvement after which the search ends.
const PATIENCE: usize = 10;
/// Smallest improvement of the mean log density that counts, nats.
const NOTICEABLE: f64 = 1e-3;

/// A regression, its optimiser, and what to fall back on.
#[derive(Debug)]
pub(super) struct Member {
    regression: Regression,
    optimiser: Adam,
    /// The last parameters that led to a finite loss or prediction.
    good: Parameters,
    start: Parameters,
    troubles: Vec<Trouble>,
}

impl Member {
    /// A model of the first readings.
    ///
    /// # Errors
    /// If there are no data, or they are not finite.
    pub(super) fn fit(
        kernel: Box<dyn Kernel>,
        settings: &TrainingSettings,
        scalers: (InputScaler, TargetScaler),
        (x, y): (&Points, &[f64]),
    ) -> Result<Self, GpError> {
        let mut regression = Regression::empty(kernel, settings.noise_variance, scalers)?;
        regression.add(x, y)?;
        Ok(Self::of(regression, settings))
    }

    /// A member that starts from the parameters that `regression` has.
    pub(super) fn of(regression: Regression, settings: &TrainingSettings) -> Self {
        let start = regression.params().clone();
        Self {
            good: start.clone(),
            start,
            regression,
            optimiser: Adam::new(settings.hyper_rate, settings.network_rate),
            troubles: Vec::new(),
        }
    }

    /// A member with the same kernel, parameters and scales, but other readings.
    ///
    /// # Errors
    /// If there are no data, or they are not finite.
    pub(super) fn with_readings(
        &self,
        settings: &TrainingSettings,
        (x, y): (&Points, &[f64]),
    ) -> Result<Self, GpError> {
        let mut regression = self.regression.emptied();
        regression.add(x, y)?;
        Ok(Self::of(regression, settings))
    }

    /// Replaces the parameters by others of this kernel.
    pub(super) fn set_params(&mut self, params: &Parameters) {
        self.regression.params_mut().clone_from(params);
        self.good.clone_from(params);
    }

    /// How work is carried out from now on.
    pub(super) fn set_compute(&mut self, compute: Compute) {
        self.regression.set_compute(compute);
    }

    /// The regression itself: parameters, data, saving.
    pub(super) fn regression(&self) -> &Regression {
        &self.regression
    }

    /// What went wrong since this was last asked.
    pub(super) fn take_troubles(&mut self) -> Vec<Trouble> {
        std::mem::take(&mut self.troubles)
    }

    /// Adds readings, in raw units.
    ///
    /// # Errors
    /// If a number is not finite or counts do not match; nothing is added then.
    pub(super) fn add(&mut self, x: &Points, y: &[f64]) -> Result<(), GpError> {
        self.regression.add(x, y)
    }

    /// Columns as [`Regression::whiten`] makes them.
    ///
    /// # Errors
    /// If the numbers do not allow it; nothing is done about that.
    pub(super) fn whiten(&mut self, columns: &Matrix) -> Result<Matrix, GpError> {
        self.regression.whiten(columns)
    }

    /// What is known now, of the readings and of `others` in their place. Numbers that fail are remedied here, so that predictions
    /// need no remedy.
    ///
    /// # Errors
    /// If no remedy helps.
    pub(super) fn posterior(&mut self, others: &[&[f64]]) -> Result<Posterior, GpError> {
        self.persist(Task::Learning, |regression| regression.posterior_of(others))
    }

    /// Variance of what this model takes for noise, in squared raw units.
    pub(super) fn noise_variance(&self) -> f64 {
        let unit = self.regression.scalers().1.unit();
        self.noise() * unit * unit
    }

    /// Predictions of every reading, or of each of `others` in their place, from all the other readings, in raw units.
    ///
    /// # Errors
    /// If no remedy helps.
    pub(super) fn leave_one_out(
        &mut self,
        others: Option<&[f64]>,
    ) -> Result<Vec<LeftOut>, GpError> {
        let left_out = self.persist(Task::Training, |regression| {
            regression.leave_one_out(others)
        });
        self.give_back_memory();
        left_out
    }

    /// Predictions of the last reading of each block from the readings outside the block, in raw units.
    ///
    /// # Errors
    /// If the numbers do not allow it; nothing is done about that.
    pub(super) fn leave_blocks_out(
        &mut self,
        blocks: &[Vec<usize>],
        others: Option<&[f64]>,
    ) -> Result<Vec<LeftOut>, GpError> {
        let left_out = self.regression.leave_blocks_out(blocks, others);
        self.give_back_memory();
        left_out
    }

    /// Makes the marked readings count for nothing.
    pub(super) fn ignore(&mut self, marked: &[bool]) {
        let extra = marked.iter().map(|ignored| match ignored {
            true => IGNORED_VARIANCE,
            false => 0.0,
        });
        self.regression.set_extra_noise(extra.collect());
    }

    /// Gives back memory that is not needed between predictions and training.
    pub(super) fn give_back_memory(&mut self) {
        self.regression.give_back_memory();
    }

    /// Takes up to `steps` training steps. A step that fails is undone, and those after it are left out.
    pub(super) fn train(&mut self, steps: usize) -> Training {
        let mut done = Training {
            steps: 0,
            loss: None,
        };
        let (good, mut poison) = (&mut self.good, None);
        let outcome = self.optimiser.run(&mut self.regression, steps, |step| {
            let gradient = step.gradient.iter().copied();
            if let Some(value) = gradient.chain([step.loss]).find(|v| !v.is_finite()) {
                poison = Some(value);
                return ControlFlow::Break(());
            }
            good.clone_from(step.params);
            done.steps += 1;
            done.loss = Some(step.loss);
            ControlFlow::Continue(())
        });
        let failure = outcome.err().or(poison.map(|value| GpError::NotFinite {
            what: "loss or gradient",
            index: done.steps,
            value,
        }));
        if let Some(error) = failure {
            // The optimiser's memory led here, and may hold what is not a number.
            let rates = (self.optimiser.hyper_rate, self.optimiser.network_rate);
            self.optimiser = Adam::new(rates.0, rates.1);
            self.apply(Remedy::SkippedTraining, Task::Training, error);
            // Whether this works out or not, `persist` has put down what it did.
            let _ = self.persist(Task::Training, Regression::loss);
        }
        self.give_back_memory();
        done
    }

    /// Fits the parameters to readings that stay as they are: of all parameters on the way to the most likely ones, those under which
    /// the readings predict each other best. `watch` is told of every step.
    ///
    /// # Errors
    /// If no remedy helps.
    pub(super) fn learn_all(&mut self, watch: &mut dyn FnMut(usize)) -> Result<(), GpError> {
        let best = self.persist(Task::Training, |regression| {
            best_parameters(regression, watch)
        })?;
        self.regression.params_mut().clone_from(&best);
        self.good = best;
        self.give_back_memory();
        Ok(())
    }

    /// Tries, and tries again with one remedy after the other.
    fn persist<T>(
        &mut self,
        task: Task,
        mut attempt: impl FnMut(&mut Regression) -> Result<T, GpError>,
    ) -> Result<T, GpError> {
        let mut remedies = Remedies::default();
        loop {
            match attempt(&mut self.regression) {
                Ok(value) => {
                    if remedies.tried {
                        self.good.clone_from(self.regression.params());
                    }
                    return Ok(value);
                }
                Err(error) if !is_numeric(&error) => return Err(error),
                Err(error) => match remedies.next(self.noise()) {
                    Some(remedy) => self.apply(remedy, task, error),
                    None => return Err(error),
                },
            }
        }
    }

    fn noise(&self) -> f64 {
        let noise = self.regression.params().get(NOISE);
        noise
            .ok()
            .and_then(|values| values.first().copied())
            .unwrap_or(f64::NAN)
    }

    fn apply(&mut self, remedy: Remedy, task: Task, error: GpError) {
        let parameters = self.regression.params_mut();
        match remedy {
            Remedy::SkippedTraining | Remedy::RestoredParameters => {
                parameters.clone_from(&self.good);
            }
            Remedy::RaisedNoise { to } => {
                // `to` is positive and finite, and every model has a noise variance.
                let _ = parameters.set(NOISE, &[to]);
            }
            Remedy::RestartedParameters => {
                parameters.clone_from(&self.start);
                let _ = parameters.set(NOISE, &[NOISE_CEILING]);
            }
            Remedy::LeftOutReadings
            | Remedy::KeptPosterior
            | Remedy::WentAnywhere
            | Remedy::SkippedEvaluation => {}
        }
        self.troubles.push(Trouble::Numerics {
            task,
            error,
            remedy,
        });
    }
}

/// The parameters with the best leave-one-out predictions that L-BFGS comes by.
fn best_parameters(
    regression: &mut Regression,
    watch: &mut dyn FnMut(usize),
) -> Result<Parameters, GpError> {
    let mut best = (f64::NEG_INFINITY, regression.params().clone());
    let mut since = 0;
    Lbfgs::default().run(regression, MOST_STEPS, |step| {
        watch(step.index);
        since += 1;
        if step.left_out_density > best.0 {
            if step.left_out_density > best.0 + NOTICEABLE {
                since = 0;
            }
            best = (step.left_out_density, step.params.clone());
        }
        match since < PATIENCE {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    })?;
    Ok(best.1)
}

/// Remedies in the order they are tried.
#[derive(Default)]
struct Remedies {
    tried: bool,
    restarted: bool,
}

impl Remedies {
    fn next(&mut self, noise: f64) -> Option<Remedy> {
        if !self.tried {
            self.tried = true;
            return Some(Remedy::RestoredParameters);
        }
        if self.restarted {
            return None;
        }
        let raised = noise.max(1e-6) * NOISE_RAISE;
        if raised < NOISE_CEILING * NOISE_RAISE {
            let to = raised.min(NOISE_CEILING);
            return Some(Remedy::RaisedNoise { to });
        }
        self.restarted = true;
        Some(Remedy::RestartedParameters)
    }
}

/// Whether the error comes from numbers that may get better, and not from a wrong call.
fn is_numeric(error: &GpError) -> bool {
    matches!(
        error,
        GpError::NotPositiveDefinite { .. } | GpError::NotFinite { .. }
    )
}

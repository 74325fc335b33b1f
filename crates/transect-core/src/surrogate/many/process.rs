//! A nearest-neighbour process that survives its own numerics.

use std::sync::Arc;

use transect_gp::nearest::{Conditional, Neighbours, Vecchia};
use transect_gp::train::Adam;
use transect_gp::{Compute, GpError, Parameters, Regression};

use super::super::{Remedy, Task, Trouble};
use super::cells::Means;
use crate::settings::TrainingSettings;

/// Points that a place is predicted from.
const PREDICTION: Neighbours = Neighbours { near: 32, far: 6 };
/// Points that a conditional is predicted from in training.
const TRAINING: Neighbours = Neighbours { near: 16, far: 6 };

/// A process, its optimiser, and what to fall back on.
#[derive(Debug)]
pub(super) struct Process {
    /// Shared with what is known: copied before it learns on, if somebody still looks at that.
    points: Arc<Vecchia>,
    optimiser: Adam,
    /// The last parameters that led to a finite loss.
    good: Parameters,
}

impl Process {
    /// With the kernel, parameters and scales of an exact one, and no points yet.
    pub(super) fn like(exact: &Regression, settings: &TrainingSettings, compute: Compute) -> Self {
        let mut points = Vecchia::like(exact);
        points.set_compute(compute);
        points.set_neighbours(PREDICTION, TRAINING);
        Self {
            good: points.params().clone(),
            points: Arc::new(points),
            optimiser: Adam::new(settings.hyper_rate, settings.network_rate),
        }
    }

    /// The process itself.
    pub(super) fn points(&self) -> &Arc<Vecchia> {
        &self.points
    }

    /// Variance of the noise of a single reading, in squared raw units.
    pub(super) fn noise_variance(&self) -> f64 {
        let unit = self.points.scalers().1.unit();
        self.points.noise() * unit * unit
    }

    /// Replaces the points.
    ///
    /// # Errors
    /// If a number is too far from the scales.
    pub(super) fn set_means(&mut self, means: &Means) -> Result<(), GpError> {
        let next = (self.points).with_points(&means.places, &means.values, &means.counts)?;
        self.points = Arc::new(next);
        Ok(())
    }

    /// Replaces the points by those of another process.
    ///
    /// # Errors
    /// If that one scales them otherwise.
    pub(super) fn share_means(&mut self, other: &Vecchia) -> Result<(), GpError> {
        self.points = Arc::new(self.points.with_points_of(other)?);
        Ok(())
    }

    /// Replaces the parameters.
    ///
    /// # Errors
    /// If they are another kernel's.
    pub(super) fn set_params(&mut self, params: &Parameters) -> Result<(), GpError> {
        Arc::make_mut(&mut self.points).set_params(params)?;
        self.good.clone_from(params);
        Ok(())
    }

    /// Takes one step for each of the minibatches. One that fails is undone, and those after it are left out. Returns how many
    /// were taken, and the mean loss of a conditional before the last of them.
    pub(super) fn train(
        &mut self,
        minibatches: &[Vec<Conditional>],
        troubles: &mut Vec<Trouble>,
    ) -> (usize, Option<f64>) {
        let points = Arc::make_mut(&mut self.points);
        let (mut taken, mut loss) = (0, None);
        for conditionals in minibatches {
            match points.step(&mut self.optimiser, conditionals) {
                Ok(now) => {
                    loss = Some(now);
                    taken += 1;
                }
                Err(error) => {
                    let rates = (self.optimiser.hyper_rate, self.optimiser.network_rate);
                    self.optimiser = Adam::new(rates.0, rates.1);
                    // They are this kernel's own.
                    let _ = points.set_params(&self.good);
                    troubles.push(Trouble::Numerics {
                        task: Task::Training,
                        error,
                        remedy: Remedy::SkippedTraining,
                    });
                    return (taken, loss);
                }
            }
        }
        points.settle();
        (taken, loss)
    }

    /// What was learnt last led to finite predictions.
    pub(super) fn is_good(&mut self) {
        self.good.clone_from(self.points.params());
    }

    /// Goes back to what led to finite predictions last.
    pub(super) fn go_back(&mut self) {
        let good = self.good.clone();
        // They are this kernel's own.
        let _ = Arc::make_mut(&mut self.points).set_params(&good);
    }
}

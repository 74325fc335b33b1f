//! What the data say about the parameters: loss, gradient, leave-one-out, training.

use super::dots::dot;
use super::{Regression, Scratch, VARIANCE_FLOOR, kernel_and_noise};
use crate::error::{GpError, Result, require_finite};
use crate::linalg::invert_spd;
use crate::train::Adam;

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

impl Regression {
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
        let fit = dot(&self.y, self.scratch.weights.column(0), self.compute.simd);
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

//! What the data say about the parameters: loss, gradient, training.

use super::{Inverse, Regression, Scratch, kernel_and_noise};
use crate::error::{GpError, Result, require_finite};
use crate::linalg::dots::dot;
use crate::linalg::{Matrix, invert_spd};
use crate::simd::{Arithmetic, Work, dispatch};
use crate::train::Adam;

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
        // G takes its place.
        self.forget_inverse();
        let Scratch {
            weights,
            inverse,
            gradient,
            kernel: memory,
            ..
        } = &mut self.scratch;
        let weights = weights.column(0);
        let trace = dispatch(self.compute.simd, Slopes { inverse, weights });
        gradient.clear();
        gradient.resize(self.params.natural().len(), 0.0);
        let (theta, _) = kernel_and_noise(&self.params);
        let (kernel_gradient, noise_gradient) = gradient.split_at_mut(theta.len());
        self.kernel.contract(
            theta,
            &self.x,
            inverse,
            kernel_gradient,
            memory,
            &self.compute,
        );
        noise_gradient[0] = trace;
        self.params.chain(gradient);
        require_finite("loss", &[loss])?;
        require_finite("component of the gradient", gradient)?;
        Ok((loss, gradient))
    }

    /// Writes `Ky^-1` and its diagonal into the scratch memory.
    pub(super) fn invert(&mut self) {
        let Scratch {
            inverse,
            inverse_diagonal,
            workspace,
            ..
        } = &mut self.scratch;
        invert_spd(self.factor.lower(), inverse, workspace, &self.compute);
        inverse_diagonal.clear();
        inverse_diagonal.extend((0..inverse.columns()).map(|j| inverse.column(j)[j]));
        if let Some(state) = &mut self.state {
            state.inverse = Inverse::Whole;
        }
    }

    /// Of the inverse only the diagonal is left.
    pub(super) fn forget_inverse(&mut self) {
        if let Some(state) = &mut self.state
            && state.inverse == Inverse::Whole
        {
            state.inverse = Inverse::Diagonal;
        }
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
        let memory = &mut self.scratch.kernel;
        if self.kernel.refresh(theta, &self.x, memory, &self.compute) {
            self.params.keep_derived();
            self.state = None;
        }
    }
}

/// Turns the lower triangle of `Ky^-1` into that of `G = 1/2 (Ky^-1 - a a')`; the output is G's trace.
struct Slopes<'a> {
    inverse: &'a mut Matrix,
    weights: &'a [f64],
}

impl Work for Slopes<'_> {
    type Output = f64;
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) -> f64 {
        let mut trace = 0.0;
        for (j, weight) in self.weights.iter().enumerate() {
            let column = &mut self.inverse.column_mut(j)[j..];
            for (entry, other) in column.iter_mut().zip(&self.weights[j..]) {
                *entry = 0.5 * a.mul_add(-weight, *other, *entry);
            }
            trace += column[0];
        }
        trace
    }
}

//! Training on minibatches of conditionals, drawn from all points at all distances.
//!
//! Half of a minibatch is as in the evidence, which is mostly next-door neighbours; the other half is predicted from
//! points some distance away, as most places of a map are. Learnt from neighbours alone, parameters are right for the
//! next metre of a line and wrong for the gap to the next line.

use super::{Conditional, Vecchia};
use crate::error::{Result, require_finite};
use crate::random::{Randomness, Stream};
use crate::train::Adam;
use std::f64::consts::PI;

/// How training goes.
#[derive(Debug, Clone, PartialEq)]
pub struct Minibatches {
    /// Steps.
    pub steps: usize,
    /// Conditionals per step.
    pub size: usize,
    /// Rate of hyper-parameters at the start. They are few and have a long way to go: at a quarter of this the noise of 100,000 satellite
    /// temperatures was still ten times too large after 200 steps.
    pub hyper_rate: f64,
    /// Rate of network weights at the start.
    pub network_rate: f64,
    /// Distances (scaled) of the half that is predicted from afar; without any, all are as in the evidence.
    pub apart: Vec<f64>,
    /// Degrees of freedom of Student's t, whose tails keep gross errors from moving parameters; none for Gaussian tails.
    pub degrees: Option<f64>,
    /// Decides what is drawn.
    pub seed: u64,
}

impl Default for Minibatches {
    fn default() -> Self {
        Self {
            steps: 200,
            size: 256,
            hyper_rate: 0.2,
            network_rate: 0.01,
            apart: Vec::new(),
            degrees: None,
            seed: 0,
        }
    }
}

/// Steps after which neighbours are chosen with the attention of that time.
const EMBED_EVERY: usize = 25;
/// Rates fall to this share of those at the start, along half a cosine.
const LAST_RATE: f64 = 0.05;

impl Vecchia {
    /// One step of an optimiser whose memory outlives it; returns the mean loss of the conditionals before it, nats. Neighbours
    /// are chosen with the attention of before until [`Vecchia::settle`] is called.
    ///
    /// # Errors
    /// If there is no such point, a covariance cannot be factored, or the loss or its gradient is not a number; the parameters stay as
    /// they are then.
    pub fn step(&mut self, adam: &mut Adam, conditionals: &[Conditional]) -> Result<f64> {
        self.robust_step(adam, conditionals, None)
    }

    fn robust_step(
        &mut self,
        adam: &mut Adam,
        conditionals: &[Conditional],
        degrees: Option<f64>,
    ) -> Result<f64> {
        let (loss, gradient) = self.robust_loss_and_gradient(conditionals, degrees)?;
        require_finite("loss", &[loss])?;
        require_finite("gradient", &gradient)?;
        let mut raw = self.params.raw().to_vec();
        adam.step(&self.params, &gradient, &mut raw);
        self.params.set_raw(&raw);
        Ok(loss)
    }

    /// Has neighbours chosen with the parameters as they are now.
    pub fn settle(&mut self) {
        self.embed_all();
    }

    /// Trains the parameters; `watch` hears the number of every step and its loss.
    ///
    /// # Errors
    /// If there are no points, or a covariance cannot be factored.
    pub fn learn(&mut self, how: &Minibatches, watch: &mut dyn FnMut(usize, f64)) -> Result<()> {
        let mut stream = Stream::new(how.seed);
        let mut adam = Adam::new(how.hyper_rate, how.network_rate);
        let count = self.len();
        if count == 0 {
            return Err(crate::GpError::Empty);
        }
        let mut any = |from: usize| {
            let drawn = stream.uniform(0.0, from as f64) as usize;
            drawn.min(from - 1)
        };
        for step in 0..how.steps {
            let mut draw = |number: usize| {
                let point = any(count);
                if how.apart.is_empty() || number.is_multiple_of(2) {
                    return Conditional::in_order(point);
                }
                Conditional::apart(point, how.apart[any(how.apart.len())], 0)
            };
            let conditionals: Vec<Conditional> = (0..how.size).map(&mut draw).collect();
            let turn = PI * step as f64 / how.steps as f64;
            let cooling = LAST_RATE + (1.0 - LAST_RATE) * 0.5 * (1.0 + turn.cos());
            adam.hyper_rate = how.hyper_rate * cooling;
            adam.network_rate = how.network_rate * cooling;
            watch(
                step,
                self.robust_step(&mut adam, &conditionals, how.degrees)?,
            );
            if (step + 1) % EMBED_EVERY == 0 {
                self.embed_all();
            }
        }
        self.embed_all();
        Ok(())
    }
}

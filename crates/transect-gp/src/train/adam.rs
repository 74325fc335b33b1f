//! Adam (Kingma and Ba 2014) with one rate for hyper-parameters and one for networks.

use super::Step;
use crate::error::Result;
use crate::params::{Parameters, Role};
use crate::regression::Regression;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;

/// An Adam optimiser. Its moments live as long as it does: keep one per model, also while data
/// are added.
///
/// ```text
/// m += (1 - b1) (g - m),   v = b2 v + (1 - b2) g^2,   u -= rate / (1 - b1^t) m / (sqrt(v) / sqrt(1 - b2^t) + eps)
/// ```
///
/// for the gradient g at the raw parameters u, with b1 = 0.9, b2 = 0.999 and eps = 1e-8.
///
/// ```
/// use std::ops::ControlFlow;
/// use transect_gp::{Points, Regression, kernel::rbf, train::Adam};
///
/// let x = Points::line(&[0.0, 1.0, 2.0])?;
/// let mut model = Regression::fit(Box::new(rbf(1.0, 0.5)), 0.1, &x, &[0.0, 1.0, 0.0])?;
/// let mut losses = Vec::new();
/// Adam::default().run(&mut model, 20, |step| {
///     losses.push(step.loss);
///     if step.index == 9 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
/// })?;
/// assert!(losses.len() == 10 && losses[9] < losses[0]);
/// # Ok::<(), transect_gp::GpError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Adam {
    /// Rate for [`Role::Hyper`] parameters.
    pub hyper_rate: f64,
    /// Rate for [`Role::Network`] parameters.
    pub network_rate: f64,
    steps: i32,
    first: Vec<f64>,
    second: Vec<f64>,
}

const BETA1: f64 = 0.9;
const BETA2: f64 = 0.999;
const EPSILON: f64 = 1e-8;

impl Default for Adam {
    /// The paper's rates: 0.01 and 0.001.
    fn default() -> Self {
        Self::new(0.01, 0.001)
    }
}

impl Adam {
    /// An optimiser with the given rates.
    #[must_use]
    pub fn new(hyper_rate: f64, network_rate: f64) -> Self {
        Self {
            hyper_rate,
            network_rate,
            steps: 0,
            first: Vec::new(),
            second: Vec::new(),
        }
    }

    /// Takes up to `steps` steps; `hook` sees each one before it is taken, and its break is
    /// honoured at once: the parameters stay what the hook saw.
    ///
    /// # Errors
    /// If there are no data or the covariance cannot be factored; the parameters are then those
    /// that failed.
    pub fn run(
        &mut self,
        model: &mut Regression,
        steps: usize,
        mut hook: impl FnMut(&Step<'_>) -> ControlFlow<()>,
    ) -> Result<()> {
        let mut raw = model.params().raw().to_vec();
        let mut gradient = vec![0.0; raw.len()];
        for index in 0..steps {
            let (loss, slopes) = model.loss_and_gradient()?;
            gradient.copy_from_slice(slopes);
            let step = Step {
                index,
                loss,
                left_out_density: model.left_out_density(),
                params: model.params(),
                gradient: &gradient,
            };
            if hook(&step).is_break() {
                break;
            }
            raw.copy_from_slice(model.params().raw());
            self.step(model.params(), &gradient, &mut raw);
            model.set_raw(&raw);
        }
        Ok(())
    }

    /// `m += (1 - b1)(g - m)`, `v = b2 v + (1 - b2) g^2`,
    /// `u -= rate / (1 - b1^t) m / (sqrt(v) / sqrt(1 - b2^t) + eps)`.
    pub(crate) fn step(&mut self, params: &Parameters, gradient: &[f64], raw: &mut [f64]) {
        self.first.resize(raw.len(), 0.0);
        self.second.resize(raw.len(), 0.0);
        self.steps += 1;
        let correction1 = 1.0 - BETA1.powi(self.steps);
        let correction2 = (1.0 - BETA2.powi(self.steps)).sqrt();
        for group in params.groups().iter().filter(|group| group.trained()) {
            let rate = match group.role {
                Role::Network => self.network_rate,
                _ => self.hyper_rate,
            };
            for i in group.range.clone() {
                let g = gradient[i];
                self.first[i] += (g - self.first[i]) * (1.0 - BETA1);
                self.second[i] = self.second[i] * BETA2 + (1.0 - BETA2) * g * g;
                let scale = self.second[i].sqrt() / correction2 + EPSILON;
                raw[i] -= rate / correction1 * self.first[i] / scale;
            }
        }
    }
}

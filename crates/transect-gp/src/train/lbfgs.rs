//! L-BFGS (Nocedal 1980) with a weak-Wolfe line search by bisection (Lewis and Overton 2013).
//!
//! Our own hundred lines: the crates that offer it bring a framework of their own, and a line
//! search here must survive trial points whose covariance cannot be factored.

use super::Step;
use crate::error::Result;
use crate::regression::Regression;
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// An L-BFGS optimiser: few, large steps; for a data set that stays as it is.
///
/// ```
/// use transect_gp::{Points, Regression, kernel::rbf, train::Lbfgs};
///
/// let x = Points::line(&[0.0, 1.0, 2.0, 3.0])?;
/// let mut model = Regression::fit(Box::new(rbf(1.0, 0.5)), 0.1, &x, &[0.0, 1.0, 0.0, 1.0])?;
/// let before = model.loss()?;
/// Lbfgs::default().run(&mut model, 50, |_| std::ops::ControlFlow::Continue(()))?;
/// assert!(model.loss()? < before);
/// # Ok::<(), transect_gp::GpError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Lbfgs {
    /// Past steps that shape the next direction.
    pub memory: usize,
    /// Stops when no component of the gradient is larger.
    pub tolerance: f64,
}

impl Default for Lbfgs {
    /// Ten past steps, gradient below 1e-5.
    fn default() -> Self {
        Self {
            memory: 10,
            tolerance: 1e-5,
        }
    }
}

/// Sufficient decrease and curvature constants of the line search.
const DECREASE: f64 = 1e-4;
const CURVATURE: f64 = 0.9;
const TRIALS: usize = 30;

/// A past step: `s = u_next - u`, `y = g_next - g`.
struct Pair {
    s: Vec<f64>,
    y: Vec<f64>,
    sy: f64,
}

impl Lbfgs {
    /// Takes up to `steps` steps; `hook` sees each one before it is taken.
    ///
    /// # Errors
    /// If there are no data, or the covariance cannot be factored at the start.
    pub fn run(
        &self,
        model: &mut Regression,
        steps: usize,
        mut hook: impl FnMut(&Step<'_>) -> ControlFlow<()>,
    ) -> Result<()> {
        let (mut loss, slopes) = model.loss_and_gradient()?;
        let mut gradient = slopes.to_vec();
        let mut past: VecDeque<Pair> = VecDeque::new();
        for index in 0..steps {
            let step = Step {
                index,
                loss,
                left_out_density: model.left_out_density(),
                params: model.params(),
                gradient: &gradient,
            };
            let flat = gradient.iter().all(|g| g.abs() <= self.tolerance);
            if hook(&step).is_break() || flat {
                break;
            }
            let start = model.params().raw().to_vec();
            let mut direction = direction(&gradient, &past);
            if dot(&direction, &gradient) >= 0.0 {
                past.clear();
                direction = gradient.iter().map(|g| -g).collect();
            }
            let first = match past.is_empty() {
                true => 1.0 / norm(&gradient).max(1.0),
                false => 1.0,
            };
            match line_search(model, &start, &direction, (loss, &gradient), first) {
                Some((new_loss, new_gradient)) => {
                    let s: Vec<f64> = sub(model.params().raw(), &start);
                    let y = sub(&new_gradient, &gradient);
                    let sy = dot(&s, &y);
                    if sy > 1e-12 * norm(&s) * norm(&y) {
                        past.push_back(Pair { s, y, sy });
                    }
                    if past.len() > self.memory {
                        past.pop_front();
                    }
                    (loss, gradient) = (new_loss, new_gradient);
                }
                None if past.is_empty() => break,
                // The curvature collected so far misleads: forget it and try steepest descent.
                None => past.clear(),
            }
        }
        Ok(())
    }
}

/// The two-loop recursion.
fn direction(gradient: &[f64], past: &VecDeque<Pair>) -> Vec<f64> {
    let mut q: Vec<f64> = gradient.iter().map(|g| -g).collect();
    let mut alphas = Vec::with_capacity(past.len());
    for pair in past.iter().rev() {
        let alpha = dot(&pair.s, &q) / pair.sy;
        add(&mut q, -alpha, &pair.y);
        alphas.push(alpha);
    }
    if let Some(last) = past.back() {
        let scale = last.sy / dot(&last.y, &last.y);
        q.iter_mut().for_each(|v| *v *= scale);
    }
    for (pair, alpha) in past.iter().zip(alphas.iter().rev()) {
        let beta = dot(&pair.y, &q) / pair.sy;
        add(&mut q, alpha - beta, &pair.s);
    }
    q
}

/// Bisects for a step that decreases the loss enough and flattens its slope; leaves the model
/// there, or at `start` if there is none.
fn line_search(
    model: &mut Regression,
    start: &[f64],
    direction: &[f64],
    (loss, gradient): (f64, &[f64]),
    first: f64,
) -> Option<(f64, Vec<f64>)> {
    let slope = dot(gradient, direction);
    let (mut low, mut high, mut t) = (0.0, f64::INFINITY, first);
    let mut best: Option<(f64, f64, Vec<f64>)> = None;
    let mut raw = start.to_vec();
    for _ in 0..TRIALS {
        raw.copy_from_slice(start);
        add(&mut raw, t, direction);
        model.set_raw(&raw);
        // A point whose covariance cannot be factored is as bad as an infinite loss.
        let trial = model.loss_and_gradient().ok();
        let trial = trial.filter(|(value, _)| *value <= loss + DECREASE * t * slope);
        match trial {
            None => high = t,
            Some((value, at)) => {
                let flat = dot(at, direction) >= CURVATURE * slope;
                best = Some((t, value, at.to_vec()));
                if flat {
                    break;
                }
                low = t;
            }
        }
        t = if high.is_finite() {
            0.5 * (low + high)
        } else {
            2.0 * low
        };
    }
    raw.copy_from_slice(start);
    if let Some((t, _, _)) = &best {
        add(&mut raw, *t, direction);
    }
    model.set_raw(&raw);
    // The factor and inverse must be those of the point returned to.
    let _ = model.loss_and_gradient();
    best.map(|(_, value, at)| (value, at))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn sub(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn add(to: &mut [f64], factor: f64, from: &[f64]) {
    to.iter_mut()
        .zip(from)
        .for_each(|(to, v)| *to += factor * v);
}

//! Does a kernel's gradient agree with its values?

use crate::compute::Compute;
use crate::kernel::{Kernel, Memory, pairs::contract};
use crate::linalg::Matrix;
use crate::params::Role;
use crate::points::Points;
use crate::random::{Randomness, Stream};

/// Components smaller than this fraction of the largest are compared with that fraction of the
/// largest: below it, finite differences are rounding.
pub const SMALLEST: f64 = 1e-4;

/// Relative steps tried in turn: a large one rounds least, a small one stays on the same side of
/// a kink.
const STEPS: [f64; 3] = [1e-3, 1e-4, 1e-5];

/// The parameter whose derivative is furthest from finite differences.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Difference {
    /// `|analytic - numeric|` over the larger of the two and of [`SMALLEST`] times the largest
    /// derivative.
    pub relative: f64,
    /// Its number in `theta`.
    pub parameter: usize,
    /// What [`Kernel::contract`] says.
    pub analytic: f64,
    /// What differences of [`Kernel::matrix`] say.
    pub numeric: f64,
}

/// Compares [`Kernel::contract`], carried out in every way of `computes`, with fourth-order
/// central differences of [`Kernel::matrix`], under fixed random slopes dLoss/dK.
///
/// ```
/// use transect_gp::{Compute, Points, check, kernel::rbf};
/// let x = Points::line(&[0.0, 0.3, 0.7])?;
/// let worst = check::gradient(&rbf(2.0, 0.5), &[2.0, 0.5], &x, &[Compute::default()]);
/// assert!(worst.relative < 1e-6, "{worst:?}");
/// # Ok::<(), transect_gp::GpError>(())
/// ```
pub fn gradient(
    kernel: &dyn Kernel,
    theta: &[f64],
    x: &Points,
    computes: &[Compute],
) -> Difference {
    let slopes = random_slopes(x.len());
    let mut theta = theta.to_vec();
    let mut analytic = vec![vec![0.0; theta.len()]; computes.len()];
    let mut memory = Memory::default();
    for (gradient, compute) in analytic.iter_mut().zip(computes) {
        // Values that follow from the data are equal to the last bit only if computed alike.
        kernel.refresh(&mut theta, x, &mut memory, compute);
        kernel.contract(&theta, x, &slopes, gradient, &mut memory, compute);
    }
    let largest = |all: &Vec<f64>| all.iter().fold(0.0_f64, |most, g| most.max(g.abs()));
    let floor = SMALLEST * analytic.iter().map(largest).fold(0.0, f64::max);
    let mut worst = Difference::default();
    for (parameter, size) in sizes(kernel, &theta).into_iter().enumerate() {
        let Some(size) = size else { continue };
        let candidates = analytic.iter().map(|gradient| gradient[parameter]);
        let mut best = vec![f64::INFINITY; computes.len()];
        let mut numeric = 0.0;
        for step in STEPS {
            numeric = slope(kernel, &theta, (parameter, step * size), x, &slopes);
            for (best, analytic) in best.iter_mut().zip(candidates.clone()) {
                let larger = analytic.abs().max(numeric.abs()).max(floor);
                let relative = (analytic - numeric).abs() / larger.max(f64::MIN_POSITIVE);
                *best = best.min(relative);
            }
            if best.iter().all(|relative| *relative < 1e-8) {
                break;
            }
        }
        for (relative, analytic) in best.into_iter().zip(candidates) {
            if relative > worst.relative {
                worst = Difference {
                    relative,
                    parameter,
                    analytic,
                    numeric,
                };
            }
        }
    }
    worst
}

/// What a step is relative to: the value of a positive parameter, at least a half for one that
/// may cross zero; nothing for one that follows from the training set, which has no derivative.
fn sizes(kernel: &dyn Kernel, theta: &[f64]) -> Vec<Option<f64>> {
    let mut values = theta.iter();
    let mut sizes = Vec::new();
    for spec in kernel.params() {
        let own = values.by_ref().take(spec.start.len());
        sizes.extend(own.map(|value| match (spec.role, spec.positive) {
            (Role::Derived, _) => None,
            (_, true) => Some(*value),
            (_, false) => Some(value.abs().max(0.5)),
        }));
    }
    sizes
}

/// A symmetric matrix of normal deviates, its lower triangle.
fn random_slopes(n: usize) -> Matrix {
    let mut stream = Stream::new(n as u64);
    let mut slopes = Matrix::zeros(n, n);
    for j in 0..n {
        slopes.column_mut(j)[j..].fill_with(|| stream.standard_normal());
    }
    slopes
}

/// `sum_ij slopes_ij (8 (K(+h) - K(-h)) - (K(+2h) - K(-2h)))_ij / 12 h`.
fn slope(
    kernel: &dyn Kernel,
    theta: &[f64],
    (parameter, h): (usize, f64),
    x: &Points,
    slopes: &Matrix,
) -> f64 {
    let compute = Compute::default();
    let (mut matrix, mut memory) = (Matrix::default(), Memory::default());
    let mut sum = 0.0;
    for (steps, factor) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
        let mut moved = theta.to_vec();
        moved[parameter] += steps * h;
        kernel.refresh(&mut moved, x, &mut memory, &compute);
        kernel.matrix(&moved, x, &mut matrix, &mut memory, &compute);
        contract(slopes, |i, j, weight| {
            sum += factor * weight * matrix.column(j)[i];
        });
    }
    sum / (12.0 * h)
}

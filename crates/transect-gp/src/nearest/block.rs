//! The small dense algebra of one set of neighbours.

use super::Vecchia;
use crate::kernel::Memory;
use crate::linalg::{Factor, Matrix};
use crate::points::Points;

/// Added to the diagonal in turn, in units of its largest entry, when a factorisation fails.
const JITTERS: [f64; 4] = [0.0, 1e-9, 1e-6, 1e-3];

/// The covariance of a set and its factor, and memory for them.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The points of the set, embedded.
    pub(super) points: Points,
    pub(super) factor: Factor,
    pub(super) memory: Memory,
    covariance: Matrix,
}

impl Block {
    /// Factors the covariance of embedded points with `noise` on its diagonal.
    ///
    /// # Errors
    /// How many points there are, if no jitter helps.
    pub(super) fn factorise<'a>(
        &mut self,
        process: &Vecchia,
        rows: impl Iterator<Item = &'a [f64]> + Clone,
        noise: impl Iterator<Item = f64>,
    ) -> Result<(), usize> {
        let compute = process.compute.on_one_thread();
        self.points.gather(process.rows.width(), rows);
        let theta = process.kernel_theta();
        let Self {
            points,
            covariance,
            memory,
            ..
        } = self;
        process
            .kernel
            .embedded_matrix(theta, points, covariance, memory, &compute);
        let n = points.len();
        let mut largest = 0.0_f64;
        for (i, noise) in noise.enumerate() {
            let entry = &mut covariance.column_mut(i)[i];
            *entry += noise;
            largest = largest.max(*entry);
        }
        let is_factored = JITTERS.iter().any(|jitter| {
            let outcome = self.factor.factorise(n, &compute, |lower| {
                for j in 0..n {
                    lower.column_mut(j)[j..].copy_from_slice(&covariance.column(j)[j..]);
                    lower.column_mut(j)[j] += jitter * largest;
                }
            });
            outcome.is_ok()
        });
        if is_factored { Ok(()) } else { Err(n) }
    }
}

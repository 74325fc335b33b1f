//! What training targets would have been predicted to be without themselves.

use super::dots::dot;
use super::{Inverse, Regression, VARIANCE_FLOOR};
use crate::compute::Threads;
use crate::error::{GpError, Result};
use rayon::prelude::*;

/// Pivots that are smaller than this share of their diagonal are made of rounding errors.
const ROUNDING: f64 = 1e-12;

/// A prediction of one training target that was made without it, in raw units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeftOut {
    /// Mean predicted from the other points.
    pub mean: f64,
    /// Standard deviation, noise included, but not the point's [extra noise](Regression::set_extra_noise).
    pub std: f64,
    /// Log density of the target under that prediction.
    pub log_density: f64,
}

impl Regression {
    /// Leave-one-out predictions of every training target, in closed form. Asked again for [other
    /// targets](Regression::set_targets), they cost next to nothing.
    ///
    /// # Errors
    /// If there are no data or the covariance cannot be factored.
    pub fn leave_one_out(&mut self) -> Result<Vec<LeftOut>> {
        self.factorise()?;
        if self.known_inverse() == Inverse::Nothing {
            self.invert();
        }
        Ok(self.without_themselves().collect())
    }

    /// Predictions of some training targets without the points around them: of the last point of each block from
    /// all points that are not in the block, in closed form. A block of b points takes b^3 / 3 multiplications.
    ///
    /// # Errors
    /// If there are no data, a block is empty, names a point twice or one that is not there, or the covariance
    /// cannot be factored.
    pub fn leave_blocks_out(&mut self, blocks: &[Vec<usize>]) -> Result<Vec<LeftOut>> {
        self.factorise()?;
        if self.known_inverse() != Inverse::Whole {
            self.invert();
        }
        let model = &*self;
        match model.compute.threads {
            Threads::One => {
                let mut rows = Vec::new();
                let without = |block: &Vec<usize>| model.without_block(block, &mut rows);
                blocks.iter().map(without).collect()
            }
            Threads::All => {
                let without = |rows: &mut _, block: &Vec<usize>| model.without_block(block, rows);
                blocks.par_iter().map_init(Vec::new, without).collect()
            }
        }
    }

    fn known_inverse(&self) -> Inverse {
        self.state.map_or(Inverse::Nothing, |state| state.inverse)
    }

    /// The mean leave-one-out log density at the parameters of the last gradient.
    pub(crate) fn left_out_density(&self) -> f64 {
        let densities = self.without_themselves().map(|point| point.log_density);
        densities.sum::<f64>() / self.y.len() as f64
    }

    fn without_themselves(&self) -> impl Iterator<Item = LeftOut> + '_ {
        let weights = self.scratch.weights.column(0).iter();
        let precisions = self.scratch.inverse_diagonal.iter();
        let points = weights.zip(precisions).enumerate();
        points.map(|(i, (weight, precision))| self.off_by(i, weight / precision, *precision))
    }

    /// With `P` the block's part of `Ky^-1`, its errors are `P^-1 a` with covariance `P^-1`. Of the last point that is
    /// `u / l` and `1 / l^2`, where l is the last pivot of `P = R R'` and u the last entry of `R^-1 a`.
    ///
    /// `rows` is memory for R.
    fn without_block(&self, block: &[usize], rows: &mut Vec<f64>) -> Result<LeftOut> {
        let (size, points) = (block.len(), self.y.len());
        let &last = block.last().ok_or(GpError::Empty)?;
        if let Some(outside) = block.iter().find(|i| **i >= points) {
            return Err(GpError::Length {
                what: format!("point {outside} of a block left out, counted from 0"),
                expected: points,
                got: outside + 1,
            });
        }
        let inverse = &self.scratch.inverse;
        let weights = self.scratch.weights.column(0);
        // The last column is R^-1 a.
        let width = size + 1;
        rows.clear();
        rows.resize(size * width, 0.0);
        let mut pivot = 1.0;
        for (r, &i) in block.iter().enumerate() {
            let (above, row) = rows.split_at_mut(r * width);
            for (c, &j) in block.iter().enumerate().take(r) {
                let other = &above[c * width..][..width];
                let done = dot(&row[..c], &other[..c], self.compute.simd);
                row[c] = (inverse.column(i.min(j))[i.max(j)] - done) / other[c];
            }
            let left = &row[..r];
            let square = inverse.column(i)[i] - dot(left, left, self.compute.simd);
            if square.is_nan() || square <= ROUNDING * inverse.column(i)[i] {
                return Err(GpError::Block { point: last });
            }
            pivot = square.sqrt();
            let solved: f64 = (0..r).map(|c| left[c] * above[c * width + size]).sum();
            row[r] = pivot;
            row[size] = (weights[i] - solved) / pivot;
        }
        let solved = rows.last().copied().unwrap_or_default();
        Ok(self.off_by(last, solved / pivot, pivot * pivot))
    }

    /// The prediction of point `i` that is off by `error` and has this precision, both standardised.
    fn off_by(&self, i: usize, error: f64, precision: f64) -> LeftOut {
        let unit = self.targets.unit();
        // Its own extra noise says nothing about what an ordinary measurement would have been.
        let extra = self.extra_noise.get(i).copied().unwrap_or(0.0);
        let std = match extra > 0.0 {
            true => (1.0 / precision - extra).max(VARIANCE_FLOOR).sqrt(),
            false => 1.0 / precision.sqrt(),
        };
        LeftOut {
            mean: self.targets.unscale(self.y[i] - error),
            std: unit * std,
            log_density: 0.5 * (precision.ln() - std::f64::consts::TAU.ln())
                - 0.5 * error * error * precision
                - unit.ln(),
        }
    }
}

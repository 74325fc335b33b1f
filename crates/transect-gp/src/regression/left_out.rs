//! Predictions of training targets from the other points, in closed form.

use super::{Inverse, Regression};
use crate::compute::Threads;
use crate::error::{GpError, Result};
use crate::linalg::dots::dot;
use crate::posterior::VARIANCE_FLOOR;
use rayon::prelude::*;
use std::borrow::Cow;

/// Pivots that are smaller than this share of their diagonal are made of rounding errors.
const ROUNDING: f64 = 1e-12;

/// A prediction of one training target, made without it, in raw units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeftOut {
    /// Mean predicted from the other points.
    pub mean: f64,
    /// Standard deviation, noise included, but not the point's [extra noise](Regression::set_extra_noise).
    pub std: f64,
    /// Log density of the target under that prediction.
    pub log_density: f64,
}

/// Standardised targets y and their weights `Ky^-1 y`.
struct Targets<'a> {
    y: Cow<'a, [f64]>,
    weights: Cow<'a, [f64]>,
}

impl Regression {
    /// Leave-one-out predictions, in closed form: of every training target, or of `others` at the same points (raw
    /// units), which cost next to nothing when asked for after the targets themselves.
    ///
    /// # Errors
    /// If there are no data, the covariance cannot be factored, or there are more or fewer other targets than points.
    pub fn leave_one_out(&mut self, others: Option<&[f64]>) -> Result<Vec<LeftOut>> {
        self.factorise()?;
        if self.known_inverse() == Inverse::Nothing {
            self.invert();
        }
        let targets = self.targets_of(others)?;
        Ok(self.without_themselves(&targets).collect())
    }

    fn targets_of(&self, others: Option<&[f64]>) -> Result<Targets<'_>> {
        let Some(others) = others else {
            return Ok(self.own_targets());
        };
        let y = self.scaled(others)?;
        Ok(Targets {
            weights: Cow::Owned(self.weights_of(&y)),
            y: Cow::Owned(y),
        })
    }

    fn own_targets(&self) -> Targets<'_> {
        Targets {
            y: Cow::Borrowed(&self.y),
            weights: Cow::Borrowed(self.scratch.weights.column(0)),
        }
    }

    /// Predictions of some training targets, or of `others` at the same points, without the points around them: of the
    /// last point of each block from all points that are not in the block, in closed form. A block of b points takes
    /// b^3 / 3 multiplications.
    ///
    /// # Errors
    /// If there are no data, a block is empty, names a point twice or one that is not there, or the covariance
    /// cannot be factored.
    pub fn leave_blocks_out(
        &mut self,
        blocks: &[Vec<usize>],
        others: Option<&[f64]>,
    ) -> Result<Vec<LeftOut>> {
        self.factorise()?;
        if self.known_inverse() != Inverse::Whole {
            self.invert();
        }
        let model = &*self;
        let targets = &model.targets_of(others)?;
        match model.compute.threads {
            Threads::One => {
                let mut rows = Vec::new();
                let without = |block: &Vec<usize>| model.without_block(block, targets, &mut rows);
                blocks.iter().map(without).collect()
            }
            Threads::All => {
                let without =
                    |rows: &mut _, block: &Vec<usize>| model.without_block(block, targets, rows);
                blocks.par_iter().map_init(Vec::new, without).collect()
            }
        }
    }

    fn known_inverse(&self) -> Inverse {
        self.state.map_or(Inverse::Nothing, |state| state.inverse)
    }

    /// The mean leave-one-out log density at the parameters of the last gradient.
    pub(crate) fn left_out_density(&self) -> f64 {
        let own = self.own_targets();
        let densities = self.without_themselves(&own).map(|point| point.log_density);
        densities.sum::<f64>() / self.y.len() as f64
    }

    fn without_themselves<'a>(
        &'a self,
        targets: &'a Targets<'a>,
    ) -> impl Iterator<Item = LeftOut> + 'a {
        let weights = targets.weights.iter();
        let precisions = self.scratch.inverse_diagonal.iter();
        let points = weights.zip(precisions).enumerate();
        points.map(|(i, (weight, precision))| {
            self.off_by((i, targets.y[i]), weight / precision, *precision)
        })
    }

    /// With `P` the block's part of `Ky^-1`, its errors are `P^-1 a` with covariance `P^-1`. Of the last point that is
    /// `u / l` and `1 / l^2`, where l is the last pivot of `P = R R'` and u the last entry of `R^-1 a`.
    ///
    /// `rows` is memory for R.
    fn without_block(
        &self,
        block: &[usize],
        targets: &Targets<'_>,
        rows: &mut Vec<f64>,
    ) -> Result<LeftOut> {
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
        let weights = &*targets.weights;
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
        Ok(self.off_by((last, targets.y[last]), solved / pivot, pivot * pivot))
    }

    /// The prediction of point `i`, with target `y`, that is off by `error` and has this precision, all standardised.
    fn off_by(&self, (i, y): (usize, f64), error: f64, precision: f64) -> LeftOut {
        let unit = self.targets.unit();
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
                - 0.5 * error * error * precision
                - unit.ln(),
        }
    }
}

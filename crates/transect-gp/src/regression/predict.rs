//! Predictions: at each of many points, jointly, and as samples.

use super::dots::{dot, dots};
use super::{JITTERS, Regression, Scratch, VARIANCE_FLOOR, kernel_and_noise};
use crate::error::{GpError, Result, require_finite};
use crate::linalg::{Factor, Matrix, solve_lower};
use crate::points::Points;

/// Test points handled together: their kernel block stays in the cache.
const CHUNK: usize = 512;

/// Whether a prediction is of the next measurement or of the quantity itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// A measurement: its uncertainty includes the noise.
    Measurement,
    /// The quantity itself.
    Quantity,
}

/// Predictions in raw units.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prediction {
    /// Means.
    pub mean: Vec<f64>,
    /// Standard deviations.
    pub std: Vec<f64>,
    /// How many variances rounding had pushed below the floor.
    pub floored: usize,
}

impl Regression {
    /// Predicts at `points`.
    ///
    /// # Errors
    /// If the dimension differs, there are no data, or the covariance cannot be factored.
    pub fn predict(&mut self, points: &Points, of: Of) -> Result<Prediction> {
        let points = self.inputs.scale(points)?;
        self.factorise()?;
        let (theta, noise) = kernel_and_noise(&self.params);
        let mut prediction = Prediction {
            mean: Vec::with_capacity(points.len()),
            std: Vec::with_capacity(points.len()),
            floored: 0,
        };
        let mut variances = vec![0.0; points.len()];
        self.kernel.diagonal(theta, &points, &mut variances);
        let layer = points.layer();
        let step = (CHUNK / layer).max(1) * layer;
        let Scratch {
            cross,
            packed,
            products,
            weights,
            ..
        } = &mut self.scratch;
        packed.pack(self.factor.lower(), &self.compute);
        let weights = weights.column(0);
        for from in (0..points.len()).step_by(step) {
            let chunk = points.slice(from, (from + step).min(points.len()));
            self.kernel
                .cross(theta, &self.x, &chunk, cross, &self.compute);
            dots(cross, Some(weights), self.compute.simd, products);
            let means = products.iter().map(|mean| self.targets.unscale(*mean));
            prediction.mean.extend(means);
            packed.solve(cross, &self.compute);
            dots(cross, None, self.compute.simd, products);
            for (prior, explained) in variances[from..].iter().zip(&*products) {
                let mut variance = prior - explained;
                if variance < VARIANCE_FLOOR {
                    variance = VARIANCE_FLOOR;
                    prediction.floored += 1;
                }
                if of == Of::Measurement {
                    variance += noise;
                }
                prediction.std.push(variance.sqrt() * self.targets.unit());
            }
        }
        require_finite("predicted mean", &prediction.mean)?;
        require_finite("predicted deviation", &prediction.std)?;
        Ok(prediction)
    }

    /// Means and the lower triangle of the joint covariance of the quantity at `points`, in raw
    /// units.
    ///
    /// # Errors
    /// As [`Regression::predict`].
    pub fn predict_jointly(&mut self, points: &Points) -> Result<(Vec<f64>, Matrix)> {
        let points = self.inputs.scale(points)?;
        self.factorise()?;
        let (theta, _) = kernel_and_noise(&self.params);
        let cross = &mut self.scratch.cross;
        self.kernel
            .cross(theta, &self.x, &points, cross, &self.compute);
        let weights = self.scratch.weights.column(0);
        let products = &mut self.scratch.products;
        dots(cross, Some(weights), self.compute.simd, products);
        let mean = products.iter().map(|m| self.targets.unscale(*m)).collect();
        solve_lower(self.factor.lower().view(), cross.view_mut(), &self.compute);
        let mut covariance = Matrix::default();
        self.kernel
            .cross(theta, &points, &points, &mut covariance, &self.compute);
        let unit = self.targets.unit();
        for j in 0..points.len() {
            for i in j..points.len() {
                let prior = covariance.column(j)[i];
                let posterior = prior - dot(cross.column(i), cross.column(j), self.compute.simd);
                covariance.column_mut(j)[i] = posterior * unit * unit;
            }
        }
        Ok((mean, covariance))
    }

    /// Draws `count` functions from the posterior at `points`, in raw units; `normal` yields
    /// standard normal deviates.
    ///
    /// # Errors
    /// As [`Regression::predict`].
    pub fn sample(
        &mut self,
        points: &Points,
        count: usize,
        mut normal: impl FnMut() -> f64,
    ) -> Result<Vec<Vec<f64>>> {
        let (mean, covariance) = self.predict_jointly(points)?;
        let n = mean.len();
        let scale = self.targets.unit() * self.targets.unit();
        let mut factor = Factor::default();
        let mut pivot = 0;
        // The posterior of points close to data is singular up to rounding: jitter from the start.
        for jitter in [1e-10, 1e-8, 1e-6, 1e-5, 1e-4] {
            let build = |out: &mut Matrix| {
                for j in 0..n {
                    out.column_mut(j)[j..].copy_from_slice(&covariance.column(j)[j..]);
                    out.column_mut(j)[j] += jitter * scale;
                }
            };
            match factor.factorise(n, &self.compute, build) {
                Err(failed) => pivot = failed,
                Ok(()) => {
                    let draw = |_| {
                        let deviates: Vec<f64> = (0..n).map(|_| normal()).collect();
                        let mut sample = mean.clone();
                        for (j, deviate) in deviates.iter().enumerate() {
                            let column = &factor.lower().column(j)[j..];
                            for (value, l) in sample[j..].iter_mut().zip(column) {
                                *value += l * deviate;
                            }
                        }
                        sample
                    };
                    return Ok((0..count).map(draw).collect());
                }
            }
        }
        Err(GpError::NotPositiveDefinite {
            size: n,
            pivot,
            jitter: JITTERS[JITTERS.len() - 1],
            parameters: self.params.summary(),
        })
    }
}

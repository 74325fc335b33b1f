//! Several places together: covariances and samples.

use super::given::subtract_product;
use super::{Of, Posterior, VARIANCE_FLOOR, Workspace};
use crate::compute::Compute;
use crate::error::{GpError, Result, require_finite};
use crate::linalg::dots::dots;
use crate::linalg::{Factor, Matrix};
use crate::points::Points;

/// Shares of the mean variance that are added to the diagonal in turn until a sample can be drawn: the posterior of places
/// close to readings is singular up to rounding.
const SAMPLE_JITTERS: [f64; 5] = [1e-10, 1e-8, 1e-6, 1e-5, 1e-4];

/// What is known of several places together, in raw units.
#[derive(Debug, Clone)]
pub struct Joint {
    /// Means.
    pub mean: Vec<f64>,
    /// Covariances, both triangles, in squared units.
    pub covariance: Matrix,
}

impl Joint {
    /// Draws `count` surfaces at the places; `normal` yields standard normal deviates.
    ///
    /// # Errors
    /// If the covariance cannot be factored.
    pub fn samples(&self, count: usize, mut normal: impl FnMut() -> f64) -> Result<Vec<Vec<f64>>> {
        let n = self.mean.len();
        let diagonal = (0..n).map(|i| self.covariance.column(i)[i]);
        let scale = diagonal.sum::<f64>() / n.max(1) as f64;
        let mut factor = Factor::default();
        let mut pivot = 0;
        for jitter in SAMPLE_JITTERS {
            let build = |out: &mut Matrix| {
                out.clone_from(&self.covariance);
                (0..n).for_each(|j| out.column_mut(j)[j] += jitter * scale);
            };
            match factor.factorise(n, &Compute::default(), build) {
                Err(failed) => pivot = failed,
                Ok(()) => {
                    return Ok((0..count)
                        .map(|_| self.draw(factor.lower(), &mut normal))
                        .collect());
                }
            }
        }
        Err(GpError::NotPositiveDefinite {
            size: n,
            pivot,
            jitter: SAMPLE_JITTERS[SAMPLE_JITTERS.len() - 1],
            parameters: String::from("joint posterior"),
        })
    }

    fn draw(&self, lower: &Matrix, normal: &mut impl FnMut() -> f64) -> Vec<f64> {
        let mut sample = self.mean.clone();
        for j in 0..sample.len() {
            let deviate = normal();
            for (value, l) in sample[j..].iter_mut().zip(&lower.column(j)[j..]) {
                *value += l * deviate;
            }
        }
        sample
    }
}

impl Posterior {
    /// Means and joint covariance at `points`, in raw units.
    ///
    /// # Errors
    /// If the dimension differs.
    pub fn joint(&self, points: &Points, of: Of) -> Result<Joint> {
        let known = &*self.known;
        let scaled = known.inputs.scale(points)?;
        let mut work = Workspace::default();
        let mean = self.solve(&scaled, &mut work);
        let mut covariance = Matrix::default();
        let (theta, compute) = (&known.theta, &known.compute);
        let memory = &mut work.memory;
        let kernel = &known.kernel;
        kernel.cross(theta, &scaled, &scaled, &mut covariance, memory, compute);
        subtract_product(&mut covariance, &work.solved, &work.solved, known);
        if self.given.is_some() {
            subtract_product(&mut covariance, &work.gained, &work.gained, known);
        }
        // Products of the two triangles may differ in the last bit.
        covariance.mirror();
        let (unit, noise) = (known.targets.unit(), known.noise);
        for j in 0..scaled.len() {
            let column = covariance.column_mut(j);
            if column[j] < VARIANCE_FLOOR {
                column[j] = VARIANCE_FLOOR;
            }
            if of == Of::Measurement {
                column[j] += noise;
            }
            column.iter_mut().for_each(|c| *c *= unit * unit);
            require_finite("covariance", column)?;
        }
        require_finite("predicted mean", &mean)?;
        Ok(Joint { mean, covariance })
    }

    /// Covariances of the quantity at each of `rows` with that at each of `columns`, in squared raw units.
    ///
    /// # Errors
    /// If a dimension differs.
    pub fn covariance(&self, rows: &Points, columns: &Points) -> Result<Matrix> {
        let known = &*self.known;
        let (rows, columns) = (known.inputs.scale(rows)?, known.inputs.scale(columns)?);
        let (mut left, mut right) = (Workspace::default(), Workspace::default());
        self.solve(&rows, &mut left);
        self.solve(&columns, &mut right);
        let mut covariance = Matrix::default();
        let (theta, compute) = (&known.theta, &known.compute);
        let memory = &mut left.memory;
        let kernel = &known.kernel;
        kernel.cross(theta, &rows, &columns, &mut covariance, memory, compute);
        subtract_product(&mut covariance, &left.solved, &right.solved, known);
        if self.given.is_some() {
            subtract_product(&mut covariance, &left.gained, &right.gained, known);
        }
        let unit = known.targets.unit();
        for j in 0..columns.len() {
            let column = covariance.column_mut(j);
            column.iter_mut().for_each(|c| *c *= unit * unit);
        }
        Ok(covariance)
    }

    /// V, C and the means of scaled places.
    fn solve(&self, scaled: &Points, work: &mut Workspace) -> Vec<f64> {
        let known = &*self.known;
        let (theta, compute) = (&known.theta, &known.compute);
        let kernel = &known.kernel;
        let (cross, memory) = (&mut work.solved, &mut work.memory);
        kernel.cross(theta, &known.x, scaled, cross, memory, compute);
        let mut products = Vec::new();
        let weights = known.weights.first().map(Vec::as_slice);
        dots(cross, weights, compute.simd, &mut products);
        let mut mean = products.clone();
        known.lower.solve(cross, compute);
        if let Some(given) = &self.given {
            given.columns(known, scaled, work);
            let news = given.news().first().map(Vec::as_slice);
            dots(&work.gained, news, compute.simd, &mut products);
            super::add(&mut mean, &products);
        }
        mean.iter().map(|m| known.targets.unscale(*m)).collect()
    }
}

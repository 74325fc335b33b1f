//! What would be known after measuring at some places, without measuring.
//!
//! A reading's value changes means, but its place alone decides variances. So hypothetical readings are columns
//! `B = L^-1 K(X, P)` and a small factor M beside the posterior's own, which is shared and not copied.

use super::{Known, Of, Posterior, Workspace};
use crate::error::{GpError, Result, require_finite};
use crate::kernel::Memory;
use crate::linalg::{Factor, Matrix, solve_lower};
use crate::points::Points;
use crate::regression::JITTERS;
use faer::Accum;
use faer::linalg::matmul::matmul;
use std::sync::Arc;

/// Hypothetical readings.
#[derive(Debug, Clone)]
pub(super) struct Given {
    /// P, scaled.
    points: Points,
    /// B.
    solved: Matrix,
    /// M.
    factor: Factor,
    /// `M^-1 (r - m)` for every column of targets, standardised.
    news: Vec<Vec<f64>>,
}

impl Given {
    pub(super) fn len(&self) -> usize {
        self.points.len()
    }

    /// `M^-1 (r - m)` for every column of targets; zero where the readings are taken to be what is expected.
    pub(super) fn news(&self) -> &[Vec<f64>] {
        &self.news
    }

    /// C of some places, from their V.
    pub(super) fn columns(&self, known: &Known, places: &Points, work: &mut Workspace) {
        let Workspace {
            gained,
            given_memory: memory,
            solved,
            ..
        } = work;
        let (theta, compute) = (&known.theta, &known.compute);
        let kernel = &known.kernel;
        kernel.cross(theta, &self.points, places, gained, memory, compute);
        subtract_product(gained, &self.solved, solved, known);
        solve_lower(self.factor.lower().view(), gained.view_mut(), compute);
    }
}

impl Given {
    /// Extends `M^-1 (r - m)` by the last places, by forward substitution with their rows of M.
    fn hear(&mut self, surprises: &[Vec<f64>]) {
        let lower = self.factor.lower();
        for (news, surprises) in self.news.iter_mut().zip(surprises) {
            let before = news.len();
            for (i, surprise) in surprises.iter().enumerate() {
                let row = before + i;
                let solved: f64 = (before..row).map(|j| lower.column(j)[row] * news[j]).sum();
                news.push((surprise - solved) / lower.column(row)[row]);
            }
        }
    }
}

impl Posterior {
    /// What would be known after one more reading at each of `points`, with the noise that readings have. Means stay,
    /// because the readings are taken to be what is expected. Costs N² for each place, and little more for each prediction;
    /// the model is not copied.
    ///
    /// # Errors
    /// If the dimension differs, or the places' covariance cannot be factored.
    pub fn given(&self, points: &Points) -> Result<Self> {
        self.given_readings(points, &[])
    }

    /// The same after readings of these values (raw units), one list for each column of targets; columns without a list
    /// read what is expected.
    ///
    /// # Errors
    /// As [`Posterior::given`]; if there are more or fewer values than points.
    pub fn given_readings(&self, points: &Points, readings: &[&[f64]]) -> Result<Self> {
        let known = &*self.known;
        if points.is_empty() {
            return Ok(self.clone());
        }
        let surprises = self.surprises(points, readings)?;
        let points = known.inputs.scale(points)?;
        let (theta, compute) = (&known.theta, &known.compute);
        let (kernel, mut memory) = (&known.kernel, Memory::default());
        let mut work = Workspace::default();
        kernel.cross(
            theta,
            &known.x,
            &points,
            &mut work.solved,
            &mut memory,
            compute,
        );
        known.lower.solve(&mut work.solved, compute);
        let mut corner = Matrix::default();
        kernel.cross(theta, &points, &points, &mut corner, &mut memory, compute);
        subtract_product(&mut corner, &work.solved, &work.solved, known);
        let mut pivot = 0;
        for jitter in JITTERS {
            let mut noisy = corner.clone();
            for j in 0..noisy.columns() {
                noisy.column_mut(j)[j] += known.noise + jitter;
            }
            match self.extended(&points, &work.solved, &noisy, &surprises) {
                Ok(given) => {
                    return Ok(Self {
                        known: Arc::clone(&self.known),
                        given: Some(Arc::new(given)),
                    });
                }
                Err(failed) => pivot = failed,
            }
        }
        Err(GpError::NotPositiveDefinite {
            size: self.hypothetical() + points.len(),
            pivot,
            jitter: JITTERS[JITTERS.len() - 1],
            parameters: String::from("hypothetical readings"),
        })
    }

    /// By how much readings differ from what is expected, standardised.
    fn surprises(&self, points: &Points, readings: &[&[f64]]) -> Result<Vec<Vec<f64>>> {
        let known = &*self.known;
        let mut surprises = vec![vec![0.0; points.len()]; known.weights.len()];
        if readings.is_empty() {
            return Ok(surprises);
        }
        let expected = self.predict_columns(points, Of::Quantity)?;
        for ((to, readings), expected) in surprises.iter_mut().zip(readings).zip(expected) {
            if readings.len() != points.len() {
                return Err(GpError::Length {
                    what: "hypothetical readings".into(),
                    expected: points.len(),
                    got: readings.len(),
                });
            }
            require_finite("hypothetical reading", readings)?;
            for ((to, reading), mean) in to.iter_mut().zip(*readings).zip(&expected.mean) {
                *to = (reading - mean) / known.targets.unit();
            }
        }
        Ok(surprises)
    }

    /// The hypothetical readings so far and those at `points`, whose own columns are `solved` and whose own
    /// covariance, noise included, is `corner`.
    fn extended(
        &self,
        points: &Points,
        solved: &Matrix,
        corner: &Matrix,
        surprises: &[Vec<f64>],
    ) -> std::result::Result<Given, usize> {
        let known = &*self.known;
        let Some(before) = &self.given else {
            let mut factor = Factor::default();
            factor.factorise(points.len(), &known.compute, |out| out.clone_from(corner))?;
            let mut given = Given {
                points: points.clone(),
                solved: solved.clone(),
                factor,
                news: vec![Vec::new(); surprises.len()],
            };
            given.hear(surprises);
            return Ok(given);
        };
        let mut cross = Matrix::default();
        let (theta, compute) = (&known.theta, &known.compute);
        let mut memory = Memory::default();
        known.kernel.cross(
            theta,
            &before.points,
            points,
            &mut cross,
            &mut memory,
            compute,
        );
        subtract_product(&mut cross, &before.solved, solved, known);
        let mut given = Given::clone(before);
        given.factor.extend(&mut cross, corner, compute)?;
        // Dimensions agree: both were scaled by the same scaler.
        given.points.append(points).map_err(|_| 0_usize)?;
        given.solved.append_columns(solved);
        given.hear(surprises);
        Ok(given)
    }
}

/// `to - left' right`.
pub(super) fn subtract_product(to: &mut Matrix, left: &Matrix, right: &Matrix, known: &Known) {
    let flops = left.rows() * left.columns() * right.columns();
    matmul(
        to.view_mut(),
        Accum::Add,
        left.view().transpose(),
        right.view(),
        -1.0,
        known.compute.par(flops),
    );
}

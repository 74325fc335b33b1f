//! The joint distribution of a few hundred places.
//!
//! The places come after the data in the order, one after the other, and are conditioned on their neighbours among the
//! data (noisy) and among the places before them (the surface itself). With `f_j = b_j' f_before + w_j' y + e_j`, means
//! and covariances follow row by row: `cov(f_j, f_l) = sum_k b_jk cov(f_k, f_l)`,
//! `var f_j = var e_j + sum_k b_jk cov(f_k, f_j)`.

use super::sets::Place;
use super::tree::squared;
use super::{Vecchia, View};
use crate::error::Result;
use crate::linalg::{Matrix, solve_lower_transposed};
use crate::points::Points;
use crate::posterior::Joint;

/// Places before a place that it is conditioned on, at most: the nearest.
const BEFORE: usize = 64;

/// How a place depends on those before it and on the data.
struct Dependence {
    before: Vec<usize>,
    /// Weights of these.
    weights: Vec<f64>,
    /// What the data add to the mean.
    constant: f64,
    /// The variance that is left.
    variance: f64,
}

impl Vecchia {
    /// Mean and covariance of the surface at `places`, in raw units and without noise.
    ///
    /// # Errors
    /// As [`Vecchia::marginals`].
    pub fn joint(&self, places: &Points) -> Result<Joint> {
        self.view().joint(places)
    }
}

impl View<'_> {
    pub(super) fn joint(&self, places: &Points) -> Result<Joint> {
        let process = self.process;
        let rows = process.embedding_of(places)?;
        let dim = places.dim();
        let numbers: Vec<usize> = (0..places.len()).collect();
        let dependences = process.on_threads(&numbers, |worker, j| {
            let at = rows.row(*j);
            let distance = |k: &usize| squared(&rows.row(*k)[..dim], &at[..dim]);
            let mut before: Vec<usize> = (0..*j).collect();
            before.sort_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.cmp(b)));
            before.truncate(BEFORE);
            let mut chosen = std::mem::take(&mut worker.chosen);
            chosen.clear();
            let place = Place::anywhere(at);
            (worker.search).choose(self, process.neighbours, place, &mut chosen);
            let outcome = self.dependence(&rows, (*j, before), &chosen, &mut worker.block);
            worker.chosen = chosen;
            outcome
        })?;
        let mut mean = vec![0.0; places.len()];
        let mut covariance = Matrix::zeros(places.len(), places.len());
        for (j, one) in dependences.iter().enumerate() {
            let pairs = || one.before.iter().zip(&one.weights);
            mean[j] = one.constant + pairs().map(|(k, b)| b * mean[*k]).sum::<f64>();
            for l in 0..j {
                let sum: f64 = pairs().map(|(k, b)| b * covariance.column(l)[*k]).sum();
                covariance.column_mut(l)[j] = sum;
                covariance.column_mut(j)[l] = sum;
            }
            let shared: f64 = pairs().map(|(k, b)| b * covariance.column(j)[*k]).sum();
            covariance.column_mut(j)[j] = one.variance + shared;
        }
        let unit = process.targets.unit();
        for j in 0..places.len() {
            let column = covariance.column_mut(j);
            column.iter_mut().for_each(|v| *v *= unit * unit);
            mean[j] = process.targets.unscale(mean[j]);
        }
        Ok(Joint { mean, covariance })
    }

    /// Data come first in the block, then the places before, then the place itself.
    fn dependence(
        &self,
        rows: &super::rows::Rows,
        (j, before): (usize, Vec<usize>),
        chosen: &[u32],
        block: &mut super::block::Block,
    ) -> Result<Dependence> {
        let process = self.process;
        let data = chosen.iter().map(|i| *i as usize);
        let members = before.iter().copied().chain([j]).map(|k| rows.row(k));
        let all = data.clone().map(|i| self.row(i)).chain(members);
        let noise = data.clone().map(|i| self.noise(i));
        block
            .factorise(process, all, noise)
            .map_err(|size| process.not_positive_definite(size))?;
        let m = chosen.len() + before.len();
        let lower = block.factor.lower();
        let mut weights = Matrix::zeros(m, 1);
        for i in 0..m {
            weights.column_mut(0)[i] = lower.column(i)[m];
        }
        let variance = lower.column(m)[m].powi(2);
        let compute = process.compute.on_one_thread();
        let corner = lower.view().submatrix(0, 0, m, m);
        solve_lower_transposed(corner, weights.view_mut(), &compute);
        let weights = weights.column(0);
        let of_data = data.zip(weights).map(|(i, w)| w * self.y(i));
        Ok(Dependence {
            constant: of_data.sum(),
            weights: weights[chosen.len()..].to_vec(),
            before,
            variance,
        })
    }
}

//! The joint distribution of a few hundred places, and surfaces drawn at a few thousand.
//!
//! The places come after the data in the order, one after the other, and are conditioned on their neighbours among the
//! data (noisy) and among the places before them (the surface itself). With `f_j = b_j' f_before + w_j' y + e_j`, means
//! and covariances follow row by row: `cov(f_j, f_l) = sum_k b_jk cov(f_k, f_l)`,
//! `var f_j = var e_j + sum_k b_jk cov(f_k, f_j)`. A surface is drawn by drawing `e_j` in turn, so that nothing of the
//! size of all places is factored or even held.

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

    /// Draws `count` surfaces at `places`, in raw units and without noise; `normal` yields standard normal deviates.
    /// Places in random order, rather than row by row, make the best use of the few that each is conditioned on.
    ///
    /// # Errors
    /// As [`Vecchia::marginals`].
    pub fn samples(
        &self,
        places: &Points,
        count: usize,
        mut normal: impl FnMut() -> f64,
    ) -> Result<Vec<Vec<f64>>> {
        let dependences = self.view().dependences(places)?;
        let mut draw = || {
            let mut surface: Vec<f64> = Vec::with_capacity(places.len());
            for one in &dependences {
                let expected = one.expected(&surface);
                surface.push(expected + one.variance.sqrt() * normal());
            }
            let raw = surface.iter().map(|f| self.targets.unscale(*f));
            raw.collect()
        };
        Ok((0..count).map(|_| draw()).collect())
    }
}

impl Dependence {
    /// What is expected of the place where those before it have these values.
    fn expected(&self, values: &[f64]) -> f64 {
        let pairs = self.before.iter().zip(&self.weights);
        self.constant + pairs.map(|(k, b)| b * values[*k]).sum::<f64>()
    }
}

impl View<'_> {
    /// How each place depends on those before it and on the data.
    fn dependences(&self, places: &Points) -> Result<Vec<Dependence>> {
        let process = self.process;
        let rows = process.embedding_of(places)?;
        let dim = places.dim();
        let numbers: Vec<usize> = (0..places.len()).collect();
        process.on_threads(&numbers, |worker, j| {
            let at = rows.row(*j);
            let distance = |k: usize| squared(&rows.row(k)[..dim], &at[..dim]);
            let mut nearest: Vec<(f64, usize)> = (0..*j).map(|k| (distance(k), k)).collect();
            let order =
                |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
            if nearest.len() > BEFORE {
                nearest.select_nth_unstable_by(BEFORE, order);
                nearest.truncate(BEFORE);
            }
            nearest.sort_unstable_by(order);
            let before = nearest.iter().map(|(_, k)| *k).collect();
            let mut chosen = std::mem::take(&mut worker.chosen);
            chosen.clear();
            let place = Place::anywhere(at);
            (worker.search).choose(self, process.neighbours, place, &mut chosen);
            let outcome = self.dependence(&rows, (*j, before), &chosen, &mut worker.block);
            worker.chosen = chosen;
            outcome
        })
    }

    pub(super) fn joint(&self, places: &Points) -> Result<Joint> {
        let process = self.process;
        let dependences = self.dependences(places)?;
        let mut mean = Vec::with_capacity(places.len());
        let mut covariance = Matrix::zeros(places.len(), places.len());
        for (j, one) in dependences.iter().enumerate() {
            let pairs = || one.before.iter().zip(&one.weights);
            mean.push(one.expected(&mean));
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

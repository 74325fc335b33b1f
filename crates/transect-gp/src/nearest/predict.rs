//! Marginals at many places.
//!
//! Places next to each other share a set: the union of theirs. It holds each one's own neighbours, costs one
//! factorisation instead of many, and leaves no seams but those of neighbours.

use super::block::Block;
use super::levels::codes;
use super::rows::Rows;
use super::sets::{Place, Search, Sets};
use super::{CHUNK, Conditional, Vecchia, View};
use crate::compute::Threads;
use crate::error::{GpError, Result};
use crate::kernel::Memory;
use crate::linalg::{Matrix, solve_lower};
use crate::points::Points;
use crate::posterior::Prediction;
use rayon::prelude::*;

/// Places that share a set, at most.
const TOGETHER: usize = 16;
/// Points in a shared set, in those of a single place.
const CROWD: f64 = 1.8;
/// The smallest predictive variance, in units of the prior one.
const VARIANCE_FLOOR: f64 = 1e-9;

/// Memory of one thread.
#[derive(Debug, Default)]
pub(super) struct Worker {
    pub(super) search: Search,
    pub(super) block: Block,
    pub(super) chosen: Vec<u32>,
    sets: Sets,
    places: Points,
    cross: Matrix,
    values: Matrix,
    prior: Vec<f64>,
}

/// A Gaussian, standardised.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Marginal {
    pub(super) mean: f64,
    pub(super) variance: f64,
}

impl View<'_> {
    pub(super) fn marginals(&self, places: &Points) -> Result<Prediction> {
        let process = self.process;
        let rows = process.embedding_of(places)?;
        let mut order: Vec<u32> = (0..places.len() as u32).collect();
        let codes = codes(&process.inputs.scale(places)?);
        order.sort_by_key(|i| codes[*i as usize]);
        let groups: Vec<&[u32]> = order.chunks(TOGETHER).collect();
        let told = process.on_threads(&groups, |worker, group| {
            let mut told = vec![Marginal::default(); group.len()];
            self.group(&rows, group, worker, &mut told)?;
            Ok(told)
        })?;
        let mut marginals = vec![Marginal::default(); places.len()];
        let all = groups.iter().copied().flatten();
        for (i, one) in all.zip(told.into_iter().flatten()) {
            marginals[*i as usize] = one;
        }
        Ok(process.prediction(&marginals))
    }

    fn group(
        &self,
        rows: &Rows,
        group: &[u32],
        worker: &mut Worker,
        told: &mut [Marginal],
    ) -> Result<()> {
        let mut sets = std::mem::take(&mut worker.sets);
        sets.clear();
        for i in group {
            let place = Place::anywhere(rows.row(*i as usize));
            let neighbours = self.process.neighbours;
            (worker.search).choose(self, neighbours, place, &mut sets.numbers);
            sets.ends.push(sets.numbers.len());
        }
        let outcome = self.share(rows, group, (&sets, 0), worker, told);
        worker.sets = sets;
        outcome
    }

    /// Predicts places whose sets begin with number `first`: from one set if that is not too large, or else in halves.
    fn share(
        &self,
        rows: &Rows,
        group: &[u32],
        (sets, first): (&Sets, usize),
        worker: &mut Worker,
        told: &mut [Marginal],
    ) -> Result<()> {
        let mut chosen = std::mem::take(&mut worker.chosen);
        chosen.clear();
        let mut most = 0;
        for set in sets.iter().skip(first).take(group.len()) {
            chosen.extend_from_slice(set);
            most = most.max(set.len());
        }
        chosen.sort_unstable();
        chosen.dedup();
        let is_crowded = group.len() > 1 && chosen.len() as f64 > CROWD * most as f64;
        if !is_crowded {
            let places = group.iter().map(|i| rows.row(*i as usize));
            let outcome = self.tell(places, &chosen, worker, told);
            worker.chosen = chosen;
            return outcome;
        }
        worker.chosen = chosen;
        let half = group.len() / 2;
        let (to_first, to_second) = told.split_at_mut(half);
        self.share(rows, &group[..half], (sets, first), worker, to_first)?;
        let second = (sets, first + half);
        self.share(rows, &group[half..], second, worker, to_second)
    }

    /// Predicts embedded places from the points `chosen`.
    fn tell<'a>(
        &self,
        places: impl Iterator<Item = &'a [f64]> + Clone,
        chosen: &[u32],
        worker: &mut Worker,
        told: &mut [Marginal],
    ) -> Result<()> {
        let process = self.process;
        let compute = process.compute.on_one_thread();
        let Worker {
            block,
            places: points,
            cross,
            values,
            prior,
            ..
        } = worker;
        let numbers = chosen.iter().map(|i| *i as usize);
        let noise = numbers.clone().map(|i| self.noise(i));
        block
            .factorise(process, numbers.clone().map(|i| self.row(i)), noise)
            .map_err(|size| process.not_positive_definite(size))?;
        points.gather(process.rows.width(), places);
        let theta = process.kernel_theta();
        prior.resize(points.len(), 0.0);
        process.kernel.diagonal(theta, points, prior);
        let sets = (&block.points, &*points);
        (process.kernel).embedded_cross(theta, sets, cross, &mut block.memory, &compute);
        values.resize(chosen.len(), 1);
        for (to, i) in values.column_mut(0).iter_mut().zip(numbers) {
            *to = self.y(i);
        }
        let lower = block.factor.lower().view();
        solve_lower(lower, values.view_mut(), &compute);
        solve_lower(lower, cross.view_mut(), &compute);
        for (p, to) in told.iter_mut().enumerate() {
            let (mut mean, mut explained) = (0.0, 0.0);
            for (c, z) in cross.column(p).iter().zip(values.column(0)) {
                mean += c * z;
                explained += c * c;
            }
            let variance = (prior[p] - explained).max(VARIANCE_FLOOR * prior[p]);
            *to = Marginal { mean, variance };
        }
        Ok(())
    }
}

impl Vecchia {
    /// Mean and standard deviation of the surface at `places`, in raw units and without noise.
    ///
    /// # Errors
    /// If the dimension differs, there are no points, or a covariance cannot be factored.
    pub fn marginals(&self, places: &Points) -> Result<Prediction> {
        self.view().marginals(places)
    }

    /// What points would have been predicted to be without themselves and those around them: mean and standard
    /// deviation of the surface, in raw units and without noise.
    ///
    /// # Errors
    /// If there is no such point, or a covariance cannot be factored.
    pub fn left_out(&self, conditionals: &[Conditional]) -> Result<Prediction> {
        self.require_points(conditionals)?;
        let view = self.view();
        let told = self.on_threads(conditionals, |worker, one| {
            let mut chosen = std::mem::take(&mut worker.chosen);
            chosen.clear();
            let place = self.place_of(one);
            (worker.search).choose(&view, self.neighbours, place, &mut chosen);
            let mut told = [Marginal::default()];
            let places = std::iter::once(place.embedded);
            let outcome = view.tell(places, &chosen, worker, &mut told);
            worker.chosen = chosen;
            outcome.map(|()| told[0])
        })?;
        Ok(self.prediction(&told))
    }

    /// Scales places and embeds them.
    pub(super) fn embedding_of(&self, places: &Points) -> Result<Rows> {
        if self.is_empty() {
            return Err(GpError::Empty);
        }
        let scaled = self.inputs.scale(places)?;
        let mut rows = Rows::new(self.rows.width());
        let mut memory = Memory::default();
        for from in (0..scaled.len()).step_by(CHUNK) {
            let part = scaled.slice(from, (from + CHUNK).min(scaled.len()));
            let theta = self.kernel_theta();
            let embedded = (self.kernel).embed(theta, &part, &mut memory, &self.compute);
            rows.append(&embedded);
        }
        Ok(rows)
    }

    /// Does pieces of work, each with the memory of its thread; results are in their order.
    pub(super) fn on_threads<T: Sync, R: Send>(
        &self,
        pieces: &[T],
        work: impl Fn(&mut Worker, &T) -> Result<R> + Sync + Send,
    ) -> Result<Vec<R>> {
        if self.compute.threads == Threads::One {
            let mut worker = Worker::default();
            return pieces
                .iter()
                .map(|piece| work(&mut worker, piece))
                .collect();
        }
        let pieces = pieces.par_iter();
        pieces.map_init(Worker::default, work).collect()
    }

    fn prediction(&self, marginals: &[Marginal]) -> Prediction {
        let unit = self.targets.unit();
        let mean = |one: &Marginal| self.targets.unscale(one.mean);
        let std = |one: &Marginal| one.variance.sqrt() * unit;
        Prediction {
            mean: marginals.iter().map(mean).collect(),
            std: marginals.iter().map(std).collect(),
            floored: 0,
        }
    }

    pub(super) fn not_positive_definite(&self, size: usize) -> GpError {
        GpError::NotPositiveDefinite {
            size,
            pivot: size,
            jitter: 1e-3,
            parameters: self.params.summary(),
        }
    }
}

//! Evidence of single points given their neighbours, and its gradient.
//!
//! With C the covariance of the neighbours and, last, the point itself, noise included: `w = C_nn^-1 c`,
//! `a = (C_nn^-1 y_n, 0)`, `b = (-w, 1)`, the residual `r = b' y` and the variance `v = b' C b`. The loss of the point is
//! `1/2 (log v + r^2 / v + log 2 pi)` and
//!
//! `dLoss/dC = (1/2v - r^2/2v^2) b b' - r/2v (b a' + a b')`.
//!
//! With the tails of Student's t of n degrees of freedom instead of Gaussian ones, gross errors move parameters little: the loss is
//! `1/2 log v + (n + 1)/2 log(1 + r^2 / n v)` and a constant, and its slopes are those above with `r^2` and `r` weighted by
//! `(n + 1) / (n + r^2 / v)` (Lange, Little and Taylor 1989).

use super::Vecchia;
use super::block::Block;
use super::rows::Rows;
use super::sets::{Place, Search, Sets};
use crate::compute::Threads;
use crate::error::{GpError, Result};
use crate::kernel::Memory;
use crate::linalg::{Matrix, solve_lower, solve_lower_transposed};
use crate::params::Parameters;
use crate::points::Points;
use crate::simd::LANES;
use rayon::prelude::*;

/// One point to be predicted from others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Conditional {
    /// The point, by its number.
    pub point: usize,
    /// What it is not predicted from.
    pub without: Without,
}

/// Which points do not count when one is predicted from the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Without {
    /// Itself and those after it in the order, as in the evidence.
    Later,
    /// Itself and those around it.
    Around {
        /// Points within this distance, scaled units.
        radius: f64,
        /// Points whose numbers differ from its own by at most this much: a stretch of a track.
        stretch: usize,
    },
}

impl Conditional {
    /// A point as it is in the evidence.
    #[must_use]
    pub fn in_order(point: usize) -> Self {
        Self {
            point,
            without: Without::Later,
        }
    }

    /// A point without those around it.
    #[must_use]
    pub fn apart(point: usize, radius: f64, stretch: usize) -> Self {
        Self {
            point,
            without: Without::Around { radius, stretch },
        }
    }
}

/// A minibatch is summed up in this many parts, whatever the number of threads.
const PARTS: usize = 16;

/// The points that occur in sets, each once: a network runs on these alone.
struct Occurring {
    numbers: Vec<u32>,
    rows: Rows,
}

/// Sums over one part of a minibatch.
struct Part {
    loss: f64,
    gradient: Vec<f64>,
    /// Slopes at the embedding of the points that occur.
    slopes: Vec<f64>,
}

impl Vecchia {
    pub(super) fn place_of(&self, one: &Conditional) -> Place<'_> {
        let place = Place::anywhere(self.rows.row(one.point));
        match one.without {
            Without::Later => Place {
                before: self.levels.rank(one.point),
                ..place
            },
            Without::Around { radius, stretch } => Place {
                beyond: radius,
                without: (
                    one.point.saturating_sub(stretch),
                    one.point.saturating_add(stretch + 1),
                ),
                ..place
            },
        }
    }

    pub(super) fn require_points(&self, conditionals: &[Conditional]) -> Result<()> {
        let count = self.len();
        let missing = conditionals.iter().find(|one| one.point >= count);
        missing.map_or(Ok(()), |one| {
            let point = one.point;
            Err(GpError::Setting(format!(
                "there is no point {point}: there are {count}, counted from 0"
            )))
        })
    }

    /// Negative log evidence of all points, nats; in standardised units.
    ///
    /// # Errors
    /// If a covariance cannot be factored.
    pub fn loss(&self) -> Result<f64> {
        let mut loss = 0.0;
        let all: Vec<Conditional> = (0..self.len()).map(Conditional::in_order).collect();
        for part in all.chunks(super::CHUNK) {
            loss += self.sums(part, false, None)?.0;
        }
        Ok(loss)
    }

    /// Mean negative log density of points given their neighbours, nats in standardised units, and its gradient with
    /// respect to the raw parameters.
    ///
    /// # Errors
    /// If there is no such point, or a covariance cannot be factored.
    pub fn loss_and_gradient(&self, conditionals: &[Conditional]) -> Result<(f64, Vec<f64>)> {
        self.robust_loss_and_gradient(conditionals, None)
    }

    /// As [`Vecchia::loss_and_gradient`], with the tails of Student's t of so many degrees of freedom, if any.
    pub(super) fn robust_loss_and_gradient(
        &self,
        conditionals: &[Conditional],
        degrees: Option<f64>,
    ) -> Result<(f64, Vec<f64>)> {
        self.require_points(conditionals)?;
        let (loss, mut gradient) = self.sums(conditionals, true, degrees)?;
        let share = 1.0 / conditionals.len().max(1) as f64;
        gradient.iter_mut().for_each(|g| *g *= share);
        self.params.chain(&mut gradient);
        Ok((loss * share, gradient))
    }

    /// The loss of points at other parameters, with the neighbours of these: what its gradient is the gradient of.
    ///
    /// # Errors
    /// If the parameters are not those of this kernel, or a covariance cannot be factored.
    pub fn try_params(&self, params: &Parameters, conditionals: &[Conditional]) -> Result<f64> {
        self.require_points(conditionals)?;
        let mut trial = self.clone();
        for group in params.groups() {
            trial.params.set(&group.name, params.get(&group.name)?)?;
        }
        let (loss, _) = trial.sums(conditionals, false, None)?;
        Ok(loss / conditionals.len().max(1) as f64)
    }

    fn sums(
        &self,
        conditionals: &[Conditional],
        with_gradient: bool,
        degrees: Option<f64>,
    ) -> Result<(f64, Vec<f64>)> {
        let each = conditionals.len().div_ceil(PARTS).max(1);
        let parts: Vec<&[Conditional]> = conditionals.chunks(each).collect();
        let sets = self.in_parts(&parts, |part| self.sets(part));
        let mut numbers: Vec<u32> = sets
            .iter()
            .flat_map(|part| &part.numbers)
            .copied()
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let mut x = Points::default();
        let places = self.levels.places();
        let rows = numbers.iter().map(|i| places.row(*i as usize));
        x.gather(places.width(), rows);
        let mut memory = Memory::default();
        let theta = self.kernel_theta();
        let embedded = (self.kernel).embed(theta, &x, &mut memory, &self.compute);
        let mut rows = Rows::new(embedded.dim());
        rows.append(&embedded);
        let occurring = Occurring { numbers, rows };
        let parts = self.in_parts(&sets, |sets| {
            self.part(&occurring, sets, with_gradient, degrees)
        });
        let width = occurring.rows.width();
        let mut gradient = vec![0.0; self.params.natural().len()];
        let mut slopes = Matrix::zeros(x.len(), width);
        let mut loss = 0.0;
        for part in parts {
            let part = part?;
            loss += part.loss;
            let pairs = gradient.iter_mut().zip(&part.gradient);
            pairs.for_each(|(to, g)| *to += g);
            for d in 0..width {
                let from = part.slopes.iter().skip(d).step_by(width);
                let pairs = slopes.column_mut(d).iter_mut().zip(from);
                pairs.for_each(|(to, g)| *to += g);
            }
        }
        if with_gradient {
            let of_kernel = &mut gradient[..theta.len()];
            let at = (&x, &slopes);
            (self.kernel).contract_embedding(theta, at, of_kernel, &mut memory, &self.compute);
        }
        Ok((loss, gradient))
    }

    fn in_parts<T: Sync, R: Send>(
        &self,
        parts: &[T],
        work: impl Fn(&T) -> R + Sync + Send,
    ) -> Vec<R> {
        match self.compute.threads {
            Threads::One => parts.iter().map(work).collect(),
            Threads::All => parts.par_iter().map(work).collect(),
        }
    }

    fn sets(&self, conditionals: &[Conditional]) -> Sets {
        let mut search = Search::default();
        let mut sets = Sets::default();
        for one in conditionals {
            let place = self.place_of(one);
            search.choose(&self.view(), self.evidence, place, &mut sets.numbers);
            sets.numbers.push(one.point as u32);
            sets.ends.push(sets.numbers.len());
        }
        sets
    }

    fn part(
        &self,
        occurring: &Occurring,
        sets: &Sets,
        with_gradient: bool,
        degrees: Option<f64>,
    ) -> Result<Part> {
        let theta = self.kernel_theta();
        let compute = self.compute.on_one_thread();
        let width = occurring.rows.width();
        let mut part = Part {
            loss: 0.0,
            gradient: vec![0.0; self.params.natural().len()],
            slopes: vec![0.0; occurring.rows.len() * width],
        };
        let mut block = Block::default();
        let mut right = Matrix::default();
        let (mut slopes, mut slopes_of) = (Matrix::default(), Matrix::default());
        let (mut b, mut a, mut local) = (Vec::new(), Vec::new(), Vec::new());
        for set in sets.iter() {
            local.clear();
            local.extend(
                set.iter()
                    .map(|i| occurring.numbers.partition_point(|o| o < i)),
            );
            let noise = set
                .iter()
                .map(|i| self.noise() * self.noise_share[*i as usize]);
            block
                .factorise(self, local.iter().map(|i| occurring.rows.row(*i)), noise)
                .map_err(|size| self.not_positive_definite(size))?;
            let m = set.len() - 1;
            let lower = block.factor.lower();
            right.resize(m, 2);
            for (i, number) in set[..m].iter().enumerate() {
                right.column_mut(0)[i] = self.y[*number as usize];
                right.column_mut(1)[i] = lower.column(i)[m];
            }
            let corner = lower.view().submatrix(0, 0, m, m);
            solve_lower(corner, right.view_mut().subcols_mut(0, 1), &compute);
            let pairs = right.column(0).iter().zip(right.column(1));
            let mean: f64 = pairs.map(|(z, l)| z * l).sum();
            let v = lower.column(m)[m].powi(2);
            let r = self.y[set[m] as usize] - mean;
            let z2 = r * r / v;
            let (of_z2, weight) = match degrees {
                None => (z2, 1.0),
                Some(n) => ((n + 1.0) * (z2 / n).ln_1p(), (n + 1.0) / (n + z2)),
            };
            part.loss += 0.5 * (v.ln() + of_z2 + (2.0 * std::f64::consts::PI).ln());
            if !with_gradient {
                continue;
            }
            solve_lower_transposed(corner, right.view_mut(), &compute);
            b.clear();
            b.extend(right.column(1).iter().map(|w| -w).chain([1.0]));
            a.clear();
            a.extend(right.column(0).iter().copied().chain([0.0]));
            let (of_v, of_r) = (0.5 / v - 0.5 * weight * z2 / v, -0.5 * weight * r / v);
            slopes.resize(m + 1, m + 1);
            let mut of_noise = 0.0;
            for (j, number) in set.iter().enumerate() {
                let (by_b, by_a) = (of_v * b[j] + of_r * a[j], of_r * b[j]);
                let column = slopes.column_mut(j);
                for i in j..=m {
                    column[i] = b[i] * by_b + a[i] * by_a;
                }
                of_noise += column[j] * self.noise_share[*number as usize];
            }
            if let Some(last) = part.gradient.last_mut() {
                *last += of_noise;
            }
            slopes_of.resize(m + 1, width);
            for d in 0..width {
                slopes_of.lanes_mut(d).fill([0.0; LANES]);
            }
            let set = (&block.points, &slopes);
            let of_kernel = &mut part.gradient[..theta.len()];
            (self.kernel).embedded_contract(
                theta,
                set,
                of_kernel,
                &mut slopes_of,
                &mut block.memory,
                &compute,
            );
            for (i, at) in local.iter().enumerate() {
                let to = &mut part.slopes[at * width..][..width];
                for (d, to) in to.iter_mut().enumerate() {
                    *to += slopes_of.column(d)[i];
                }
            }
        }
        Ok(part)
    }
}

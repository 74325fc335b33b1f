//! Continuous paths, improved by an evolution strategy: CMA-ES.
//!
//! Hansen, "The CMA evolution strategy: a tutorial", arXiv 1604.00772, with the Cholesky factor of the covariance matrix in place of
//! its symmetric root; Popović et al., "An informative path planning framework for UAV-based terrain monitoring", Autonomous Robots 44,
//! 2020 (for informative paths). The variables are the corners of a path; the best of some random walks is where it starts.

use std::f64::consts::{PI, TAU};

use transect_gp::random::Randomness;

use super::ahead::Ahead;
use super::{Context, Plan, Planner};
use crate::Error;
use crate::geometry::{Position, Workspace};
use crate::settings::MissionSettings;
use crate::travel::Track;

/// Corners of a path.
const CORNERS: usize = 5;
/// The share of trials that are random walks.
const WALKS: f64 = 0.2;
/// The first deviation of a corner, in legs.
const FIRST_DEVIATION: f64 = 0.3;

/// The best path that a search met, which begins anew for each decision.
#[derive(Debug)]
pub struct Evolution {
    ahead: Ahead,
}

impl Evolution {
    pub(super) fn build(
        settings: &MissionSettings,
        workspace: &Workspace,
    ) -> Result<Box<dyn Planner>, Error> {
        let ahead = Ahead::of(settings, workspace)?;
        Ok(Box::new(Self { ahead }))
    }

    /// The path of these variables as it can be driven: inside, within the limit, and home in time.
    fn path(&self, context: &Context<'_>, variables: &[f64], limit_s: f64) -> Vec<Position> {
        let start = Ahead::start(context);
        let (pairs, _) = variables.as_chunks::<2>();
        let corners: Vec<Position> = pairs
            .iter()
            .map(|&[x, y]| context.workspace.nearest(Position::new(x, y)))
            .collect();
        let mut path = context.way(start.position, &corners);
        let over = |k: &usize| self.ahead.travel.time_s(start, &path[..*k]) > limit_s;
        if let Some(last) = (1..=path.len()).find(over) {
            path.truncate(last);
            path[last - 1] = Track::new(&self.ahead.travel, start, &path)
                .at(limit_s)
                .position;
        }
        // The last corner is somewhat closer than the turn before it: no more than rounding.
        while !path.is_empty()
            && self
                .ahead
                .affordable_s(context, &path, 1.01 * limit_s)
                .is_none()
        {
            path.pop();
        }
        path
    }

    fn walk(&self, context: &mut Context<'_>, leg_m: f64) -> Vec<f64> {
        let mut at = Ahead::start(context).position;
        let mut heading_rad = context.randomness.uniform(0.0, TAU);
        let mut variables = Vec::with_capacity(2 * CORNERS);
        for _ in 0..CORNERS {
            let to = Position::new(
                at.x + leg_m * heading_rad.cos(),
                at.y + leg_m * heading_rad.sin(),
            );
            at = context.workspace.nearest(to);
            variables.extend([at.x, at.y]);
            heading_rad += context.randomness.uniform(-0.6 * PI, 0.6 * PI);
        }
        variables
    }
}

impl Planner for Evolution {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        let limit_s = self.ahead.limit_s(context);
        let leg_m = limit_s * self.ahead.travel.speed_mps() / CORNERS as f64;
        let mut best: Option<(Vec<Position>, f64)> = None;
        let mut judge = |context: &Context<'_>, variables: &[f64]| -> Result<f64, Error> {
            let path = self.path(context, variables, limit_s);
            let worth = match path.is_empty() {
                true => None,
                false => self.ahead.worth(context, &path)?,
            };
            let worth = worth.unwrap_or(f64::NEG_INFINITY);
            if worth.is_finite() && best.as_ref().is_none_or(|(_, most)| worth > *most) {
                best = Some((path, worth));
            }
            Ok(worth)
        };
        let walks = ((WALKS * self.ahead.trials as f64) as usize).max(1);
        let mut first = (Vec::new(), f64::NEG_INFINITY);
        for _ in 0..walks {
            let variables = self.walk(context, leg_m);
            let worth = judge(context, &variables)?;
            if first.0.is_empty() || worth > first.1 {
                first = (variables, worth);
            }
        }
        let mut strategy = Strategy::new(first.0, FIRST_DEVIATION * leg_m);
        let mut judged = walks;
        while judged < self.ahead.trials {
            let drawn = strategy.draw(context.randomness);
            let mut ranked = Vec::with_capacity(drawn.len());
            for z in drawn {
                let worth = judge(context, &strategy.at(&z))?;
                ranked.push((worth, z));
                judged += 1;
            }
            ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
            strategy.learn(&ranked);
        }
        Ok(self.ahead.decide(context, best))
    }
}

/// A normal distribution that moves to where worth is: mean, step size, and the factor A of its covariance matrix C = A A'.
#[derive(Debug)]
struct Strategy {
    mean: Vec<f64>,
    step: f64,
    covariance: Vec<Vec<f64>>,
    factor: Vec<Vec<f64>>,
    step_path: Vec<f64>,
    covariance_path: Vec<f64>,
    /// Weights of the better half, the best first.
    weights: Vec<f64>,
    generations: i32,
}

impl Strategy {
    fn new(mean: Vec<f64>, step: f64) -> Self {
        let n = mean.len();
        let better = Self::offspring(n) / 2;
        let raw: Vec<f64> = (1..=better)
            .map(|i| (better as f64 + 0.5).ln() - (i as f64).ln())
            .collect();
        let sum: f64 = raw.iter().sum();
        let identity = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect();
        Self {
            mean,
            step,
            covariance: (0..n).map(identity).collect(),
            factor: (0..n).map(identity).collect(),
            step_path: vec![0.0; n],
            covariance_path: vec![0.0; n],
            weights: raw.iter().map(|w| w / sum).collect(),
            generations: 0,
        }
    }

    /// Draws of a generation for `n` variables.
    fn offspring(n: usize) -> usize {
        4 + (3.0 * (n as f64).ln()) as usize
    }

    /// The standard normal deviates of a generation.
    fn draw(&self, randomness: &mut dyn Randomness) -> Vec<Vec<f64>> {
        let n = self.mean.len();
        let mut one = |_| (0..n).map(|_| randomness.standard_normal()).collect();
        (0..Self::offspring(n)).map(&mut one).collect()
    }

    /// A z.
    fn scaled(&self, z: &[f64]) -> Vec<f64> {
        let row = |row: &Vec<f64>| row.iter().zip(z).map(|(a, z)| a * z).sum();
        self.factor.iter().map(row).collect()
    }

    /// The variables of a draw.
    fn at(&self, z: &[f64]) -> Vec<f64> {
        let scaled = self.scaled(z);
        let pairs = self.mean.iter().zip(scaled);
        pairs.map(|(mean, y)| mean + self.step * y).collect()
    }

    /// Moves towards the better half of a generation, the best first.
    fn learn(&mut self, ranked: &[(f64, Vec<f64>)]) {
        let n = self.mean.len();
        let size = n as f64;
        let effective = 1.0 / self.weights.iter().map(|w| w * w).sum::<f64>();
        let c_step = (effective + 2.0) / (size + effective + 5.0);
        let damping =
            1.0 + 2.0 * (((effective - 1.0) / (size + 1.0)).sqrt() - 1.0).max(0.0) + c_step;
        let c_path = (4.0 + effective / size) / (size + 4.0 + 2.0 * effective / size);
        let c_one = 2.0 / ((size + 1.3).powi(2) + effective);
        let c_rest = (1.0 - c_one)
            .min(2.0 * (effective - 2.0 + 1.0 / effective) / ((size + 2.0).powi(2) + effective));
        let expected = size.sqrt() * (1.0 - 1.0 / (4.0 * size) + 1.0 / (21.0 * size * size));

        let mut z_mean = vec![0.0; n];
        for (weight, (_, z)) in self.weights.iter().zip(ranked) {
            for (sum, z) in z_mean.iter_mut().zip(z) {
                *sum += weight * z;
            }
        }
        let y_mean = self.scaled(&z_mean);
        for (mean, y) in self.mean.iter_mut().zip(&y_mean) {
            *mean += self.step * y;
        }
        self.generations += 1;
        let gain = (c_step * (2.0 - c_step) * effective).sqrt();
        for (path, z) in self.step_path.iter_mut().zip(&z_mean) {
            *path = (1.0 - c_step) * *path + gain * z;
        }
        let length = self.step_path.iter().map(|p| p * p).sum::<f64>().sqrt();
        let settled = (1.0 - (1.0 - c_step).powi(2 * self.generations)).sqrt();
        let moving = length / settled < (1.4 + 2.0 / (size + 1.0)) * expected;
        let gain = match moving {
            true => (c_path * (2.0 - c_path) * effective).sqrt(),
            false => 0.0,
        };
        for (path, y) in self.covariance_path.iter_mut().zip(&y_mean) {
            *path = (1.0 - c_path) * *path + gain * y;
        }
        let stalled = match moving {
            true => 0.0,
            false => c_one * c_path * (2.0 - c_path),
        };
        let better: Vec<Vec<f64>> = (ranked.iter().take(self.weights.len()))
            .map(|(_, z)| self.scaled(z))
            .collect();
        for i in 0..n {
            for j in 0..=i {
                let rank_one = self.covariance_path[i] * self.covariance_path[j];
                let rank_rest: f64 = (self.weights.iter().zip(&better))
                    .map(|(w, y)| w * y[i] * y[j])
                    .sum();
                let entry = (1.0 - c_one - c_rest + stalled) * self.covariance[i][j]
                    + c_one * rank_one
                    + c_rest * rank_rest;
                self.covariance[i][j] = entry;
                self.covariance[j][i] = entry;
            }
        }
        // A factor that rounding has spoilt stays as it was.
        if let Some(factor) = cholesky(&self.covariance) {
            self.factor = factor;
        }
        self.step *= ((c_step / damping) * (length / expected - 1.0)).exp();
    }
}

/// The lower factor of a small matrix, row by row; none where it is not positive definite.
fn cholesky(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut lower = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            let rest = matrix[i][j] - known;
            if i == j {
                if !(rest > 0.0 && rest.is_finite()) {
                    return None;
                }
                lower[i][i] = rest.sqrt();
            } else {
                lower[i][j] = rest / lower[j][j];
            }
        }
    }
    Some(lower)
}

#[cfg(test)]
mod tests {
    use super::*;
    use transect_gp::random::Stream;

    /// A long, turned valley: the covariance matrix must learn its shape.
    #[test]
    fn finds_the_bottom_of_a_turned_valley() {
        let height = |v: &[f64]| {
            let (a, b) = (v[0] + v[1] - 3.0, v[0] - v[1] + 1.0);
            100.0 * a * a + b * b + v[2..].iter().map(|x| (x - 2.0).powi(2)).sum::<f64>()
        };
        let mut randomness = Stream::new(3);
        let mut strategy = Strategy::new(vec![0.0; 6], 0.5);
        for _ in 0..200 {
            let mut ranked: Vec<(f64, Vec<f64>)> = (strategy.draw(&mut randomness).into_iter())
                .map(|z| (-height(&strategy.at(&z)), z))
                .collect();
            ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
            strategy.learn(&ranked);
        }
        let bottom = [1.0, 2.0, 2.0, 2.0, 2.0, 2.0];
        for (found, right) in strategy.mean.iter().zip(bottom) {
            assert!((found - right).abs() < 1e-6, "{found} for {right}");
        }
    }
}

//! One prediction from several processes, weighed and widened by what they said of soundings that were left out.
//!
//! With weights w_i, the pooled mean is `m = sum w_i m_i` and the variance `exp(sum w_i log v_i) + sum w_i (m_i - m)^2`, as in
//! `surrogate::pool` where the weights are equal. The weights are those under which the soundings left out are most likely.
//! Standard deviations s are then widened by a factor f(s): in each fifth of them, that at which 95 % intervals hold 95 % of
//! the soundings, and in between along a line in log s. Each half of the soundings tells how many intervals hold that were
//! learnt from the other half, and would be as wide as these say.
//!
//! On tracks that is not enough: along a line one does not see what lies along the lines between them, a bank or a channel.
//! Whole stretches left out do, but only at the distance D of the next track. As those of a random walk, errors at a
//! distance d from the nearest track would be these times `sqrt(d / D)`. Along lines they are smaller, and ground is smoother
//! than a random walk, so that error bars go a quarter of the way there. Errors along a stretch go together: what a few dozen
//! stretches say of the width of intervals is uncertain, and intervals are a little wider than that.

/// A sounding that was left out.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    pub(super) value: f64,
    /// Its noise variance.
    pub(super) noise: f64,
    /// Mean and variance of the surface there as each process has it.
    pub(super) each: Vec<(f64, f64)>,
    /// How far the nearest sounding is that was not left out.
    pub(super) distance_m: f64,
    /// Whether its stretch of track was left out with it.
    pub(super) is_stretch: bool,
}

/// How predictions become one.
#[derive(Debug, Clone)]
pub(super) struct Pool {
    /// How much each process counts; their sum is 1.
    pub(super) weights: Vec<f64>,
    /// Log standard deviations and the factors there, ascending.
    factors: Vec<(f64, f64)>,
    /// Standard deviation a metre from the nearest track; 0 where there are no tracks.
    growth: f64,
    /// Share of the soundings inside 95 % intervals that were learnt from others.
    pub(super) coverage_95: f64,
}

/// Half the width of the 95 % interval, in standard deviations.
const HALF_WIDTH: f64 = 1.959_964;
/// Share of the soundings that intervals are made to hold: of scattered ones, and where whole stretches of track were left out.
const HELD: f64 = 0.95;
const HELD_ALONG: f64 = 0.965;
/// How far error bars between tracks go, on a logarithmic scale, towards those of a random walk.
const WALK: f64 = 0.25;
/// Parts of the standard deviations with a factor each.
const PARTS: usize = 5;
/// What factors may be.
const FACTORS: (f64, f64) = (0.5, 4.0);
/// Steps in which weights are looked for.
const STEPS: usize = 10;

impl Pool {
    /// Learns from soundings that were left out, as far away as cells are; from those `along` tracks only how wide error bars are there.
    pub(super) fn fit(readings: &[Reading], along: &[Reading]) -> Self {
        let members = readings.first().map_or(1, |reading| reading.each.len());
        let mut pool = Self {
            weights: vec![1.0 / members as f64; members],
            factors: Vec::new(),
            growth: 0.0,
            coverage_95: f64::NAN,
        };
        pool.weigh(readings);
        // Of every four, two are learnt from: one of each kind.
        let half_of = |i: usize| (i % 4) / 2;
        let has_stretches = readings.iter().any(|reading| reading.is_stretch);
        let (mut held, mut count) = (0.0, 0.0);
        for half in [0, 1] {
            let (judged, learnt): (Vec<_>, Vec<_>) = readings
                .iter()
                .enumerate()
                .partition(|(i, _)| half_of(*i) == half);
            let learnt: Vec<&Reading> = learnt.into_iter().map(|(_, reading)| reading).collect();
            pool.widen_by(&learnt, along, HELD);
            for (_, reading) in judged {
                if reading.is_stretch == has_stretches {
                    let (mean, std) = pool.reading(reading);
                    count += 1.0;
                    held += f64::from(u8::from((reading.value - mean).abs() <= HALF_WIDTH * std));
                }
            }
        }
        pool.coverage_95 = held / count;
        let wanted = if has_stretches { HELD_ALONG } else { HELD };
        pool.widen_by(&readings.iter().collect::<Vec<_>>(), along, wanted);
        pool
    }

    /// Learns how wide error bars are that hold the `wanted` share: on tracks from stretches alone. A sounding that only its neighbours along the line
    /// were left out of is told by the line.
    fn widen_by(&mut self, readings: &[&Reading], along: &[Reading], wanted: f64) {
        let has_stretches = readings.iter().any(|reading| reading.is_stretch);
        let telling = readings.iter().copied();
        let telling = telling.filter(|reading| reading.is_stretch == has_stretches);
        self.factors = self.fit_factors(&telling.clone().chain(along).collect::<Vec<_>>(), wanted);
        let mut growths: Vec<f64> = telling
            .filter(|reading| reading.is_stretch && reading.distance_m > 0.0)
            .map(|reading| {
                let (mean, _) = pooled(&self.weights, reading.each.iter().copied(), 0.0);
                (reading.value - mean).abs() / reading.distance_m.sqrt()
            })
            .collect();
        growths.sort_by(f64::total_cmp);
        self.growth = quantile(&growths, HELD) / HALF_WIDTH;
    }

    /// Moves the weights towards single members while that makes the readings more likely.
    fn weigh(&mut self, readings: &[Reading]) {
        for _round in 0..2 {
            for member in 0..self.weights.len() {
                let start = self.weights.clone();
                let moved = |step: usize| -> Vec<f64> {
                    let t = step as f64 / STEPS as f64;
                    let own = |i: usize| if i == member { t } else { 0.0 };
                    start
                        .iter()
                        .enumerate()
                        .map(|(i, w)| (1.0 - t) * w + own(i))
                        .collect()
                };
                let score = |step: usize| {
                    let weights = moved(step);
                    let density = |reading: &Reading| {
                        let (mean, variance) =
                            pooled(&weights, reading.each.iter().copied(), reading.noise);
                        -0.5 * (variance.ln() + (reading.value - mean).powi(2) / variance)
                    };
                    readings.iter().map(density).sum::<f64>()
                };
                let mut best = (0, score(0));
                for step in 1..=STEPS {
                    let density = score(step);
                    if density > best.1 {
                        best = (step, density);
                    }
                }
                self.weights = moved(best.0);
            }
        }
    }

    /// Factors with which 95 % intervals hold the `wanted` share of the readings.
    fn fit_factors(&self, readings: &[&Reading], wanted: f64) -> Vec<(f64, f64)> {
        let mut pairs: Vec<(f64, f64)> = readings
            .iter()
            .map(|reading| {
                let (mean, variance) =
                    pooled(&self.weights, reading.each.iter().copied(), reading.noise);
                (
                    variance.sqrt(),
                    (reading.value - mean).abs() / variance.sqrt(),
                )
            })
            .collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let size = pairs.len().div_ceil(PARTS).max(1);
        let factor = |part: &[(f64, f64)]| {
            let mut z: Vec<f64> = part.iter().map(|(_, z)| *z).collect();
            z.sort_by(f64::total_cmp);
            let factor = (quantile(&z, wanted) / HALF_WIDTH).clamp(FACTORS.0, FACTORS.1);
            (part[part.len() / 2].0.ln(), factor)
        };
        pairs.chunks(size).map(factor).collect()
    }

    /// The factor at a predicted standard deviation.
    fn factor(&self, std: f64) -> f64 {
        let log = std.ln();
        let above = self.factors.iter().position(|(at, _)| *at >= log);
        match above {
            None => self.factors.last().map_or(1.0, |(_, factor)| *factor),
            Some(0) => self.factors[0].1,
            Some(i) => {
                let ((a, low), (b, high)) = (self.factors[i - 1], self.factors[i]);
                low + (high - low) * (log - a) / (b - a).max(f64::MIN_POSITIVE)
            }
        }
    }

    /// Mean and standard deviation of a sounding.
    pub(super) fn reading(&self, reading: &Reading) -> (f64, f64) {
        let (mean, variance) = pooled(&self.weights, reading.each.iter().copied(), reading.noise);
        let std = variance.sqrt() * self.factor(variance.sqrt());
        (mean, self.grown(std, reading.distance_m))
    }

    /// Mean and standard deviation of the surface. The factor is that of a reading with this noise there.
    pub(super) fn surface(
        &self,
        each: impl Iterator<Item = (f64, f64)> + Clone,
        noise: f64,
        distance_m: f64,
    ) -> (f64, f64) {
        let (mean, variance) = pooled(&self.weights, each, 0.0);
        let std = variance.sqrt() * self.factor((variance + noise).sqrt());
        (mean, self.grown(std, distance_m))
    }

    /// A standard deviation this far from the nearest track: part of the way to that of a random walk.
    fn grown(&self, std: f64, distance_m: f64) -> f64 {
        let walk = self.growth * distance_m.sqrt();
        std * (walk / std).max(1.0).powf(WALK)
    }
}

/// The number below which this share of ascending ones is, between two of them if need be; 0 of none.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * sorted.len().saturating_sub(1) as f64;
    let below = sorted.get(at as usize).copied().unwrap_or_default();
    let above = sorted.get(at as usize + 1).copied().unwrap_or(below);
    below + (above - below) * at.fract()
}

fn pooled(
    weights: &[f64],
    each: impl Iterator<Item = (f64, f64)> + Clone,
    noise: f64,
) -> (f64, f64) {
    let pairs = || weights.iter().zip(each.clone());
    let mean: f64 = pairs().map(|(w, (m, _))| w * m).sum();
    let log: f64 = pairs().map(|(w, (_, v))| w * (v + noise).ln()).sum();
    let disagreement: f64 = pairs().map(|(w, (m, _))| w * (m - mean).powi(2)).sum();
    (mean, log.exp() + disagreement)
}

#[cfg(test)]
mod tests {
    use super::*;
    use transect_gp::random::{Randomness, Stream};

    fn readings(count: usize, errors: (f64, f64)) -> Vec<Reading> {
        let mut stream = Stream::new(5);
        (0..count)
            .map(|_| {
                let value = stream.normal(0.0, 3.0);
                let mean = |error: f64, stream: &mut Stream| value + stream.normal(0.0, error);
                Reading {
                    value,
                    noise: 0.0,
                    each: vec![
                        (mean(errors.0, &mut stream), 1.0),
                        (mean(errors.1, &mut stream), 1.0),
                    ],
                    distance_m: 1.0,
                    is_stretch: false,
                }
            })
            .collect()
    }

    #[test]
    fn the_better_member_has_the_weight_and_intervals_hold() {
        let pool = Pool::fit(&readings(4000, (2.0, 8.0)), &[]);
        assert!(pool.weights[0] > 0.85, "{pool:?}");
        assert!((pool.coverage_95 - 0.95).abs() < 0.02, "{pool:?}");
        // The first is off by twice what it says.
        let (_, std) = pool.surface([(0.0, 1.0), (0.0, 1.0)].into_iter(), 0.0, 1.0);
        assert!((1.6..2.6).contains(&std), "{std}");
    }

    #[test]
    fn equal_members_share() {
        let pool = Pool::fit(&readings(4000, (1.0, 1.0)), &[]);
        assert!((0.3..0.7).contains(&pool.weights[0]), "{pool:?}");
    }

    /// Afar the processes are right about their errors; along tracks they are off by three times what they say.
    #[test]
    fn soundings_along_tracks_decide_about_error_bars_there() {
        let mut stream = Stream::new(7);
        let mut along = readings(1500, (1.0, 1.0));
        for reading in &mut along {
            let mean = reading.value + stream.normal(0.0, 0.3);
            reading.each = vec![(mean, 0.01); 2];
        }
        let apart = readings(2000, (1.0, 1.0));
        let std = |along: &[Reading], variance: f64| {
            let pool = Pool::fit(&apart, along);
            let each = [(0.0, variance); 2].into_iter();
            pool.surface(each, 0.0, 1.0).1
        };
        let (near, far) = (std(&along, 0.01), std(&along, 2.0));
        assert!((0.25..0.35).contains(&near), "{near}");
        assert!((far / std(&[], 2.0) - 1.0).abs() < 0.1, "{far}");
        assert!(std(&[], 0.01) < 0.15);
    }
}

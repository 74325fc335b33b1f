//! Choosing a kernel and its parameters for a data set that stays as it is.
//!
//! Parameters are few and soundings are many: up to [`PART`] of them are looked at, half of them anywhere,
//! the others each the nearest neighbour of one of the first half, so that both the large shapes and the
//! smallest ones, next to the noise, are seen. L-BFGS minimises the negative log evidence; the parameters
//! kept are those at which soundings were predicted best by the others (leave-one-out), and training ends when
//! that has not improved for a while. Of the kernels tried, the one with the best such prediction is taken, where
//! there are more soundings than training saw in neighbourhoods of all of them: a kernel that suits the thinned
//! soundings need not suit the dense ones.

use super::index::Index;
use crate::Error;
use crate::settings::KernelChoice;
use std::ops::ControlFlow;
use transect_gp::kernel::{Kernel, by_name};
use transect_gp::random::{Randomness, Stream};
use transect_gp::train::Lbfgs;
use transect_gp::{
    Compute, GpError, InputScaler, LeftOut, Parameters, Points, Regression, TargetScaler, Threads,
};

/// Most soundings that training looks at.
pub(super) const PART: usize = 700;
/// Of so many nearest soundings one is looked at too.
const CLOSE: usize = 4;
/// Up to so many soundings, kernels are compared on all of them at once (about a second).
const ALL_AT_ONCE: usize = 2500;
/// Beyond, in so many neighbourhoods.
const NEIGHBOURHOODS: usize = 48;
/// Soundings of a neighbourhood; those predicted are the nearest to its middle, which have others on all sides.
const NEIGHBOURS: usize = 300;
const PREDICTED: usize = 100;
/// Most steps of one training.
const STEPS: usize = 60;
/// Steps without improvement after which training ends.
const PATIENCE: usize = 10;
/// An improvement of the mean log density that counts, nats.
const NOTICEABLE: f64 = 1e-3;
/// Start of the noise variance, standardised.
const START_NOISE: f64 = 0.05;
/// Name of the noise variance among the parameters.
const NOISE: &str = "noise";
/// What the noise variance is multiplied by, in turn, when numbers run out of digits.
const RAISES: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];

/// A kernel with parameters, ready to be given data.
#[derive(Debug)]
pub(super) struct Trained {
    /// As [`KernelChoice`] has it.
    pub(super) name: String,
    /// Soundings it was trained on.
    pub(super) count: usize,
    kernel: Box<dyn Kernel>,
    parameters: Parameters,
    scalers: (InputScaler, TargetScaler),
    /// Mean log density of left-out soundings.
    density: f64,
}

impl Trained {
    /// Trains each of the candidates, at least one, and keeps the best.
    pub(super) fn best_of(
        candidates: &[KernelChoice],
        (places, values): (&[[f64; 2]], &[f64]),
        index: &Index<'_>,
        seed: u64,
        watch: &dyn Fn(f64),
    ) -> Result<Self, Error> {
        let scalers = (square_scaler(places)?, TargetScaler::fit(values)?);
        let part = part(places, index, &mut Stream::new(seed));
        let (x, y) = picked(places, values, &part)?;
        let mut best: Option<Self> = None;
        for (number, choice) in candidates.iter().enumerate() {
            let share = |step: usize| {
                (number as f64 + step as f64 / STEPS as f64) / candidates.len() as f64
            };
            let kernel = choice.build(&mut Stream::new(seed))?;
            let mut model = Regression::empty(kernel, START_NOISE, scalers.clone())?;
            model.set_compute(Compute::with_threads(Threads::All));
            model.add(&x, &y)?;
            let (density, parameters) = train(&mut model, &mut |step| watch(share(step)))?;
            let mut trained = Self {
                name: choice.name.clone(),
                count: part.len(),
                kernel: by_name(model.kernel().name(), model.kernel().structure())?,
                parameters,
                scalers: scalers.clone(),
                density,
            };
            if part.len() < places.len() && candidates.len() > 1 {
                trained.density = trained.density_among_all((places, values), index, seed)?;
            }
            if best
                .as_ref()
                .is_none_or(|best| trained.density > best.density)
            {
                best = Some(trained);
            }
        }
        best.ok_or(Error::NoModel)
    }

    /// Mean log density of left-out soundings: of all, or in neighbourhoods as dense as the soundings are.
    fn density_among_all(
        &self,
        soundings: (&[[f64; 2]], &[f64]),
        index: &Index<'_>,
        seed: u64,
    ) -> Result<f64, Error> {
        let count = soundings.1.len();
        if count <= ALL_AT_ONCE {
            let everyone: Vec<usize> = (0..count).collect();
            let (_, left_out) = self.regression(soundings, &everyone, Threads::All)?;
            return Ok(left_out.iter().map(|l| l.log_density).sum::<f64>() / count as f64);
        }
        let mut randomness = Stream::new(seed);
        let mut densities = Vec::with_capacity(NEIGHBOURHOODS * PREDICTED);
        for _ in 0..NEIGHBOURHOODS {
            let any = (randomness.uniform(0.0, count as f64) as usize).min(count - 1);
            let members = index.nearest(soundings.0[any], NEIGHBOURS);
            let (_, left_out) = self.regression(soundings, &members, Threads::One)?;
            densities.extend(left_out.iter().take(PREDICTED).map(|l| l.log_density));
        }
        Ok(densities.iter().sum::<f64>() / densities.len() as f64)
    }

    /// Standard deviation of the noise, in the unit of the values.
    pub(super) fn noise_std(&self) -> f64 {
        let noise = self.parameters.get(NOISE).ok();
        let variance = noise.and_then(|values| values.first().copied());
        variance.map_or(f64::NAN, |v| v.sqrt() * self.scalers.1.unit())
    }

    /// A regression on some of the soundings, and each of these predicted without itself. Where rounding makes
    /// the covariance matrix indefinite, the noise is raised until it is not.
    pub(super) fn regression(
        &self,
        (places, values): (&[[f64; 2]], &[f64]),
        members: &[usize],
        threads: Threads,
    ) -> Result<(Regression, Vec<LeftOut>), Error> {
        let (x, y) = picked(places, values, members)?;
        let mut failure = None;
        for raise in RAISES {
            let kernel = by_name(self.kernel.name(), self.kernel.structure())?;
            let mut model = Regression::empty(kernel, START_NOISE, self.scalers.clone())?;
            model.set_compute(Compute::with_threads(threads));
            let mut parameters = self.parameters.clone();
            let noise: Vec<f64> = parameters.get(NOISE)?.iter().map(|n| n * raise).collect();
            parameters.set(NOISE, &noise)?;
            model.params_mut().clone_from(&parameters);
            model.add(&x, &y)?;
            match model.leave_one_out() {
                Ok(left_out) if left_out.iter().all(is_sound) => return Ok((model, left_out)),
                Ok(_) => {}
                Err(error) => failure = Some(error),
            }
        }
        Err(failure.unwrap_or(GpError::Empty).into())
    }
}

fn is_sound(left_out: &LeftOut) -> bool {
    left_out.mean.is_finite() && left_out.std.is_finite() && left_out.std > 0.0
}

/// Trains; returns the best mean log density of left-out soundings and the parameters that had it.
fn train(model: &mut Regression, watch: &mut dyn FnMut(usize)) -> Result<(f64, Parameters), Error> {
    let mut best = (f64::NEG_INFINITY, model.params().clone());
    let mut since = 0;
    Lbfgs::default().run(model, STEPS, |step| {
        watch(step.index);
        since += 1;
        if step.left_out_density > best.0 {
            if step.left_out_density > best.0 + NOTICEABLE {
                since = 0;
            }
            best = (step.left_out_density, step.params.clone());
        }
        match since < PATIENCE {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    })?;
    Ok(best)
}

/// Maps the square around all places to [-1, 1]^2: one metre counts the same along both axes.
fn square_scaler(places: &[[f64; 2]]) -> Result<InputScaler, Error> {
    let range = |axis: usize| {
        let all = places.iter().map(|place| place[axis]);
        let empty = (f64::INFINITY, f64::NEG_INFINITY);
        all.fold(empty, |(low, high), v| (low.min(v), high.max(v)))
    };
    let (x, y) = (range(0), range(1));
    let half = 0.5 * (x.1 - x.0).max(y.1 - y.0);
    let around = |(low, high): (f64, f64)| {
        let middle = 0.5 * (low + high);
        (middle - half, middle + half)
    };
    Ok(InputScaler::from_ranges(&[around(x), around(y)])?)
}

/// Numbers of the soundings to look at, ascending.
fn part(places: &[[f64; 2]], index: &Index<'_>, randomness: &mut Stream) -> Vec<usize> {
    let count = places.len();
    if count <= PART {
        return (0..count).collect();
    }
    let mut chosen = vec![false; count];
    let mut numbers = Vec::with_capacity(PART);
    while numbers.len() < PART {
        let any = (randomness.uniform(0.0, count as f64) as usize).min(count - 1);
        if chosen[any] {
            continue;
        }
        chosen[any] = true;
        numbers.push(any);
        // Itself comes first.
        let close = index.nearest(places[any], CLOSE);
        if let Some(neighbour) = close.into_iter().find(|number| !chosen[*number]) {
            chosen[neighbour] = true;
            numbers.push(neighbour);
        }
    }
    numbers.truncate(PART);
    numbers.sort_unstable();
    numbers
}

fn picked(
    places: &[[f64; 2]],
    values: &[f64],
    members: &[usize],
) -> Result<(Points, Vec<f64>), GpError> {
    let rows: Vec<[f64; 2]> = members.iter().map(|i| places[*i]).collect();
    let y = members.iter().map(|i| values[*i]).collect();
    Ok((Points::from_rows(&rows)?, y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_training_looks_at_is_distinct_and_half_of_it_close_neighbours() {
        let places: Vec<[f64; 2]> = (0..10_000)
            .map(|i| [f64::from(i % 100), f64::from(i / 100)])
            .collect();
        let index = Index::new(&places);
        let mut numbers = part(&places, &index, &mut Stream::new(3));
        assert_eq!(numbers, part(&places, &index, &mut Stream::new(3)));
        numbers.dedup();
        assert_eq!(numbers.len(), PART);
        let taken: Vec<[f64; 2]> = numbers.iter().map(|n| places[*n]).collect();
        let among_taken = Index::new(&taken);
        let close = taken.iter().filter(|place| {
            let near = among_taken.nearest(**place, 2);
            near.get(1)
                .map(|n| taken[*n])
                .is_some_and(|other| (other[0] - place[0]).hypot(other[1] - place[1]) < 1.5)
        });
        assert!(close.count() > PART * 9 / 10);
    }

    #[test]
    fn a_metre_counts_the_same_along_both_axes() {
        let scaler = square_scaler(&[[0.0, 0.0], [100.0, 10.0]]).unwrap();
        assert_eq!(scaler.unit(0), scaler.unit(1));
    }
}

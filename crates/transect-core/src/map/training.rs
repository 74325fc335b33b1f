//! Learning the parameters of kernels from soundings that are all there already.
//!
//! Parameters are few and soundings are many: up to [`PART`] of them are looked at, half of them anywhere,
//! the others each the nearest neighbour of one of the first half, so that both the large shapes and the
//! smallest ones, next to the noise, are seen. L-BFGS minimises the negative log evidence; the parameters
//! kept are those at which soundings were predicted best by the others (leave-one-out), and training ends when
//! that has not improved for a while. Where outliers are ignored it begins again without those found, as if they had never been there: they have
//! bent parameters and scales, and hidden smaller ones.
//!
//! A kernel with more parameters than there are soundings can explain any of them. It is used only where soundings left out
//! are predicted far better with it than without: of a hundred rain gauges an attentive kernel predicts the other 367 worse than
//! a plain rough one, although leaving out single gauges says the opposite.

use super::MapSettings;
use super::index::Index;
use crate::Error;
use crate::settings::SettingError;
use crate::settings::{KernelChoice, TrainingSettings};
use crate::surrogate::{Committee, Kernels, Surrogate};
use transect_gp::random::{Randomness, Stream};
use transect_gp::{Compute, GpError, InputScaler, Points, Threads};

/// Most soundings that training looks at.
const PART: usize = 700;
/// Of so many nearest soundings one is looked at too.
const CLOSE: usize = 4;
/// How often training begins at most.
const ROUNDS: usize = 4;
/// Kernels with more parameters than soundings must bring squared errors of left-out soundings below this share of those without.
const WORTH: f64 = 0.5;

const NO_KERNEL: Error = Error::Setting(SettingError::OutOfRange {
    name: "number of kernels",
    value: 0.0,
    accepted: "at least one is needed",
});

/// Kernels with parameters, ready to be given soundings.
#[derive(Debug)]
pub(super) struct Trained {
    /// Soundings they were trained on.
    pub(super) count: usize,
    /// As [`Committee::noise_stds`] has them.
    pub(super) noise_stds: [f64; 2],
    /// Names of the kernels.
    pub(super) kernels: Vec<String>,
    model: Committee,
}

impl Trained {
    /// Trains each of the kernels that soundings suffice for.
    pub(super) fn learn(
        settings: &MapSettings,
        soundings: (&[[f64; 2]], &[f64]),
        index: &Index<'_>,
        watch: &dyn Fn(f64),
    ) -> Result<Self, Error> {
        let mut all = Self::of(settings, &settings.kernels, soundings, index, watch)?;
        let mut plain = Vec::new();
        for choice in &settings.kernels {
            let kernel = choice.build(&mut Stream::new(settings.seed))?;
            let parameters: usize = kernel.params().iter().map(|spec| spec.start.len()).sum();
            if parameters <= soundings.1.len() {
                plain.push(choice.clone());
            }
        }
        let all_suit = plain.is_empty() || plain.len() == settings.kernels.len();
        // Where outliers are followed, errors of soundings left out are theirs and tell nothing of kernels.
        if all_suit || !settings.ignore_outliers {
            return Ok(all);
        }
        let mut plain = Self::of(settings, &plain, soundings, index, &|_share| ())?;
        match (all.squared_error(), plain.squared_error()) {
            (Some(with), Some(without)) if with > WORTH * without => Ok(plain),
            _ => Ok(all),
        }
    }

    /// Mean squared error of soundings left out, outliers apart.
    fn squared_error(&mut self) -> Option<f64> {
        let left_out = self.model.left_out()?.standings(self.model.readings());
        let outliers = self.model.outliers().chain(std::iter::repeat(false));
        let squares: Vec<f64> = left_out
            .iter()
            .zip(self.model.readings())
            .zip(outliers)
            .filter(|(_, is_outlier)| !is_outlier)
            .map(|((standing, reading), _)| (reading - standing.mean).powi(2))
            .collect();
        Some(squares.iter().sum::<f64>() / squares.len() as f64)
    }

    /// Trains each of some kernels.
    fn of(
        settings: &MapSettings,
        choices: &[KernelChoice],
        soundings: (&[[f64; 2]], &[f64]),
        index: &Index<'_>,
        watch: &dyn Fn(f64),
    ) -> Result<Self, Error> {
        let mut part = part(soundings.0, index, &mut Stream::new(settings.seed));
        let training = TrainingSettings {
            ignore_outliers: settings.ignore_outliers,
            ..TrainingSettings::default()
        };
        let inputs = square_scaler(soundings.0)?;
        let mut round = 1;
        loop {
            let (x, y) = picked(soundings, &part)?;
            let build = |choice: &KernelChoice| choice.build(&mut Stream::new(settings.seed));
            let mut kernels = choices.iter().map(build);
            let first = kernels.next().ok_or(NO_KERNEL)??;
            let kernels = Kernels {
                first,
                companions: kernels.collect::<Result<_, _>>()?,
            };
            let compute = Compute::with_threads(Threads::All);
            let mut model = Committee::fit(kernels, &training, inputs.clone(), (&x, &y), compute)?;
            match round {
                1 => model.learn_all(watch)?,
                _ => model.learn_all(&|_share| ())?,
            }
            let found: Vec<bool> = model.outliers().collect();
            let is_clean = !settings.ignore_outliers || !found.contains(&true);
            if is_clean || round == ROUNDS {
                return Ok(Self {
                    count: part.len(),
                    noise_stds: model.noise_stds(),
                    kernels: choices.iter().map(|choice| choice.name.clone()).collect(),
                    model,
                });
            }
            let mut found = found.into_iter();
            part.retain(|_| found.next() != Some(true));
            round += 1;
        }
    }

    /// A model of some of the soundings.
    pub(super) fn model(
        &self,
        soundings: (&[[f64; 2]], &[f64]),
        members: &[usize],
        threads: Threads,
    ) -> Result<Committee, Error> {
        let (x, y) = picked(soundings, members)?;
        let compute = Compute::with_threads(threads);
        Ok(self.model.with_readings((&x, &y), compute)?)
    }
}

/// Maps the square around all places to [-1, 1]^2: one metre counts the same along both axes.
pub(super) fn square_scaler(places: &[[f64; 2]]) -> Result<InputScaler, Error> {
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
    (places, values): (&[[f64; 2]], &[f64]),
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

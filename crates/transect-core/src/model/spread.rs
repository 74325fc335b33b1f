//! Which readings to leave out together, so that some are judged from as far away as most of the map is.

use transect_gp::Points;

use super::squared_distances;

/// Places all over the map that are looked at.
const PLACES: usize = 400;
/// The ladder ends where one place in ten is farther from readings.
const FARTHEST: f64 = 0.9;
/// Readings that are judged on a rung at most.
const MOST_JUDGED: usize = 150;
/// Fewer say nothing.
const FEWEST_JUDGED: usize = 30;
/// Multiplications that a rung may take; fewer readings are judged then.
const MOST_WORK: f64 = 5e7;

/// Radii, each twice the one before, and the readings to leave out together.
#[derive(Debug)]
pub(in crate::model) struct Ladder {
    /// Median distance of a reading to the nearest one elsewhere.
    pub(super) spacing: f64,
    /// Median distance of the map's places to the nearest reading.
    pub(super) typical: f64,
    /// How far a tenth of the map's places are from the nearest reading at least.
    farthest: f64,
    /// From twice the spacing on; none where the map is as near to readings as they are to each other.
    pub(in crate::model) rungs: Vec<Rung>,
}

/// Some readings, each with all others within a radius.
#[derive(Debug)]
pub(in crate::model) struct Rung {
    pub(in crate::model) radius: f64,
    /// The last reading of a block is the one to judge.
    pub(in crate::model) blocks: Vec<Vec<usize>>,
}

impl Ladder {
    /// For readings at `places`, in scaled units, of which those numbered in `judge` may be judged.
    pub(in crate::model) fn of(places: &Points, judge: &[usize]) -> Self {
        let elsewhere = nearest(places, places, |square| square > 0.0);
        let from_map = nearest(places, &all_over(places), |_| true);
        let spacing = quantile(&elsewhere, 0.5);
        let farthest = quantile(&from_map, FARTHEST);
        let radii = std::iter::successors(Some(2.0 * spacing), |radius| Some(2.0 * radius));
        // A rung is for places half as far away as its radius; the first is needed only beyond its own.
        let needed = (f64::MIN_POSITIVE..=farthest).contains(&(2.0 * spacing));
        let radii = radii.take_while(|radius| needed && *radius <= 2.0 * farthest);
        let rung = |radius: f64| {
            let blocks = blocks(places, judge, radius)?;
            Some(Rung { radius, blocks })
        };
        Self {
            spacing,
            typical: quantile(&from_map, 0.5),
            farthest,
            rungs: radii.map_while(rung).collect(),
        }
    }

    /// What steps between readings tell about steps as wide as those from readings to the map: 1 where readings lie as far
    /// apart as the map is away, less on a dense track.
    pub(in crate::model) fn likeness(&self) -> f64 {
        match self.farthest > 2.0 * self.spacing {
            true => 2.0 * self.spacing / self.farthest,
            false => 1.0,
        }
    }
}

/// Some readings with those around them; none if that is too much work.
fn blocks(places: &Points, judge: &[usize], radius: f64) -> Option<Vec<Vec<usize>>> {
    let mut squares = vec![0.0; places.len()];
    let around = |&i: &usize| {
        squared_distances(places, places, i, &mut squares);
        let near = |j: &usize| *j != i && squares[*j] <= radius * radius;
        let others = (0..places.len()).filter(near);
        others.chain([i]).collect::<Vec<_>>()
    };
    let all: Vec<_> = evenly(judge, MOST_JUDGED).map(around).collect();
    let work = |block: &Vec<usize>| (block.len() as f64).powi(3) / 3.0;
    let work: f64 = all.iter().map(work).sum();
    let affordable = all.len() as f64 * (MOST_WORK / work).min(1.0);
    let kept: Vec<_> = evenly(&all, affordable as usize).cloned().collect();
    (kept.len() >= FEWEST_JUDGED).then_some(kept)
}

/// At most so many of them.
fn evenly<T>(all: &[T], most: usize) -> impl Iterator<Item = &T> {
    all.iter().step_by(all.len().div_ceil(most.max(1)).max(1))
}

/// Distance of each of `from` to the nearest of those of `places` whose squared distance counts.
fn nearest(places: &Points, from: &Points, counts: impl Fn(f64) -> bool) -> Vec<f64> {
    let mut squares = vec![0.0; places.len()];
    let to_nearest = |i: usize| {
        squared_distances(places, from, i, &mut squares);
        let counted = squares.iter().copied().filter(|square| counts(*square));
        counted.fold(f64::INFINITY, f64::min).sqrt()
    };
    (0..from.len()).map(to_nearest).collect()
}

/// The finite value that a share of the finite ones is not above; 0 if there are none.
fn quantile(values: &[f64], share: f64) -> f64 {
    let mut values: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    let index = (share * last as f64).round() as usize;
    values.get(index).copied().unwrap_or(0.0)
}

/// Places spread evenly over the smallest box around some: multiples of the powers of 1/g, less their integer parts,
/// where `g^(D+1) = g + 1` (M. Roberts' generalisation of the golden ratio).
fn all_over(places: &Points) -> Points {
    let dimensions = places.dim();
    let g = (0..30).fold(1.5_f64, |g, _| {
        (1.0 + g).powf(1.0 / (dimensions as f64 + 1.0))
    });
    let mut columns = (0..dimensions).map(|d| {
        let column = places.column(d);
        let low = column.iter().copied().fold(f64::INFINITY, f64::min);
        let high = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (g.powi(-(d as i32 + 1)), low, high - low)
    });
    let columns: Vec<_> = columns.by_ref().collect();
    let flat = (0..PLACES).flat_map(|i| {
        let share = move |step: f64| (0.5 + step * i as f64).fract();
        columns
            .iter()
            .map(move |(step, low, width)| low + width * share(*step))
    });
    let flat: Vec<f64> = flat.collect();
    // The box around finite places is finite.
    Points::from_flat(dimensions, &flat).unwrap_or_else(|_| places.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(rows: impl Iterator<Item = [f64; 2]>) -> (Points, Vec<usize>) {
        let places = Points::from_rows(&rows.collect::<Vec<_>>()).unwrap();
        let all = (0..places.len()).collect();
        (places, all)
    }

    #[test]
    fn readings_all_over_the_map_are_left_out_one_by_one() {
        let scattered = (0..300).map(|i| {
            let share = |step: f64| (step * f64::from(i)).fract();
            [share(0.754_877), share(0.569_840)]
        });
        let (places, all) = places(scattered);
        let ladder = Ladder::of(&places, &all);
        assert!(ladder.rungs.is_empty());
        assert_eq!(ladder.likeness(), 1.0);
    }

    #[test]
    fn stretches_of_a_track_are_left_out_together() {
        // Two lines 0.8 apart, readings every 0.01.
        let track = (0..200).map(|i| [0.01 * f64::from(i % 100), 0.8 * f64::from(i / 100)]);
        let (places, all) = places(track);
        let ladder = Ladder::of(&places, &all);
        assert!((ladder.spacing - 0.01).abs() < 1e-9);
        assert!((0.15..0.25).contains(&ladder.typical), "{ladder:?}");
        // A tenth of the way between the lines is 0.36 or more from both.
        assert!((ladder.likeness() / (0.02 / 0.36) - 1.0).abs() < 0.1);
        let radii: Vec<f64> = ladder.rungs.iter().map(|rung| rung.radius).collect();
        let expected = [0.02, 0.04, 0.08, 0.16, 0.32, 0.64];
        assert_eq!(radii.len(), expected.len());
        for (radius, expected) in radii.iter().zip(expected) {
            assert!((radius - expected).abs() < 1e-9);
        }
        let rung = &ladder.rungs[2];
        assert_eq!(rung.blocks.len(), 100);
        // Every second reading is judged: the 26th of them is in the middle of the first line.
        let mut block = rung.blocks[25].clone();
        assert_eq!(block.last(), Some(&50));
        block.sort_unstable();
        assert_eq!(block, (42..=58).collect::<Vec<_>>());
    }

    #[test]
    fn work_is_bounded() {
        let (places, all) = places((0..3000).map(|i| [1e-3 * f64::from(i), 0.0]));
        let places_and_one = {
            let mut more = places.clone();
            more.append(&Points::from_rows(&[[0.0, 3.0]]).unwrap())
                .unwrap();
            more
        };
        for rung in Ladder::of(&places_and_one, &all).rungs {
            let work: usize = rung.blocks.iter().map(|block| block.len().pow(3) / 3).sum();
            assert!(work as f64 <= 1.01 * MOST_WORK);
            assert!((FEWEST_JUDGED..=MOST_JUDGED).contains(&rung.blocks.len()));
        }
    }

    #[test]
    fn one_place_has_no_ladder() {
        let (places, all) = places((0..50).map(|_| [0.3, 0.4]));
        let ladder = Ladder::of(&places, &all);
        assert_eq!((ladder.spacing, ladder.rungs.len()), (0.0, 0));
        assert_eq!(ladder.likeness(), 1.0);
    }
}

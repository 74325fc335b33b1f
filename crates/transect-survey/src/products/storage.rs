//! Water by level: area and volume of the water `h` lower than the level that depths are below; of heights, of the water at
//! height `h`.
//!
//! A map is an expectation and smoother than the ground: its deepest cells are not as deep, and its areas at a level are not the areas
//! expected there. With mean m and standard deviation s of each cell of area c, and `u = (m - h) / s`, expected are
//!
//! - `area(h) = c sum Phi(u)`
//! - `volume(h) = c sum s (u Phi(u) + phi(u))`
//!
//! Intervals are those of surfaces drawn from the joint posterior. Inside a shore nothing is above it.

use std::f64::consts::PI;
use transect::metrics::Tails;
use transect_io::soundings::Quantity;

/// Levels in a table, about.
const LEVELS: f64 = 12.0;
/// Cells that drawn surfaces are added up over, at most; of larger maps every so-manieth, for the intervals only.
const MOST_CELLS: usize = 100_000;

/// One level of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StorageRow {
    /// Drawdown of the water, or its height, m.
    pub level: f64,
    /// Area of the water, m².
    pub area_m2: f64,
    /// 95 % interval of the area, m².
    pub area_95: [f64; 2],
    /// Volume of the water, m³.
    pub volume_m3: f64,
    /// 95 % interval of the volume, m³.
    pub volume_95: [f64; 2],
    /// Mean depth, m.
    pub mean_depth_m: f64,
}

/// Area and volume by level.
#[derive(Debug, Clone, PartialEq)]
pub struct Storage {
    /// From the fullest to the emptiest.
    pub rows: Vec<StorageRow>,
}

/// A map, and surfaces that it takes for possible.
#[derive(Clone, Copy)]
pub struct Surfaces<'a> {
    /// Depths or heights cell by cell; NaN where there is no map.
    pub mean: &'a [f64],
    /// Standard deviations cell by cell.
    pub std: &'a [f64],
    /// Area of a cell, m².
    pub cell_m2: f64,
    /// Which of the two.
    pub quantity: Quantity,
    /// The value along the outline of the map, where that is the shore.
    pub shore: Option<f64>,
    /// How many surfaces were drawn.
    pub draws: usize,
    /// How many standard deviations surface number so-and-so is above the mean in a cell.
    pub deviation: &'a (dyn Fn(usize, usize) -> f64 + Sync),
}

/// Levels `first + k step`, downwards.
struct Levels {
    first: f64,
    step: f64,
    count: usize,
}

/// Area, and volume, of the water below each level.
type Water = Vec<[f64; 2]>;

/// The table of a map; none if it is neither of depths nor of heights.
#[must_use]
pub fn storage(surfaces: &Surfaces<'_>) -> Option<Storage> {
    let downwards = match surfaces.quantity {
        Quantity::Depth => 1.0,
        Quantity::Elevation => -1.0,
        Quantity::Other => return None,
    };
    let mapped: Vec<usize> = (0..surfaces.mean.len())
        .filter(|cell| surfaces.mean[*cell].is_finite() && surfaces.std[*cell].is_finite())
        .collect();
    let depth = |cell: usize| downwards * surfaces.mean[cell];
    let shore = surfaces.shore.map(|value| downwards * value);
    let full = match surfaces.quantity {
        Quantity::Depth => Some(0.0),
        _ => shore,
    };
    let levels = Levels::of(full, mapped.iter().map(|cell| depth(*cell)))?;
    let cells = mapped
        .iter()
        .map(|cell| (depth(*cell), surfaces.std[*cell]));
    let expected = scaled(levels.expected(cells, shore), surfaces.cell_m2);
    let every = mapped.len().div_ceil(MOST_CELLS).max(1);
    let some: Vec<usize> = mapped.iter().copied().step_by(every).collect();
    let share = surfaces.cell_m2 * mapped.len() as f64 / some.len() as f64;
    let drawn: Vec<Water> = (0..surfaces.draws)
        .map(|draw| {
            let depths = some.iter().map(|cell| {
                let off = downwards * surfaces.std[*cell] * (surfaces.deviation)(draw, *cell);
                depth(*cell) + off
            });
            scaled(levels.measured(depths, shore), share)
        })
        .collect();
    let interval = |k: usize, which: usize| {
        let best = expected[k][which];
        let mut all: Vec<f64> = drawn.iter().map(|water| water[k][which]).collect();
        if all.is_empty() {
            return [best, best];
        }
        all.sort_unstable_by(f64::total_cmp);
        // The expectation is known better than from the surfaces drawn.
        let more = best - all.iter().sum::<f64>() / all.len() as f64;
        let at = |share: f64| all[((all.len() - 1) as f64 * share).round() as usize];
        [0.025, 0.975].map(|share| (at(share) + more).max(0.0))
    };
    let rows = (0..levels.count).map(|k| {
        let [area, volume] = expected[k];
        StorageRow {
            // Never -0.
            level: downwards * levels.at(k) + 0.0,
            area_m2: area,
            area_95: interval(k, 0),
            volume_m3: volume,
            volume_95: interval(k, 1),
            mean_depth_m: if area > 0.0 { volume / area } else { 0.0 },
        }
    });
    Some(Storage {
        rows: rows.collect(),
    })
}

impl Levels {
    /// Levels for these depths, from the `full` water down; none where all is dry. Depths are below the water's level, and a shore is where the water ends; of heights
    /// without one nobody said where the water is, so the highest cell is the shore, and levels are round.
    fn of(full: Option<f64>, depths: impl Iterator<Item = f64>) -> Option<Self> {
        let (low, high) = depths.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
        let first = full.unwrap_or(low);
        if high <= first {
            return None;
        }
        let step = round_step((high - first) / LEVELS);
        let first = full.unwrap_or_else(|| (first / step).ceil() * step);
        let count = ((high - first) / step).ceil().max(0.0) as usize;
        Some(Self { first, step, count })
    }

    fn at(&self, k: usize) -> f64 {
        self.first + k as f64 * self.step
    }

    /// Expected area and volume of cells with these means and standard deviations, in cells.
    fn expected(&self, cells: impl Iterator<Item = (f64, f64)>, shore: Option<f64>) -> Water {
        let mut water = vec![[0.0; 2]; self.count];
        for (mean, std) in cells {
            for (k, [area, volume]) in water.iter_mut().enumerate() {
                let level = self.at(k);
                if shore.is_some_and(|shore| level <= shore) {
                    // Everything inside is at least as deep as its shore.
                    let [_, beyond] = above(mean, std, shore.unwrap_or(level));
                    *area += 1.0;
                    *volume += beyond + shore.unwrap_or(level) - level;
                } else {
                    let [wet, deep] = above(mean, std, level);
                    *area += wet;
                    *volume += deep;
                }
            }
        }
        water
    }

    /// Area and volume of cells of these depths, in cells.
    fn measured(&self, depths: impl Iterator<Item = f64>, shore: Option<f64>) -> Water {
        // How many cells, and what depths, are between one level and the next.
        let mut between = vec![[0.0; 2]; self.count];
        for depth in depths {
            let depth = shore.map_or(depth, |shore| depth.max(shore));
            let k = ((depth - self.first) / self.step).floor();
            if k >= 0.0 {
                let [cells, sum] = &mut between[(k as usize).min(self.count - 1)];
                *cells += 1.0;
                *sum += depth;
            }
        }
        let (mut cells, mut sum) = (0.0, 0.0);
        let mut water: Water = (0..self.count)
            .rev()
            .map(|k| {
                cells += between[k][0];
                sum += between[k][1];
                [cells, sum - cells * self.at(k)]
            })
            .collect();
        water.reverse();
        water
    }
}

/// Probability that a cell is below the level, and depth expected below it.
fn above(mean: f64, std: f64, level: f64) -> [f64; 2] {
    let u = (mean - level) / std.max(f64::MIN_POSITIVE);
    if u > 8.0 {
        return [1.0, mean - level];
    }
    if u < -8.0 {
        return [0.0, 0.0];
    }
    let probability = Tails::Gaussian.probability_below(u);
    let density = (-0.5 * u * u).exp() / (2.0 * PI).sqrt();
    [probability, std * (u * probability + density)]
}

fn scaled(mut water: Water, by: f64) -> Water {
    water.iter_mut().flatten().for_each(|v| *v *= by);
    water
}

/// 1, 2 or 5 times a power of ten, at least this.
fn round_step(size: f64) -> f64 {
    let decade = 10_f64.powf(size.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * decade);
    steps
        .into_iter()
        .find(|step| *step >= size * (1.0 - 1e-9))
        .unwrap_or(size)
}

impl Storage {
    /// The table as CSV.
    #[must_use]
    pub fn to_csv(&self, quantity: Quantity) -> String {
        let level = if quantity == Quantity::Depth {
            "drawdown_m"
        } else {
            "level_m"
        };
        let mut text = format!(
            "{level},area_m2,area_low_m2,area_high_m2,volume_m3,volume_low_m3,volume_high_m3,mean_depth_m\n"
        );
        for row in &self.rows {
            let [area_low, area_high] = row.area_95;
            let [low, high] = row.volume_95;
            text += &format!(
                "{},{:.1},{area_low:.1},{area_high:.1},{:.1},{low:.1},{high:.1},{:.4}\n",
                (row.level * 1e6).round() / 1e6,
                row.area_m2,
                row.volume_m3,
                row.mean_depth_m
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Depth 10 m in the middle of a circle of 50 m, zero at its shore, cells of 1 m.
    fn cone() -> Vec<f64> {
        let depth =
            |i: usize| 10.0 - (((i % 101) as f64 - 50.0).hypot((i / 101) as f64 - 50.0)) / 5.0;
        let all = (0..101 * 101).map(depth);
        all.map(|d| if d > 0.0 { d } else { f64::NAN }).collect()
    }

    fn depths<'a>(
        mean: &'a [f64],
        std: &'a [f64],
        deviation: &'a (dyn Fn(usize, usize) -> f64 + Sync),
    ) -> Surfaces<'a> {
        Surfaces {
            mean,
            std,
            cell_m2: 1.0,
            quantity: Quantity::Depth,
            shore: None,
            draws: 201,
            deviation,
        }
    }

    #[test]
    fn a_cone_holds_a_third_of_its_cylinder() {
        let mean = cone();
        // Every surface is the map moved up or down as a whole, by at most 0.1 m.
        let std = vec![0.1; mean.len()];
        let together = |draw: usize, _cell: usize| 0.01 * (draw as f64 - 100.0);
        let surfaces = depths(&mean, &std, &together);
        let table = storage(&surfaces).unwrap();
        // Of the smallest circles, the edge is too large a share.
        for row in table.rows.iter().filter(|row| row.level < 7.5) {
            let radius = 50.0 - 5.0 * row.level;
            let area = std::f64::consts::PI * radius * radius;
            let volume = area * (10.0 - row.level) / 3.0;
            assert!((row.area_m2 / area - 1.0).abs() < 0.03, "{row:?}");
            assert!((row.volume_m3 / volume - 1.0).abs() < 0.03, "{row:?}");
        }
        // The whole map up by 0.095 m is 0.095 m times its area more water.
        let full = table.rows[0];
        let wide = full.volume_95[1] - full.volume_95[0];
        assert!(
            (wide / (0.19 * full.area_m2) - 1.0).abs() < 0.03,
            "{full:?}"
        );
        assert!(
            storage(&Surfaces {
                quantity: Quantity::Other,
                ..surfaces
            })
            .is_none()
        );
    }

    /// No cell reaches the shore, and yet the water does.
    #[test]
    fn a_lake_of_heights_is_full_up_to_its_shore() {
        let mean: Vec<f64> = cone().iter().map(|depth| 97.5 - depth).collect();
        let std = vec![0.1; mean.len()];
        let none = |_draw: usize, _cell: usize| 0.0;
        let heights = Surfaces {
            quantity: Quantity::Elevation,
            shore: Some(98.0),
            ..depths(&mean, &std, &none)
        };
        let full = storage(&heights).unwrap().rows[0];
        assert_eq!(full.level, 98.0);
        assert!(
            (full.mean_depth_m - (0.5 + 10.0 / 3.0)).abs() < 0.03,
            "{full:?}"
        );
        let unknown = Surfaces {
            shore: None,
            ..heights
        };
        assert_eq!(storage(&unknown).unwrap().rows[0].level, 97.0);
    }

    #[test]
    fn errors_that_are_not_shared_average_out() {
        let mean = vec![5.0; 10_000];
        let std = vec![1.0; mean.len()];
        // Well mixed bits of the number, as a deviation of +1 or -1.
        let apart = |draw: usize, cell: usize| {
            let mixed = (draw * 10_000 + cell + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            if (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 63 == 0 {
                1.0
            } else {
                -1.0
            }
        };
        let table = storage(&depths(&mean, &std, &apart)).unwrap();
        let [low, high] = table.rows[0].volume_95;
        // 2 times 1.96 standard deviations of a sum of ten thousand.
        let expected = 2.0 * 1.96 * 100.0;
        assert!(((high - low) / expected - 1.0).abs() < 0.25, "{low} {high}");
    }

    /// A flat floor that is uncertain is half below the level of its mean.
    #[test]
    fn areas_are_those_expected_not_those_of_the_mean() {
        let mean = [[4.0; 50], [4.0; 50]].concat();
        let std = [[1.0; 50], [0.5; 50]].concat();
        let none = |_draw: usize, _cell: usize| 0.0;
        let table = storage(&depths(&mean, &std, &none)).unwrap();
        let row = |level: f64| {
            let found = table
                .rows
                .iter()
                .find(|row| (row.level - level).abs() < 1e-9);
            *found.unwrap()
        };
        // Phi(1) = 0.841345, Phi(2) = 0.977250.
        assert!((row(3.0).area_m2 - 50.0 * (0.841_345 + 0.977_250)).abs() < 1e-3);
        // E max(x, 0) of a normal x: s (u Phi(u) + phi(u)); phi(1) = 0.241971, phi(2) = 0.053991.
        let volume = 50.0 * (0.841_345 + 0.241_971) + 25.0 * (2.0 * 0.977_250 + 0.053_991);
        assert!((row(3.0).volume_m3 - volume).abs() < 1e-3, "{:?}", row(3.0));
    }

    /// Inside a shore all is water, however uncertain.
    #[test]
    fn nothing_inside_a_shore_is_dry() {
        let (mean, std) = (vec![0.2; 100], vec![1.0; 100]);
        let down = |_draw: usize, _cell: usize| -3.0;
        let surfaces = depths(&mean, &std, &down);
        let open = storage(&surfaces).unwrap().rows[0];
        assert!(open.area_m2 < 60.0, "{open:?}");
        let closed = storage(&Surfaces {
            shore: Some(0.0),
            ..surfaces
        });
        let closed = closed.unwrap().rows[0];
        assert_eq!((closed.area_m2, closed.area_95), (100.0, [100.0, 100.0]));
    }
}

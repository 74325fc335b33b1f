//! Water by level: `area(h) = sum of cells with depth > h`, `volume(h) = sum of (depth - h)`, for the water `h` lower than
//! the level that depths are below; of heights, for the water at height `h`. Intervals are those of surfaces that the
//! map takes for possible.

use transect_io::soundings::Quantity;

/// Surfaces drawn for intervals.
const DRAWS: u64 = 200;
/// Levels in a table, about.
const LEVELS: f64 = 12.0;

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
pub struct Surfaces<'a> {
    /// Depths or heights cell by cell; NaN where there is no map.
    pub mean: &'a [f64],
    /// Area of a cell, m².
    pub cell_m2: f64,
    /// Which of the two.
    pub quantity: Quantity,
    /// Draws the surface of this number.
    pub draw: &'a (dyn Fn(u64) -> Vec<f64> + Sync),
}

/// The table of a map; none if it is neither of depths nor of heights.
#[must_use]
pub fn storage(surfaces: &Surfaces<'_>) -> Option<Storage> {
    let downwards = match surfaces.quantity {
        Quantity::Depth => 1.0,
        Quantity::Elevation => -1.0,
        Quantity::Other => return None,
    };
    let depths = |values: &[f64]| -> Vec<f64> {
        let known = values.iter().filter(|v| v.is_finite());
        known.map(|v| downwards * v).collect()
    };
    let mean = depths(surfaces.mean);
    let (low, high) = mean
        .iter()
        .fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(*v), b.max(*v)));
    // Depths are below the water's level; of heights nobody said where the water is, so the highest cell is the shore.
    let first = if surfaces.quantity == Quantity::Depth {
        0.0
    } else {
        low
    };
    if high <= first {
        return None;
    }
    let step = round_step((high - first) / LEVELS);
    let first = if surfaces.quantity == Quantity::Depth {
        0.0
    } else {
        (first / step).ceil() * step
    };
    let levels: Vec<f64> = (0..)
        .map(|k| first + f64::from(k) * step)
        .take_while(|h| *h < high)
        .collect();
    let measure = |depths: &[f64]| -> Vec<[f64; 2]> {
        levels
            .iter()
            .map(|level| {
                let wet = depths.iter().filter(|depth| *depth > level);
                let (count, sum) =
                    wet.fold((0.0, 0.0), |(n, s), depth| (n + 1.0, s + depth - level));
                [count * surfaces.cell_m2, sum * surfaces.cell_m2]
            })
            .collect()
    };
    let drawn: Vec<Vec<[f64; 2]>> = (0..DRAWS)
        .map(|number| measure(&depths(&(surfaces.draw)(number))))
        .collect();
    let interval = |k: usize, which: usize, best: f64| {
        // Depths cannot be negative, so possible surfaces have more water than the map on average: only their spread counts.
        let mut all: Vec<f64> = drawn.iter().map(|table| table[k][which]).collect();
        all.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| all[((all.len() - 1) as f64 * share).round() as usize];
        let middle = at(0.5);
        [0.025, 0.975].map(|share| (best + at(share) - middle).max(0.0))
    };
    let rows = measure(&mean)
        .into_iter()
        .enumerate()
        .map(|(k, [area, volume])| StorageRow {
            level: downwards * levels[k],
            area_m2: area,
            area_95: interval(k, 0, area),
            volume_m3: volume,
            volume_95: interval(k, 1, volume),
            mean_depth_m: if area > 0.0 { volume / area } else { 0.0 },
        });
    Some(Storage {
        rows: rows.collect(),
    })
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

    #[test]
    fn a_cone_holds_a_third_of_its_cylinder() {
        // Depth 10 m in the middle of a circle of 50 m, zero at its shore, cells of 1 m.
        let depth =
            |i: usize| 10.0 - (((i % 101) as f64 - 50.0).hypot((i / 101) as f64 - 50.0)) / 5.0;
        let mean: Vec<f64> = (0..101 * 101)
            .map(depth)
            .map(|d| if d > 0.0 { d } else { f64::NAN })
            .collect();
        // Every surface is the map moved up or down as a whole, by at most 0.1 m.
        let draw = |number: u64| {
            mean.iter()
                .map(|d| d + 0.001 * (number as f64 - 100.0))
                .collect::<Vec<f64>>()
        };
        let surfaces = Surfaces {
            mean: &mean,
            cell_m2: 1.0,
            quantity: Quantity::Depth,
            draw: &draw,
        };
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
}

//! Change between two surveys: one map less the other where both are, and where that is more than chance:
//! `|difference| > 1.96 sqrt(std_1^2 + std_2^2)`.

use transect::geometry::Position;
use transect_io::{Raster, geotiff::MapFile};

/// Standard deviations of a 95 % interval.
const NORMAL_95: f64 = 1.96;

/// Change between two maps.
#[derive(Debug, Clone)]
pub struct Difference {
    /// The later map less the earlier one, on the later one's grid; NaN where only one is.
    pub change: Raster,
    /// One standard deviation of the change.
    pub std: Raster,
    /// Cells that both maps have.
    pub shared: usize,
    /// Cells whose change is more than chance.
    pub significant: usize,
    /// Sum of all changes times the area of a cell, m³.
    pub volume_m3: f64,
    /// The same of cells whose change is more than chance, gains and losses of value apart, m³.
    pub significant_m3: [f64; 2],
}

/// The change from one map to a later one.
///
/// # Errors
/// If they are not in the same system in metres, or do not overlap.
pub fn difference(earlier: &MapFile, later: &MapFile) -> Result<Difference, String> {
    let (a, b) = (&earlier.mean, &later.mean);
    if a.crs() != b.crs() {
        return Err(format!(
            "the maps are in {} and {}; make both with the same --crs",
            a.crs(),
            b.crs()
        ));
    }
    let place = b.placement();
    let look_up = |raster: &Raster, x: f64, y: f64| {
        let from = raster.placement();
        let column = ((x - from.west) / from.cell_width).floor();
        let row = ((from.north - y) / from.cell_height).floor();
        let inside = column >= 0.0
            && row >= 0.0
            && column < raster.columns() as f64
            && row < raster.rows() as f64;
        if inside {
            raster.at(row as usize, column as usize)
        } else {
            f64::NAN
        }
    };
    let (mut change, mut stds) = (Vec::new(), Vec::new());
    for row in 0..b.rows() {
        for column in 0..b.columns() {
            let (x, y) = place.centre(row, column);
            let at = Position::new(x, y);
            change.push(b.at(row, column) - look_up(a, at.x, at.y));
            stds.push(
                later
                    .std
                    .at(row, column)
                    .hypot(look_up(&earlier.std, at.x, at.y)),
            );
        }
    }
    let cell_m2 = place.cell_width * place.cell_height;
    let mut found = Difference {
        shared: change.iter().filter(|c| c.is_finite()).count(),
        significant: 0,
        volume_m3: change.iter().filter(|c| c.is_finite()).sum::<f64>() * cell_m2,
        significant_m3: [0.0; 2],
        change: Raster::new(change, b.rows(), b.columns(), place, b.crs())
            .map_err(|e| e.to_string())?,
        std: Raster::new(stds, b.rows(), b.columns(), place, b.crs()).map_err(|e| e.to_string())?,
    };
    if found.shared == 0 {
        return Err("the maps do not overlap".into());
    }
    for (change, std) in found.change.values().iter().zip(found.std.values()) {
        if change.abs() > NORMAL_95 * std {
            found.significant += 1;
            found.significant_m3[usize::from(*change < 0.0)] += change * cell_m2;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use transect_io::{Crs, Placement};

    fn map(west: f64, value: impl Fn(f64) -> f64, std: f64) -> MapFile {
        let placement = Placement {
            west,
            north: 10.0,
            cell_width: 2.0,
            cell_height: 2.0,
        };
        let values = (0..25)
            .map(|i| value(placement.centre(i / 5, i % 5).0))
            .collect();
        let raster = |values: Vec<f64>| Raster::new(values, 5, 5, placement, Crs::Local).unwrap();
        MapFile {
            mean: raster(values),
            std: raster(vec![std; 25]),
        }
    }

    #[test]
    fn changes_beyond_chance_are_told_from_the_rest() {
        let earlier = map(0.0, |_| 5.0, 0.3);
        // Two columns to the east; dug by 2 m where x > 7, otherwise 0.5 m, which is chance.
        let later = map(4.0, |x| if x > 7.0 { 7.0 } else { 5.5 }, 0.4);
        let found = difference(&earlier, &later).unwrap();
        assert_eq!((found.shared, found.significant), (15, 5));
        assert!(
            (found.significant_m3[0] - 5.0 * 4.0 * 2.0).abs() < 1e-9,
            "{found:?}"
        );
        assert!((found.volume_m3 - (40.0 + 10.0 * 4.0 * 0.5)).abs() < 1e-9);
        assert!((found.std.at(0, 0) - 0.5).abs() < 1e-12);
        assert!(
            difference(&earlier, &map(400.0, |_| 1.0, 0.1))
                .unwrap_err()
                .contains("overlap")
        );
    }
}

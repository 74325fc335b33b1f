//! Terrains that come with the program: one real, the others by formula.
//!
//! | file | what it holds |
//! |---|---|
//! | `landscapes` | the formulas |
//! | `noise` | seeded noise for them |
//!
//! Values are heights in metres. In lakes the water's surface is at 0, so that depths are negative heights.

mod landscapes;
mod noise;

use crate::crs::Crs;
use crate::npy::{Array, parse};
use crate::raster::{Placement, Raster};
use landscapes::{QUARRY_M, SIDE_M};

/// Cells along the side of a square landscape.
const CELLS: usize = 200;
/// Cells of the quarry per metre.
const QUARRY_CELLS_PER_M: f64 = 2.0;

/// A terrain that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct Builtin {
    /// What it is called.
    pub name: &'static str,
    /// What there is to see, in a line.
    pub about: &'static str,
    make: fn() -> Result<Raster, String>,
}

/// All of them, the default first.
pub const BUILTIN: &[Builtin] = &[
    Builtin {
        name: "jacksboro",
        about: "the Jacksboro fault, Tennessee: valleys and ridges (SRTM, 30 x 32 km)",
        make: real,
    },
    Builtin {
        name: "three-lands",
        about: "a plain, a mountain and sharp ridges side by side (400 x 400 m)",
        make: || square(landscapes::three_lands),
    },
    Builtin {
        name: "two-spots",
        about: "a lake with a smooth bed and two rugged spots, down to 25 m (400 x 400 m)",
        make: || square(landscapes::two_spots),
    },
    Builtin {
        name: "river",
        about: "gentle hills and a rugged strip along which a river winds (400 x 400 m)",
        make: || square(landscapes::river),
    },
    Builtin {
        name: "crater",
        about: "a volcano with gullied flanks, a breached rim and a dome (400 x 400 m)",
        make: || square(landscapes::crater),
    },
    Builtin {
        name: "quarry",
        about: "a flooded quarry with benches, a ramp and a heap of rubble (80 x 88 m)",
        make: || {
            let (width, height) = QUARRY_M;
            let cells = |side: f64| (side * QUARRY_CELLS_PER_M) as usize;
            by_formula(
                landscapes::quarry,
                cells(height),
                cells(width),
                1.0 / QUARRY_CELLS_PER_M,
            )
        },
    },
];

impl Builtin {
    /// The one of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        BUILTIN.iter().find(|builtin| builtin.name == name)
    }

    /// Its heights and place. The formulas give the same numbers on every platform.
    ///
    /// # Errors
    /// Never, unless the program was built from a damaged file.
    pub fn raster(&self) -> Result<Raster, String> {
        (self.make)()
    }
}

/// The Jacksboro fault, Tennessee: elevations in metres, row 0 in the *south* (as terrains have
/// it here; the file has it in the north). See `data/README.md` for its origin.
///
/// # Errors
/// Never, unless the program was built from a damaged file.
pub fn jacksboro() -> Result<Array, String> {
    let mut array = parse(include_bytes!("../../data/jacksboro.npy"))?;
    array.values = crate::raster::upside_down(array.values, array.columns);
    Ok(array)
}

/// The same, in its place on the earth.
fn real() -> Result<Raster, String> {
    let array = parse(include_bytes!("../../data/jacksboro.npy"))?;
    let cell = 1.0 / 1200.0;
    let placement = Placement {
        west: -84.41375,
        north: 36.44625 + array.rows as f64 * cell,
        cell_width: cell,
        cell_height: cell,
    };
    Raster::new(
        array.values,
        array.rows,
        array.columns,
        placement,
        Crs::WGS84,
    )
    .map_err(|error| error.to_string())
}

fn square(height: fn(f64, f64) -> f64) -> Result<Raster, String> {
    by_formula(height, CELLS, CELLS, SIDE_M / CELLS as f64)
}

fn by_formula(
    height: fn(f64, f64) -> f64,
    rows: usize,
    columns: usize,
    cell: f64,
) -> Result<Raster, String> {
    let placement = Placement {
        west: 0.0,
        north: rows as f64 * cell,
        cell_width: cell,
        cell_height: cell,
    };
    let at = |i: usize| {
        let (x, y) = placement.centre(i / columns, i % columns);
        height(x, y)
    };
    let values = (0..rows * columns).map(at).collect();
    Raster::new(values, rows, columns, placement, Crs::Local).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jacksboro_is_as_large_and_as_high_as_its_origin_says() {
        let array = jacksboro().unwrap();
        assert_eq!((array.rows, array.columns), (344, 403));
        let summary = named("jacksboro").to_terrain().unwrap().summary();
        assert_eq!((summary.min, summary.max), (236.0, 1076.0));
        let extent = named("jacksboro").extent().unwrap();
        assert!((extent.xmax() + 84.07792).abs() < 1e-5);
        assert!((extent.ymax() - 36.73292).abs() < 1e-5);
    }

    fn named(name: &str) -> Raster {
        Builtin::named(name).unwrap().raster().unwrap()
    }

    /// Root mean square of the second differences along x within a circle, m per cell²: what a smooth surface does not
    /// have.
    fn ruggedness(raster: &Raster, centre: (f64, f64), radius: f64) -> f64 {
        let (mut sum, mut count) = (0.0, 0.0);
        for row in 0..raster.rows() {
            for column in 1..raster.columns() - 1 {
                let (x, y) = raster.placement().centre(row, column);
                if (x - centre.0).hypot(y - centre.1) > radius {
                    continue;
                }
                let at = |c| raster.at(row, c);
                sum += (at(column - 1) - 2.0 * at(column) + at(column + 1)).powi(2);
                count += 1.0;
            }
        }
        f64::sqrt(sum / count)
    }

    #[test]
    fn landscapes_are_rugged_where_they_say_and_smooth_elsewhere() {
        for (name, smooth, rugged) in [
            ("three-lands", (60.0, 200.0), (300.0, 80.0)),
            ("two-spots", (280.0, 300.0), (115.0, 285.0)),
            ("two-spots", (110.0, 100.0), (285.0, 120.0)),
            ("river", (80.0, 330.0), (220.0, 160.0)),
            ("crater", (40.0, 40.0), (205.0, 120.0)),
        ] {
            let raster = named(name);
            let (calm, wild) = (
                ruggedness(&raster, smooth, 30.0),
                ruggedness(&raster, rugged, 30.0),
            );
            assert!(wild > 8.0 * calm, "{name}: {wild} against {calm}");
        }
    }

    #[test]
    fn lakes_are_under_water_and_the_quarry_has_the_size_of_the_papers_field_site() {
        for name in ["two-spots", "quarry"] {
            assert!(
                named(name).values().iter().all(|height| *height < 0.0),
                "{name}"
            );
        }
        let extent = named("quarry").extent().unwrap();
        assert_eq!((extent.width(), extent.height()), (80.0, 88.0));
    }
}

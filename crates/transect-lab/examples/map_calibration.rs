//! Maps surveys of the built-in terrains, whose truth is known, and prints how far off the maps are and how often their error bars
//! hold the truth.
//!
//! ```sh
//! cargo run --release -p transect-lab --example map_calibration
//! ```

use std::error::Error;
use transect::geometry::Position;
use transect::gp::random::{Randomness, Stream};
use transect::map::{MapSettings, make_map};
use transect::metrics::{Calibration, Tails, accuracy};
use transect::terrain::{Lookup, Terrain};
use transect_io::builtin::BUILTIN;

const SOUNDINGS: usize = 700;
const LANES: usize = 10;
/// Cells along the longer side of a map.
const CELLS: f64 = 120.0;

/// Where soundings are taken: anywhere, or along parallel lanes that are seven times as far apart as soundings are.
#[derive(Debug, Clone, Copy)]
enum Layout {
    Lanes,
    Anywhere,
}

impl Layout {
    fn places(self, terrain: &Terrain) -> Vec<[f64; 2]> {
        let extent = terrain.extent();
        let (width, height) = (extent.xmax() - extent.xmin(), extent.ymax() - extent.ymin());
        let mut stream = Stream::new(5);
        let mut shares = |i: usize| match self {
            Self::Anywhere => [stream.uniform(0.02, 0.98), stream.uniform(0.02, 0.98)],
            Self::Lanes => {
                let lane = (i * LANES / SOUNDINGS) as f64 + stream.uniform(0.48, 0.52);
                let along = (i * LANES % SOUNDINGS) as f64 / SOUNDINGS as f64;
                [lane / LANES as f64, 0.02 + 0.96 * along]
            }
        };
        let place = |i| {
            let [x, y] = shares(i);
            [extent.xmin() + x * width, extent.ymin() + y * height]
        };
        (0..SOUNDINGS).map(place).collect()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("terrain      soundings  noise    SMSE  inside 95 %  inside 50 %");
    for builtin in BUILTIN {
        let terrain = builtin.raster()?.to_terrain()?;
        let values = terrain.values();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares = values.iter().map(|v| (v - mean) * (v - mean));
        let spread = (squares.sum::<f64>() / values.len() as f64).sqrt();
        for layout in [Layout::Lanes, Layout::Anywhere] {
            for noise in [0.01, 0.1] {
                let (smse, held) = mapped(&terrain, layout, noise * spread)?;
                println!(
                    "{:12} {:9}  {:3.0} %  {smse:.4}       {:5.1}        {:5.1}",
                    builtin.name,
                    format!("{layout:?}").to_lowercase(),
                    100.0 * noise,
                    100.0 * held.coverage_95,
                    100.0 * held.coverage_50
                );
            }
        }
    }
    Ok(())
}

/// Mean squared error of a map relative to the variance of its truth, and how often its error bars hold.
fn mapped(
    terrain: &Terrain,
    layout: Layout,
    noise_std: f64,
) -> Result<(f64, Calibration), Box<dyn Error>> {
    let truth = |[x, y]: [f64; 2]| terrain.value(Position { x, y }, Lookup::Bilinear);
    let mut stream = Stream::new(6);
    let places = layout.places(terrain);
    let readings = places
        .iter()
        .map(|place| Ok(truth(*place).ok_or("a void")? + stream.normal(0.0, noise_std)))
        .collect::<Result<Vec<f64>, Box<dyn Error>>>()?;
    let extent = terrain.extent();
    let longer = (extent.xmax() - extent.xmin()).max(extent.ymax() - extent.ymin());
    let settings = MapSettings {
        cell_m: Some(longer / CELLS),
        ..MapSettings::default()
    };
    let map = make_map(&places, &readings, &settings, &|_share| ())?;
    let [mut mean, mut std, mut true_values] = [const { Vec::new() }; 3];
    for cell in (0..map.grid.cells()).filter(|cell| map.mean[*cell].is_finite()) {
        let (row, column) = (cell / map.grid.columns, cell % map.grid.columns);
        if let Some(value) = truth(map.grid.centre(row, column)) {
            mean.push(map.mean[cell]);
            std.push(map.std[cell]);
            true_values.push(value);
        }
    }
    let calibration = Calibration::of(&mean, &std, Tails::Gaussian, &true_values)?;
    Ok((accuracy::smse(&mean, &true_values)?, calibration))
}

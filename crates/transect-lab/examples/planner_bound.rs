//! What hindsight would gain over even lines: how much better soundings could be spread if the roughness of the ground were known beforehand.
//!
//! ```text
//! cargo run --release -p transect-lab --example planner_bound -- <folder of terrain files>
//! ```
//!
//! Where soundings have the density ρ, the error of a map is `s² ρ^-H`, with the local roughness s² and the Hurst exponent H of the ground. Spread evenly, its
//! mean is `mean(s²)`; spread as well as can be, `ρ ∝ s^(2/(1+H))`, it is `mean(s^(2/(1+H)))^(1+H)`. s² is the mean over a window of the squared errors of
//! interpolating from four points half a spacing away; nothing is lost on the way from one sounding to the next. No planner reaches this, as
//! none knows s before it has measured.

use std::path::Path;
use transect::geometry::{Position, Rect};
use transect::terrain::{Lookup, Terrain};
use transect_lab::DataFolder;

const TERRAINS: [&str; 5] = ["N17E073", "N43W080", "N45W123", "N47W124", "jacksboro"];
/// Half the side of the surveyed area, m.
const HALF_M: f64 = 10.0;
/// Points along each side at which errors are looked at.
const POINTS: usize = 200;
/// Half sides of the windows, m.
const WINDOWS_M: [f64; 2] = [1.0, 2.0];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    let data = DataFolder::new(Path::new(&folder));
    let extent = Rect::new(-11.0, 11.0, -11.0, 11.0)?;
    println!("terrain     soundings     H   gained with windows of 2 m   of 4 m");
    let mut sums = [0.0; 2];
    for name in TERRAINS {
        let terrain = data.terrain(name, extent)?;
        for soundings in [300.0, 600.0] {
            let spacing_m = (4.0 * HALF_M * HALF_M / soundings).sqrt();
            let near = squared_errors(&terrain, 0.5 * spacing_m);
            let far = squared_errors(&terrain, spacing_m);
            let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len() as f64;
            let hurst = 0.5 * (mean(&far) / mean(&near)).log2();
            let gains = WINDOWS_M.map(|window_m| gain(&smoothed(&near, window_m), hurst));
            println!(
                "{name:12} {soundings:>8} {hurst:>6.2} {:>24.1} % {:>8.1} %",
                gains[0], gains[1]
            );
            for (sum, gain) in sums.iter_mut().zip(gains) {
                *sum += 0.1 * gain;
            }
        }
    }
    println!("mean {:>50.1} % {:>8.1} %", sums[0], sums[1]);
    Ok(())
}

/// Squared errors of interpolating from four points at this distance, on a grid over the area.
fn squared_errors(terrain: &Terrain, distance_m: f64) -> Vec<f64> {
    let at = |i: usize| -HALF_M + 2.0 * HALF_M * (i as f64 + 0.5) / POINTS as f64;
    let value = |x: f64, y: f64| {
        let inside = |v: f64| v.clamp(-11.0, 11.0);
        let place = Position::new(inside(x), inside(y));
        terrain.value(place, Lookup::Nearest).unwrap_or_default()
    };
    let error = |i: usize| {
        let (x, y) = (at(i % POINTS), at(i / POINTS));
        let around = value(x - distance_m, y)
            + value(x + distance_m, y)
            + value(x, y - distance_m)
            + value(x, y + distance_m);
        (value(x, y) - 0.25 * around).powi(2)
    };
    (0..POINTS * POINTS).map(error).collect()
}

/// Means over square windows.
fn smoothed(errors: &[f64], half_m: f64) -> Vec<f64> {
    let reach = (half_m / (2.0 * HALF_M) * POINTS as f64).round() as usize;
    let along = |values: &[f64], stride: usize, across: usize| {
        let mut out = vec![0.0; values.len()];
        for line in 0..POINTS {
            for i in 0..POINTS {
                let (from, to) = (i.saturating_sub(reach), (i + reach).min(POINTS - 1));
                let sum: f64 = (from..=to)
                    .map(|k| values[line * across + k * stride])
                    .sum();
                out[line * across + i * stride] = sum / (to - from + 1) as f64;
            }
        }
        out
    };
    along(&along(errors, 1, POINTS), POINTS, 1)
}

/// By how much the mean error is less with the best density than with an even one, %.
fn gain(roughness: &[f64], hurst: f64) -> f64 {
    let count = roughness.len() as f64;
    let even = roughness.iter().sum::<f64>() / count;
    let power = 1.0 / (1.0 + hurst);
    let best = roughness.iter().map(|s| s.powf(power)).sum::<f64>() / count;
    100.0 * (1.0 - best.powf(1.0 + hurst) / even)
}

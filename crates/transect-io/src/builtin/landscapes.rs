//! Landscapes by formula: each is smooth in one part and rugged in another, and says where.
//!
//! A landscape is a height (m) at `x` east and `y` north (m) of its south-western corner. Where there is water, its
//! surface is at 0 and the bed has negative heights.

use super::noise::{Noise, bell, mix, step};
use libm::{atan2, cos, exp, hypot, sin};

/// Side of the square landscapes, m.
pub(super) const SIDE_M: f64 = 400.0;
/// Width and height of the quarry, m.
pub(super) const QUARRY_M: (f64, f64) = (80.0, 88.0);

/// A plain in the west, a mountain in the north-east, sharp ridges in the south-east.
pub(super) fn three_lands(x: f64, y: f64) -> f64 {
    let noise = Noise(3);
    let plain = 20.0 + 1.5 * noise.smooth(x / 120.0, y / 120.0);

    let away = hypot(x - 285.0, y - 290.0);
    let flank = exp(-away / 75.0);
    let mountain = 130.0 * flank * (1.0 + 0.35 * noise.rugged(x / 60.0, y / 60.0, 4));

    let bend = 25.0 * noise.smooth(x / 110.0, y / 110.0);
    let across = (y + 0.35 * x + bend) / 36.0;
    let crest = 1.0 - sin(std::f64::consts::PI * across).abs();
    let ridges = 34.0 * crest * (0.75 + 0.35 * noise.rugged(x / 30.0 + 50.0, y / 30.0, 3));

    let east = step(
        130.0,
        215.0,
        x + 12.0 * noise.smooth(x / 50.0, y / 50.0 + 9.0),
    );
    let south = 1.0 - step(140.0, 210.0, y);
    plain + east * mix(mountain, 18.0 + ridges, south)
}

/// A lake with a smooth bed, down to 25 m, and two rugged spots: boulders in the north-west, reefs in the south-east.
pub(super) fn two_spots(x: f64, y: f64) -> f64 {
    let noise = Noise(11);
    let (u, v) = (x / SIDE_M - 0.5, y / SIDE_M - 0.5);
    let swell = 1.2 * noise.smooth(x / 150.0, y / 150.0);
    let bowl = -25.0 + 60.0 * (u * u + 0.8 * v * v) + swell;

    let boulders = 11.0 * noise.rugged(x / 22.0, y / 22.0, 4);
    let reefs = 16.0 * (noise.crested(x / 30.0 + 7.0, y / 30.0, 4) - 0.5);
    let bed = bowl
        + bell(x, y, (115.0, 285.0), 42.0) * boulders
        + bell(x, y, (285.0, 120.0), 50.0) * reefs;
    bed.min(-0.5)
}

/// Gentle hills with a rugged strip across them from south-west to north-east, and a river that winds along the strip.
pub(super) fn river(x: f64, y: f64) -> f64 {
    let noise = Noise(29);
    let hills = 40.0 + 7.0 * noise.smooth(x / 140.0, y / 140.0);
    // Along and across the diagonal.
    let (along, across) = (
        (x + y) / std::f64::consts::SQRT_2,
        (y - x) / std::f64::consts::SQRT_2,
    );
    let middle = 22.0 * sin(along / 48.0) + 12.0 * noise.smooth(along / 60.0, 0.5);
    let strip = exp(-((across - 0.3 * middle) / 62.0).powi(4));
    let rocks = strip * (26.0 * noise.crested(x / 42.0, y / 42.0, 5) - 6.0);
    let from_river = (across - middle) / 9.0;
    let valley = exp(-from_river * from_river / 2.0);
    mix(hills + rocks, 22.0 - 0.012 * along, valley)
}

/// A volcano: a smooth apron, gullied flanks, a rim that is breached to the north, and a lava dome in the crater.
pub(super) fn crater(x: f64, y: f64) -> f64 {
    let noise = Noise(5);
    let (dx, dy) = (x - 205.0, y - 190.0);
    let around = atan2(dy, dx);
    let away = hypot(dx, dy) * (1.0 + 0.06 * noise.smooth(2.0 * cos(around), 2.0 * sin(around)));
    let cone = 165.0 * exp(-away / 105.0);
    // Gullies run down the flanks: noise of the direction, not of the place.
    let flank = step(55.0, 85.0, away) * (1.0 - step(120.0, 190.0, away));
    let gullies = 11.0 * flank * noise.rugged(5.0 * cos(around), 5.0 * sin(around), 3);
    let breach = exp(-((around - 1.75) / 0.42).powi(2));
    let inside = 1.0 - step(36.0, 60.0, away);
    let floor = 52.0 + 5.0 * noise.rugged(x / 16.0, y / 16.0, 3);
    let dome = 24.0 * exp(-(hypot(dx + 6.0, dy + 8.0) / 17.0).powi(4));
    let wall = mix(cone, floor + dome, inside);
    let channel = (1.0 - step(95.0, 150.0, away)) * breach;
    let rough = 9.0 * flank * noise.rugged(x / 26.0, y / 26.0, 4);
    let gap = (floor + dome - 0.12 * (away - 40.0).max(0.0)).min(wall);
    mix(wall + gullies + rough, gap, channel)
}

/// A flooded quarry: a shelf along the shore, two benches with steep walls, a flat floor 14 m down, a ramp for lorries
/// in the west and a heap of rubble in the south-east.
pub(super) fn quarry(x: f64, y: f64) -> f64 {
    let noise = Noise(17);
    let (width, height) = QUARRY_M;
    // Distance from the shore in, wavy.
    let shore =
        x.min(width - x).min(1.1 * y).min(height - y) + 2.5 * noise.smooth(x / 17.0, y / 17.0);
    let shelf = -0.6 - 0.12 * shore.max(0.0);
    let walls =
        3.4 * step(5.0, 8.0, shore) + 4.2 * step(14.0, 16.5, shore) + 3.4 * step(23.0, 26.0, shore);
    let deep = step(5.0, 26.0, shore);
    let bed = shelf.max(-2.4) - walls - 0.25 * deep * noise.smooth(x / 8.0, y / 8.0);

    let along = ((x - 6.0) / 46.0).clamp(0.0, 1.0);
    let ramp = mix(-1.0, -12.5, along);
    let on_ramp = (1.0 - step(3.0, 5.0, (y - 52.0 - 0.12 * x).abs())) * (1.0 - step(44.0, 54.0, x));
    let bed = mix(bed, bed.max(ramp), on_ramp);

    let heap = bell(x, y, (52.0, 30.0), 7.5);
    let rubble = heap * (5.5 + 4.5 * noise.rugged(x / 4.5, y / 4.5, 3));
    (bed + rubble).min(-0.3)
}

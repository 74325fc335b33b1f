//! Grids as text: base64 of little-endian numbers.
//!
//! Final maps are 32-bit floats, so that a page shows what the GeoTIFF beside it holds. Frames of the time slider are 16-bit
//! levels between their least and greatest value, half the size: `value = low + level (high - low) / 65534`; 65535 is missing.

use serde::{Serialize, Serializer};

use crate::color::ColorMap;
use crate::scene::base64;

const MISSING: u16 = u16::MAX;
const LEVELS: f64 = 65534.0;

#[derive(Serialize)]
struct Floats {
    r#type: &'static str,
    data: String,
}

#[derive(Serialize)]
struct Levels {
    r#type: &'static str,
    low: f64,
    high: f64,
    data: String,
}

fn packed_floats(values: &[f64]) -> Floats {
    let bytes: Vec<u8> = values
        .iter()
        .flat_map(|value| (*value as f32).to_le_bytes())
        .collect();
    Floats {
        r#type: "f32",
        data: base64(&bytes),
    }
}

pub(super) fn floats<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    packed_floats(values).serialize(serializer)
}

pub(super) fn optional_floats<S: Serializer>(
    values: &Option<Vec<f64>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    values.as_deref().map(packed_floats).serialize(serializer)
}

pub(super) fn levels<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    let known = || values.iter().copied().filter(|value| value.is_finite());
    let low = known().reduce(f64::min).unwrap_or(0.0);
    let high = known().reduce(f64::max).unwrap_or(0.0);
    let level = |value: &f64| {
        if !value.is_finite() {
            MISSING
        } else if high > low {
            ((value - low) / (high - low) * LEVELS).round() as u16
        } else {
            0
        }
    };
    let bytes: Vec<u8> = values.iter().flat_map(|v| level(v).to_le_bytes()).collect();
    Levels {
        r#type: "u16",
        low,
        high,
        data: base64(&bytes),
    }
    .serialize(serializer)
}

/// Numbers that keep their first digits only: a 32-bit float has about seven.
pub(super) fn short(value: f64) -> f64 {
    format!("{}", value as f32).parse().unwrap_or(value)
}

/// Metres to the millimetre.
pub(super) fn millimetres(value: f64) -> f64 {
    (value * 1e3).round() / 1e3
}

/// The 256 colours of a map, as `rrggbb` after `rrggbb`.
pub(super) fn colors(map: ColorMap) -> String {
    let colors = map.table().into_iter();
    colors
        .map(|color| format!("{:02x}{:02x}{:02x}", color.r, color.g, color.b))
        .collect()
}

//! Colour scales: from a value with a unit to a colour.

use super::{Color, ColorMap};
use crate::axis::Range;
use crate::error::PlotError;

/// A colour map laid over a range of values, with the label of its colour bar.
///
/// Give the same scale to several maps to make their colours comparable.
///
/// ```
/// use transect_plot::{ColorMap, ColorScale};
/// let truth = [0.0, 50.0, 100.0];
/// let guess = [10.0, 55.0, 120.0];
/// let scale = ColorScale::covering(ColorMap::Terrain, &[&truth, &guess]).label("Elevation", "m");
/// assert_eq!(scale.bounds(), (0.0, 120.0));
/// let error = ColorScale::symmetric(ColorMap::Diverging, &[&[-3.0, 1.0]]);
/// assert_eq!(error.bounds(), (-3.0, 3.0));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ColorScale {
    pub(crate) map: ColorMap,
    pub(crate) range: Option<Range>,
    pub(crate) label: String,
}

impl ColorScale {
    /// A scale from `low` to `high`.
    pub fn new(map: ColorMap, low: f64, high: f64) -> Result<Self, PlotError> {
        let range = Range::new("colour scale", low, high)?;
        Ok(ColorScale {
            map,
            range: Some(range),
            label: String::new(),
        })
    }

    /// A scale from the least to the greatest of the values; missing values are passed over.
    pub fn covering(map: ColorMap, values: &[&[f64]]) -> Self {
        let range = Range::covering(values.iter().flat_map(|v| v.iter().copied()));
        ColorScale {
            map,
            range,
            label: String::new(),
        }
    }

    /// A scale that a few bad values cannot ruin: from the 1st to the 99th percentile, and to the least and the greatest
    /// value where these are no more than a fifth of that farther out.
    pub fn robust(map: ColorMap, values: &[&[f64]]) -> Self {
        let all = values.iter().flat_map(|v| v.iter().copied());
        let mut sorted: Vec<f64> = all.filter(|v| v.is_finite()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let (Some(least), Some(greatest)) = (sorted.first(), sorted.last()) else {
            return Self::covering(map, values);
        };
        let rank = |share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
        let (low, high) = (rank(0.01), rank(0.99));
        let slack = 0.2 * (high - low);
        let end = |percentile: f64, extreme: f64| match (extreme - percentile).abs() <= slack {
            true => extreme,
            false => percentile,
        };
        Self::covering(map, &[&[end(low, *least), end(high, *greatest)]])
    }

    /// A scale centred on zero that reaches the largest magnitude among the values.
    pub fn symmetric(map: ColorMap, values: &[&[f64]]) -> Self {
        let range = Range::covering(values.iter().flat_map(|v| v.iter().flat_map(|x| [-x, *x])));
        ColorScale {
            map,
            range,
            label: String::new(),
        }
    }

    /// Names the quantity and its unit (`""` for none), for the colour bar.
    pub fn label(mut self, quantity: &str, unit: &str) -> Self {
        self.label = crate::axis::label_with_unit(quantity, unit);
        self
    }

    /// The values at the two ends of the scale; `(NaN, NaN)` if it was made from no values at all.
    pub fn bounds(&self) -> (f64, f64) {
        self.range.map_or((f64::NAN, f64::NAN), |r| (r.low, r.high))
    }

    /// The colour of `value`; missing values are clear.
    pub fn color(&self, value: f64) -> Color {
        self.map.at(self.position(value))
    }

    /// As [`ColorScale::color`], from the 256 colours of [`ColorMap::table`], for many values.
    pub(crate) fn look_up(&self, table: &[Color], value: f64) -> Color {
        let t = self.position(value);
        if t.is_nan() {
            return Color::CLEAR;
        }
        table[(t.clamp(0.0, 1.0) * 255.0).round() as usize]
    }

    /// Where `value` lies between the ends: 0 at the low end, 1 at the high end, NaN if it is missing.
    pub(crate) fn position(&self, value: f64) -> f64 {
        match self.range {
            Some(r) if value.is_finite() => r.fraction(value),
            _ => f64::NAN,
        }
    }
}

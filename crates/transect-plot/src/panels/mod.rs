//! The kinds of plots. One file each; a new kind is a new file that implements [`Panel`](crate::Panel).

mod bars;
mod chart;
mod colorbar;
mod dots;
mod heatmap;
mod lines;
mod prediction1d;
mod stacked;
mod surface3d;
mod thin;

pub use bars::Bars;
pub use chart::Chart;
pub use colorbar::ColorBar;
pub use dots::{DotSeries, Dots};
pub use heatmap::Heatmap;
pub use lines::{Lines, Series};
pub use prediction1d::Prediction1d;
pub use stacked::Stacked;
pub use surface3d::Surface3d;

use crate::axis::{Axis, Range};
use crate::error::PlotError;
use crate::scene::Path;

/// Checks that two slices run side by side.
fn same_length(
    what: &'static str,
    left: (&'static str, usize),
    right: (&'static str, usize),
) -> Result<(), PlotError> {
    if left.1 == right.1 {
        return Ok(());
    }
    Err(PlotError::Length {
        what,
        left: left.0,
        left_len: left.1,
        right: right.0,
        right_len: right.1,
    })
}

/// The range an axis should show for the values, with `share` of its length to spare at both ends; `None` if nothing can be shown.
fn data_range(axis: &Axis, values: impl Iterator<Item = f64>, share: f64) -> Option<Range> {
    if axis.is_log() {
        Range::covering_positive(values).map(|r| r.padded_log(share))
    } else {
        Range::covering(values).map(|r| r.padded(share))
    }
}

/// The range of an axis without data.
fn empty_range(axis: &Axis) -> Range {
    if axis.is_log() {
        Range {
            low: 0.1,
            high: 10.0,
        }
    } else {
        Range {
            low: 0.0,
            high: 1.0,
        }
    }
}

/// The area between a lower and an upper line with points at the same x, in parts where points are missing.
fn band(lower: &[[f64; 2]], upper: &[[f64; 2]]) -> Path {
    let length = lower.len().min(upper.len());
    let whole = |i: usize| lower[i].iter().chain(&upper[i]).all(|v| v.is_finite());
    let mut path = Path::default();
    let mut start = 0;
    while start < length {
        let end = (start..length).find(|i| !whole(*i)).unwrap_or(length);
        if end - start > 1 {
            let around: Vec<[f64; 2]> = upper[start..end]
                .iter()
                .chain(lower[start..end].iter().rev())
                .copied()
                .collect();
            path.append(Path::polygon(&around));
        }
        start = end + 1;
    }
    path
}

//! Line plots with bands.

use super::chart::{Chart, Mark};
use super::thin::thinned;
use super::{band, same_length};
use crate::axis::Frame;
use crate::color::palette::SeriesStyle;
use crate::error::PlotError;
use crate::legend::Swatch;
use crate::scene::{Path, Rect, Scene, Stroke};

const BAND_OPACITY: f64 = 0.18;
const LINE_WIDTH: f64 = 1.8;

/// One line of a line plot, perhaps with a band of its spread.
#[derive(Debug, Clone)]
pub struct Series {
    label: String,
    x: Vec<f64>,
    y: Vec<f64>,
    spread: Vec<f64>,
    style: Option<SeriesStyle>,
}

impl Series {
    /// A line through the points `(x, y)`; points with a missing value break it.
    pub fn new(label: impl Into<String>, x: &[f64], y: &[f64]) -> Result<Self, PlotError> {
        same_length("line", ("x", x.len()), ("y", y.len()))?;
        Ok(Series {
            label: label.into(),
            x: x.to_vec(),
            y: y.to_vec(),
            spread: Vec::new(),
            style: None,
        })
    }

    /// Adds a band from `y - spread` to `y + spread`, such as a standard deviation over seeds.
    pub fn spread(mut self, spread: &[f64]) -> Result<Self, PlotError> {
        same_length("band", ("y", self.y.len()), ("spread", spread.len()))?;
        self.spread = spread.to_vec();
        Ok(self)
    }

    /// Sets the look, such as [`palette::series`](crate::color::palette::series)`(k)` to give kernel `k` the same look in every figure; without it the
    /// order in the plot decides.
    pub fn style(mut self, style: SeriesStyle) -> Self {
        self.style = Some(style);
        self
    }
}

/// Lines in one frame, each with a colour and a dash pattern of its own.
///
/// ```
/// use transect_plot::{Axis, Figure, Lines, Series};
/// let step = [0.0, 1.0, 2.0, 3.0];
/// let plot = Lines::new("Training step", Axis::new("MSLL"))
///     .title("N17E073")
///     .series(Series::new("Train", &step, &[0.0, -0.5, -0.9, -1.2])?)
///     .series(Series::new("Test", &step, &[0.0, -0.4, -0.6, -0.5])?.spread(&[0.1; 4])?);
/// let svg = Figure::new("Over-fitting").panel(plot).to_svg();
/// # let _ = svg;
/// # Ok::<(), transect_plot::PlotError>(())
/// ```
pub type Lines = Chart<Series>;

impl Mark for Series {
    const HEIGHT: f64 = 230.0;
    const MARGINS: [f64; 2] = [0.0, 0.04];

    fn label(&self) -> &str {
        &self.label
    }

    fn own_style(&self) -> Option<&SeriesStyle> {
        self.style.as_ref()
    }

    fn xs(&self) -> impl Iterator<Item = f64> {
        self.x.iter().copied()
    }

    fn ends(&self) -> impl Iterator<Item = f64> {
        let spread = |i: usize| {
            self.spread
                .get(i)
                .copied()
                .filter(|s| s.is_finite())
                .unwrap_or(0.0)
        };
        self.y
            .iter()
            .enumerate()
            .flat_map(move |(i, y)| [y - spread(i), *y, y + spread(i)])
    }

    fn swatch(&self, style: SeriesStyle) -> Swatch {
        Swatch::Line {
            stroke: Stroke::solid(style.color, LINE_WIDTH).dashed(style.dash),
            band: (!self.spread.is_empty()).then(|| style.color.with_opacity(BAND_OPACITY)),
        }
    }

    fn draw_all(chart: &Lines, scene: &mut Scene, frame: &Frame<'_>, rect: Rect) {
        // Where a log axis has no place for the lower end of a band, the band reaches the bottom of the frame.
        let floor = |y: f64| {
            if chart.y.is_log() && y <= 0.0 {
                frame.y_range.low
            } else {
                y
            }
        };
        for (i, s) in chart
            .series
            .iter()
            .enumerate()
            .filter(|(_, s)| !s.spread.is_empty())
        {
            let edge = |sign: f64| -> Vec<[f64; 2]> {
                let y = |k: usize| floor(s.y[k] + sign * s.spread[k]);
                thinned(
                    (0..s.x.len())
                        .map(|k| frame.place(rect, [s.x[k], y(k)]))
                        .collect(),
                    rect.w,
                )
            };
            let (lower, upper) = (edge(-1.0), edge(1.0));
            let area = if lower.len() == s.x.len() && upper.len() == s.x.len() {
                band(&lower, &upper)
            } else {
                ring(lower, upper)
            };
            scene.fill(area, chart.style(i).color.with_opacity(BAND_OPACITY));
        }
        for (i, s) in chart.series.iter().enumerate() {
            let points =
                s.x.iter()
                    .zip(&s.y)
                    .map(|(x, y)| frame.place(rect, [*x, *y]))
                    .collect();
            let style = chart.style(i);
            let stroke = Stroke::solid(style.color, LINE_WIDTH).dashed(style.dash);
            scene.stroke(Path::polyline(&thinned(points, rect.w)), stroke);
        }
    }
}

/// The area between two lines that were thinned, each to points of its own.
fn ring(lower: Vec<[f64; 2]>, upper: Vec<[f64; 2]>) -> Path {
    let around: Vec<[f64; 2]> = upper
        .into_iter()
        .chain(lower.into_iter().rev())
        .filter(|p| p.iter().all(|v| v.is_finite()))
        .collect();
    Path::polygon(&around)
}

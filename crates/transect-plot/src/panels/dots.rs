//! Means with error bars: sensitivity to a parameter, variants of a model.

use super::chart::{Chart, Mark};
use super::same_length;
use crate::axis::{Frame, Spacing};
use crate::color::Color;
use crate::color::palette::SeriesStyle;
use crate::error::PlotError;
use crate::legend::Swatch;
use crate::scene::{Path, Rect, Scene, Stroke};

const RADIUS: f64 = 3.6;
const CAP: f64 = 3.0;

/// One set of means with error bars.
#[derive(Debug, Clone)]
pub struct DotSeries {
    label: String,
    points: Vec<[f64; 2]>,
    error: Vec<f64>,
    style: Option<SeriesStyle>,
}

impl DotSeries {
    /// Means at `x` with bars of `error` (such as a standard deviation) up and down.
    pub fn new(
        label: impl Into<String>,
        x: &[f64],
        mean: &[f64],
        error: &[f64],
    ) -> Result<Self, PlotError> {
        same_length("dots", ("x", x.len()), ("mean", mean.len()))?;
        same_length("dots", ("mean", mean.len()), ("error", error.len()))?;
        let points = x.iter().zip(mean).map(|(x, m)| [*x, *m]).collect();
        Ok(DotSeries {
            label: label.into(),
            points,
            error: error.to_vec(),
            style: None,
        })
    }

    /// Sets the look; without it the order in the plot decides.
    pub fn style(mut self, style: SeriesStyle) -> Self {
        self.style = Some(style);
        self
    }
}

/// Dots with error bars; several series stand side by side at each x, so that their bars do not hide each other.
///
/// ```
/// use transect_plot::{Axis, DotSeries, Dots, Figure};
/// let variants = Axis::names("", ["full", "weight", "mask", "nnx2"]);
/// let plot = Dots::new(variants, Axis::new("SMSE"))
///     .series(DotSeries::new("N17E073", &[0.0, 1.0, 2.0, 3.0], &[0.10, 0.12, 0.17, 0.11], &[0.01; 4])?);
/// let svg = Figure::new("Ablation").panel(plot).to_svg();
/// # let _ = svg;
/// # Ok::<(), transect_plot::PlotError>(())
/// ```
pub type Dots = Chart<DotSeries>;

impl Dots {
    /// Pixels between neighbouring series at the same x.
    fn dodge(&self, rect: Rect) -> f64 {
        let named = matches!(self.x.spacing, Spacing::Names(_));
        let places = if named {
            self.x.fixed.map_or(1.0, |r| r.length())
        } else {
            20.0
        };
        let room = rect.w / places / self.series.len().max(1) as f64;
        (0.7 * room).clamp(0.0, if named { 16.0 } else { 5.0 })
    }
}

impl Mark for DotSeries {
    const HEIGHT: f64 = 220.0;
    const MARGINS: [f64; 2] = [0.06; 2];

    fn label(&self) -> &str {
        &self.label
    }

    fn own_style(&self) -> Option<&SeriesStyle> {
        self.style.as_ref()
    }

    fn xs(&self) -> impl Iterator<Item = f64> {
        self.points.iter().map(|p| p[0])
    }

    fn ends(&self) -> impl Iterator<Item = f64> {
        let whole = |e: f64| if e.is_finite() { e } else { 0.0 };
        self.points
            .iter()
            .zip(&self.error)
            .flat_map(move |(p, e)| [p[1] - whole(*e), p[1], p[1] + whole(*e)])
    }

    fn swatch(&self, style: SeriesStyle) -> Swatch {
        Swatch::Marker {
            marker: style.marker,
            fill: style.color,
            rim: None,
        }
    }

    fn draw_all(chart: &Dots, scene: &mut Scene, frame: &Frame<'_>, rect: Rect) {
        let named = matches!(chart.x.spacing, Spacing::Names(_));
        for (i, s) in chart.series.iter().enumerate() {
            let style = chart.style(i);
            let shift = chart.dodge(rect) * (i as f64 - (chart.series.len() - 1) as f64 / 2.0);
            let place = |p: [f64; 2]| {
                let [x, y] = frame.place(rect, p);
                [x + shift, y]
            };
            let centres: Vec<[f64; 2]> = s.points.iter().map(|p| place(*p)).collect();
            if !named {
                let faint = Stroke::solid(style.color.with_opacity(0.55), 1.1).dashed(style.dash);
                scene.stroke(Path::polyline(&centres), faint);
            }
            let mut bars = Path::default();
            for (p, e) in s
                .points
                .iter()
                .zip(&s.error)
                .filter(|(p, e)| p[1].is_finite() && **e > 0.0 && e.is_finite())
            {
                let low = place([
                    p[0],
                    if chart.y.is_log() {
                        (p[1] - e).max(frame.y_range.low)
                    } else {
                        p[1] - e
                    },
                ]);
                let high = place([p[0], p[1] + e]);
                bars.append(Path::polyline(&[low, high]));
                for end in [low, high] {
                    bars.append(Path::polyline(&[
                        [end[0] - CAP, end[1]],
                        [end[0] + CAP, end[1]],
                    ]));
                }
            }
            scene.stroke(bars, Stroke::solid(style.color, 1.3));
            scene.markers(
                style.marker,
                centres,
                RADIUS,
                style.color,
                Some((Color::WHITE, 0.8)),
            );
        }
    }
}

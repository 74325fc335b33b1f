//! Means with error bars: sensitivity to a parameter, variants of a model.

use super::{data_range, empty_range, same_length};
use crate::axis::{Axis, Frame, Spacing};
use crate::color::Color;
use crate::color::palette::{self, SeriesStyle};
use crate::error::PlotError;
use crate::figure::draw_no_data;
use crate::layout::{Insets, Panel};
use crate::legend::{LegendEntry, Swatch};
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

    fn ends(&self) -> impl Iterator<Item = f64> + '_ {
        let whole = |e: f64| if e.is_finite() { e } else { 0.0 };
        self.points
            .iter()
            .zip(&self.error)
            .flat_map(move |(p, e)| [p[1] - whole(*e), p[1], p[1] + whole(*e)])
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
#[derive(Debug, Clone)]
pub struct Dots {
    title: String,
    x: Axis,
    y: Axis,
    size: [f64; 2],
    series: Vec<DotSeries>,
}

impl Dots {
    /// An empty plot.
    pub fn new(x: impl Into<Axis>, y: impl Into<Axis>) -> Self {
        Dots {
            title: String::new(),
            x: x.into(),
            y: y.into(),
            size: [340.0, 220.0],
            series: Vec::new(),
        }
    }

    /// Sets the title.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets width and height of the frame in pixels.
    pub fn size(mut self, width: f64, height: f64) -> Self {
        self.size = [width, height].map(|v| v.clamp(40.0, 4000.0));
        self
    }

    /// Adds a series.
    pub fn series(mut self, series: DotSeries) -> Self {
        self.series.push(series);
        self
    }

    fn style(&self, index: usize) -> SeriesStyle {
        self.series[index]
            .style
            .clone()
            .unwrap_or_else(|| palette::series(index))
    }

    fn frame(&self) -> (Frame<'_>, bool) {
        let x = data_range(
            &self.x,
            self.series
                .iter()
                .flat_map(|s| s.points.iter().map(|p| p[0])),
            0.06,
        );
        let y = data_range(&self.y, self.series.iter().flat_map(DotSeries::ends), 0.06);
        let found = x.is_some() && y.is_some();
        (
            Frame::new(
                &self.x,
                &self.y,
                x.unwrap_or(empty_range(&self.x)),
                y.unwrap_or(empty_range(&self.y)),
            ),
            found,
        )
    }

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

    fn draw_series(&self, scene: &mut Scene, frame: &Frame<'_>, rect: Rect) {
        let named = matches!(self.x.spacing, Spacing::Names(_));
        for (i, s) in self.series.iter().enumerate() {
            let style = self.style(i);
            let shift = self.dodge(rect) * (i as f64 - (self.series.len() - 1) as f64 / 2.0);
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
                    if self.y.is_log() {
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

impl Panel for Dots {
    fn size(&self) -> [f64; 2] {
        self.size
    }

    fn insets(&self) -> Insets {
        self.frame().0.insets(self.size[0], self.size[1])
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn legend(&self) -> Vec<LegendEntry> {
        let entry = |(i, s): (usize, &DotSeries)| {
            let style = self.style(i);
            LegendEntry::new(
                &s.label,
                Swatch::Marker {
                    marker: style.marker,
                    fill: style.color,
                    rim: None,
                },
            )
        };
        self.series.iter().enumerate().map(entry).collect()
    }

    fn draw(&self, scene: &mut Scene, rect: Rect) {
        let (frame, found) = self.frame();
        frame.draw_back(scene, rect);
        if found {
            scene.clipped(rect, |inner| self.draw_series(inner, &frame, rect));
        } else {
            draw_no_data(scene, rect);
        }
        frame.draw_front(scene, rect, frame.insets(rect.w, rect.h));
    }
}

//! A function of one variable: the truth, the samples, and what a model makes of them.

use super::{band, data_range, empty_range, same_length};
use crate::axis::{Axis, Frame};
use crate::color::Color;
use crate::color::palette::OKABE_ITO;
use crate::error::PlotError;
use crate::figure::draw_no_data;
use crate::layout::{Insets, Panel};
use crate::legend::{LegendEntry, Swatch};
use crate::scene::{Marker, Path, Rect, Scene, Stroke};

const TRUTH: Color = OKABE_ITO[1];
const MEAN: Color = OKABE_ITO[0];
const BAND_OPACITY: f64 = 0.2;
const TRUTH_DASH: [f64; 2] = [6.0, 3.0];

/// Truth, samples, predicted mean and the band of two standard deviations about it.
///
/// ```
/// use transect_plot::{Figure, Prediction1d};
/// let x = [0.0, 0.5, 1.0];
/// let plot = Prediction1d::new("x", "f(x)")
///     .truth(&x, &[0.0, 0.6, 0.7])?
///     .prediction(&x, &[0.1, 0.5, 0.8], &[0.1, 0.02, 0.3])?
///     .samples(&[[0.5, 0.6]]);
/// let svg = Figure::new("One dimension").panel(plot).to_svg();
/// # let _ = svg;
/// # Ok::<(), transect_plot::PlotError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Prediction1d {
    title: String,
    x: Axis,
    y: Axis,
    size: [f64; 2],
    truth: Vec<[f64; 2]>,
    samples: Vec<[f64; 2]>,
    mean: Vec<[f64; 2]>,
    std: Vec<f64>,
    boundaries: Vec<f64>,
}

impl Prediction1d {
    /// An empty plot.
    pub fn new(x: impl Into<Axis>, y: impl Into<Axis>) -> Self {
        Prediction1d {
            title: String::new(),
            x: x.into(),
            y: y.into(),
            size: [460.0, 210.0],
            truth: Vec::new(),
            samples: Vec::new(),
            mean: Vec::new(),
            std: Vec::new(),
            boundaries: Vec::new(),
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

    /// Adds the true function.
    pub fn truth(mut self, x: &[f64], y: &[f64]) -> Result<Self, PlotError> {
        same_length("truth", ("x", x.len()), ("y", y.len()))?;
        self.truth = x.iter().zip(y).map(|(x, y)| [*x, *y]).collect();
        Ok(self)
    }

    /// Adds what was measured.
    pub fn samples(mut self, points: &[[f64; 2]]) -> Self {
        self.samples = points.to_vec();
        self
    }

    /// Adds the model's mean and standard deviation.
    pub fn prediction(mut self, x: &[f64], mean: &[f64], std: &[f64]) -> Result<Self, PlotError> {
        same_length("prediction", ("x", x.len()), ("mean", mean.len()))?;
        same_length("prediction", ("mean", mean.len()), ("std", std.len()))?;
        self.mean = x.iter().zip(mean).map(|(x, y)| [*x, *y]).collect();
        self.std = std.to_vec();
        Ok(self)
    }

    /// Marks where the function changes its character.
    pub fn boundaries(mut self, x: &[f64]) -> Self {
        self.boundaries = x.to_vec();
        self
    }

    fn edge(&self, sign: f64) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.mean
            .iter()
            .zip(&self.std)
            .map(move |(m, s)| [m[0], m[1] + sign * 2.0 * s])
    }

    fn frame(&self) -> (Frame<'_>, bool) {
        let points = || {
            let lines = self
                .truth
                .iter()
                .chain(&self.samples)
                .chain(&self.mean)
                .copied();
            lines.chain(self.edge(-1.0)).chain(self.edge(1.0))
        };
        let x = data_range(&self.x, points().map(|p| p[0]), 0.0);
        let y = data_range(&self.y, points().map(|p| p[1]), 0.05);
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

    fn draw_data(&self, scene: &mut Scene, frame: &Frame<'_>, rect: Rect) {
        let place = |p: [f64; 2]| frame.place(rect, p);
        for x in &self.boundaries {
            let at = frame.place(rect, [*x, frame.y_range.low])[0];
            scene.line(
                [at, rect.y],
                [at, rect.bottom()],
                Stroke::solid(Color::FRAME, 1.0).dashed(&[4.0, 3.0]),
            );
        }
        let (lower, upper): (Vec<_>, Vec<_>) = (
            self.edge(-1.0).map(place).collect(),
            self.edge(1.0).map(place).collect(),
        );
        scene.fill(band(&lower, &upper), MEAN.with_opacity(BAND_OPACITY));
        let line = |points: &[[f64; 2]]| {
            Path::polyline(&points.iter().map(|p| place(*p)).collect::<Vec<_>>())
        };
        scene.stroke(line(&self.mean), Stroke::solid(MEAN, 2.2));
        scene.stroke(
            line(&self.truth),
            Stroke::solid(TRUTH, 1.3).dashed(&TRUTH_DASH),
        );
        let dots = self.samples.iter().map(|p| place(*p)).collect();
        scene.markers(
            Marker::Circle,
            dots,
            2.2,
            Color::hex(0x000000),
            Some((Color::WHITE, 0.7)),
        );
    }
}

impl Panel for Prediction1d {
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
        let line = |stroke| Swatch::Line { stroke, band: None };
        let mut entries = Vec::new();
        if !self.truth.is_empty() {
            entries.push(LegendEntry::new(
                "Truth",
                line(Stroke::solid(TRUTH, 1.3).dashed(&TRUTH_DASH)),
            ));
        }
        if !self.mean.is_empty() {
            let band = Some(MEAN.with_opacity(BAND_OPACITY));
            entries.push(LegendEntry::new(
                "Mean ± 2 std",
                Swatch::Line {
                    stroke: Stroke::solid(MEAN, 2.2),
                    band,
                },
            ));
        }
        if !self.samples.is_empty() {
            let swatch = Swatch::Marker {
                marker: Marker::Circle,
                fill: Color::hex(0x000000),
                rim: None,
            };
            entries.push(LegendEntry::new("Samples", swatch));
        }
        entries
    }

    fn draw(&self, scene: &mut Scene, rect: Rect) {
        let (frame, found) = self.frame();
        frame.draw_back(scene, rect);
        if found {
            scene.clipped(rect, |inner| self.draw_data(inner, &frame, rect));
        } else {
            draw_no_data(scene, rect);
        }
        frame.draw_front(scene, rect, frame.insets(rect.w, rect.h));
    }
}

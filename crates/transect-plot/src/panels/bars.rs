//! Histograms, such as that of the probability integral transform (PIT), which is flat for a calibrated model.

use super::{data_range, empty_range, same_length};
use crate::axis::{Axis, Frame, Range};
use crate::color::Color;
use crate::color::palette::OKABE_ITO;
use crate::error::PlotError;
use crate::figure::draw_no_data;
use crate::layout::{Insets, Panel};
use crate::legend::{LegendEntry, Swatch};
use crate::scene::{Path, Rect, Scene, Stroke};

const FILL: Color = Color::hex(0x80c7ee);
const REFERENCE: Color = OKABE_ITO[1];
const REFERENCE_DASH: [f64; 2] = [6.0, 3.0];

/// Bars between given edges, with an optional level to compare them with.
///
/// ```
/// use transect_plot::{Bars, Figure};
/// let plot = Bars::new("PIT", "Density", &[0.0, 0.25, 0.5, 0.75, 1.0], &[0.9, 1.1, 1.2, 0.8])?
///     .reference(1.0, "Perfectly calibrated");
/// let svg = Figure::new("Calibration").panel(plot).to_svg();
/// # let _ = svg;
/// # Ok::<(), transect_plot::PlotError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Bars {
    title: String,
    x: Axis,
    y: Axis,
    size: [f64; 2],
    edges: Vec<f64>,
    heights: Vec<f64>,
    reference: Option<(f64, String)>,
}

impl Bars {
    /// Bars with the given heights; there is one more edge than bars, unless there is nothing at all.
    pub fn new(
        x: impl Into<Axis>,
        y: impl Into<Axis>,
        edges: &[f64],
        heights: &[f64],
    ) -> Result<Self, PlotError> {
        same_length(
            "bars",
            ("edges after the first", edges.len().saturating_sub(1)),
            ("heights", heights.len()),
        )?;
        Ok(Bars {
            title: String::new(),
            x: x.into(),
            y: y.into(),
            size: [300.0, 200.0],
            edges: edges.to_vec(),
            heights: heights.to_vec(),
            reference: None,
        })
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

    /// Draws a level line.
    pub fn reference(mut self, level: f64, label: impl Into<String>) -> Self {
        self.reference = Some((level, label.into()));
        self
    }

    fn frame(&self) -> (Frame<'_>, bool) {
        let x = data_range(&self.x, self.edges.iter().copied(), 0.0);
        let heights = data_range(&self.y, self.heights.iter().copied(), 0.0);
        let level = self.reference.as_ref().map(|r| r.0);
        let found = x.is_some() && heights.is_some();
        let y = Range::covering(self.heights.iter().copied().chain(level).chain([0.0]))
            .unwrap_or(empty_range(&self.y));
        let spare = 0.06 * y.length();
        let y = Range {
            low: if y.low < 0.0 { y.low - spare } else { 0.0 },
            high: y.high + spare,
        };
        (
            Frame::new(&self.x, &self.y, x.unwrap_or(empty_range(&self.x)), y),
            found,
        )
    }

    fn draw_bars(&self, scene: &mut Scene, frame: &Frame<'_>, rect: Rect) {
        let mut bars = Path::default();
        for (w, h) in self.edges.windows(2).zip(&self.heights) {
            let (from, to) = (
                frame.place(rect, [w[0], 0.0]),
                frame.place(rect, [w[1], *h]),
            );
            if from.iter().chain(&to).all(|v| v.is_finite()) {
                let (top, bottom) = (from[1].min(to[1]), from[1].max(to[1]));
                bars.append(Path::rect(Rect {
                    x: from[0],
                    y: top,
                    w: to[0] - from[0],
                    h: bottom - top,
                }));
            }
        }
        scene.fill(bars.clone(), FILL);
        scene.stroke(bars, Stroke::solid(Color::WHITE, 1.0));
        if let Some((level, _)) = &self.reference {
            let y = frame.place(rect, [frame.x_range.low, *level])[1];
            scene.line(
                [rect.x, y],
                [rect.right(), y],
                Stroke::solid(REFERENCE, 1.6).dashed(&REFERENCE_DASH),
            );
        }
    }
}

impl Panel for Bars {
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
        let stroke = Stroke::solid(REFERENCE, 1.6).dashed(&REFERENCE_DASH);
        let entry = |(_, label): &(f64, String)| {
            LegendEntry::new(label, Swatch::Line { stroke, band: None })
        };
        self.reference.as_ref().map(entry).into_iter().collect()
    }

    fn draw(&self, scene: &mut Scene, rect: Rect) {
        let (frame, found) = self.frame();
        frame.draw_back(scene, rect);
        if found {
            scene.clipped(rect, |inner| self.draw_bars(inner, &frame, rect));
        } else {
            draw_no_data(scene, rect);
        }
        frame.draw_front(scene, rect, frame.insets(rect.w, rect.h));
    }
}

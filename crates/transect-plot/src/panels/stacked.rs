//! Stacked areas: how weights that sum to one are shared out along x.

use super::{band, data_range, empty_range, same_length};
use crate::axis::{Axis, Frame, Range, label_width};
use crate::color::{Color, ColorMap};
use crate::error::PlotError;
use crate::figure::draw_no_data;
use crate::layout::{Insets, Panel};
use crate::scene::{Path, Rect, Scene, Stroke, Text};

const KEY_GAP: f64 = 12.0;
const KEY_SWATCH: f64 = 12.0;
const KEY_ROW: f64 = 15.0;

/// Layers from the bottom up; the more height a colour takes at x, the more weight its layer has there.
///
/// ```
/// use transect_plot::{Figure, Stacked};
/// let x = [0.0, 0.5, 1.0];
/// let plot = Stacked::new("x", "w(x)", &x)
///     .key("ℓ")
///     .layer("0.01", &[0.9, 0.5, 0.2])?
///     .layer("0.11", &[0.1, 0.5, 0.8])?;
/// let svg = Figure::new("Weights").panel(plot).to_svg();
/// # let _ = svg;
/// # Ok::<(), transect_plot::PlotError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Stacked {
    title: String,
    x: Axis,
    y: Axis,
    size: [f64; 2],
    key: String,
    at: Vec<f64>,
    layers: Vec<(String, Vec<f64>)>,
}

impl Stacked {
    /// An empty plot over the places `at`.
    pub fn new(x: impl Into<Axis>, y: impl Into<Axis>, at: &[f64]) -> Self {
        Stacked {
            title: String::new(),
            x: x.into(),
            y: y.into(),
            size: [460.0, 150.0],
            key: String::new(),
            at: at.to_vec(),
            layers: Vec::new(),
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

    /// Names what the labels of the layers are values of.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    /// Adds a layer on top of the others, with one weight for each place. Negative and missing weights count as 0.
    pub fn layer(mut self, label: impl Into<String>, weights: &[f64]) -> Result<Self, PlotError> {
        same_length(
            "stacked layer",
            ("x", self.at.len()),
            ("weights", weights.len()),
        )?;
        self.layers.push((
            label.into(),
            weights
                .iter()
                .map(|w| if *w > 0.0 && w.is_finite() { *w } else { 0.0 })
                .collect(),
        ));
        Ok(self)
    }

    fn frame(&self) -> (Frame<'_>, bool) {
        let x = data_range(&self.x, self.at.iter().copied(), 0.0);
        let total = (0..self.at.len())
            .map(|k| self.layers.iter().map(|(_, w)| w[k]).sum::<f64>())
            .fold(0.0, f64::max);
        // Weights that sum to one up to rounding fill the frame exactly.
        let high = if (total - 1.0).abs() < 1e-3 || total <= 0.0 || total > 1e150 {
            1.0
        } else {
            total
        };
        let frame = Frame::new(
            &self.x,
            &self.y,
            x.unwrap_or(empty_range(&self.x)),
            Range { low: 0.0, high },
        );
        (frame.without_grid(), x.is_some() && total > 0.0)
    }

    fn color(&self, layer: usize) -> Color {
        ColorMap::Viridis.at(layer as f64 / (self.layers.len() - 1).max(1) as f64)
    }

    fn key_width(&self) -> f64 {
        let widest = self
            .layers
            .iter()
            .map(|(label, _)| label_width(label))
            .fold(label_width(&self.key) - 18.0, f64::max);
        KEY_GAP + KEY_SWATCH + 6.0 + widest
    }

    fn key_height(&self) -> f64 {
        (self.layers.len() + usize::from(!self.key.is_empty())) as f64 * KEY_ROW
    }

    fn draw_layers(&self, scene: &mut Scene, frame: &Frame<'_>, rect: Rect) {
        let mut base = vec![0.0; self.at.len()];
        for (i, (_, weights)) in self.layers.iter().enumerate() {
            let top: Vec<f64> = base.iter().zip(weights).map(|(b, w)| b + w).collect();
            let line = |heights: &[f64]| -> Vec<[f64; 2]> {
                self.at
                    .iter()
                    .zip(heights)
                    .map(|(x, y)| frame.place(rect, [*x, *y]))
                    .collect()
            };
            let upper = line(&top);
            scene.fill(band(&line(&base), &upper), self.color(i));
            if i + 1 < self.layers.len() {
                scene.stroke(
                    Path::polyline(&upper),
                    Stroke::solid(Color::WHITE.with_opacity(0.7), 0.7),
                );
            }
            base = top;
        }
    }

    fn draw_key(&self, scene: &mut Scene, rect: Rect) {
        let x = rect.right() + KEY_GAP;
        let mut y = rect.y;
        if !self.key.is_empty() {
            scene.text(Text::new(&self.key, [x, y + 11.0], 11.0).bold());
            y += KEY_ROW;
        }
        // The first layer is the lowest, in the key as in the plot.
        for (i, (label, _)) in self.layers.iter().enumerate().rev() {
            scene.fill(
                Path::rect(Rect {
                    x,
                    y: y + 1.5,
                    w: KEY_SWATCH,
                    h: KEY_ROW - 3.0,
                }),
                self.color(i),
            );
            scene
                .text(Text::new(label, [x + KEY_SWATCH + 6.0, y + 11.5], 11.0).color(Color::MUTED));
            y += KEY_ROW;
        }
    }
}

impl Panel for Stacked {
    fn size(&self) -> [f64; 2] {
        [self.size[0], self.size[1].max(self.key_height())]
    }

    fn insets(&self) -> Insets {
        let mut insets = self.frame().0.insets(self.size[0], self.size[1]);
        insets.right = insets.right.max(self.key_width());
        insets
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn draw(&self, scene: &mut Scene, rect: Rect) {
        let (frame, found) = self.frame();
        if found {
            scene.clipped(rect, |inner| self.draw_layers(inner, &frame, rect));
        } else {
            draw_no_data(scene, rect);
        }
        frame.draw_front(scene, rect, frame.insets(rect.w, rect.h));
        self.draw_key(scene, rect);
    }
}

//! What charts of series share: a title, two axes, a size, a legend and a frame around the data.

use super::{data_range, empty_range};
use crate::axis::{Axis, Frame};
use crate::color::palette::{self, SeriesStyle};
use crate::figure::draw_no_data;
use crate::layout::{Insets, Panel};
use crate::legend::{LegendEntry, Swatch};
use crate::scene::{Rect, Scene};

/// A kind of series, and how it looks.
pub trait Mark: Sized + Send + Sync {
    /// Height of the frame unless it is set, in pixels; it is 340 wide.
    const HEIGHT: f64;
    /// Shares of the data's extent that stay free at both ends of x and y.
    const MARGINS: [f64; 2];

    /// Its name in the legend.
    fn label(&self) -> &str;
    /// Its look, if it has one of its own.
    fn own_style(&self) -> Option<&SeriesStyle>;
    /// Where it stands along x.
    fn xs(&self) -> impl Iterator<Item = f64>;
    /// Where it stands along y, error bars and bands included.
    fn ends(&self) -> impl Iterator<Item = f64>;
    /// How the legend shows it.
    fn swatch(&self, style: SeriesStyle) -> Swatch;
    /// Draws all series of a chart.
    fn draw_all(chart: &Chart<Self>, scene: &mut Scene, frame: &Frame<'_>, rect: Rect);
}

/// Series of one kind in one frame.
#[derive(Debug, Clone)]
pub struct Chart<S> {
    title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    size: [f64; 2],
    pub(super) series: Vec<S>,
}

impl<S: Mark> Chart<S> {
    /// An empty plot.
    pub fn new(x: impl Into<Axis>, y: impl Into<Axis>) -> Self {
        Chart {
            title: String::new(),
            x: x.into(),
            y: y.into(),
            size: [340.0, S::HEIGHT],
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
    pub fn series(mut self, series: S) -> Self {
        self.series.push(series);
        self
    }

    /// The look of a series; without one of its own the order in the plot decides.
    pub(super) fn style(&self, index: usize) -> SeriesStyle {
        let own = self.series[index].own_style().cloned();
        own.unwrap_or_else(|| palette::series(index))
    }

    /// The frame, and whether there is anything in it.
    fn frame(&self) -> (Frame<'_>, bool) {
        let [beside, above] = S::MARGINS;
        let x = data_range(&self.x, self.series.iter().flat_map(S::xs), beside);
        let y = data_range(&self.y, self.series.iter().flat_map(S::ends), above);
        let found = x.is_some() && y.is_some();
        let frame = Frame::new(
            &self.x,
            &self.y,
            x.unwrap_or(empty_range(&self.x)),
            y.unwrap_or(empty_range(&self.y)),
        );
        (frame, found)
    }
}

impl<S: Mark> Panel for Chart<S> {
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
        let entry = |(i, s): (usize, &S)| LegendEntry::new(s.label(), s.swatch(self.style(i)));
        self.series.iter().enumerate().map(entry).collect()
    }

    fn draw(&self, scene: &mut Scene, rect: Rect) {
        let (frame, found) = self.frame();
        frame.draw_back(scene, rect);
        if found {
            scene.clipped(rect, |inner| S::draw_all(self, inner, &frame, rect));
        } else {
            draw_no_data(scene, rect);
        }
        frame.draw_front(scene, rect, frame.insets(rect.w, rect.h));
    }
}

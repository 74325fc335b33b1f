//! A scene: the list of simple shapes a figure consists of, before it is known whether it becomes SVG, PDF or PNG.
//!
//! Lengths are pixels of 1/96 inch at scale 1; x grows to the right and y grows *down*, as in SVG.

mod base64;
mod bitmap;
mod marker;
mod path;
mod pdf;
mod raster;
mod svg;

pub(crate) use base64::base64;
pub use bitmap::Bitmap;
pub use marker::Marker;
pub use path::{Path, Segment};

use crate::color::Color;
use crate::error::PlotError;
use crate::font::{self, Weight};

/// A rectangle in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl Rect {
    /// The right edge.
    pub fn right(self) -> f64 {
        self.x + self.w
    }

    /// The bottom edge.
    pub fn bottom(self) -> f64 {
        self.y + self.h
    }

    /// The middle.
    pub fn center(self) -> [f64; 2] {
        [self.x + self.w / 2.0, self.y + self.h / 2.0]
    }
}

/// Which part of a text stands at its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins there.
    Start,
    /// The text is centred there.
    Middle,
    /// The text ends there.
    End,
}

/// A line of text. Its position is on the baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// The words.
    pub text: String,
    /// Position of the anchor on the baseline.
    pub at: [f64; 2],
    /// Font size in pixels.
    pub size: f64,
    /// Thickness of the letters.
    pub weight: Weight,
    /// Colour.
    pub color: Color,
    /// What stands at the position.
    pub anchor: Anchor,
    /// Clockwise turn about the position, in degrees.
    pub turn: f64,
}

impl Text {
    /// Ordinary text that begins at `at`.
    pub fn new(text: impl Into<String>, at: [f64; 2], size: f64) -> Self {
        Text {
            text: text.into(),
            at,
            size,
            weight: Weight::Regular,
            color: Color::INK,
            anchor: Anchor::Start,
            turn: 0.0,
        }
    }

    /// Sets what stands at the position.
    pub fn anchor(mut self, anchor: Anchor) -> Self {
        self.anchor = anchor;
        self
    }

    /// Sets the colour.
    pub fn color(mut self, color: Color) -> Self {
        self.color = color;
        self
    }

    /// Makes the letters heavier.
    pub fn bold(mut self) -> Self {
        self.weight = Weight::SemiBold;
        self
    }

    /// Turns the text clockwise by `degrees`.
    pub fn turned(mut self, degrees: f64) -> Self {
        self.turn = degrees;
        self
    }

    /// Where the first letter begins relative to the position, along the text.
    fn start_offset(&self) -> f64 {
        let width = font::width(&self.text, self.size, self.weight);
        match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -width / 2.0,
            Anchor::End => -width,
        }
    }
}

/// How an outline is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Stroke {
    /// Colour.
    pub color: Color,
    /// Width in pixels.
    pub width: f64,
    /// Lengths of dashes and gaps in pixels; empty for a solid line.
    pub dash: Vec<f64>,
}

impl Stroke {
    /// A solid line.
    pub fn solid(color: Color, width: f64) -> Self {
        Stroke {
            color,
            width,
            dash: Vec::new(),
        }
    }

    /// The same line, dashed.
    pub fn dashed(mut self, dash: &[f64]) -> Self {
        self.dash = dash.to_vec();
        self
    }
}

/// One shape of a scene.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A filled and/or outlined path.
    Path {
        /// The outline.
        path: Path,
        /// Colour inside, if any.
        fill: Option<Color>,
        /// The line along the outline, if any.
        stroke: Option<Stroke>,
    },
    /// The same marker at many places.
    Markers {
        /// Shape.
        marker: Marker,
        /// Centres.
        at: Vec<[f64; 2]>,
        /// Radius in pixels.
        radius: f64,
        /// Colour inside.
        fill: Color,
        /// Colour and width of the rim, if any.
        rim: Option<(Color, f64)>,
    },
    /// A line of text.
    Text(Text),
    /// A picture stretched over a rectangle.
    Image {
        /// The pixels.
        bitmap: Bitmap,
        /// Where it goes.
        rect: Rect,
        /// Whether to blend neighbouring pixels; cells of a map stay sharp.
        smooth: bool,
    },
    /// Shapes of which only the part inside the rectangle is shown.
    Clip {
        /// The window.
        rect: Rect,
        /// The shapes.
        items: Vec<Item>,
    },
}

/// A drawing of fixed size.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Width in pixels at scale 1.
    pub width: f64,
    /// Height in pixels at scale 1.
    pub height: f64,
    /// Title for screen readers.
    pub title: String,
    /// Shapes, from back to front.
    pub items: Vec<Item>,
}

impl Scene {
    /// An empty drawing on white.
    pub fn new(width: f64, height: f64) -> Self {
        Scene {
            width,
            height,
            title: String::new(),
            items: Vec::new(),
        }
    }

    /// Adds a filled path.
    pub fn fill(&mut self, path: Path, color: Color) {
        self.items.push(Item::Path {
            path,
            fill: Some(color),
            stroke: None,
        });
    }

    /// Adds an outlined path.
    pub fn stroke(&mut self, path: Path, stroke: Stroke) {
        self.items.push(Item::Path {
            path,
            fill: None,
            stroke: Some(stroke),
        });
    }

    /// Adds a straight line.
    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], stroke: Stroke) {
        self.stroke(Path::polyline(&[from, to]), stroke);
    }

    /// Adds a line of text; nothing if it is empty.
    pub fn text(&mut self, text: Text) {
        if !text.text.trim().is_empty() {
            self.items.push(Item::Text(text));
        }
    }

    /// Adds a marker at each of the places.
    pub fn markers(
        &mut self,
        marker: Marker,
        at: Vec<[f64; 2]>,
        radius: f64,
        fill: Color,
        rim: Option<(Color, f64)>,
    ) {
        self.items.push(Item::Markers {
            marker,
            at,
            radius,
            fill,
            rim,
        });
    }

    /// Draws with `draw`, then hides what falls outside `rect`.
    pub fn clipped(&mut self, rect: Rect, draw: impl FnOnce(&mut Scene)) {
        let mut inner = Scene::new(self.width, self.height);
        draw(&mut inner);
        self.items.push(Item::Clip {
            rect,
            items: inner.items,
        });
    }

    /// The drawing as an SVG document. Element ids begin with `id_prefix`, so that several can stand in one HTML page.
    pub fn to_svg(&self, id_prefix: &str) -> String {
        svg::write(self, id_prefix, svg::Letters::Outlines)
    }

    /// The drawing as an SVG document whose words are text, to be searched and edited; it looks right where the font Inter or another sans-serif
    /// is installed.
    pub fn to_svg_with_text(&self) -> String {
        svg::write(self, "", svg::Letters::Text)
    }

    /// The drawing as a PDF of one page, with its fonts in it.
    pub fn to_pdf(&self) -> Vec<u8> {
        pdf::write(self)
    }

    /// The drawing as a PNG picture with `scale` pixels per unit of length.
    pub fn to_png(&self, scale: f64) -> Result<Vec<u8>, PlotError> {
        raster::draw(self, scale)?.to_png()
    }
}

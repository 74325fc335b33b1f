//! Figures of a report.

use std::fmt::Write;

use crate::error::PlotError;
use crate::figure::Figure;
use crate::markup::escape;
use crate::scene::{Scene, base64};

/// Figures shrink with the page down to this share of their natural width; below it they scroll, so that labels stay legible.
const LEAST_SHARE: f64 = 0.6;

#[derive(Debug, Clone)]
enum Picture {
    Svg(Scene),
    Png(Vec<u8>),
}

/// A figure with its caption and, for those who cannot see it, its description.
#[derive(Debug, Clone)]
pub struct Illustration {
    picture: Picture,
    width: f64,
    height: f64,
    caption: String,
    alt: String,
}

impl Illustration {
    /// The figure as SVG: sharp at any size, best for lines.
    pub fn svg(figure: &Figure) -> Self {
        let scene = figure.to_scene();
        let (width, height) = (scene.width, scene.height);
        Illustration {
            picture: Picture::Svg(scene),
            width,
            height,
            caption: String::new(),
            alt: figure.title().into(),
        }
    }

    /// The figure as PNG with `scale` pixels per unit: smaller where there are very many shapes.
    pub fn png(figure: &Figure, scale: f64) -> Result<Self, PlotError> {
        let scene = figure.to_scene();
        let picture = Picture::Png(scene.to_png(scale)?);
        Ok(Illustration {
            picture,
            width: scene.width,
            height: scene.height,
            caption: String::new(),
            alt: figure.title().into(),
        })
    }

    /// Sets the words under the figure.
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// Sets the description; without it the figure's title serves.
    pub fn alt(mut self, alt: impl Into<String>) -> Self {
        self.alt = alt.into();
        self
    }

    pub(super) fn write(&self, out: &mut String, number: usize) {
        let (least, most) = (LEAST_SHARE * self.width, self.width);
        let style = format!("min-width:{least:.0}px;max-width:{most:.0}px");
        let _ = writeln!(
            out,
            "<figure>\n<div class=\"picture\" tabindex=\"0\">\n<div style=\"{style}\">"
        );
        match &self.picture {
            Picture::Svg(scene) => {
                let mut named = scene.clone();
                named.title = self.alt.clone();
                out.push_str(&named.to_svg(&format!("f{number}-")));
            }
            Picture::Png(bytes) => {
                let _ = writeln!(
                    out,
                    "<img width=\"{:.0}\" height=\"{:.0}\" alt=\"{}\" src=\"data:image/png;base64,{}\">",
                    self.width,
                    self.height,
                    escape(&self.alt),
                    base64(bytes)
                );
            }
        }
        out.push_str("</div>\n</div>\n");
        if !self.caption.is_empty() {
            let _ = writeln!(out, "<figcaption>{}</figcaption>", escape(&self.caption));
        }
        out.push_str("</figure>\n");
    }
}

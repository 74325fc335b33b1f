//! Draws a scene into pixels.

use tiny_skia::{
    FillRule, FilterQuality, LineCap, LineJoin, Mask, Paint, PathBuilder, Pixmap, PixmapPaint,
    PremultipliedColorU8, StrokeDash, Transform,
};

use super::bitmap::MAX_SIDE;
use super::{Bitmap, Item, Path, Rect, Scene, Segment, Stroke, Text};
use crate::color::Color;
use crate::error::PlotError;
use crate::font;

/// The scene at `scale` pixels per unit of length, on white.
pub(super) fn draw(scene: &Scene, scale: f64) -> Result<Bitmap, PlotError> {
    let (width, height) = ((scene.width * scale).ceil(), (scene.height * scale).ceil());
    let refuse = || PlotError::PictureSize {
        width,
        height,
        limit: MAX_SIDE,
    };
    let fits = |v: f64| v * scale >= 1.0 && v * scale <= f64::from(MAX_SIDE);
    if !(fits(scene.width) && fits(scene.height)) {
        return Err(refuse());
    }
    let mut pixmap = Pixmap::new(width as u32, height as u32).ok_or_else(refuse)?;
    pixmap.fill(tiny_skia::Color::WHITE);
    let mut canvas = Canvas {
        pixmap,
        scale: scale as f32,
    };
    for item in &scene.items {
        canvas.item(item, None);
    }
    let pixels = canvas
        .pixmap
        .pixels()
        .iter()
        .map(|p| p.demultiply())
        .map(|p| Color {
            r: p.red(),
            g: p.green(),
            b: p.blue(),
            a: p.alpha(),
        });
    Bitmap::new(width as usize, height as usize, pixels.collect())
}

struct Canvas {
    pixmap: Pixmap,
    scale: f32,
}

impl Canvas {
    fn item(&mut self, item: &Item, mask: Option<&Mask>) {
        match item {
            Item::Path { path, fill, stroke } => {
                let view = Transform::from_scale(self.scale, self.scale);
                if let Some(color) = fill {
                    self.fill(path, *color, view, mask);
                }
                if let Some(stroke) = stroke {
                    self.stroke(path, stroke, view, mask);
                }
            }
            Item::Markers {
                marker,
                at,
                radius,
                fill,
                rim,
            } => {
                let outline = marker.outline(*radius);
                for p in at.iter().filter(|p| p[0].is_finite() && p[1].is_finite()) {
                    let view = Transform::from_scale(self.scale, self.scale)
                        .pre_translate(p[0] as f32, p[1] as f32);
                    self.fill(&outline, *fill, view, mask);
                    if let Some((color, width)) = rim {
                        self.stroke(&outline, &Stroke::solid(*color, *width), view, mask);
                    }
                }
            }
            Item::Text(text) => self.text(text, mask),
            Item::Image {
                bitmap,
                rect,
                smooth,
            } => self.image(bitmap, *rect, *smooth, mask),
            Item::Clip { rect, items } => {
                let window = self.window(*rect);
                for item in items {
                    self.item(item, window.as_ref());
                }
            }
        }
    }

    fn window(&self, rect: Rect) -> Option<Mask> {
        let mut mask = Mask::new(self.pixmap.width(), self.pixmap.height())?;
        let path = skia_path(&Path::rect(rect))?;
        mask.fill_path(
            &path,
            FillRule::Winding,
            true,
            Transform::from_scale(self.scale, self.scale),
        );
        Some(mask)
    }

    fn fill(&mut self, path: &Path, color: Color, view: Transform, mask: Option<&Mask>) {
        if let Some(path) = skia_path(path) {
            self.pixmap
                .fill_path(&path, &paint(color), FillRule::Winding, view, mask);
        }
    }

    fn stroke(&mut self, path: &Path, stroke: &Stroke, view: Transform, mask: Option<&Mask>) {
        let Some(path) = skia_path(path) else { return };
        let dash: Vec<f32> = stroke.dash.iter().map(|d| *d as f32).collect();
        let style = tiny_skia::Stroke {
            width: stroke.width as f32,
            line_join: LineJoin::Round,
            line_cap: if dash.is_empty() {
                LineCap::Round
            } else {
                LineCap::Butt
            },
            dash: StrokeDash::new(dash, 0.0),
            ..Default::default()
        };
        self.pixmap
            .stroke_path(&path, &paint(stroke.color), &style, view, mask);
    }

    fn text(&mut self, text: &Text, mask: Option<&Mask>) {
        let size = (text.size / font::UNITS_PER_EM) as f32;
        let line = Transform::from_scale(self.scale, self.scale)
            .pre_translate(text.at[0] as f32, text.at[1] as f32)
            .pre_rotate(text.turn as f32)
            .pre_scale(size, size);
        let mut pen = text.start_offset() as f32 / size;
        for (glyph, advance) in font::glyphs(&text.text, text.weight) {
            self.fill(
                &font::outline(text.weight, glyph),
                text.color,
                line.pre_translate(pen, 0.0),
                mask,
            );
            pen += advance as f32;
        }
    }

    fn image(&mut self, bitmap: &Bitmap, rect: Rect, smooth: bool, mask: Option<&Mask>) {
        let Some(mut source) = Pixmap::new(bitmap.width(), bitmap.height()) else {
            return;
        };
        for (to, from) in source.pixels_mut().iter_mut().zip(bitmap.pixels()) {
            let premultiplied =
                tiny_skia::ColorU8::from_rgba(from.r, from.g, from.b, from.a).premultiply();
            *to = PremultipliedColorU8::from_rgba(
                premultiplied.red(),
                premultiplied.green(),
                premultiplied.blue(),
                premultiplied.alpha(),
            )
            .unwrap_or(PremultipliedColorU8::TRANSPARENT);
        }
        let view = Transform::from_scale(self.scale, self.scale)
            .pre_translate(rect.x as f32, rect.y as f32)
            .pre_scale(
                (rect.w / f64::from(bitmap.width())) as f32,
                (rect.h / f64::from(bitmap.height())) as f32,
            );
        let quality = if smooth {
            FilterQuality::Bilinear
        } else {
            FilterQuality::Nearest
        };
        let style = PixmapPaint {
            quality,
            ..Default::default()
        };
        self.pixmap
            .draw_pixmap(0, 0, source.as_ref(), &style, view, mask);
    }
}

fn paint(c: Color) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(c.r, c.g, c.b, c.a);
    paint
}

/// The outline for the rasteriser; none if it is empty or not finite.
fn skia_path(path: &Path) -> Option<tiny_skia::Path> {
    let mut builder = PathBuilder::new();
    for segment in &path.segments {
        match *segment {
            Segment::Move(p) => builder.move_to(p[0] as f32, p[1] as f32),
            Segment::Line(p) => builder.line_to(p[0] as f32, p[1] as f32),
            Segment::Cubic(a, b, p) => {
                builder.cubic_to(
                    a[0] as f32,
                    a[1] as f32,
                    b[0] as f32,
                    b[1] as f32,
                    p[0] as f32,
                    p[1] as f32,
                );
            }
            Segment::Close => builder.close(),
        }
    }
    builder.finish()
}

//! Writes a scene as SVG.
//!
//! Letters are drawn as outlines, each defined once, so that the picture needs no fonts and looks the same everywhere; the
//! words stay readable to programs as `aria-label`. Windows are nested `<svg>` elements, which clip without needing ids.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::{Item, Marker, Path, Scene, Segment, Stroke, Text, base64};
use crate::color::Color;
use crate::font::{self, Weight};
use crate::markup::escape;

/// How words are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Letters {
    /// As shapes.
    Outlines,
    /// As text.
    Text,
}

pub(super) fn write(scene: &Scene, id_prefix: &str, letters: Letters) -> String {
    let mut body = String::new();
    let mut used = BTreeSet::new();
    for item in &scene.items {
        write_item(&mut body, item, (id_prefix, letters), &mut used);
    }
    let (w, h) = (number(scene.width), number(scene.height));
    let mut out = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img" aria-label="{}">"#,
        escape(&scene.title)
    );
    out.push('\n');
    if !used.is_empty() {
        out.push_str("<defs>\n");
        for (weight, glyph) in used {
            let outline = path_data(&font::outline(weight, glyph), 0);
            let _ = writeln!(
                out,
                r#"<path id="{}" d="{outline}"/>"#,
                glyph_id(id_prefix, weight, glyph)
            );
        }
        out.push_str("</defs>\n");
    }
    let _ = writeln!(out, r##"<rect width="{w}" height="{h}" fill="#fff"/>"##);
    out.push_str(&body);
    out.push_str("</svg>\n");
    out
}

fn glyph_id(prefix: &str, weight: Weight, glyph: u16) -> String {
    let letter = match weight {
        Weight::Regular => 'r',
        Weight::SemiBold => 'b',
    };
    format!("{}{letter}{glyph}", escape(prefix))
}

fn write_item(
    out: &mut String,
    item: &Item,
    how: (&str, Letters),
    used: &mut BTreeSet<(Weight, u16)>,
) {
    match item {
        Item::Path { path, fill, stroke } => {
            if path.segments.is_empty() {
                return;
            }
            let _ = write!(out, r#"<path d="{}""#, path_data(path, 2));
            write_fill(out, *fill);
            if let Some(stroke) = stroke {
                write_stroke(out, stroke);
            }
            out.push_str("/>\n");
        }
        Item::Markers {
            marker,
            at,
            radius,
            fill,
            rim,
        } => write_markers(out, *marker, at, *radius, *fill, *rim),
        Item::Text(text) => match how {
            (prefix, Letters::Outlines) => write_text(out, text, prefix, used),
            (_, Letters::Text) => write_words(out, text),
        },
        Item::Image {
            bitmap,
            rect,
            smooth,
        } => {
            let Ok(png) = bitmap.to_png() else { return };
            let sharp = if *smooth {
                ""
            } else {
                r#" style="image-rendering:pixelated""#
            };
            let _ = writeln!(
                out,
                r#"<image x="{}" y="{}" width="{}" height="{}" preserveAspectRatio="none"{sharp} href="data:image/png;base64,{}"/>"#,
                number(rect.x),
                number(rect.y),
                number(rect.w),
                number(rect.h),
                base64(&png)
            );
        }
        Item::Clip { rect, items } => {
            let [x, y, w, h] = [rect.x, rect.y, rect.w, rect.h].map(number);
            let _ = writeln!(
                out,
                r#"<svg x="{x}" y="{y}" width="{w}" height="{h}" viewBox="{x} {y} {w} {h}" overflow="hidden">"#
            );
            for item in items {
                write_item(out, item, how, used);
            }
            out.push_str("</svg>\n");
        }
    }
}

fn write_markers(
    out: &mut String,
    marker: Marker,
    at: &[[f64; 2]],
    radius: f64,
    fill: Color,
    rim: Option<(Color, f64)>,
) {
    let finite = at.iter().filter(|p| p[0].is_finite() && p[1].is_finite());
    if marker == Marker::Circle {
        // A line of no length with round ends is a disc: a dozen bytes each, which matters with hundreds of samples.
        let mut data = String::new();
        for p in finite {
            let _ = write!(data, "M{} {}h0", number(p[0]), number(p[1]));
        }
        if data.is_empty() {
            return;
        }
        let mut dots = |color: Color, diameter: f64| {
            let _ = write!(out, r#"<path d="{data}" fill="none""#);
            write_color(out, "stroke", color);
            let _ = writeln!(
                out,
                r#" stroke-width="{}" stroke-linecap="round"/>"#,
                number(diameter)
            );
        };
        if let Some((color, width)) = rim {
            dots(color, 2.0 * radius + width);
        }
        dots(fill, 2.0 * radius - rim.map_or(0.0, |r| r.1));
        return;
    }
    let outline = marker.outline(radius);
    let mut all = Path::default();
    for p in finite {
        all.append(outline.mapped(|q| [q[0] + p[0], q[1] + p[1]]));
    }
    let stroke = rim.map(|(color, width)| Stroke::solid(color, width));
    write_item(
        out,
        &Item::Path {
            path: all,
            fill: Some(fill),
            stroke,
        },
        ("", Letters::Outlines),
        &mut BTreeSet::new(),
    );
}

fn write_text(out: &mut String, text: &Text, prefix: &str, used: &mut BTreeSet<(Weight, u16)>) {
    let scale = text.size / font::UNITS_PER_EM;
    let _ = write!(out, r#"<g role="img" aria-label="{}""#, escape(&text.text));
    write_fill(out, Some(text.color));
    let _ = write!(
        out,
        r#" transform="translate({} {})"#,
        number(text.at[0]),
        number(text.at[1])
    );
    if text.turn != 0.0 {
        let _ = write!(out, " rotate({})", number(text.turn));
    }
    let _ = write!(out, " scale({scale:.5})\">");
    let mut pen = text.start_offset() / scale;
    for (glyph, advance) in font::glyphs(&text.text, text.weight) {
        if font::has_ink(text.weight, glyph) {
            used.insert((text.weight, glyph));
            let _ = write!(
                out,
                r##"<use href="#{}" x="{:.0}"/>"##,
                glyph_id(prefix, text.weight, glyph),
                pen
            );
        }
        pen += advance;
    }
    out.push_str("</g>\n");
}

/// Text that is as long as it is in our own font, whichever is there.
fn write_words(out: &mut String, text: &Text) {
    let anchor = match text.anchor {
        super::Anchor::Start => "start",
        super::Anchor::Middle => "middle",
        super::Anchor::End => "end",
    };
    let weight = match text.weight {
        Weight::Regular => 400,
        Weight::SemiBold => 600,
    };
    let [x, y] = text.at.map(number);
    let _ = write!(
        out,
        r#"<text x="{x}" y="{y}" font-family="Inter, Helvetica, Arial, sans-serif" font-size="{}" font-weight="{weight}" text-anchor="{anchor}" textLength="{}""#,
        number(text.size),
        number(font::width(&text.text, text.size, text.weight))
    );
    write_fill(out, Some(text.color));
    if text.turn != 0.0 {
        let _ = write!(out, r#" transform="rotate({} {x} {y})""#, number(text.turn));
    }
    let _ = writeln!(out, ">{}</text>", escape(&text.text));
}

fn write_fill(out: &mut String, fill: Option<Color>) {
    match fill {
        Some(color) => write_color(out, "fill", color),
        None => out.push_str(r#" fill="none""#),
    }
}

fn write_color(out: &mut String, attribute: &str, c: Color) {
    let _ = write!(
        out,
        r##" {attribute}="#{:02x}{:02x}{:02x}""##,
        c.r, c.g, c.b
    );
    if c.a != 255 {
        let _ = write!(
            out,
            r#" {attribute}-opacity="{}""#,
            decimal(f64::from(c.a) / 255.0, 3)
        );
    }
}

fn write_stroke(out: &mut String, stroke: &Stroke) {
    write_color(out, "stroke", stroke.color);
    let _ = write!(
        out,
        r#" stroke-width="{}" stroke-linejoin="round""#,
        number(stroke.width)
    );
    if stroke.dash.is_empty() {
        out.push_str(r#" stroke-linecap="round""#);
    } else {
        let dash: Vec<String> = stroke.dash.iter().map(|d| number(*d)).collect();
        let _ = write!(out, r#" stroke-dasharray="{}""#, dash.join(" "));
    }
}

fn path_data(path: &Path, decimals: usize) -> String {
    let mut d = String::new();
    let mut put = |letter: char, points: &[[f64; 2]]| {
        d.push(letter);
        for (i, p) in points.iter().enumerate() {
            let gap = if i > 0 { " " } else { "" };
            let _ = write!(
                d,
                "{gap}{} {}",
                decimal(p[0], decimals),
                decimal(p[1], decimals)
            );
        }
    };
    for segment in &path.segments {
        match *segment {
            Segment::Move(p) => put('M', &[p]),
            Segment::Line(p) => put('L', &[p]),
            Segment::Cubic(a, b, p) => put('C', &[a, b, p]),
            Segment::Close => put('Z', &[]),
        }
    }
    d
}

fn number(v: f64) -> String {
    decimal(v, 2)
}

/// At most `decimals` places, without trailing zeros or a negative zero.
fn decimal(v: f64, decimals: usize) -> String {
    let mut s = format!("{v:.decimals$}");
    if s.contains('.') {
        s.truncate(s.trim_end_matches('0').trim_end_matches('.').len());
    }
    if s == "-0" { "0".into() } else { s }
}

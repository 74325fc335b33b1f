//! The embedded font: widths and outlines of letters.
//!
//! Two weights of Inter, subset to Latin, Greek and the signs labels need; licence and origin are in `fonts/`.

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::scene::{Path, Segment};

/// Thickness of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// For labels.
    Regular,
    /// For titles.
    SemiBold,
}

/// Font units per font size; a property of both font files.
pub(crate) const UNITS_PER_EM: f64 = 2816.0;

static REGULAR: LazyLock<Option<Face<'static>>> =
    LazyLock::new(|| Face::parse(file(Weight::Regular), 0).ok());
static SEMI_BOLD: LazyLock<Option<Face<'static>>> =
    LazyLock::new(|| Face::parse(file(Weight::SemiBold), 0).ok());

/// The font file of a weight.
pub(crate) fn file(weight: Weight) -> &'static [u8] {
    match weight {
        Weight::Regular => include_bytes!("../fonts/Inter-Regular-subset.otf"),
        Weight::SemiBold => include_bytes!("../fonts/Inter-SemiBold-subset.otf"),
    }
}

fn face(weight: Weight) -> Option<&'static Face<'static>> {
    match weight {
        Weight::Regular => REGULAR.as_ref(),
        Weight::SemiBold => SEMI_BOLD.as_ref(),
    }
}

/// Width of a line of text in pixels.
pub(crate) fn width(text: &str, size: f64, weight: Weight) -> f64 {
    glyphs(text, weight)
        .iter()
        .map(|(_, advance)| advance)
        .sum::<f64>()
        * size
        / UNITS_PER_EM
}

/// Number and advance (in font units) of each letter; letters the font lacks become its empty box.
pub(crate) fn glyphs(text: &str, weight: Weight) -> Vec<(u16, f64)> {
    let Some(face) = face(weight) else {
        return Vec::new();
    };
    text.chars()
        .map(|c| {
            let id = face.glyph_index(c).unwrap_or(GlyphId(0));
            (
                id.0,
                face.glyph_hor_advance(id)
                    .map_or(UNITS_PER_EM / 2.0, f64::from),
            )
        })
        .collect()
}

/// Whether a letter leaves a mark; a space does not.
pub(crate) fn has_ink(weight: Weight, glyph: u16) -> bool {
    face(weight).is_some_and(|f| f.glyph_bounding_box(GlyphId(glyph)).is_some())
}

/// Outline of a letter in font units, y down, with its origin on the baseline.
pub(crate) fn outline(weight: Weight, glyph: u16) -> Path {
    let mut tracer = Tracer::default();
    if let Some(face) = face(weight) {
        face.outline_glyph(GlyphId(glyph), &mut tracer);
    }
    tracer.path
}

#[derive(Default)]
struct Tracer {
    path: Path,
    pen: [f64; 2],
}

impl Tracer {
    fn push(&mut self, segment: Segment, end: [f64; 2]) {
        self.path.segments.push(segment);
        self.pen = end;
    }
}

fn down(x: f32, y: f32) -> [f64; 2] {
    [f64::from(x), -f64::from(y)]
}

impl OutlineBuilder for Tracer {
    fn move_to(&mut self, x: f32, y: f32) {
        self.push(Segment::Move(down(x, y)), down(x, y));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.push(Segment::Line(down(x, y)), down(x, y));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (from, handle, end) = (self.pen, down(x1, y1), down(x, y));
        let toward = |p: [f64; 2]| {
            [
                p[0] + (handle[0] - p[0]) * 2.0 / 3.0,
                p[1] + (handle[1] - p[1]) * 2.0 / 3.0,
            ]
        };
        self.push(Segment::Cubic(toward(from), toward(end), end), end);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.push(
            Segment::Cubic(down(x1, y1), down(x2, y2), down(x, y)),
            down(x, y),
        );
    }

    fn close(&mut self) {
        self.path.segments.push(Segment::Close);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_weights_load_and_share_the_unit() {
        for weight in [Weight::Regular, Weight::SemiBold] {
            let face = face(weight).expect("the embedded font must parse");
            assert_eq!(f64::from(face.units_per_em()), UNITS_PER_EM);
        }
    }

    #[test]
    fn every_sign_labels_use_is_in_the_font() {
        for c in "AZaz09−±×·²⁻⁰¹⁹₀₉ℓσμθφΔΣ≤≥≈√∞°–—…é".chars()
        {
            for weight in [Weight::Regular, Weight::SemiBold] {
                assert!(
                    face(weight).expect("font").glyph_index(c).is_some(),
                    "{c} is missing"
                );
            }
        }
    }
}

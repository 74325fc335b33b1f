//! Legends: rows of swatches with words, laid out above the data so that they never cover it.

use crate::color::Color;
use crate::font::{self, Weight};
use crate::scene::{Marker, Path, Rect, Scene, Stroke, Text};

const SIZE: f64 = 12.0;
const GAP: f64 = 7.0;
const BETWEEN: f64 = 18.0;
const ROW: f64 = 19.0;

/// What a legend shows beside the words.
#[derive(Debug, Clone, PartialEq)]
pub enum Swatch {
    /// A line, perhaps over a band of its spread.
    Line {
        /// The line.
        stroke: Stroke,
        /// Colour of the band.
        band: Option<Color>,
    },
    /// A marker.
    Marker {
        /// Shape.
        marker: Marker,
        /// Colour inside.
        fill: Color,
        /// Colour of the rim.
        rim: Option<Color>,
    },
    /// A filled area.
    Area(Color),
}

impl Swatch {
    /// Whether the two would be taken for the same; a band alone tells no lines apart.
    fn looks_like(&self, other: &Swatch) -> bool {
        match (self, other) {
            (Swatch::Line { stroke: a, .. }, Swatch::Line { stroke: b, .. }) => a == b,
            _ => self == other,
        }
    }

    fn width(&self) -> f64 {
        match self {
            Swatch::Line { .. } => 24.0,
            Swatch::Marker { .. } | Swatch::Area(_) => 12.0,
        }
    }
}

/// One line of a legend.
#[derive(Debug, Clone, PartialEq)]
pub struct LegendEntry {
    /// The words.
    pub label: String,
    /// What they stand for.
    pub swatch: Swatch,
}

impl LegendEntry {
    /// Words and what they stand for.
    pub fn new(label: impl Into<String>, swatch: Swatch) -> Self {
        LegendEntry {
            label: label.into(),
            swatch,
        }
    }

    fn width(&self) -> f64 {
        self.swatch.width() + GAP + font::width(&self.label, SIZE, Weight::Regular)
    }
}

/// All different entries of several legends in order, if they can be one legend: no word with two looks, no look with two words.
pub(crate) fn merged(legends: &[Vec<LegendEntry>]) -> Option<Vec<LegendEntry>> {
    let mut all: Vec<LegendEntry> = Vec::new();
    for entry in legends.iter().flatten() {
        if all.contains(entry) {
            continue;
        }
        if all
            .iter()
            .any(|e| e.label == entry.label || e.swatch.looks_like(&entry.swatch))
        {
            return None;
        }
        all.push(entry.clone());
    }
    Some(all)
}

/// Height of a legend that may be `width` wide; 0 without entries.
pub(crate) fn height(entries: &[LegendEntry], width: f64) -> f64 {
    let rows = flow(entries, width).last().map_or(0, |(row, _)| row + 1);
    if rows == 0 {
        0.0
    } else {
        rows as f64 * ROW + 4.0
    }
}

/// Draws a legend whose upper left corner is at `at`.
pub(crate) fn draw(scene: &mut Scene, entries: &[LegendEntry], at: [f64; 2], width: f64) {
    for (entry, (row, x)) in entries.iter().zip(flow(entries, width)) {
        let middle = at[1] + ROW * (row as f64 + 0.5);
        let place = Rect {
            x: at[0] + x,
            y: middle - 5.5,
            w: entry.swatch.width(),
            h: 11.0,
        };
        draw_swatch(scene, &entry.swatch, place);
        scene.text(Text::new(
            &entry.label,
            [place.right() + GAP, middle + SIZE * 0.36],
            SIZE,
        ));
    }
}

pub(crate) fn draw_swatch(scene: &mut Scene, swatch: &Swatch, place: Rect) {
    let [cx, cy] = place.center();
    match swatch {
        Swatch::Line { stroke, band } => {
            if let Some(color) = band {
                scene.fill(Path::rect(place), *color);
            }
            scene.line([place.x, cy], [place.right(), cy], stroke.clone());
        }
        Swatch::Marker { marker, fill, rim } => {
            scene.markers(*marker, vec![[cx, cy]], 4.0, *fill, rim.map(|c| (c, 1.0)))
        }
        Swatch::Area(color) => scene.fill(Path::rect(place), *color),
    }
}

/// Row and x offset of each entry.
fn flow(entries: &[LegendEntry], width: f64) -> Vec<(usize, f64)> {
    let (mut row, mut x) = (0, 0.0);
    let mut places = Vec::with_capacity(entries.len());
    for entry in entries {
        let w = entry.width();
        if x > 0.0 && x + w > width {
            row += 1;
            x = 0.0;
        }
        places.push((row, x));
        x += w + BETWEEN;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(label: &str, color: u32) -> LegendEntry {
        LegendEntry::new(label, Swatch::Area(Color::hex(color)))
    }

    #[test]
    fn legends_that_agree_become_one() {
        let one = vec![entry("RBF", 1), entry("AK", 2)];
        assert_eq!(
            merged(&[one.clone(), one.clone(), vec![]]),
            Some(one.clone())
        );
        assert_eq!(
            merged(&[one.clone(), vec![entry("AK", 3)]]),
            None,
            "one word, two looks"
        );
        assert_eq!(
            merged(&[one, vec![entry("Gibbs", 1)]]),
            None,
            "one look, two words"
        );
    }

    #[test]
    fn long_legends_wrap() {
        let many: Vec<LegendEntry> = (0..10).map(|i| entry(&format!("series {i}"), i)).collect();
        assert!(height(&many, 200.0) > height(&many, 2000.0));
        assert_eq!(height(&[], 200.0), 0.0);
    }
}

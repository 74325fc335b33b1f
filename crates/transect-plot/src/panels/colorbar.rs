//! Colour bars: what the colours of a map mean.

use crate::axis::{TICK_SIZE, Ticks, exponent_label, label_width};
use crate::color::{Color, ColorScale};
use crate::layout::{Insets, Panel};
use crate::scene::{Anchor, Bitmap, Item, Path, Rect, Scene, Stroke, Text};

pub(crate) const THICKNESS: f64 = 12.0;
const LABEL_SIZE: f64 = 12.0;
const STEPS: usize = 128;

/// A colour bar that stands in its own cell of the figure, for maps that share a scale.
///
/// ```
/// use transect_plot::{ColorBar, ColorMap, ColorScale, Figure};
/// let scale = ColorScale::new(ColorMap::Cividis, 0.0, 5.0)?.label("Standard deviation", "m");
/// let figure = Figure::new("").panel(ColorBar::vertical(scale));
/// # let _ = figure;
/// # Ok::<(), transect_plot::PlotError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ColorBar {
    scale: ColorScale,
    upright: bool,
}

impl ColorBar {
    /// An upright bar, for the end of a row.
    pub fn vertical(scale: ColorScale) -> Self {
        ColorBar {
            scale,
            upright: true,
        }
    }

    /// A lying bar, for the foot of a column.
    pub fn horizontal(scale: ColorScale) -> Self {
        ColorBar {
            scale,
            upright: false,
        }
    }
}

impl Panel for ColorBar {
    fn size(&self) -> [f64; 2] {
        if self.upright {
            [THICKNESS, 120.0]
        } else {
            [120.0, THICKNESS]
        }
    }

    fn stretch(&self) -> [bool; 2] {
        [!self.upright, self.upright]
    }

    fn insets(&self) -> Insets {
        if self.upright {
            return Insets {
                right: upright_room(&self.scale, 240.0),
                ..Insets::default()
            };
        }
        let label = if self.scale.label.is_empty() {
            0.0
        } else {
            LABEL_SIZE + 5.0
        };
        Insets {
            bottom: TICK_SIZE + 8.0 + label,
            left: 8.0,
            right: 8.0,
            top: 0.0,
        }
    }

    fn title(&self) -> &str {
        ""
    }

    fn draw(&self, scene: &mut Scene, frame: Rect) {
        if self.upright {
            draw_upright(scene, &self.scale, frame)
        } else {
            draw_lying(scene, &self.scale, frame)
        }
    }
}

fn upright_ticks(scale: &ColorScale, height: f64) -> Option<Ticks> {
    scale
        .range
        .map(|r| Ticks::linear(r, ((height / 34.0) as usize).clamp(2, 8)))
}

/// As many ticks as have room side by side.
fn lying_ticks(scale: &ColorScale, width: f64) -> Option<Ticks> {
    let range = scale.range?;
    let fits = |ticks: &Ticks| {
        let widest = ticks
            .ticks
            .iter()
            .map(|t| label_width(&t.label))
            .fold(0.0, f64::max);
        ticks.ticks.windows(2).all(|w| {
            (range.fraction(w[1].value) - range.fraction(w[0].value)) * width > widest + 14.0
        })
    };
    let mut candidates = (2..=5).rev().map(|target| Ticks::linear(range, target));
    Some(
        candidates
            .find(fits)
            .unwrap_or_else(|| Ticks::linear(range, 2)),
    )
}

/// Room to the right of an upright bar for its numbers and label.
pub(crate) fn upright_room(scale: &ColorScale, height: f64) -> f64 {
    let widest = upright_ticks(scale, height).map_or(0.0, |t| {
        t.ticks
            .iter()
            .map(|t| label_width(&t.label))
            .fold(0.0, f64::max)
    });
    let label = if scale.label.is_empty() {
        0.0
    } else {
        LABEL_SIZE + 7.0
    };
    7.0 + widest + label
}

pub(crate) fn draw_upright(scene: &mut Scene, scale: &ColorScale, bar: Rect) {
    let colors = (0..STEPS)
        .map(|i| scale.map.at(1.0 - (i as f64 + 0.5) / STEPS as f64))
        .collect();
    draw_strip(scene, colors, 1, STEPS, bar);
    let room = upright_room(scale, bar.h);
    if let (Some(ticks), Some(range)) = (upright_ticks(scale, bar.h), scale.range) {
        for t in &ticks.ticks {
            let y = bar.bottom() - range.fraction(t.value) * bar.h;
            scene.line(
                [bar.right(), y],
                [bar.right() + 3.0, y],
                Stroke::solid(Color::FRAME, 1.0),
            );
            let at = [bar.right() + 6.0, y + TICK_SIZE * 0.36];
            scene.text(Text::new(&t.label, at, TICK_SIZE).color(Color::MUTED));
        }
    }
    let at = [bar.right() + room - 2.0, bar.center()[1]];
    scene.text(
        Text::new(
            full_label(scale, upright_ticks(scale, bar.h)),
            at,
            LABEL_SIZE,
        )
        .anchor(Anchor::Middle)
        .turned(-90.0),
    );
}

fn draw_lying(scene: &mut Scene, scale: &ColorScale, bar: Rect) {
    let colors = (0..STEPS)
        .map(|i| scale.map.at((i as f64 + 0.5) / STEPS as f64))
        .collect();
    draw_strip(scene, colors, STEPS, 1, bar);
    if let (Some(ticks), Some(range)) = (lying_ticks(scale, bar.w), scale.range) {
        for t in &ticks.ticks {
            let x = bar.x + range.fraction(t.value) * bar.w;
            scene.line(
                [x, bar.bottom()],
                [x, bar.bottom() + 3.0],
                Stroke::solid(Color::FRAME, 1.0),
            );
            let at = [x, bar.bottom() + TICK_SIZE + 5.0];
            scene.text(
                Text::new(&t.label, at, TICK_SIZE)
                    .color(Color::MUTED)
                    .anchor(Anchor::Middle),
            );
        }
    }
    let at = [bar.center()[0], bar.bottom() + TICK_SIZE + LABEL_SIZE + 9.0];
    scene.text(
        Text::new(full_label(scale, lying_ticks(scale, bar.w)), at, LABEL_SIZE)
            .anchor(Anchor::Middle),
    );
}

/// The label with the power of ten that the numbers leave out.
fn full_label(scale: &ColorScale, ticks: Option<Ticks>) -> String {
    match ticks {
        Some(t) if t.exponent != 0 => format!("{} {}", scale.label, exponent_label(t.exponent)),
        _ => scale.label.clone(),
    }
}

fn draw_strip(scene: &mut Scene, colors: Vec<Color>, columns: usize, rows: usize, bar: Rect) {
    if let Ok(bitmap) = Bitmap::new(columns, rows, colors) {
        scene.items.push(Item::Image {
            bitmap,
            rect: bar,
            smooth: false,
        });
    }
    scene.stroke(Path::rect(bar), Stroke::solid(Color::FRAME, 1.0));
}

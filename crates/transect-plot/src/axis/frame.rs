//! The frame of a plot: the two axes around a rectangle, and the way from values to pixels.

use super::ticks::superscript;
use super::{Axis, Range, Spacing, Ticks};
use crate::color::Color;
use crate::font::{self, Weight};
use crate::layout::Insets;
use crate::scene::{Anchor, Path, Rect, Scene, Stroke, Text};

/// Font size of tick labels.
pub(crate) const TICK_SIZE: f64 = 11.0;
/// Font size of axis labels.
pub(crate) const LABEL_SIZE: f64 = 12.0;
const TICK_LENGTH: f64 = 4.0;

/// Two axes with settled ranges.
pub struct Frame<'a> {
    x: &'a Axis,
    y: &'a Axis,
    pub x_range: Range,
    pub y_range: Range,
    grid: bool,
}

impl<'a> Frame<'a> {
    /// A frame around data of the given ranges; ranges fixed by the axes win.
    pub fn new(x: &'a Axis, y: &'a Axis, x_data: Range, y_data: Range) -> Self {
        Frame {
            x,
            y,
            x_range: x.fixed.unwrap_or(x_data),
            y_range: y.fixed.unwrap_or(y_data),
            grid: true,
        }
    }

    /// Leaves out the grid lines, for plots that fill their frame.
    pub fn without_grid(mut self) -> Self {
        self.grid = false;
        self
    }

    /// From a value pair to pixels; NaN where a log axis has no place for it.
    pub fn place(&self, rect: Rect, p: [f64; 2]) -> [f64; 2] {
        let fx = position(self.x, self.x_range, p[0]);
        let fy = position(self.y, self.y_range, p[1]);
        [rect.x + fx * rect.w, rect.bottom() - fy * rect.h]
    }

    /// Room that labels need around a rectangle of the given size.
    pub fn insets(&self, w: f64, h: f64) -> Insets {
        let (xs, ys) = (self.x_ticks(w), self.y_ticks(h));
        let widest = ys
            .ticks
            .iter()
            .map(|t| label_width(&t.label))
            .fold(0.0, f64::max);
        let last = xs.ticks.last().map_or(0.0, |t| label_width(&t.label) / 2.0);
        let steep = self.names_tilt(w).is_some();
        let tallest = if steep {
            xs.ticks
                .iter()
                .map(|t| label_width(&t.label))
                .fold(0.0, f64::max)
                * 0.5
        } else {
            0.0
        };
        let label = |axis: &Axis| {
            if axis.label().is_empty() {
                0.0
            } else {
                LABEL_SIZE + 6.0
            }
        };
        Insets {
            left: widest + TICK_LENGTH + 4.0 + label(self.y),
            right: if xs.exponent == 0 {
                last.max(4.0)
            } else {
                last + exponent_width(xs.exponent)
            },
            top: if ys.exponent == 0 {
                6.0
            } else {
                TICK_SIZE + 13.0
            },
            bottom: TICK_LENGTH + 4.0 + TICK_SIZE + tallest + label(self.x),
        }
    }

    /// Grid lines and background, under the data.
    pub fn draw_back(&self, scene: &mut Scene, rect: Rect) {
        if !self.grid {
            return;
        }
        let names = |axis: &Axis| matches!(axis.spacing, Spacing::Names(_));
        for t in self
            .x_ticks(rect.w)
            .ticks
            .iter()
            .filter(|t| !t.label.is_empty() && !names(self.x))
        {
            let x = self.place(rect, [t.value, self.y_range.low])[0];
            scene.line(
                [x, rect.y],
                [x, rect.bottom()],
                Stroke::solid(Color::GRID, 1.0),
            );
        }
        for t in self
            .y_ticks(rect.h)
            .ticks
            .iter()
            .filter(|t| !t.label.is_empty())
        {
            let y = self.place(rect, [self.x_range.low, t.value])[1];
            scene.line(
                [rect.x, y],
                [rect.right(), y],
                Stroke::solid(Color::GRID, 1.0),
            );
        }
    }

    /// Frame, ticks and labels, over the data.
    pub fn draw_front(&self, scene: &mut Scene, rect: Rect, insets: Insets) {
        scene.stroke(Path::rect(rect), Stroke::solid(Color::FRAME, 1.0));
        self.draw_x(scene, rect, insets);
        self.draw_y(scene, rect, insets);
    }

    fn draw_x(&self, scene: &mut Scene, rect: Rect, insets: Insets) {
        let ticks = self.x_ticks(rect.w);
        let tilt = self.names_tilt(rect.w);
        let base = rect.bottom();
        for t in &ticks.ticks {
            let x = self.place(rect, [t.value, self.y_range.low])[0];
            let length = if t.label.is_empty() {
                TICK_LENGTH / 2.0
            } else {
                TICK_LENGTH
            };
            scene.line(
                [x, base],
                [x, base + length],
                Stroke::solid(Color::FRAME, 1.0),
            );
            let text = Text::new(
                &t.label,
                [x, base + TICK_LENGTH + TICK_SIZE + 1.0],
                TICK_SIZE,
            )
            .color(Color::MUTED);
            scene.text(match tilt {
                None => text.anchor(Anchor::Middle),
                Some(degrees) => text.anchor(Anchor::End).turned(degrees),
            });
        }
        if ticks.exponent != 0 {
            let at = [
                rect.right() + insets.right,
                base + TICK_LENGTH + TICK_SIZE + 1.0,
            ];
            scene.text(
                Text::new(exponent_label(ticks.exponent), at, TICK_SIZE)
                    .color(Color::MUTED)
                    .anchor(Anchor::End),
            );
        }
        let at = [rect.center()[0], base + insets.bottom - 3.0];
        scene.text(Text::new(self.x.label(), at, LABEL_SIZE).anchor(Anchor::Middle));
    }

    fn draw_y(&self, scene: &mut Scene, rect: Rect, insets: Insets) {
        let ticks = self.y_ticks(rect.h);
        for t in &ticks.ticks {
            let y = self.place(rect, [self.x_range.low, t.value])[1];
            let length = if t.label.is_empty() {
                TICK_LENGTH / 2.0
            } else {
                TICK_LENGTH
            };
            scene.line(
                [rect.x - length, y],
                [rect.x, y],
                Stroke::solid(Color::FRAME, 1.0),
            );
            let at = [rect.x - TICK_LENGTH - 3.0, y + TICK_SIZE * 0.36];
            scene.text(
                Text::new(&t.label, at, TICK_SIZE)
                    .color(Color::MUTED)
                    .anchor(Anchor::End),
            );
        }
        if ticks.exponent != 0 {
            let at = [rect.x, rect.y - 10.0];
            scene.text(
                Text::new(exponent_label(ticks.exponent), at, TICK_SIZE)
                    .color(Color::MUTED)
                    .anchor(Anchor::Middle),
            );
        }
        let at = [rect.x - insets.left + LABEL_SIZE - 1.0, rect.center()[1]];
        scene.text(
            Text::new(self.y.label(), at, LABEL_SIZE)
                .anchor(Anchor::Middle)
                .turned(-90.0),
        );
    }

    fn x_ticks(&self, width: f64) -> Ticks {
        // Labels must not touch: find the largest number of ticks whose widest label leaves a gap.
        for target in (2..=6).rev() {
            let ticks = ticks(self.x, self.x_range, target);
            let named: Vec<_> = ticks.ticks.iter().filter(|t| !t.label.is_empty()).collect();
            let widest = named
                .iter()
                .map(|t| label_width(&t.label))
                .fold(0.0, f64::max);
            let gap = named
                .windows(2)
                .map(|w| {
                    (position(self.x, self.x_range, w[1].value)
                        - position(self.x, self.x_range, w[0].value))
                        * width
                })
                .fold(f64::INFINITY, f64::min);
            if gap >= widest + 14.0 {
                return ticks;
            }
        }
        ticks(self.x, self.x_range, 2)
    }

    fn y_ticks(&self, height: f64) -> Ticks {
        ticks(self.y, self.y_range, ((height / 32.0) as usize).clamp(2, 6))
    }

    /// The turn that keeps names on the x axis apart, if they need one.
    fn names_tilt(&self, width: f64) -> Option<f64> {
        let Spacing::Names(names) = &self.x.spacing else {
            return None;
        };
        let widest = names.iter().map(|n| label_width(n)).fold(0.0, f64::max);
        (widest + 8.0 > width / names.len().max(1) as f64).then_some(-30.0)
    }
}

fn ticks(axis: &Axis, range: Range, target: usize) -> Ticks {
    match &axis.spacing {
        Spacing::Linear => Ticks::linear(range, target),
        Spacing::Log if range.low > 0.0 => Ticks::log(range, target),
        Spacing::Log => Ticks::linear(range, target),
        Spacing::Names(names) => Ticks::names(names),
    }
}

fn position(axis: &Axis, range: Range, v: f64) -> f64 {
    if !axis.is_log() {
        return range.fraction(v);
    }
    if v > 0.0 && range.low > 0.0 {
        (v / range.low).ln() / (range.high / range.low).ln()
    } else {
        f64::NAN
    }
}

pub(crate) fn label_width(label: &str) -> f64 {
    font::width(label, TICK_SIZE, Weight::Regular)
}

pub(crate) fn exponent_label(exponent: i32) -> String {
    format!("×10{}", superscript(i64::from(exponent)))
}

fn exponent_width(exponent: i32) -> f64 {
    label_width(&exponent_label(exponent)) + 4.0
}

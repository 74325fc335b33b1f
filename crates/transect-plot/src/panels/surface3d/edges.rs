//! Ticks, numbers and names along the two lower edges of the block that face the viewer.

use super::Surface3d;
use super::camera::Camera;
use crate::axis::{Axis, Range, TICK_SIZE, Ticks, label_width};
use crate::color::Color;
use crate::scene::{Anchor, Rect, Scene, Stroke, Text};

/// Length of ticks, as a share of the side they stand on.
const TICK: f64 = 0.025;

/// A labelled lower edge of the block, in shares of the extent.
struct Edge<'a> {
    axis: &'a Axis,
    range: Range,
    from: [f64; 2],
    along: [f64; 2],
    out: [f64; 2],
}

impl Surface3d {
    /// Room for ticks and labels on the left, on the right, above and below.
    pub(super) fn margins(&self) -> [f64; 4] {
        let label = if self.x.label().is_empty() && self.y.label().is_empty() {
            0.0
        } else {
            18.0
        };
        let side = 14.0 + self.widest_tick() + label;
        [side, side, 8.0, 24.0 + label]
    }

    fn widest_tick(&self) -> f64 {
        let extent = self.grid.extent();
        let ticks = [extent.x, extent.y]
            .into_iter()
            .flat_map(|r| Ticks::linear(r, 3).ticks);
        ticks.map(|t| label_width(&t.label)).fold(0.0, f64::max)
    }

    /// The two lower edges that face the viewer: axis, range, and the place at a share of the edge, moved outward a little.
    fn edges(&self, camera: &Camera) -> [Edge<'_>; 2] {
        let near = |a: [f64; 3], b: [f64; 3]| camera.closeness(a) >= camera.closeness(b);
        let south = near(self.floor(0.5, 0.0), self.floor(0.5, 1.0));
        let west = near(self.floor(0.0, 0.5), self.floor(1.0, 0.5));
        let (y, out_y) = if south { (0.0, -TICK) } else { (1.0, TICK) };
        let (x, out_x) = if west { (0.0, -TICK) } else { (1.0, TICK) };
        let extent = self.grid.extent();
        [
            Edge {
                axis: &self.x,
                range: extent.x,
                from: [0.0, y],
                along: [1.0, 0.0],
                out: [0.0, out_y],
            },
            Edge {
                axis: &self.y,
                range: extent.y,
                from: [x, 0.0],
                along: [0.0, 1.0],
                out: [out_x, 0.0],
            },
        ]
    }

    /// Where the point at share `t` of an edge appears, and where its tick ends.
    fn tick(&self, edge: &Edge<'_>, t: f64, frame: Rect, camera: &Camera) -> [[f64; 2]; 2] {
        [0.0, 1.0].map(|out| {
            let p = [0, 1].map(|i| edge.from[i] + t * edge.along[i] + out * edge.out[i]);
            let at = camera.see(self.floor(p[0], p[1])).at;
            [frame.x + at[0], frame.y + at[1]]
        })
    }

    /// Tick lines, behind the terrain.
    pub(super) fn draw_ticks(&self, scene: &mut Scene, frame: Rect, camera: &Camera) {
        for edge in self.edges(camera) {
            for tick in Ticks::linear(edge.range, 3).ticks {
                let [from, to] = self.tick(&edge, edge.range.fraction(tick.value), frame, camera);
                scene.line(from, to, Stroke::solid(Color::FRAME, 1.0));
            }
        }
    }

    /// Numbers and names along the edges, in front of the terrain.
    pub(super) fn draw_labels(&self, scene: &mut Scene, frame: Rect, camera: &Camera) {
        let middle = camera.see(self.floor(0.5, 0.5)).at;
        let middle = [frame.x + middle[0], frame.y + middle[1]];
        for edge in self.edges(camera) {
            for tick in Ticks::linear(edge.range, 3).ticks {
                let [from, to] = self.tick(&edge, edge.range.fraction(tick.value), frame, camera);
                scene.text(outward(&tick.label, from, to).color(Color::MUTED));
            }
            let ends = [0.0, 1.0].map(|t| self.tick(&edge, t, frame, camera)[0]);
            scene.text(beside(&edge.axis.label(), ends, middle, self.widest_tick()));
        }
    }
}

/// A tick label that stands beyond `to` when coming from `from`.
fn outward(text: &str, from: [f64; 2], to: [f64; 2]) -> Text {
    let step = [to[0] - from[0], to[1] - from[1]];
    let length = (step[0] * step[0] + step[1] * step[1]).sqrt().max(1e-9);
    let d = [step[0] / length, step[1] / length];
    let anchor = match d[0] {
        x if x > 0.4 => Anchor::Start,
        x if x < -0.4 => Anchor::End,
        _ => Anchor::Middle,
    };
    let at = [
        to[0] + d[0] * 5.0,
        to[1] + d[1] * 5.0 + TICK_SIZE * (0.36 + 0.4 * d[1]),
    ];
    Text::new(text, at, TICK_SIZE).anchor(anchor)
}

/// Text along an edge, on the side away from `middle`, beyond tick labels of the given width.
fn beside(text: &str, edge: [[f64; 2]; 2], middle: [f64; 2], widest_tick: f64) -> Text {
    // From left to right, so that the text is not upside down.
    let [a, b] = if edge[0][0] <= edge[1][0] {
        edge
    } else {
        [edge[1], edge[0]]
    };
    let length = ((b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2))
        .sqrt()
        .max(1e-9);
    let along = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    let centre = [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
    let below = [-along[1], along[0]];
    let side = if (centre[0] - middle[0]) * below[0] + (centre[1] - middle[1]) * below[1] < 0.0 {
        -1.0
    } else {
        1.0
    };
    let gap = 15.0 + widest_tick * below[0].abs() + TICK_SIZE * below[1].abs();
    let baseline = side * gap + if side > 0.0 { 10.0 } else { 0.0 };
    let at = [
        centre[0] + below[0] * baseline,
        centre[1] + below[1] * baseline,
    ];
    Text::new(text, at, 12.0)
        .anchor(Anchor::Middle)
        .turned(along[1].atan2(along[0]).to_degrees())
}

//! The block of terrain: its surface and its cut faces, as lit triangles.

use super::camera::{Camera, dot, unit};
use super::canvas::{Canvas, Corner};
use super::{DENSITY, Surface3d};
use crate::axis::Range;
use crate::color::Color;

/// Depth of the block below the lowest point, as a share of its longer side.
const PLINTH: f64 = 0.05;
/// Colour of the cut faces.
const SIDE: Color = Color::hex(0xa8b0b9);

impl Surface3d {
    fn sides(&self) -> [f64; 2] {
        let (w, h) = (self.grid.extent().x.length(), self.grid.extent().y.length());
        [(w / w.max(h)).max(0.05), (h / w.max(h)).max(0.05)]
    }

    /// From shares of the extent and a share of the relief to the world.
    pub(super) fn world(&self, fx: f64, fy: f64, fz: f64) -> [f64; 3] {
        let [w, h] = self.sides();
        [(fx - 0.5) * w, (fy - 0.5) * h, (fz - 0.5) * self.relief]
    }

    pub(super) fn floor(&self, fx: f64, fy: f64) -> [f64; 3] {
        let mut p = self.world(fx, fy, 0.0);
        p[2] -= PLINTH;
        p
    }

    pub(super) fn heights(&self) -> Option<Range> {
        Range::covering(self.grid.values().iter().copied())
    }

    /// Share of the relief at grid point (row, column); NaN where missing.
    pub(super) fn share(&self, range: Range, row: usize, column: usize) -> f64 {
        let v = self.grid.at(row, column);
        if v.is_finite() {
            range.fraction(v).clamp(-0.5, 1.5)
        } else {
            f64::NAN
        }
    }

    pub(super) fn vertex(&self, range: Range, row: usize, column: usize) -> [f64; 3] {
        let of = |i: usize, n: usize| {
            if n > 1 {
                i as f64 / (n - 1) as f64
            } else {
                0.5
            }
        };
        self.world(
            of(column, self.grid.columns()),
            of(row, self.grid.rows()),
            self.share(range, row, column),
        )
    }

    /// Draws the block as the camera sees it.
    pub(super) fn render(&self, camera: &Camera, range: Range, size: [f64; 2]) -> Canvas {
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let mut canvas = Canvas::new(size, DENSITY);
        let light = camera.light();
        let table = self.scale.map.table();
        let corners: Vec<Corner> = (0..rows * columns)
            .map(|i| {
                let (r, c) = (i / columns, i % columns);
                let color = self.scale.look_up(&table, self.grid.at(r, c));
                let shade = shade(dot(self.normal(range, r, c), light), light[2]);
                let rgb = [color.r, color.g, color.b].map(|v| f64::from(v) * shade);
                Corner {
                    seen: camera.see(self.vertex(range, r, c)),
                    rgb,
                }
            })
            .collect();
        let whole = |t: &[usize; 3]| t.iter().all(|i| corners[*i].seen.nearness.is_finite());
        for r in 0..rows.saturating_sub(1) {
            for c in 0..columns.saturating_sub(1) {
                let [a, b, d, e] = [
                    r * columns + c,
                    r * columns + c + 1,
                    (r + 1) * columns + c,
                    (r + 1) * columns + c + 1,
                ];
                for t in [[a, b, e], [a, e, d]].iter().filter(|t| whole(t)) {
                    canvas.triangle(t.map(|i| corners[i]));
                }
            }
        }
        self.render_sides(&mut canvas, camera, range);
        canvas
    }

    /// The cut faces of the block.
    fn render_sides(&self, canvas: &mut Canvas, camera: &Camera, range: Range) {
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let south_to_north = |c: usize| (0..rows).map(move |r| (r, c)).collect::<Vec<_>>();
        let west_to_east = |r: usize| (0..columns).map(move |c| (r, c)).collect::<Vec<_>>();
        let edges = [
            (west_to_east(0), [0.0, -1.0, 0.0]),
            (west_to_east(rows - 1), [0.0, 1.0, 0.0]),
            (south_to_north(0), [-1.0, 0.0, 0.0]),
            (south_to_north(columns - 1), [1.0, 0.0, 0.0]),
        ];
        let light = camera.light();
        let base = self.floor(0.0, 0.0)[2];
        for (edge, normal) in edges {
            let shade = 0.72 + 0.3 * dot(normal, light);
            let rgb = [SIDE.r, SIDE.g, SIDE.b].map(|v| f64::from(v) * shade);
            for pair in edge.windows(2) {
                let top = [pair[0], pair[1]].map(|(r, c)| self.vertex(range, r, c));
                if top.iter().flatten().any(|v| !v.is_finite()) {
                    continue;
                }
                let [a, b] = top.map(|p| Corner {
                    seen: camera.see(p),
                    rgb,
                });
                let [d, e] = top.map(|p| Corner {
                    seen: camera.see([p[0], p[1], base]),
                    rgb,
                });
                canvas.triangle([a, b, e]);
                canvas.triangle([a, e, d]);
            }
        }
    }

    /// Upward unit normal of the surface, from differences to the neighbours.
    fn normal(&self, range: Range, row: usize, column: usize) -> [f64; 3] {
        let slope = |low: (usize, usize), high: (usize, usize), axis: usize| {
            let (a, b) = (
                self.vertex(range, low.0, low.1),
                self.vertex(range, high.0, high.1),
            );
            let s = (b[2] - a[2]) / (b[axis] - a[axis]);
            if s.is_finite() { s } else { 0.0 }
        };
        let along_x = slope(
            (row, column.saturating_sub(1)),
            (row, (column + 1).min(self.grid.columns() - 1)),
            0,
        );
        let along_y = slope(
            (row.saturating_sub(1), column),
            ((row + 1).min(self.grid.rows() - 1), column),
            1,
        );
        unit([-along_x, -along_y, 1.0])
    }
}

/// Brightness of a face from the cosine to the light: level ground keeps its colour, slopes are lighter or darker.
fn shade(cosine: f64, level: f64) -> f64 {
    (0.42 + 0.58 * cosine.max(0.0) / level).clamp(0.3, 1.22)
}

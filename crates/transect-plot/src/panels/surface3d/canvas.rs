//! Triangles into pixels, nearer ones hiding farther ones, with smooth edges by drawing larger and shrinking.

use super::camera::Seen;
use crate::color::Color;
use crate::scene::Bitmap;

/// Drawn pixels per pixel of the result, each way.
const OVERSAMPLING: usize = 2;

/// A corner of a triangle: where it appears and its colour (0 to 255 per channel).
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub seen: Seen,
    pub rgb: [f64; 3],
}

/// A picture with depth.
pub(super) struct Canvas {
    width: usize,
    height: usize,
    /// Canvas pixels per unit of [`Seen::at`].
    density: f64,
    nearness: Vec<f32>,
    rgb: Vec<[u8; 3]>,
}

impl Canvas {
    /// An empty picture of the given size in units of [`Seen::at`], with `density` result pixels per unit.
    pub fn new(size: [f64; 2], density: f64) -> Self {
        let density = density * OVERSAMPLING as f64;
        let side =
            |v: f64| ((v * density / OVERSAMPLING as f64).ceil().max(1.0) as usize) * OVERSAMPLING;
        let (width, height) = (side(size[0]), side(size[1]));
        Canvas {
            width,
            height,
            density,
            nearness: vec![0.0; width * height],
            rgb: vec![[0; 3]; width * height],
        }
    }

    /// Draws a triangle with colours blended between its corners.
    pub fn triangle(&mut self, corners: [Corner; 3]) {
        let p = corners.map(|c| [c.seen.at[0] * self.density, c.seen.at[1] * self.density]);
        let cross = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
            (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        };
        let area = cross(p[0], p[1], p[2]);
        if area.abs() < 1e-9 {
            return;
        }
        let span = |axis: usize, limit: usize| {
            let low = p.iter().map(|q| q[axis]).fold(f64::INFINITY, f64::min);
            let high = p.iter().map(|q| q[axis]).fold(f64::NEG_INFINITY, f64::max);
            (
                low.floor().max(0.0) as usize,
                (high.ceil().max(0.0) as usize).min(limit),
            )
        };
        let ((x0, x1), (y0, y1)) = (span(0, self.width), span(1, self.height));
        for y in y0..y1 {
            for x in x0..x1 {
                let q = [x as f64 + 0.5, y as f64 + 0.5];
                let w = [
                    cross(p[1], p[2], q) / area,
                    cross(p[2], p[0], q) / area,
                    cross(p[0], p[1], q) / area,
                ];
                if w.iter().any(|v| *v < -1e-9) {
                    continue;
                }
                let blend =
                    |f: &dyn Fn(&Corner) -> f64| (0..3).map(|i| w[i] * f(&corners[i])).sum::<f64>();
                let nearness = blend(&|c| c.seen.nearness) as f32;
                let i = y * self.width + x;
                if nearness > self.nearness[i] {
                    self.nearness[i] = nearness;
                    self.rgb[i] =
                        [0, 1, 2].map(|k| blend(&|c| c.rgb[k]).round().clamp(0.0, 255.0) as u8);
                }
            }
        }
    }

    /// Whether nothing drawn so far hides the point.
    pub fn shows(&self, point: Seen) -> bool {
        let [x, y] = point.at.map(|v| (v * self.density).floor());
        if x < 0.0 || y < 0.0 || x >= self.width as f64 || y >= self.height as f64 {
            return false;
        }
        point.nearness as f32 * 1.01 >= self.nearness[y as usize * self.width + x as usize]
    }

    /// The finished picture, clear where nothing was drawn.
    pub fn into_bitmap(self) -> Option<Bitmap> {
        let (w, h, n) = (
            self.width / OVERSAMPLING,
            self.height / OVERSAMPLING,
            OVERSAMPLING,
        );
        let mut pixels = Vec::with_capacity(w * h);
        for y in 0..h {
            for x in 0..w {
                let (mut sum, mut count) = ([0u32; 3], 0u32);
                for i in (y * n..(y + 1) * n)
                    .flat_map(|r| (x * n..(x + 1) * n).map(move |c| r * self.width + c))
                {
                    if self.nearness[i] > 0.0 {
                        count += 1;
                        for k in 0..3 {
                            sum[k] += u32::from(self.rgb[i][k]);
                        }
                    }
                }
                pixels.push(match count {
                    0 => Color::CLEAR,
                    c => {
                        let [r, g, b] = sum.map(|s| ((s + c / 2) / c) as u8);
                        Color {
                            r,
                            g,
                            b,
                            a: (255 * c / (n * n) as u32) as u8,
                        }
                    }
                });
            }
        }
        Bitmap::new(w, h, pixels).ok()
    }
}

//! A terrain in perspective, lit from the side.

mod block;
mod camera;
mod canvas;
mod edges;

use self::camera::Camera;
use self::canvas::Canvas;
use super::colorbar;
use crate::axis::{Axis, Range};
use crate::color::{Color, ColorScale};
use crate::figure::draw_no_data;
use crate::grid::Grid;
use crate::layout::{Insets, Panel};
use crate::legend::{LegendEntry, Swatch};
use crate::scene::{Item, Marker, Rect, Scene};

/// More vertices than this a side cannot be told apart at the sizes figures are shown.
const FINEST: usize = 400;
/// Picture pixels per unit of length, for sharp screens.
const DENSITY: f64 = 2.0;

/// A shaded view of a grid of heights, cut out as a block.
///
/// Heights are stretched so that the relief is a fixed share of the longer side; the colour bar tells true values.
///
/// ```
/// use transect_plot::{ColorMap, ColorScale, Extent, Figure, Grid, Surface3d};
/// let heights: Vec<f64> = (0..400_i32).map(|i| f64::from((i % 20 - 10).pow(2) + (i / 20 - 10).pow(2))).collect();
/// let grid = Grid::new(&heights, 20, Extent::new(0.0, 1.0, 0.0, 1.0)?)?;
/// let scale = ColorScale::covering(ColorMap::Terrain, &[&heights]).label("Elevation", "m");
/// let view = Surface3d::new(&grid, scale).title("Crater").seen_from(215.0, 35.0).relief(0.3);
/// let svg = Figure::new("").panel(view).to_svg();
/// # let _ = svg;
/// # Ok::<(), transect_plot::PlotError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Surface3d {
    grid: Grid,
    scale: ColorScale,
    title: String,
    x: Axis,
    y: Axis,
    size: [f64; 2],
    azimuth: f64,
    altitude: f64,
    relief: f64,
    bar: bool,
    samples: Vec<[f64; 2]>,
}

impl Surface3d {
    /// A view of `grid` in the colours of `scale`, from the south-west.
    pub fn new(grid: &Grid, scale: ColorScale) -> Self {
        Surface3d {
            grid: grid.reduced(FINEST),
            scale,
            title: String::new(),
            x: Axis::default(),
            y: Axis::default(),
            size: [420.0, 300.0],
            azimuth: 210.0,
            altitude: 38.0,
            relief: 0.25,
            bar: true,
            samples: Vec::new(),
        }
    }

    /// Sets the title.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Names the axes.
    pub fn axes(mut self, x: impl Into<Axis>, y: impl Into<Axis>) -> Self {
        (self.x, self.y) = (x.into(), y.into());
        self
    }

    /// Sets the width and the greatest height of the view in pixels.
    pub fn size(mut self, width: f64, height: f64) -> Self {
        self.size = [width, height].map(|v| v.clamp(160.0, 2000.0));
        self
    }

    /// Puts the viewer in a compass direction (degrees, 0 north, 90 east) and at a height angle (5 to 90 degrees).
    pub fn seen_from(mut self, azimuth: f64, altitude: f64) -> Self {
        let sound = |v: f64, fallback: f64| if v.is_finite() { v } else { fallback };
        self.azimuth = sound(azimuth, self.azimuth).rem_euclid(360.0);
        self.altitude = sound(altitude, self.altitude).clamp(5.0, 90.0);
        self
    }

    /// Sets the height from lowest to highest point as a share of the longer side (0 to 1).
    pub fn relief(mut self, share: f64) -> Self {
        self.relief = if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            self.relief
        };
        self
    }

    /// Leaves out the colour bar.
    pub fn without_bar(mut self) -> Self {
        self.bar = false;
        self
    }

    /// Marks samples on the surface.
    pub fn samples(mut self, points: &[[f64; 2]]) -> Self {
        self.samples = points.to_vec();
        self
    }

    /// A camera that has the floor and the whole surface in view.
    fn camera(&self, range: Option<Range>, size: [f64; 2]) -> Camera {
        let mut corners: Vec<[f64; 3]> = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)]
            .map(|(fx, fy)| self.floor(fx, fy))
            .to_vec();
        if let Some(range) = range {
            // Every few points are enough to find the outline to within a pixel or two, which the margin has to spare.
            let few = |n: usize| (0..n).step_by((n / 120).max(1));
            let all =
                few(self.grid.rows()).flat_map(|r| few(self.grid.columns()).map(move |c| (r, c)));
            corners.extend(
                all.map(|(r, c)| self.vertex(range, r, c))
                    .filter(|p| p[2].is_finite()),
            );
        }
        Camera::fitting(self.azimuth, self.altitude, &corners, size, self.margins())
    }

    fn draw_samples(
        &self,
        scene: &mut Scene,
        frame: Rect,
        camera: &Camera,
        canvas: &Canvas,
        range: Range,
    ) {
        let extent = self.grid.extent();
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let nearest = |f: f64, n: usize| (f * (n - 1) as f64).round() as usize;
        let mut dots = Vec::new();
        for p in &self.samples {
            let (fx, fy) = (extent.x.fraction(p[0]), extent.y.fraction(p[1]));
            if !((0.0..=1.0).contains(&fx) && (0.0..=1.0).contains(&fy)) {
                continue;
            }
            let height = self.share(range, nearest(fy, rows), nearest(fx, columns));
            let seen = camera.see(self.world(fx, fy, height + 0.01));
            if height.is_finite() && canvas.shows(seen) {
                dots.push([frame.x + seen.at[0], frame.y + seen.at[1]]);
            }
        }
        scene.markers(
            Marker::Circle,
            dots,
            2.0,
            Color::hex(0x000000),
            Some((Color::WHITE.with_opacity(0.85), 0.6)),
        );
    }
}

impl Panel for Surface3d {
    fn size(&self) -> [f64; 2] {
        let [_, _, top, bottom] = self.margins();
        let needed = self.camera(self.heights(), self.size).height + top + bottom;
        [self.size[0], self.size[1].min(needed.ceil())]
    }

    fn stretch(&self) -> [bool; 2] {
        [false, false]
    }

    fn insets(&self) -> Insets {
        let bar =
            8.0 + colorbar::THICKNESS + colorbar::upright_room(&self.scale, self.size()[1] * 0.7);
        Insets {
            right: if self.bar { bar } else { 0.0 },
            ..Insets::default()
        }
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn legend(&self) -> Vec<LegendEntry> {
        if self.samples.is_empty() {
            return Vec::new();
        }
        let swatch = Swatch::Marker {
            marker: Marker::Circle,
            fill: Color::hex(0x000000),
            rim: None,
        };
        vec![LegendEntry::new("Samples", swatch)]
    }

    fn draw(&self, scene: &mut Scene, frame: Rect) {
        let heights = self.heights();
        let camera = self.camera(heights, [frame.w, frame.h]);
        self.draw_ticks(scene, frame, &camera);
        match heights {
            Some(range) if self.scale.range.is_some() => {
                let canvas = self.render(&camera, range, [frame.w, frame.h]);
                let mut overlay = Scene::new(scene.width, scene.height);
                self.draw_samples(&mut overlay, frame, &camera, &canvas, range);
                if let Some(bitmap) = canvas.into_bitmap() {
                    let rect = Rect {
                        w: f64::from(bitmap.width()) / DENSITY,
                        h: f64::from(bitmap.height()) / DENSITY,
                        ..frame
                    };
                    scene.items.push(Item::Image {
                        bitmap,
                        rect,
                        smooth: true,
                    });
                }
                scene.items.append(&mut overlay.items);
            }
            _ => draw_no_data(scene, frame),
        }
        self.draw_labels(scene, frame, &camera);
        if self.bar {
            let bar = Rect {
                x: frame.right() + 8.0,
                y: frame.y + 0.12 * frame.h,
                w: colorbar::THICKNESS,
                h: 0.7 * frame.h,
            };
            colorbar::draw_upright(scene, &self.scale, bar);
        }
    }
}

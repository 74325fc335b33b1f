//! Maps: values on a grid as colours.

use super::colorbar;
use crate::axis::{Axis, Frame};
use crate::color::{Color, ColorScale};
use crate::figure::draw_no_data;
use crate::grid::Grid;
use crate::layout::{Insets, Panel};
use crate::legend::{LegendEntry, Swatch};
use crate::scene::{Anchor, Bitmap, Item, Marker, Path, Rect, Scene, Stroke, Text};

const BAR_GAP: f64 = 10.0;
const PATH_COLOR: Color = Color::hex(0xd55e00);
const STAR_COLOR: Color = Color::hex(0xe02020);
const FENCE_DASH: [f64; 2] = [6.0, 4.0];

/// A map of values on a grid, with samples, path, control points and fence drawn over it.
///
/// ```
/// use transect_plot::{Axis, ColorMap, ColorScale, Extent, Figure, Grid, Heatmap};
/// let values = [0.0, 1.0, 2.0, f64::NAN]; // row 0 is the bottom; NaN stays blank
/// let grid = Grid::new(&values, 2, Extent::new(0.0, 20.0, 0.0, 20.0)?)?;
/// let scale = ColorScale::covering(ColorMap::Viridis, &[&values]).label("Depth", "m");
/// let map = Heatmap::new(&grid, scale)
///     .title("Prediction")
///     .axes(Axis::new("Easting").unit("m"), Axis::new("Northing").unit("m"))
///     .path(&[[1.0, 1.0], [15.0, 12.0]])
///     .samples(&[[1.0, 1.0], [8.0, 6.5]]);
/// let svg = Figure::new("Lake").panel(map).to_svg();
/// # let _ = svg;
/// # Ok::<(), transect_plot::PlotError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Heatmap {
    grid: Grid,
    scale: ColorScale,
    title: String,
    x: Axis,
    y: Axis,
    width: f64,
    bar: bool,
    samples: Vec<[f64; 2]>,
    path: Vec<[f64; 2]>,
    stars: Vec<[f64; 2]>,
    /// Rings, one after another.
    fence: Vec<Vec<[f64; 2]>>,
    /// The unit of a scale bar.
    bar_unit: Option<String>,
}

impl Heatmap {
    /// A map of `grid` in the colours of `scale`.
    pub fn new(grid: &Grid, scale: ColorScale) -> Self {
        Heatmap {
            grid: grid.clone(),
            scale,
            title: String::new(),
            x: Axis::default(),
            y: Axis::default(),
            width: 260.0,
            bar: true,
            samples: Vec::new(),
            path: Vec::new(),
            stars: Vec::new(),
            fence: Vec::new(),
            bar_unit: None,
        }
    }

    /// Sets the title.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Names the axes; their ranges are the grid's extent.
    pub fn axes(mut self, x: impl Into<Axis>, y: impl Into<Axis>) -> Self {
        (self.x, self.y) = (x.into(), y.into());
        self
    }

    /// Sets the width of the frame in pixels (40 to 4000); the height follows from the extent.
    pub fn width(mut self, pixels: f64) -> Self {
        self.width = pixels.clamp(40.0, 4000.0);
        self
    }

    /// Leaves out the colour bar, where another panel shows it.
    pub fn without_bar(mut self) -> Self {
        self.bar = false;
        self
    }

    /// Marks where samples were taken.
    pub fn samples(mut self, points: &[[f64; 2]]) -> Self {
        self.samples = points.to_vec();
        self
    }

    /// Draws the way travelled.
    pub fn path(mut self, points: &[[f64; 2]]) -> Self {
        self.path = points.to_vec();
        self
    }

    /// Marks the control points of a path.
    pub fn control_points(mut self, points: &[[f64; 2]]) -> Self {
        self.stars = points.to_vec();
        self
    }

    /// Outlines the polygon the vehicle must stay in, or, called again, an island that it must stay out of.
    pub fn fence(mut self, corners: &[[f64; 2]]) -> Self {
        self.fence.push(corners.to_vec());
        self
    }

    /// Draws a scale bar in the unit of the axes, and an arrow to the north.
    pub fn scale_bar(mut self, unit: impl Into<String>) -> Self {
        self.bar_unit = Some(unit.into());
        self
    }

    /// A bar of 1, 2 or 5 times a power of ten, at most a third of the width, in the lower left; north in the upper right.
    fn draw_scale(&self, scene: &mut Scene, rect: Rect, unit: &str) {
        let extent = self.grid.extent();
        let width = extent.x.high - extent.x.low;
        let decade = 10_f64.powf((width / 3.0).log10().floor());
        let steps = [5.0, 2.0, 1.0].map(|step| step * decade);
        let Some(length) = steps.into_iter().find(|step| *step <= width / 3.0) else {
            return;
        };
        let casing = Color::WHITE.with_opacity(0.85);
        let (left, y) = (rect.x + 10.0, rect.bottom() - 10.0);
        let right = left + rect.w * length / width;
        let bar = Path::polyline(&[[left, y - 4.0], [left, y], [right, y], [right, y - 4.0]]);
        scene.stroke(bar.clone(), Stroke::solid(casing, 4.0));
        scene.stroke(bar, Stroke::solid(Color::INK, 1.5));
        let label = format!("{length} {unit}");
        let middle = (left + right) / 2.0;
        scene.text(Text::new(label, [middle, y - 6.0], 9.0).anchor(Anchor::Middle));
        let (x, top) = (rect.right() - 14.0, rect.y + 10.0);
        let arrow = Path::polygon(&[
            [x, top],
            [x + 5.0, top + 14.0],
            [x, top + 10.5],
            [x - 5.0, top + 14.0],
        ]);
        scene.stroke(arrow.clone(), Stroke::solid(casing, 3.0));
        scene.fill(arrow, Color::INK);
        scene.text(
            Text::new("N", [x, top + 24.0], 9.0)
                .anchor(Anchor::Middle)
                .bold(),
        );
    }

    fn frame(&self) -> Frame<'_> {
        let extent = self.grid.extent();
        let mut frame = Frame::new(&self.x, &self.y, extent.x, extent.y).without_grid();
        (frame.x_range, frame.y_range) = (extent.x, extent.y);
        frame
    }

    fn bitmap(&self) -> Option<Bitmap> {
        let limit = (4.0 * self.width) as usize;
        let grid = self.grid.reduced(limit);
        let table = self.scale.map.table();
        let mut pixels = Vec::with_capacity(grid.values().len());
        for row in (0..grid.rows()).rev() {
            for column in 0..grid.columns() {
                pixels.push(self.scale.look_up(&table, grid.at(row, column)));
            }
        }
        Bitmap::new(grid.columns(), grid.rows(), pixels).ok()
    }

    fn draw_overlays(&self, scene: &mut Scene, rect: Rect) {
        let frame = self.frame();
        let place = |points: &[[f64; 2]]| -> Vec<[f64; 2]> {
            points.iter().map(|p| frame.place(rect, *p)).collect()
        };
        let casing = Color::WHITE.with_opacity(0.85);
        for ring in self.fence.iter().filter(|ring| !ring.is_empty()) {
            let fence = Path::polygon(&place(ring));
            scene.stroke(fence.clone(), Stroke::solid(casing, 3.5));
            scene.stroke(fence, Stroke::solid(Color::INK, 1.6).dashed(&FENCE_DASH));
        }
        if !self.path.is_empty() {
            let path = Path::polyline(&place(&self.path));
            scene.stroke(path.clone(), Stroke::solid(casing, 3.2));
            scene.stroke(path, Stroke::solid(PATH_COLOR, 1.5));
        }
        if !self.samples.is_empty() {
            // Hundreds of samples must not hide the map: the more there are, the smaller they get.
            let radius = (45.0 / (self.samples.len() as f64).sqrt()).clamp(1.3, 2.6)
                * (rect.w / 260.0).sqrt();
            scene.markers(
                Marker::Circle,
                place(&self.samples),
                radius,
                Color::hex(0x000000),
                Some((casing, 0.7)),
            );
        }
        if !self.stars.is_empty() {
            scene.markers(
                Marker::Star,
                place(&self.stars),
                5.0,
                STAR_COLOR,
                Some((Color::WHITE, 0.8)),
            );
        }
    }
}

impl Panel for Heatmap {
    fn size(&self) -> [f64; 2] {
        let aspect = self.grid.extent().aspect().clamp(0.1, 10.0);
        [self.width, self.width * aspect]
    }

    fn stretch(&self) -> [bool; 2] {
        [false, false]
    }

    fn insets(&self) -> Insets {
        let [w, h] = self.size();
        let mut insets = self.frame().insets(w, h);
        if self.bar {
            insets.right = insets
                .right
                .max(BAR_GAP + colorbar::THICKNESS + colorbar::upright_room(&self.scale, h));
        }
        insets
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn legend(&self) -> Vec<LegendEntry> {
        let marker = |marker, fill| Swatch::Marker {
            marker,
            fill,
            rim: None,
        };
        let line = |color, dash: &[f64]| Swatch::Line {
            stroke: Stroke::solid(color, 1.6).dashed(dash),
            band: None,
        };
        let none = Vec::new();
        let candidates = [
            (
                &self.samples,
                "Samples",
                marker(Marker::Circle, Color::hex(0x000000)),
            ),
            (&self.path, "Path", line(PATH_COLOR, &[])),
            (
                &self.stars,
                "Control points",
                marker(Marker::Star, STAR_COLOR),
            ),
            (
                self.fence.first().unwrap_or(&none),
                "Fence",
                line(Color::INK, &FENCE_DASH),
            ),
        ];
        let shown = candidates
            .into_iter()
            .filter(|(points, ..)| !points.is_empty());
        shown
            .map(|(_, label, swatch)| LegendEntry::new(label, swatch))
            .collect()
    }

    fn draw(&self, scene: &mut Scene, rect: Rect) {
        if self.scale.range.is_none() || self.grid.values().iter().all(|v| !v.is_finite()) {
            draw_no_data(scene, rect);
        } else if let Some(bitmap) = self.bitmap() {
            // Cells smaller than a pixel are blended, larger ones stay sharp.
            let smooth = f64::from(bitmap.width()) > rect.w;
            scene.items.push(Item::Image {
                bitmap,
                rect,
                smooth,
            });
        }
        scene.clipped(rect, |inner| self.draw_overlays(inner, rect));
        if let Some(unit) = &self.bar_unit {
            self.draw_scale(scene, rect, unit);
        }
        self.frame()
            .draw_front(scene, rect, self.frame().insets(rect.w, rect.h));
        if self.bar {
            let bar = Rect {
                x: rect.right() + BAR_GAP,
                y: rect.y,
                w: colorbar::THICKNESS,
                h: rect.h,
            };
            colorbar::draw_upright(scene, &self.scale, bar);
        }
    }
}

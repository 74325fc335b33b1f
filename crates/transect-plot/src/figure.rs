//! A figure: panels in a grid under a title.

use crate::color::Color;
use crate::error::PlotError;
use crate::font::{self, Weight};
use crate::layout::{Insets, Panel};
use crate::legend;
use crate::scene::{Anchor, Rect, Scene, Text};

const MARGIN: f64 = 14.0;
const COLUMN_GAP: f64 = 22.0;
const ROW_GAP: f64 = 18.0;
const TITLE_SIZE: f64 = 16.0;
const PANEL_TITLE_SIZE: f64 = 13.0;
const ROW_LABEL_SIZE: f64 = 13.0;

/// Panels in rows from left to right, frames aligned, with one legend where the panels agree on it.
///
/// ```
/// use transect_plot::{ColorMap, ColorScale, Extent, Figure, Grid, Heatmap};
/// let extent = Extent::new(0.0, 10.0, 0.0, 10.0)?;
/// let (truth, guess) = ([1.0, 2.0, 3.0, 4.0], [1.1, 2.1, 2.9, 3.8]);
/// // One colour scale for both, so that the maps can be compared.
/// let scale = ColorScale::covering(ColorMap::Terrain, &[&truth, &guess]).label("Elevation", "m");
/// let figure = Figure::new("Truth and prediction")
///     .columns(2)
///     .panel(Heatmap::new(&Grid::new(&truth, 2, extent)?, scale.clone()).title("Truth").without_bar())
///     .panel(Heatmap::new(&Grid::new(&guess, 2, extent)?, scale).title("Prediction"));
/// assert!(figure.to_svg().contains("Prediction"));
/// # Ok::<(), transect_plot::PlotError>(())
/// ```
#[derive(Default)]
pub struct Figure {
    title: String,
    columns: usize,
    row_labels: Vec<String>,
    panels: Vec<Box<dyn Panel>>,
}

/// Sizes of the grid's columns and rows.
struct Tracks {
    left: Vec<f64>,
    width: Vec<f64>,
    right: Vec<f64>,
    top: Vec<f64>,
    height: Vec<f64>,
    bottom: Vec<f64>,
}

impl Figure {
    /// An empty figure; the title may be empty, but screen readers use it.
    pub fn new(title: impl Into<String>) -> Self {
        Figure {
            title: title.into(),
            ..Figure::default()
        }
    }

    /// Sets the number of panels in a row; without it all stand in one row.
    pub fn columns(mut self, columns: usize) -> Self {
        self.columns = columns;
        self
    }

    /// Names the rows, on their left.
    pub fn row_labels<S: Into<String>>(mut self, labels: impl IntoIterator<Item = S>) -> Self {
        self.row_labels = labels.into_iter().map(Into::into).collect();
        self
    }

    /// Adds a panel after the others.
    pub fn panel(mut self, panel: impl Panel + 'static) -> Self {
        self.panels.push(Box::new(panel));
        self
    }

    /// The title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The figure as an SVG document that needs nothing else: no fonts, no files, no network.
    pub fn to_svg(&self) -> String {
        self.to_scene().to_svg("g")
    }

    /// The same with its words as text; see [`Scene::to_svg_with_text`].
    pub fn to_svg_with_text(&self) -> String {
        self.to_scene().to_svg_with_text()
    }

    /// The figure as a PDF of one page, with its fonts in it.
    pub fn to_pdf(&self) -> Vec<u8> {
        self.to_scene().to_pdf()
    }

    /// The figure as a PNG picture; `scale` 1 is for screens, 2 for sharp screens, 3 or more for print.
    pub fn to_png(&self, scale: f64) -> Result<Vec<u8>, PlotError> {
        self.to_scene().to_png(scale)
    }

    /// The shapes the figure consists of.
    pub fn to_scene(&self) -> Scene {
        let columns = if self.columns == 0 {
            self.panels.len().max(1)
        } else {
            self.columns
        };
        let legends: Vec<_> = self.panels.iter().map(|p| p.legend()).collect();
        let shared = if self.panels.len() > 1 {
            legend::merged(&legends).unwrap_or_default()
        } else {
            Vec::new()
        };
        let own = |i: usize| {
            if shared.is_empty() {
                legends[i].as_slice()
            } else {
                &[]
            }
        };

        let tracks = self.tracks(columns, &own);
        let label_room = if self.row_labels.iter().all(String::is_empty) {
            0.0
        } else {
            ROW_LABEL_SIZE + 10.0
        };
        let sum = |v: &[f64]| v.iter().sum::<f64>();
        let gaps = |n: usize, gap: f64| n.saturating_sub(1) as f64 * gap;
        let body = sum(&tracks.left)
            + sum(&tracks.width)
            + sum(&tracks.right)
            + gaps(tracks.width.len(), COLUMN_GAP)
            + label_room;
        let title_width = font::width(&self.title, TITLE_SIZE, Weight::SemiBold);
        let inner = body.max(title_width).max(160.0);
        let title_height = if self.title.is_empty() {
            0.0
        } else {
            TITLE_SIZE + 12.0
        };
        let legend_height = if shared.is_empty() {
            0.0
        } else {
            legend::height(&shared, inner) + 6.0
        };
        let height = sum(&tracks.top)
            + sum(&tracks.height)
            + sum(&tracks.bottom)
            + gaps(tracks.height.len(), ROW_GAP);
        let head = MARGIN + title_height + legend_height;

        let mut scene = Scene::new(
            (inner + 2.0 * MARGIN).ceil(),
            (head + height + MARGIN).ceil(),
        );
        scene.title = self.title.clone();
        scene.text(Text::new(&self.title, [MARGIN, MARGIN + TITLE_SIZE * 0.9], TITLE_SIZE).bold());
        legend::draw(&mut scene, &shared, [MARGIN, MARGIN + title_height], inner);

        let mut y = head;
        for row in 0..tracks.height.len() {
            y += tracks.top[row];
            if let Some(label) = self.row_labels.get(row) {
                let at = [MARGIN + ROW_LABEL_SIZE, y + tracks.height[row] / 2.0];
                scene.text(
                    Text::new(label, at, ROW_LABEL_SIZE)
                        .bold()
                        .anchor(Anchor::Middle)
                        .turned(-90.0),
                );
            }
            let mut x = MARGIN + label_room;
            for column in 0..columns {
                x += tracks.left[column];
                let index = row * columns + column;
                if let Some(panel) = self.panels.get(index) {
                    let cell = Rect {
                        x,
                        y,
                        w: tracks.width[column],
                        h: tracks.height[row],
                    };
                    draw_panel(
                        &mut scene,
                        panel.as_ref(),
                        own(index),
                        cell,
                        y - tracks.top[row],
                    );
                }
                x += tracks.width[column] + tracks.right[column] + COLUMN_GAP;
            }
            y += tracks.height[row] + tracks.bottom[row] + ROW_GAP;
        }
        scene
    }

    fn tracks<'a>(
        &self,
        columns: usize,
        legend_of: &impl Fn(usize) -> &'a [legend::LegendEntry],
    ) -> Tracks {
        let rows = self.panels.len().div_ceil(columns);
        let mut t = Tracks {
            left: vec![0.0; columns],
            width: vec![0.0; columns],
            right: vec![0.0; columns],
            top: vec![0.0; rows],
            height: vec![0.0; rows],
            bottom: vec![0.0; rows],
        };
        let grow = |slot: &mut f64, v: f64| *slot = slot.max(v);
        for (i, panel) in self.panels.iter().enumerate() {
            let (row, column) = (i / columns, i % columns);
            let Insets {
                left,
                right,
                bottom,
                ..
            } = panel.insets();
            let [width, height] = panel.size();
            // A title wider than its frame must not run into the next panel.
            let title = font::width(panel.title(), PANEL_TITLE_SIZE, Weight::SemiBold);
            grow(&mut t.left[column], left);
            grow(&mut t.width[column], width);
            grow(&mut t.right[column], right.max(title - width));
            grow(&mut t.top[row], head_height(panel.as_ref(), legend_of(i)));
            grow(&mut t.height[row], height);
            grow(&mut t.bottom[row], bottom);
        }
        t
    }
}

fn title_height(panel: &dyn Panel) -> f64 {
    if panel.title().is_empty() {
        0.0
    } else {
        PANEL_TITLE_SIZE + 7.0
    }
}

fn head_height(panel: &dyn Panel, legend: &[legend::LegendEntry]) -> f64 {
    title_height(panel) + legend::height(legend, panel.size()[0]) + panel.insets().top
}

/// Draws a panel into its cell; titles of a row stand level at `top`.
fn draw_panel(
    scene: &mut Scene,
    panel: &dyn Panel,
    entries: &[legend::LegendEntry],
    cell: Rect,
    top: f64,
) {
    let ([wide, high], [w, h]) = (panel.stretch(), panel.size());
    let frame = Rect {
        w: if wide { cell.w } else { w },
        h: if high { cell.h } else { h },
        ..cell
    };
    let baseline = [frame.x, top + PANEL_TITLE_SIZE];
    scene.text(Text::new(panel.title(), baseline, PANEL_TITLE_SIZE).bold());
    legend::draw(scene, entries, [frame.x, top + title_height(panel)], w);
    panel.draw(scene, frame);
}

/// "No data" in the middle of a frame that would otherwise be empty without a word.
pub(crate) fn draw_no_data(scene: &mut Scene, frame: Rect) {
    let [x, y] = frame.center();
    scene.text(
        Text::new("no data", [x, y + 4.0], 12.0)
            .color(Color::MUTED)
            .anchor(Anchor::Middle),
    );
}

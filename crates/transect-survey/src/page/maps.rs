//! All maps in one picture, with path and fence: for messages, slides and the README.

use super::{Page, Survey};
use crate::error::Result;
use crate::map::MissionMap;
use transect::geometry::{Position, Rect, Workspace};
use transect_plot::{ColorMap, ColorScale, Extent, Figure, Grid, Heatmap};

/// Width of one map, px.
const WIDTH: f64 = 260.0;

/// What the maps of one survey show; row 0 in the south.
struct Layers<'a> {
    survey: Survey<'a>,
    map: &'a MissionMap,
    /// The truth and the map's absolute error, where the truth is known.
    truth: Option<(Vec<f64>, Vec<f64>)>,
}

impl<'a> Layers<'a> {
    /// None when the survey ended before there was a model.
    fn of(survey: &Survey<'a>, page: &Page<'_>) -> Option<Self> {
        let map = &survey.outcome.learnt.as_ref()?.map;
        let truth = page.terrain.map(|terrain| {
            let truth = map.truth(terrain, page.lookup);
            let pairs = map.mean.iter().zip(&truth);
            let error = pairs.map(|(mean, truth)| (mean - truth).abs()).collect();
            (truth, error)
        });
        Some(Self {
            survey: *survey,
            map,
            truth,
        })
    }
}

/// Colours for heights, uncertainties and errors that all surveys share.
struct Scales {
    height: ColorScale,
    std: ColorScale,
    error: ColorScale,
}

impl Scales {
    fn covering(layers: &[Layers<'_>], page: &Page<'_>) -> Self {
        let truths = || layers.iter().filter_map(|l| l.truth.as_ref());
        let means = layers.iter().map(|l| &l.map.mean[..]);
        let heights: Vec<&[f64]> = means.chain(truths().map(|t| &t.0[..])).collect();
        let stds: Vec<&[f64]> = layers.iter().map(|l| &l.map.std[..]).collect();
        let errors: Vec<&[f64]> = truths().map(|t| &t.1[..]).collect();
        let scale = |colors, values: &[&[f64]], name: &str| {
            ColorScale::covering(colors, values).label(name, &page.labels.unit)
        };
        Self {
            height: scale(ColorMap::Terrain, &heights, &page.labels.quantity),
            std: scale(ColorMap::Viridis, &stds, "Std"),
            error: scale(ColorMap::Cividis, &errors, "Error"),
        }
    }
}

/// The maps of one survey with their names.
fn panels(
    layers: &Layers<'_>,
    scales: &Scales,
    page: &Page<'_>,
) -> Result<Vec<(Heatmap, &'static str)>> {
    let (map, outcome) = (layers.map, layers.survey.outcome);
    let readings: Vec<Position> = outcome.soundings.iter().map(|s| s.position).collect();
    let extent = extent(&map.extent)?;
    let draw = |values: &[f64], scale: &ColorScale| -> Result<Heatmap> {
        let grid = Grid::new(values, map.columns, extent)?;
        Ok(fenced(
            Heatmap::new(&grid, scale.clone()).width(WIDTH),
            page.area,
        ))
    };
    let way: Vec<Position> = outcome.track.path.iter().map(|at| at.position).collect();
    let way = coordinates(&way);
    let mut panels = vec![
        (
            draw(&map.mean, &scales.height)?.path(&way),
            "prediction and path",
        ),
        (
            draw(&map.std, &scales.std)?.samples(&coordinates(&readings)),
            "uncertainty and soundings",
        ),
    ];
    if let Some((truth, error)) = &layers.truth {
        panels.push((draw(error, &scales.error)?, "error of the prediction"));
        panels.push((draw(truth, &scales.height)?, "truth"));
    }
    Ok(panels)
}

/// All maps in one picture, a row for each survey.
///
/// # Errors
/// If one cannot be drawn.
pub fn overview(surveys: &[Survey<'_>], page: &Page<'_>) -> Result<Figure> {
    let layers: Vec<Layers<'_>> = surveys.iter().filter_map(|s| Layers::of(s, page)).collect();
    let scales = Scales::covering(&layers, page);
    let mut figure = Figure::new("");
    for layers in &layers {
        let panels = panels(layers, &scales, page)?;
        figure = figure.columns(panels.len());
        for (heatmap, what) in panels {
            figure = figure.panel(heatmap.title(capitalised(what)));
        }
    }
    let names = layers.iter().map(|l| capitalised(l.survey.name));
    Ok(figure.row_labels(names))
}

fn fenced(heatmap: Heatmap, area: &Workspace) -> Heatmap {
    match area {
        Workspace::Rect(_) => heatmap,
        Workspace::Polygon(polygon) => {
            let outer = heatmap.fence(&coordinates(polygon.outer()));
            let holes = polygon.holes().iter();
            holes.fold(outer, |map, hole| map.fence(&coordinates(hole)))
        }
    }
}

fn coordinates(positions: &[Position]) -> Vec<[f64; 2]> {
    positions.iter().map(|at| [at.x, at.y]).collect()
}

fn extent(rect: &Rect) -> Result<Extent> {
    let (x, y) = ((rect.xmin(), rect.xmax()), (rect.ymin(), rect.ymax()));
    Ok(Extent::new(x.0, x.1, y.0, y.1)?)
}

pub(super) fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

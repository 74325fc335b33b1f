//! What the map of a page shows.

use super::{Page, Survey};
use transect::geometry::{Position, Rect, Workspace};
use transect_io::Crs;
use transect_plot::page::{Degrees, GridData, MapData, SurveyData};

/// Places along each side of a map whose longitudes and latitudes are worked out.
const DEGREE_NODES: usize = 5;

/// The map of some surveys.
pub(super) fn map(surveys: &[Survey<'_>], page: &Page<'_>) -> MapData {
    let bounds = page.area.bounds();
    MapData {
        bounds: corners(&bounds),
        crs: crs_in_words(page.crs),
        degrees: degrees(page.crs, &bounds),
        quantity: page.labels.quantity.clone(),
        unit: page.labels.unit.clone(),
        downward: page.downward,
        fence: fence_of(page.area),
        surveys: surveys.iter().map(|survey| layers(survey, page)).collect(),
        ..MapData::default()
    }
}

/// What coordinates mean, for people.
#[must_use]
pub fn crs_in_words(crs: Crs) -> String {
    match crs {
        Crs::Local => MapData::default().crs,
        known => format!("{known}, metres"),
    }
}

/// Longitudes and latitudes of an area; none where they are not known.
#[must_use]
pub fn degrees(crs: Crs, bounds: &Rect) -> Option<Degrees> {
    Degrees::sample(corners(bounds), DEGREE_NODES, |x, y| {
        Some(crs.lon_lat(Position::new(x, y))?.lon_lat())
    })
}

/// The boundary of an area and of the islands in it.
#[must_use]
pub fn fence_of(area: &Workspace) -> Vec<Vec<[f64; 2]>> {
    let ring = |corners: &[Position]| corners.iter().map(|at| [at.x, at.y]).collect();
    match area {
        Workspace::Rect(rect) => {
            let [west, south, east, north] = corners(rect);
            vec![vec![
                [west, south],
                [east, south],
                [east, north],
                [west, north],
            ]]
        }
        Workspace::Polygon(polygon) => {
            let holes = polygon.holes().iter().map(|hole| ring(hole));
            std::iter::once(ring(polygon.outer()))
                .chain(holes)
                .collect()
        }
    }
}

pub(super) fn corners(rect: &Rect) -> [f64; 4] {
    [rect.xmin(), rect.ymin(), rect.xmax(), rect.ymax()]
}

fn layers(survey: &Survey<'_>, page: &Page<'_>) -> SurveyData {
    let outcome = survey.outcome;
    let learnt = outcome.learnt.as_ref();
    let sounding = |s: &transect::Sounding| [s.position.x, s.position.y, s.value, s.time_s];
    let mut data = SurveyData {
        name: survey.name.into(),
        soundings: outcome.soundings.iter().map(sounding).collect(),
        soundings_total: outcome.soundings.len(),
        track: (outcome.track.path.iter())
            .map(|at| [at.position.x, at.position.y, at.time_s])
            .collect(),
        ..SurveyData::default()
    };
    data.frames = outcome.frames.all().to_vec();
    if let Some(learnt) = learnt {
        let map = &learnt.map;
        data.half_width_95 = map.tails.half_width(0.95);
        data.truth = page.terrain.map(|terrain| map.truth(terrain, page.lookup));
        data.grid = Some(GridData {
            columns: map.columns,
            rows: map.rows,
            extent: corners(&map.extent),
            mean: map.mean.clone(),
            std: map.std.clone(),
        });
    }
    data
}

//! A lake and a boat on the bench for a document: the whole day at home.

use std::sync::Arc;

use crate::document::Source;
use crate::scene::open_terrain;
use transect::geometry::{Polygon, Position, Rect};
use transect::terrain::{Lookup, Terrain};
use transect_io::Crs;

use super::VoyageError;
use super::document::{FieldDocument, SonarSettings};
use super::survey::Survey;
use transect_field::GeoPosition;
use transect_field::bench::{BenchBoat, BenchSettings};
use transect_field::skipper::Plane;

/// Where a lake lies whose terrain does not say.
const SOMEWHERE: GeoPosition = GeoPosition::new(36.6, -84.2);
/// Land is flooded up to this far above its highest place, m.
const SHALLOWEST_M: f64 = 1.0;

/// Where a rehearsal takes place.
#[derive(Debug, Clone)]
pub struct Lake {
    /// The area.
    pub survey: Survey,
    /// Depths below the reference level, m, in the survey's metres.
    pub bed: Arc<Terrain>,
}

impl Lake {
    /// The lake of a document: its terrain under its area; without an area the whole terrain is surveyed. `source` is
    /// where errors are placed.
    ///
    /// # Errors
    /// If a file cannot be used, or the area has no terrain.
    pub fn of(document: &FieldDocument, source: &Source) -> Result<Self, VoyageError> {
        let (terrain, crs) = open_terrain(&document.terrain, source)?;
        let placed = crs != Crs::Local;
        let plane = placed.then(|| Plane::of(crs));
        let survey = match &document.area.file {
            Some(file) => Survey::read(file, plane)?,
            None => over(&terrain, plane)?,
        };
        let extent = match placed {
            true => terrain.extent(),
            false => around(&survey.area.bounds(), &terrain.extent())?,
        };
        let bed = flooded(&terrain, extent, &survey.area.bounds()).ok_or_else(|| {
            let reason = "the area and the terrain do not overlap".to_owned();
            VoyageError::Request(source.refuse("terrain", reason))
        })?;
        Ok(Self {
            survey,
            bed: Arc::new(bed?),
        })
    }

    /// Where the vehicle comes home to, and the place inside the fence where it starts. Without a home that is set, the
    /// place inside that is nearest to the area's first corner.
    ///
    /// # Errors
    /// If the margin leaves no room.
    pub fn home(
        &self,
        document: &FieldDocument,
    ) -> Result<(GeoPosition, GeoPosition), VoyageError> {
        let set = document.area.home.or(self.survey.home);
        let corner = self.survey.area.outer().first().copied();
        let corner = corner.and_then(|corner| self.survey.plane.degrees(corner));
        let home = set.or(corner).unwrap_or(SOMEWHERE);
        let guard = self.survey.guard(document, home)?;
        let inside = self.survey.plane.degrees(guard.homeward().home());
        let inside = inside.unwrap_or(home);
        Ok((set.unwrap_or(inside), inside))
    }

    /// Opens a boat on loopback at `start`, and gives back the document with its addresses.
    ///
    /// # Errors
    /// When no port is free.
    pub fn launch(
        &self,
        document: &FieldDocument,
        start: GeoPosition,
    ) -> Result<(BenchBoat, FieldDocument), VoyageError> {
        let settings = BenchSettings {
            home: start,
            speed_mps: document.boat.speed_mps,
            seed: document.seed,
            sounding: document.sounding,
            ..document.bench.clone()
        };
        let (plane, bed) = (self.survey.plane, Arc::clone(&self.bed));
        let boat = BenchBoat::open(settings, move |place| {
            bed.value(plane.metres(place)?, Lookup::Bilinear)
        })?;
        let mut pointed = document.clone();
        pointed.vehicle.link = boat.autopilot_address();
        pointed.vehicle.system_id = 0;
        pointed.receiver = None;
        pointed.sonar = SonarSettings::Ping {
            link: boat.sonar_address(),
            interval_s: match document.sonar {
                SonarSettings::Ping { interval_s, .. } => interval_s,
                _ => SonarSettings::USUAL_INTERVAL_S,
            },
        };
        Ok((boat, pointed))
    }
}

/// The whole terrain as an area, somewhere if it does not say where it lies.
fn over(terrain: &Terrain, plane: Option<Plane>) -> Result<Survey, VoyageError> {
    let extent = terrain.extent();
    let (plane, bounds) = match plane {
        Some(plane) => (plane, extent),
        None => {
            let plane = Plane::around(SOMEWHERE)?;
            let corner = plane.metres(SOMEWHERE).unwrap_or_default();
            let (x, y) = (corner.x.round(), corner.y.round());
            let bounds = Rect::new(x, x + extent.width(), y, y + extent.height())?;
            (plane, bounds)
        }
    };
    let (x, y) = (
        (bounds.xmin(), bounds.xmax()),
        (bounds.ymin(), bounds.ymax()),
    );
    let corners = [(x.0, y.0), (x.1, y.0), (x.1, y.1), (x.0, y.1)];
    let corners = corners.map(|(x, y)| Position::new(x, y)).to_vec();
    Ok(Survey {
        plane,
        area: Polygon::new(corners, Vec::new())?,
        home: None,
    })
}

/// The terrain's extent around the middle of an area, enlarged in both directions alike if it would not cover it.
fn around(area: &Rect, terrain: &Rect) -> Result<Rect, VoyageError> {
    let (width, height) = (terrain.width(), terrain.height());
    let scale = (area.width() / width).max(area.height() / height).max(1.0);
    let middle = |low: f64, high: f64| 0.5 * (low + high);
    let (x, y) = (
        middle(area.xmin(), area.xmax()),
        middle(area.ymin(), area.ymax()),
    );
    let (half_x, half_y) = (0.5 * scale * width, 0.5 * scale * height);
    Ok(Rect::new(x - half_x, x + half_x, y - half_y, y + half_y)?)
}

/// Heights become depths below the water, which stands at 0, or above the highest place in the area if that is land. None
/// where the area has no terrain at all.
fn flooded(terrain: &Terrain, extent: Rect, area: &Rect) -> Option<Result<Terrain, VoyageError>> {
    let (rows, columns) = (terrain.rows(), terrain.columns());
    let centre = |cell: usize| {
        let share = |i: usize, count: usize| (i as f64 + 0.5) / count as f64;
        Position::new(
            extent.xmin() + share(cell % columns, columns) * extent.width(),
            extent.ymin() + share(cell / columns, rows) * extent.height(),
        )
    };
    // A small area may lie between the centres of large cells: a cell around it counts too.
    let (cell_x, cell_y) = (
        extent.width() / columns as f64,
        extent.height() / rows as f64,
    );
    let near = |at: Position| {
        (area.xmin() - cell_x..=area.xmax() + cell_x).contains(&at.x)
            && (area.ymin() - cell_y..=area.ymax() + cell_y).contains(&at.y)
    };
    let heights = terrain.values().iter().enumerate();
    let highest = heights
        .filter(|(cell, height)| !height.is_nan() && near(centre(*cell)))
        .map(|(_, height)| *height)
        .reduce(f64::max)?;
    let level = match highest > 0.0 {
        true => highest + SHALLOWEST_M,
        false => 0.0,
    };
    let depths = terrain.values().iter().map(|height| level - height);
    Some(Terrain::new(depths.collect(), rows, columns, extent).map_err(VoyageError::from))
}

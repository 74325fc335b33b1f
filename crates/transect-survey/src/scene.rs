//! The place of a mission: terrain, area and earlier readings, read and checked.

use crate::choice::{AreaChoice, SceneChoice, TerrainChoice};
use crate::document::Source;
use crate::error::Result;
use crate::surface;
use std::path::Path;
use std::sync::Arc;
use transect::Sounding;
use transect::geometry::{Polygon, Position, Rect, Workspace};
use transect::terrain::Terrain;
use transect_io::area::Area;
use transect_io::soundings::{self, Columns};
use transect_io::{Crs, GeoPosition};

/// Where a mission takes place.
#[derive(Debug, Clone)]
pub struct Scene {
    /// The surface.
    pub terrain: Arc<Terrain>,
    /// What the coordinates mean.
    pub crs: Crs,
    /// The area of the survey.
    pub area: Workspace,
    /// Readings from before the mission.
    pub prior: Vec<Sounding>,
}

impl Scene {
    /// Reads what a document names; `source` is where errors are placed.
    ///
    /// # Errors
    /// If a file cannot be used, or the parts do not fit together.
    pub fn open(choice: &SceneChoice, source: &Source) -> Result<Self> {
        let (terrain, crs) = open_terrain(&choice.terrain, source)?;
        let area = open_area(&choice.area, &terrain, crs, source)?;
        let prior = match &choice.prior {
            Some(path) => read_prior(path, crs, source)?,
            None => Vec::new(),
        };
        Ok(Self {
            terrain: Arc::new(terrain),
            crs,
            area,
            prior,
        })
    }
}

/// The terrain that a document names, and what its coordinates mean; `source` is where errors are placed.
///
/// # Errors
/// If it cannot be used.
pub fn open_terrain(choice: &TerrainChoice, source: &Source) -> Result<(Terrain, Crs)> {
    let at = |reason: String| source.refuse("terrain.source", reason);
    let raster = surface::raster(&choice.source).map_err(at)?;
    let (rows, columns) = (raster.rows(), raster.columns());
    let extent = match (choice.extent, choice.cell_m) {
        (Some(_), Some(_)) => {
            let reason = "set terrain.extent or terrain.cell_m, not both".into();
            return Err(source.refuse("terrain.cell_m", reason).into());
        }
        (Some(extent), None) => Some(rectangle(extent, "terrain.extent", source)?),
        (None, Some(cell_m)) => {
            let sides = [0.0, 0.0, columns as f64 * cell_m, rows as f64 * cell_m];
            Some(rectangle(sides, "terrain.cell_m", source)?)
        }
        (None, None) => None,
    };
    let (terrain, crs) = match extent {
        // Whoever says where the cells lie, says it in metres of their own.
        Some(extent) => {
            let south_up = raster.to_terrain().map_err(|e| at(e.to_string()))?;
            let values = south_up.values().to_vec();
            (Terrain::new(values, rows, columns, extent), Crs::Local)
        }
        None => {
            let metric = raster.in_metres().map_err(at)?;
            (metric.to_terrain(), metric.crs())
        }
    };
    let terrain = terrain.map_err(|e| at(e.to_string()))?;
    if terrain.is_constant() {
        return Err(at("all its values are equal: there is nothing to survey".into()).into());
    }
    Ok((terrain, crs))
}

fn open_area(
    choice: &AreaChoice,
    terrain: &Terrain,
    crs: Crs,
    source: &Source,
) -> Result<Workspace> {
    let AreaChoice {
        file,
        rectangle: sides,
        outline,
        holes,
    } = choice;
    let set = [file.is_some(), sides.is_some(), outline.is_some()];
    if set.iter().filter(|is_set| **is_set).count() > 1 {
        let reason = "set one of file, rectangle and outline, not several".into();
        return Err(source.refuse("area", reason).into());
    }
    if !holes.is_empty() && outline.is_none() {
        let reason = "area.holes: holes need an outline around them".into();
        return Err(source.refuse("area.holes", reason).into());
    }
    let (area, key): (Workspace, &str) = match (file, sides, outline) {
        (Some(path), ..) => (file_area(path, crs, source)?.into(), "area.file"),
        (_, Some(sides), _) => {
            let key = "area.rectangle";
            (rectangle(*sides, key, source)?.into(), key)
        }
        (.., Some(outline)) => {
            let ring = |corners: &Vec<[f64; 2]>| -> Vec<Position> {
                corners.iter().copied().map(Position::from).collect()
            };
            let holes = holes.iter().map(ring).collect();
            let polygon = Polygon::new(ring(outline), holes);
            let key = "area.outline";
            let refuse = |e: transect::Error| source.refuse(key, format!("{key}: {e}"));
            (polygon.map_err(refuse)?.into(), key)
        }
        _ => return Ok(terrain.extent().into()),
    };
    let (inner, outer) = (area.bounds(), terrain.extent());
    let apart = inner.xmin() >= outer.xmax()
        || inner.xmax() <= outer.xmin()
        || inner.ymin() >= outer.ymax()
        || inner.ymax() <= outer.ymin();
    if apart {
        let reason = format!(
            "{key} and the terrain do not overlap: the area has {}, the terrain {}",
            sides_of(&inner),
            sides_of(&outer)
        );
        return Err(source.refuse(key, reason).into());
    }
    Ok(area)
}

fn sides_of(rect: &Rect) -> String {
    format!(
        "x {} to {}, y {} to {}",
        rect.xmin(),
        rect.xmax(),
        rect.ymin(),
        rect.ymax()
    )
}

fn file_area(path: &Path, crs: Crs, source: &Source) -> Result<Polygon> {
    let at = |reason: String| source.refuse("area.file", reason);
    let area = Area::read(path).map_err(|e| at(e.to_string()))?;
    let project = |place: GeoPosition| {
        let metres = crs.position(place).map(|at| [at.x, at.y]);
        metres.ok_or_else(|| no_earth(path, crs))
    };
    let polygon = area.in_metres(project);
    Ok(polygon.map_err(|reason| at(format!("{}: {reason}", path.display())))?)
}

fn no_earth(path: &Path, crs: Crs) -> String {
    match crs {
        Crs::Local => format!(
            "{} has longitudes and latitudes, but where the terrain is on the earth is not known",
            path.display()
        ),
        _ => format!("{} reaches beyond the terrain's projection", path.display()),
    }
}

fn rectangle(sides: [f64; 4], key: &str, source: &Source) -> Result<Rect> {
    let [xmin, ymin, xmax, ymax] = sides;
    let rect = Rect::new(xmin, xmax, ymin, ymax);
    let refuse = |e| source.refuse(key, format!("{key} = [xmin, ymin, xmax, ymax]: {e}"));
    Ok(rect.map_err(refuse)?)
}

/// Readings of a file, in the terrain's coordinates; they have no time in this mission.
fn read_prior(path: &Path, crs: Crs, source: &Source) -> Result<Vec<Sounding>> {
    let at = |reason: String| source.refuse("prior", reason);
    let read = soundings::read(path, &Columns::default()).map_err(|e| at(e.to_string()))?;
    let position = |place: &[f64; 2]| {
        let [lon, lat] = *place;
        match read.geographic {
            false => Ok(Position::from(*place)),
            true => crs
                .position(GeoPosition::new(lat, lon))
                .ok_or_else(|| at(no_earth(path, crs))),
        }
    };
    let mut prior = Vec::with_capacity(read.values.len());
    for (place, value) in read.places.iter().zip(&read.values) {
        prior.push(Sounding {
            position: position(place)?,
            value: *value,
            time_s: 0.0,
        });
    }
    Ok(prior)
}

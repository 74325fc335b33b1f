//! The terrains from above and in perspective, and the pilot survey.

use super::album::Album;
use super::words;
use crate::data::DataFolder;
use crate::error::Result;
use crate::experiment::{Experiment, Profile, QUARRY, TERRAINS, VOLCANO, field_extent};
use crate::results::Results;
use std::collections::BTreeSet;
use transect::geometry::Rect;
use transect::pilot::{bezier_pilot, control_points};
use transect::terrain::Terrain;
use transect_plot::report::{Illustration, Section};
use transect_plot::{Axis, ColorMap, ColorScale, Extent, Figure, Grid, Heatmap, Surface3d};

/// Points along the drawn pilot curve, and soundings taken on it.
const SMOOTH: usize = 200;
const SOUNDINGS: usize = 50;

/// Each terrain that results are about; nothing without their files.
pub(super) fn section(
    results: &Results,
    data: Option<&DataFolder>,
    album: &mut Album,
) -> Result<Option<Section>> {
    let Some(data) = data else { return Ok(None) };
    let (mut shown, mut missing) = (Vec::new(), Vec::new());
    for name in named(results) {
        let extent = match name.as_str() {
            VOLCANO => Rect::new(0.0, 1.0, 0.0, 1.0)?,
            QUARRY => field_extent()?,
            _ => Rect::new(-11.0, 11.0, -11.0, 11.0)?,
        };
        // A report can be made without the files: what is not there is left out, and said.
        match data.terrain(&name, extent) {
            Ok(terrain) => shown.push((name, terrain)),
            Err(_) => missing.push(name),
        }
    }
    if shown.is_empty() {
        return Ok(None);
    }
    let mut section = Section::new("Terrains").text(
        "Elevations are the raw values of the files; those of the four survey terrains are grey levels of browse images (0 to 255), not \
         metres. Heights in perspective are stretched.",
    );
    for (name, terrain) in &shown {
        section = section.figure(views(name, terrain, album)?);
    }
    if let Some((name, terrain)) = shown
        .iter()
        .find(|(name, _)| name != VOLCANO && name != QUARRY)
    {
        section = section.figure(pilot(name, terrain, album)?);
    }
    if !missing.is_empty() {
        let missing = words::listed(&missing);
        section = section.text(format!("Not shown, for want of their files: {missing}."));
    }
    Ok(Some(section))
}

/// Names of the terrains in the results: the paper's, then the others.
fn named(results: &Results) -> Vec<String> {
    let mut names = BTreeSet::new();
    for experiment in Experiment::ALL {
        if matches!(experiment, Experiment::Step | Experiment::Sine) {
            continue;
        }
        for profile in [Profile::Paper, Profile::Default] {
            let below = format!("{}/{}", experiment.name(), profile.name());
            let runs = results.finished(&below);
            names.extend(
                runs.iter()
                    .filter_map(|run| run.split('/').nth(2).map(str::to_string)),
            );
        }
    }
    let rank = |name: &str| {
        TERRAINS
            .iter()
            .position(|t| *t == name)
            .unwrap_or(usize::MAX)
    };
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort_by_key(|name| rank(name));
    names
}

fn grid_of(terrain: &Terrain) -> Result<Grid> {
    let e = terrain.extent();
    let extent = Extent::new(e.xmin(), e.xmax(), e.ymin(), e.ymax())?;
    Ok(Grid::new(terrain.values(), terrain.columns(), extent)?)
}

fn elevation(terrain: &Terrain) -> ColorScale {
    ColorScale::covering(ColorMap::Terrain, &[terrain.values()]).label("Elevation", words::RAW)
}

fn axes(name: &str) -> (Axis, Axis) {
    let unit = if name == VOLCANO { "" } else { "m" };
    (Axis::new("x").unit(unit), Axis::new("y").unit(unit))
}

/// A terrain from above and in perspective.
fn views(name: &str, terrain: &Terrain, album: &mut Album) -> Result<Illustration> {
    let (grid, scale) = (grid_of(terrain)?, elevation(terrain));
    let (x, y) = axes(name);
    let figure = Figure::new(words::terrain(name))
        .panel(
            Heatmap::new(&grid, scale.clone())
                .title("From above")
                .axes(x.clone(), y.clone())
                .width(300.0),
        )
        .panel(
            Surface3d::new(&grid, scale)
                .title("From the south-west")
                .axes(x, y)
                .size(460.0, 300.0)
                .without_bar(),
        );
    let look = match name {
        "N17E073" => {
            "A rugged side and a flat one: a map needs more samples on the one than on the other."
        }
        "N43W080" => {
            "A level lake between smooth shores; sharp changes are few, in two spots on the left that few random samples hit."
        }
        "N45W123" => "A broad river through plains on the left, and hills with peaks on the right.",
        "N47W124" => {
            "Fine valleys fill the lower half, the upper one is almost flat: much detail that few samples can show."
        }
        VOLCANO => {
            "A cone whose crater is open to one side, in gentler surroundings; x and y in sides of the square."
        }
        _ => "",
    };
    let name_shown = words::terrain(name);
    let alt = format!("Elevation map and perspective view of {name_shown}.");
    let picture = album.painting(&format!("terrain-{name}"), &figure)?;
    Ok(picture.caption(format!("{name_shown}. {look}")).alt(alt))
}

/// The pilot survey over a terrain.
fn pilot(name: &str, terrain: &Terrain, album: &mut Album) -> Result<Illustration> {
    let workspace = Rect::new(-10.0, 10.0, -10.0, 10.0)?;
    let points = |places: &[transect::geometry::Position]| -> Vec<[f64; 2]> {
        places.iter().map(|at| [at.x, at.y]).collect()
    };
    let (x, y) = axes(name);
    let map = Heatmap::new(&grid_of(terrain)?, elevation(terrain))
        .axes(x, y)
        .width(380.0)
        .path(&points(&bezier_pilot(&workspace, SMOOTH)?))
        .samples(&points(&bezier_pilot(&workspace, SOUNDINGS)?))
        .control_points(&points(&control_points(&workspace)));
    let figure = Figure::new("Pilot survey").panel(map);
    let caption = format!(
        "The pilot survey, over {name}: every mission starts with {SOUNDINGS} soundings along a B\u{e9}zier curve that its control points \
         draw around the workspace and into its middle."
    );
    let alt = "A spiral path around the map that ends in its middle, with its 18 control points and 50 soundings.";
    let picture = album.painting("pilot", &figure)?;
    Ok(picture.caption(caption).alt(alt))
}

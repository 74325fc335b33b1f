//! The map at a glance: the surface, and how far to trust it.

use crate::error::Result;
use transect::map::Map;
use transect_io::Crs;
use transect_plot::{Axis, ColorMap, ColorScale, Extent, Figure, Grid, Heatmap};

const WIDTH: f64 = 420.0;
const PIXELS_PER_UNIT: f64 = 2.0;
/// More dots than this would hide the map; every n-th sounding is shown then.
const MOST_DOTS: usize = 2500;
/// Extents beyond this are told in kilometres, m.
const LONG_M: f64 = 5000.0;

/// A PNG of both bands with the soundings; `value` is the name of what was measured.
pub(super) fn draw(map: &Map, places: &[[f64; 2]], value: &str, crs: Crs) -> Result<Vec<u8>> {
    let extent = map.grid.extent;
    // Names of places on the earth are long numbers: kilometres are easier to read.
    let long = crs != Crs::Local || extent.width().max(extent.height()) > LONG_M;
    let (unit_m, unit) = if long { (1000.0, "km") } else { (1.0, "m") };
    let sides = Extent::new(
        extent.xmin() / unit_m,
        extent.xmax() / unit_m,
        extent.ymin() / unit_m,
        extent.ymax() / unit_m,
    )?;
    let names = match crs {
        Crs::Local => ["x", "y"],
        _ => ["Easting", "Northing"],
    };
    let step = places.len().div_ceil(MOST_DOTS).max(1);
    let dots: Vec<[f64; 2]> = places
        .iter()
        .step_by(step)
        .map(|place| place.map(|coordinate| coordinate / unit_m))
        .collect();
    // Depths count downwards: colours of heights would turn the lake inside out.
    let colors = match value.to_lowercase().contains("depth") {
        true => ColorMap::Viridis,
        false => ColorMap::Terrain,
    };
    let named = match value.parse::<usize>() {
        Ok(_) => "Value",
        Err(_) => value,
    };
    let surface = ColorScale::covering(colors, &[&map.mean]).label(named, "");
    let spread =
        ColorScale::covering(ColorMap::Cividis, &[&map.std]).label("Standard deviation", "");
    let panel = |values: &[f64], scale: ColorScale, title: &str| -> Result<Heatmap> {
        let grid = Grid::new(values, map.grid.columns, sides)?;
        let [x, y] = names.map(|name| Axis::new(name).unit(unit));
        Ok(Heatmap::new(&grid, scale)
            .title(title)
            .axes(x, y)
            .width(WIDTH))
    };
    let shown = match step {
        1 => "Uncertainty and soundings".to_string(),
        _ => format!("Uncertainty and every {step}th sounding"),
    };
    let figure = Figure::new("")
        .columns(2)
        .panel(panel(&map.mean, surface, "Map")?)
        .panel(panel(&map.std, spread, &shown)?.samples(&dots));
    Ok(figure.to_png(PIXELS_PER_UNIT)?)
}

//! The map at a glance: the surface, and how far to trust it.

use super::Drawn;
use crate::error::Result;
use transect_io::Crs;
use transect_io::soundings::Quantity;
use transect_plot::{Axis, ColorMap, ColorScale, Extent, Figure, Grid, Heatmap};

const WIDTH: f64 = 420.0;
const PIXELS_PER_UNIT: f64 = 2.0;
/// More dots than this would hide the map; one of every few soundings is shown then.
const MOST_DOTS: usize = 2500;
/// Extents beyond this are told in kilometres, m.
const LONG_M: f64 = 5000.0;

/// A PNG of both bands with the soundings.
pub(super) fn draw(drawn: &Drawn<'_>) -> Result<Vec<u8>> {
    Ok(figure(drawn)?.to_png(PIXELS_PER_UNIT)?)
}

/// Both bands side by side.
pub(super) fn figure(drawn: &Drawn<'_>) -> Result<Figure> {
    let Drawn {
        map,
        places,
        quantity,
        name,
        crs,
        area,
    } = drawn;
    let extent = map.grid.extent;
    // Names of places on the earth are long numbers: kilometres are easier to read.
    let long = *crs != Crs::Local || extent.width().max(extent.height()) > LONG_M;
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
    let scaled = |points: &[[f64; 2]], step: usize| -> Vec<[f64; 2]> {
        let every = points.iter().step_by(step);
        every
            .map(|place| place.map(|coordinate| coordinate / unit_m))
            .collect()
    };
    let step = places.len().div_ceil(MOST_DOTS).max(1);
    let dots = scaled(places, step);
    let (colors, label, value_unit) = match quantity {
        Quantity::Depth => (ColorMap::Depth, "Depth", "m"),
        Quantity::Elevation => (ColorMap::Terrain, "Elevation", "m"),
        Quantity::Other if name.parse::<usize>().is_ok() => (ColorMap::Terrain, "Value", ""),
        Quantity::Other => (ColorMap::Terrain, *name, ""),
    };
    // A few bad values must not make the rest one flat colour.
    let surface = ColorScale::robust(colors, &[&map.mean]).label(label, value_unit);
    let spread =
        ColorScale::robust(ColorMap::Cividis, &[&map.std]).label("Standard deviation", value_unit);
    let panel = |values: &[f64], scale: ColorScale, title: &str| -> Result<Heatmap> {
        let grid = Grid::new(values, map.grid.columns, sides)?;
        let [x, y] = names.map(|name| Axis::new(name).unit(unit));
        let mut panel = Heatmap::new(&grid, scale)
            .title(title)
            .axes(x, y)
            .width(WIDTH)
            .scale_bar(unit);
        for ring in area.iter().flat_map(|area| &area.rings) {
            panel = panel.fence(&scaled(ring, 1));
        }
        Ok(panel)
    };
    let shown = match step {
        1 => "Uncertainty and soundings".to_string(),
        _ => format!("Uncertainty and one of every {step} soundings"),
    };
    Ok(Figure::new("")
        .columns(2)
        .panel(panel(&map.mean, surface, "Map")?)
        .panel(panel(&map.std, spread, &shown)?.samples(&dots)))
}

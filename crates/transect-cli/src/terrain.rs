//! `transect terrain`: what is in a terrain file.

use crate::Failure;
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};
use transect_io::atomic::{self, Existing};
use transect_io::builtin::{BUILTIN, Builtin};
use transect_io::{Crs, Raster, geotiff, terrain};
use transect_plot::{Axis, ColorMap, ColorScale, Extent, Figure, Grid, Heatmap};

/// Width of the map in the picture, pixels before scaling.
const PICTURE_WIDTH: f64 = 420.0;
const PICTURE_SCALE: f64 = 2.0;

/// `transect terrain`
#[derive(Debug, Args)]
pub(crate) struct TerrainCommand {
    /// A terrain file, a built-in terrain or a fetched tile [default: lists the built-in ones]
    #[arg(value_name = "FILE|NAME")]
    source: Option<String>,
    /// Draw a picture to this file
    #[arg(long, value_name = "OUT", requires = "source")]
    png: Option<PathBuf>,
    /// Write it as a GeoTIFF to this file
    #[arg(long, value_name = "FILE.tif", requires = "source")]
    out: Option<PathBuf>,
    /// Folder of fetched tiles [default: transect in the user's cache]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Write over files that are there
    #[arg(long)]
    force: bool,
}

impl TerrainCommand {
    pub(crate) fn run(&self, json: bool) -> Result<(), Failure> {
        let Some(source) = &self.source else {
            list(json);
            return Ok(());
        };
        if let Some(out) = &self.png {
            require_ending(out, ("--png", "the picture is a PNG"), &["png"])?;
        }
        if let Some(out) = &self.out {
            require_ending(
                out,
                ("--out", "the terrain is written as GeoTIFF"),
                &["tif", "tiff"],
            )?;
        }
        let cache = self.cache.clone().or_else(terrain::cache_folder);
        let raster = terrain::find(source, cache.as_deref())?;
        if let Some(out) = &self.png {
            self.draw(source, &raster, out)?;
        }
        if let Some(out) = &self.out {
            let band = geotiff::Band {
                name: "height",
                meaning: "height in metres, positive upwards",
                raster: &raster,
            };
            geotiff::write(out, &[band], self.existing())?;
        }
        let account = Account::of(source, &raster)?;
        match json {
            true => println!("{}", account.json()),
            false => print!("{}", account.text()),
        }
        Ok(())
    }

    fn draw(&self, source: &str, raster: &Raster, out: &Path) -> Result<(), Failure> {
        let work = |error: &dyn std::fmt::Display| Failure::Work(error.to_string());
        let ground = raster
            .to_terrain()
            .map_err(|e| Failure::Request(format!("{source}: {e}")))?;
        let extent = ground.extent();
        let extent = Extent::new(extent.xmin(), extent.xmax(), extent.ymin(), extent.ymax())
            .map_err(|e| work(&e))?;
        let grid = Grid::new(ground.values(), ground.columns(), extent).map_err(|e| work(&e))?;
        let scale =
            ColorScale::covering(ColorMap::Terrain, &[ground.values()]).label("Height", "m");
        let (x, y) = match raster.crs() {
            Crs::Geographic(_) => (
                Axis::new("Longitude").unit("°"),
                Axis::new("Latitude").unit("°"),
            ),
            _ => (
                Axis::new("Easting").unit("m"),
                Axis::new("Northing").unit("m"),
            ),
        };
        let name = Path::new(source)
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        let map = Heatmap::new(&grid, scale).axes(x, y).width(PICTURE_WIDTH);
        let picture = Figure::new(name)
            .panel(map)
            .to_png(PICTURE_SCALE)
            .map_err(|e| work(&e))?;
        Ok(atomic::write(out, &picture, self.existing())?)
    }

    fn existing(&self) -> Existing {
        if self.force {
            Existing::Replace
        } else {
            Existing::Keep
        }
    }
}

/// Refuses names that say something else than what is written.
fn require_ending(
    out: &Path,
    (option, what): (&str, &str),
    endings: &[&str],
) -> Result<(), Failure> {
    let ending = out.extension().and_then(|ending| ending.to_str());
    if ending.is_some_and(|ending| endings.iter().any(|e| e.eq_ignore_ascii_case(ending))) {
        return Ok(());
    }
    Err(Failure::Request(format!(
        "{option} is `{}`: {what}, so its name must end in .{}",
        out.display(),
        endings[0]
    )))
}

fn list(json: bool) {
    if json {
        let entry = |builtin: &Builtin| json!({"name": builtin.name, "about": builtin.about});
        let all: Vec<_> = BUILTIN.iter().map(entry).collect();
        println!("{}", json!({ "builtin": all }));
        return;
    }
    println!("Terrains that come with the program:");
    for builtin in BUILTIN {
        println!("  {:<12} {}", builtin.name, builtin.about);
    }
}

/// What there is to say about a terrain.
struct Account<'a> {
    source: &'a str,
    raster: &'a Raster,
    ground: transect::terrain::Terrain,
}

impl<'a> Account<'a> {
    fn of(source: &'a str, raster: &'a Raster) -> Result<Self, Failure> {
        let ground = raster
            .to_terrain()
            .map_err(|error| Failure::Request(format!("{source}: {error}")))?;
        Ok(Self {
            source,
            raster,
            ground,
        })
    }

    fn json(&self) -> serde_json::Value {
        let (summary, place) = (self.ground.summary(), self.raster.placement());
        json!({
            "source": self.source,
            "rows": self.raster.rows(),
            "columns": self.raster.columns(),
            "cell": [place.cell_width, place.cell_height],
            "extent": self.ground.extent(),
            "crs": self.raster.crs(),
            "min": summary.min,
            "max": summary.max,
            "mean": summary.mean,
            "std": summary.std,
            "voids": summary.voids,
        })
    }

    fn text(&self) -> String {
        let (summary, place) = (self.ground.summary(), self.raster.placement());
        let (rows, columns) = (self.raster.rows(), self.raster.columns());
        let extent = self.ground.extent();
        let (system, unit, digits) = match self.raster.crs() {
            Crs::Local => (
                "local metres; the file names no coordinate system".into(),
                "m",
                2,
            ),
            crs @ Crs::Geographic(_) => (format!("{crs}, longitude and latitude"), "degrees", 6),
            crs @ Crs::Utm(_, zone) => {
                let half = if zone.south { "south" } else { "north" };
                (format!("{crs}, UTM zone {} {half}", zone.number), "m", 2)
            }
            crs => (crs.to_string(), "m", 2),
        };
        let voids = match summary.voids {
            0 => "none".to_string(),
            n => format!("{n} ({:.1} %)", 100.0 * n as f64 / (rows * columns) as f64),
        };
        format!(
            "{}\n\
             size    {rows} rows x {columns} columns, cells of {} x {} {unit}\n\
             extent  x {:.digits$} to {:.digits$}, y {:.digits$} to {:.digits$} {unit}\n\
             system  {system}\n\
             range   {:.2} to {:.2}, mean {:.2}, standard deviation {:.2}\n\
             voids   {voids}\n",
            self.source,
            short(place.cell_width),
            short(place.cell_height),
            extent.xmin(),
            extent.xmax(),
            extent.ymin(),
            extent.ymax(),
            summary.min,
            summary.max,
            summary.mean,
            summary.std,
        )
    }
}

/// Six significant digits, without zeros at the end.
fn short(number: f64) -> String {
    let digits = (5.0 - number.abs().log10().floor()).clamp(0.0, 12.0) as usize;
    let text = format!("{number:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    }
}

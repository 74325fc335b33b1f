//! `transect next`.

use crate::Failure;
use crate::soundings::LogFlags;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use transect_io::GeoPosition;
use transect_io::atomic::{self, Existing};
use transect_survey::next::{Home, NextRequest, next};

/// `transect next`
#[derive(Debug, Args)]
#[command(
    after_help = "Writes OUT.plan (QGroundControl), OUT.gpx (a route), OUT.geojson and OUT.png."
)]
pub(crate) struct Next {
    #[command(flatten)]
    log: LogFlags,
    /// Where the boat may go: polygons (.geojson, .kml, .gpkg, .shp, .plan)
    #[arg(long, value_name = "FILE")]
    area: PathBuf,
    /// Time there is: 1h, 90min, 45m, 3600s
    #[arg(long, value_name = "TIME", value_parser = seconds)]
    time: f64,
    /// Speed of the boat, m/s
    #[arg(long, value_name = "M/S", default_value = "1.5")]
    speed: f64,
    /// Where it starts [default: where the survey did]
    #[arg(long, value_name = "LON,LAT", value_parser = lon_lat, allow_hyphen_values = true)]
    from: Option<GeoPosition>,
    /// Where it must be when the time is up [default: where it starts]
    #[arg(long, value_name = "LON,LAT", value_parser = lon_lat, allow_hyphen_values = true)]
    home: Option<GeoPosition>,
    /// The lines may end anywhere
    #[arg(long, conflicts_with = "home")]
    one_way: bool,
    /// Name of the files to write
    #[arg(long, value_name = "OUT", default_value = "next")]
    out: PathBuf,
    /// Decides all random numbers
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,
    /// Write over files that are there
    #[arg(long)]
    force: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    let at = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let unit_s = match unit.trim() {
        "h" => 3600.0,
        "min" | "m" => 60.0,
        "s" => 1.0,
        _ => f64::NAN,
    };
    let time: f64 = number.trim().parse().unwrap_or(f64::NAN);
    let found = time * unit_s;
    if found > 0.0 && found.is_finite() {
        return Ok(found);
    }
    Err("a time with its unit is needed: 1h, 90min, 3600s".into())
}

fn lon_lat(text: &str) -> Result<GeoPosition, String> {
    let numbers: Vec<f64> = text
        .split(',')
        .filter_map(|part| part.trim().parse().ok())
        .collect();
    match numbers[..] {
        [lon, lat] if lon.abs() <= 360.0 && lat.abs() <= 90.0 => Ok(GeoPosition::new(lat, lon)),
        _ => Err("longitude and latitude in degrees are needed, such as 13.0958,52.381".into()),
    }
}

impl Next {
    pub(crate) fn run(self, json: bool) -> Result<(), Failure> {
        let existing = if self.force {
            Existing::Replace
        } else {
            Existing::Keep
        };
        let stem = match self.out.extension().and_then(|e| e.to_str()) {
            Some("plan" | "gpx" | "geojson" | "png") => self.out.with_extension(""),
            _ => self.out.clone(),
        };
        let ended = |ending: &str| {
            let name = stem.file_name().unwrap_or_default().to_string_lossy();
            stem.with_file_name(format!("{name}.{ending}"))
        };
        let files = ["plan", "gpx", "geojson", "png"].map(ended);
        if let Some(path) = files
            .iter()
            .find(|path| existing == Existing::Keep && path.exists())
        {
            return Err(transect_io::IoError::Exists { path: path.clone() }.into());
        }
        let found = next(&NextRequest {
            log: self.log.request()?,
            area: self.area,
            time_s: self.time,
            speed_mps: self.speed,
            from: self.from,
            home: match self.home {
                _ if self.one_way => Home::Anywhere,
                Some(place) => Home::At(place),
                None => Home::Start,
            },
            seed: self.seed,
        })?;
        let contents = [
            found.route.to_plan().into_bytes(),
            found.route.to_gpx().into_bytes(),
            found.route.to_geojson().into_bytes(),
            found.picture,
        ];
        for (path, bytes) in files.iter().zip(contents) {
            atomic::write(path, &bytes, existing)?;
        }
        let [before, after] = found.expected_error;
        let minutes = found.time_s / 60.0;
        if json {
            let places: Vec<[f64; 2]> = found.route.places.iter().map(|p| p.lon_lat()).collect();
            println!(
                "{}",
                json!({
                    "legs": places.len(), "length_m": found.length_m, "minutes": minutes, "places": places,
                    "expected_error": {"before": before, "after": after}, "files": files,
                })
            );
        } else {
            println!(
                "{:14} {} legs, {:.0} m, {minutes:.0} min at {} m/s",
                "way",
                found.route.places.len(),
                found.length_m,
                self.speed
            );
            println!(
                "{:14} {before:.3} now, {after:.3} after these lines ({:.0} % less), over the area (root mean square)",
                "expected error",
                100.0 * (1.0 - after / before)
            );
            for file in &files {
                println!("{:14} {}", "wrote", file.display());
            }
        }
        Ok(())
    }
}

//! `transect map`.

use crate::Failure;
use crate::progress::SweepBar;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use transect::map::{MapSettings, Method};
use transect::settings::KernelChoice;
use transect::surrogate::TRUSTWORTHY_COVERAGE;
use transect_io::Crs;
use transect_io::atomic::Existing;
use transect_io::soundings::Columns;
use transect_survey::map::{MapOutcome, MapRequest, map};

/// Leave-one-out coverage of 95 % intervals outside of this means that the error bars cannot be trusted.
const TRUSTED_COVERAGE: std::ops::RangeInclusive<f64> = 0.90..=0.99;

/// `transect map`
#[derive(Debug, Args)]
#[command(after_help = "\
Columns are recognised by their usual names: x y z, lon lat depth, easting northing elevation. \
Longitude and latitude are projected to the right UTM zone.\n\n\
Besides MAP.tif (band 1: mean, band 2: standard deviation) it writes MAP.contours.geojson and MAP.png.")]
pub(crate) struct Map {
    /// One sounding per line, separated by commas, semicolons, tabs or spaces
    #[arg(value_name = "SOUNDINGS.csv")]
    soundings: PathBuf,
    /// The GeoTIFF to write
    #[arg(long, value_name = "MAP.tif")]
    out: PathBuf,
    /// Column of x or longitude: its name, or its number from 1 on if there is no header
    #[arg(long, value_name = "COL")]
    x: Option<String>,
    /// Column of y or latitude
    #[arg(long, value_name = "COL")]
    y: Option<String>,
    /// Column of what was measured
    #[arg(long, value_name = "COL")]
    value: Option<String>,
    /// What x and y are; with longitude and latitude, the UTM zone to use
    #[arg(long, value_name = "EPSG:n")]
    crs: Option<Crs>,
    /// Side of a cell [default: about half the distance between soundings]
    #[arg(long, value_name = "METRES")]
    cell: Option<f64>,
    /// Value between contours [default: 10 to 25 of them]
    #[arg(long, value_name = "STEP")]
    interval: Option<f64>,
    /// Map the whole rectangle, not only what is near soundings
    #[arg(long)]
    fill: bool,
    /// Kernel [default: ak and matern12, pooled]
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Follow every sounding, also those that have nothing to do with the ones around them
    #[arg(long)]
    keep_all: bool,
    /// Decides all random numbers
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,
    /// Write over files that are there
    #[arg(long)]
    force: bool,
}

impl Map {
    pub(crate) fn run(self, quiet: bool, json: bool) -> Result<(), Failure> {
        let request = self.request();
        let bar = SweepBar::new("map", quiet);
        let outcome = map(&request, &|share| bar.show_share(share));
        bar.finish();
        let outcome = outcome?;
        match json {
            true => println!("{}", as_json(&outcome)),
            false => print!("{}", as_text(&outcome)),
        }
        Ok(())
    }

    fn request(self) -> MapRequest {
        let mut settings = MapSettings {
            cell_m: self.cell,
            fill: self.fill,
            ignore_outliers: !self.keep_all,
            seed: self.seed,
            ..MapSettings::default()
        };
        if let Some(name) = &self.kernel {
            settings.kernels = vec![KernelChoice::named(name)];
        }
        MapRequest {
            soundings: self.soundings,
            columns: Columns {
                x: self.x,
                y: self.y,
                value: self.value,
            },
            crs: self.crs,
            interval: self.interval,
            out: self.out,
            existing: match self.force {
                true => Existing::Replace,
                false => Existing::Keep,
            },
            settings,
        }
    }
}

fn as_text(outcome: &MapOutcome) -> String {
    let map = &outcome.map;
    let quality = &map.quality;
    let [x, y, value] = &outcome.columns;
    let mut lines = vec![
        (
            "rows",
            format!(
                "{} read, {} skipped (a number is missing), {} dropped (repeated), {} averaged (same place)",
                outcome.rows, outcome.gaps, outcome.repeated, outcome.averaged
            ),
        ),
        ("columns", format!("{value} at ({x}, {y})")),
        (
            "coordinates",
            match outcome.crs {
                Crs::Local => "metres of an unknown origin; say which with --crs".to_string(),
                crs => crs.to_string(),
            },
        ),
        (
            "grid",
            format!(
                "{} x {} cells of {} m, {} of them mapped",
                map.grid.rows,
                map.grid.columns,
                map.grid.cell_m,
                mapped_cells(outcome)
            ),
        ),
        (
            "model",
            format!(
                "{}, trained on {} soundings; noise {}",
                outcome.kernels.join(" and "),
                map.trained_on,
                match map.noise_stds {
                    [least, most] if least == most => format!("{least:.3}"),
                    [least, most] => format!("{least:.3} to {most:.3}"),
                }
            ),
        ),
        (
            "method",
            match map.method {
                Method::Exact => format!("exact regression on {} soundings", outcome.places),
                Method::Nearest { points } if points < outcome.places => format!(
                    "nearest neighbours: {} soundings, averaged to {points} along the track",
                    outcome.places
                ),
                Method::Nearest { points } => format!("nearest neighbours: {points} soundings"),
            },
        ),
        (
            "leave-one-out",
            format!(
                "RMSE {:.3}; {:.1} % inside 95 % intervals, {:.1} % inside 50 %",
                quality.rmse,
                100.0 * quality.coverage_95,
                100.0 * quality.coverage_50
            ),
        ),
        (
            "error bars",
            format!(
                "{:.3} over the map (root mean square)",
                map.expected_error()
            ),
        ),
    ];
    if quality.coverage_apart.is_finite() {
        let held = format!(
            "{:.1} % inside 95 % intervals when left out with their surroundings, as far from soundings as the map is",
            100.0 * quality.coverage_apart
        );
        lines.push(("", held));
    }
    if let Some(interval) = outcome.interval {
        lines.push((
            "contours",
            format!("{} lines, every {interval}", outcome.contours),
        ));
    }
    for file in &outcome.files {
        lines.push(("wrote", file.display().to_string()));
    }
    if let Some([x, y, value]) = outcome.suspicious.first() {
        let count = match outcome.suspicious.len() {
            1 => "1 sounding".to_string(),
            several => format!("{several} soundings"),
        };
        let made = match outcome.ignored {
            true => "made without; --keep-all follows every sounding",
            false => "made to follow",
        };
        lines.push((
            "look at",
            format!(
                "{count} off by more than eight times the usual error, which the map was {made}; the worst: {value} at \
                 ({x}, {y})"
            ),
        ));
    }
    let doubtful = quality.coverage_apart < TRUSTWORTHY_COVERAGE;
    // Of a dense track, single soundings left out say nothing about the gaps between its lines.
    let misfit = map.method == Method::Exact && !TRUSTED_COVERAGE.contains(&quality.coverage_95);
    if doubtful || misfit {
        lines.push((
            "warning",
            "the error bars do not fit the soundings: take the standard deviations with care"
                .to_string(),
        ));
    }
    lines
        .iter()
        .map(|(name, words)| format!("{name:14} {words}\n"))
        .collect()
}

fn mapped_cells(outcome: &MapOutcome) -> usize {
    outcome.map.mean.iter().filter(|v| v.is_finite()).count()
}

fn as_json(outcome: &MapOutcome) -> serde_json::Value {
    let map = &outcome.map;
    let extent = map.grid.extent;
    let method = match map.method {
        Method::Exact => json!({"name": "exact"}),
        Method::Nearest { points } => json!({"name": "nearest", "points": points}),
    };
    json!({
        "rows": outcome.rows,
        "gaps": outcome.gaps,
        "repeated": outcome.repeated,
        "averaged": outcome.averaged,
        "places": outcome.places,
        "columns": outcome.columns,
        "crs": outcome.crs.to_string(),
        "grid": {
            "rows": map.grid.rows,
            "columns": map.grid.columns,
            "cell_m": map.grid.cell_m,
            "extent": [extent.xmin(), extent.ymin(), extent.xmax(), extent.ymax()],
            "mapped": mapped_cells(outcome),
        },
        "kernels": outcome.kernels,
        "trained_on": map.trained_on,
        "noise_stds": map.noise_stds,
        "method": method,
        "leave_one_out": {
            "rmse": map.quality.rmse,
            "coverage_50": map.quality.coverage_50,
            "coverage_95": map.quality.coverage_95,
            "coverage_95_apart": map.quality.coverage_apart,
            "log_density": map.quality.log_density,
        },
        "suspicious": {"ignored": outcome.ignored, "soundings": outcome.suspicious},
        "expected_error": map.expected_error(),
        "interval": outcome.interval,
        "contours": outcome.contours,
        "files": outcome.files,
    })
}

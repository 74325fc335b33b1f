//! `transect map`.

use crate::Failure;
use crate::progress::SweepBar;
use crate::soundings::{LogFlags, lines_about};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use transect::map::{MapSettings, Method};
use transect::settings::KernelChoice;
use transect::surrogate::TRUSTWORTHY_COVERAGE;
use transect_io::atomic::Existing;
use transect_io::soundings::Quantity;
use transect_survey::map::{MapOutcome, MapRequest, News, map};

/// Leave-one-out coverage of 95 % intervals outside of this means that the error bars cannot be trusted.
const TRUSTED_COVERAGE: std::ops::RangeInclusive<f64> = 0.90..=0.99;

/// `transect map`
#[derive(Debug, Args)]
#[command(after_help = "\
Columns are recognised by their usual names: x y z, lon lat depth, easting northing elevation. \
Longitude and latitude are projected to the right UTM zone.\n\n\
Besides MAP.tif (band 1: mean, band 2: standard deviation) it writes MAP.contours.geojson, MAP.contours.dxf, MAP.gpkg \
(contours, area), MAP.storage.csv (water by level), MAP.flagged.csv, MAP.png and MAP.report.html.")]
pub(crate) struct Map {
    #[command(flatten)]
    log: LogFlags,
    /// The GeoTIFF to write
    #[arg(long, value_name = "MAP.tif")]
    out: PathBuf,
    /// Clip to the polygons of a file (.geojson, .kml, .gpkg, .shp), and map all that is inside
    #[arg(long, value_name = "FILE")]
    area: Option<PathBuf>,
    /// Depth (or height) along the outlines of the area, islands too, as if measured there
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    shore_depth: Option<f64>,
    /// Side of a cell [default: about half the distance between soundings]
    #[arg(long, value_name = "METRES")]
    cell: Option<f64>,
    /// Value between contours [default: 10 to 25 of them]
    #[arg(long, value_name = "STEP")]
    interval: Option<f64>,
    /// How far from soundings to map [default: four times the median distance, inside their hull]
    #[arg(long, value_name = "METRES")]
    reach: Option<f64>,
    /// Map the whole rectangle, not only what is near soundings
    #[arg(long)]
    fill: bool,
    /// Kernel [default: ak and matern12, pooled]
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
    /// Decides all random numbers
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,
    /// Write over files that are there
    #[arg(long)]
    force: bool,
}

/// Maps with a greater share of guesses are warned of.
const FAR: f64 = 0.1;

impl Map {
    pub(crate) fn run(self, quiet: bool, json: bool) -> Result<(), Failure> {
        let request = self.request()?;
        let bar = SweepBar::new("map", quiet);
        let outcome = map(&request, &|news| match news {
            News::Begins(outlook) => bar.say(&outlook.to_string()),
            News::Done(share) => bar.show_share(share),
        });
        bar.finish();
        let outcome = outcome?;
        if json {
            println!("{}", as_json(&outcome));
        } else {
            print!("{}", as_text(&outcome));
        }
        Ok(())
    }

    fn request(self) -> Result<MapRequest, Failure> {
        let mut settings = MapSettings {
            cell_m: self.cell,
            fill: self.fill,
            ignore_outliers: !self.log.keep_all,
            seed: self.seed,
            ..MapSettings::default()
        };
        if let Some(name) = &self.kernel {
            settings.kernels = vec![KernelChoice::named(name)];
        }
        if let Some(reach) = self
            .reach
            .filter(|reach| !(*reach > 0.0 && reach.is_finite()))
        {
            return Err(Failure::Request(format!(
                "--reach is {reach}: a positive number of metres is needed"
            )));
        }
        Ok(MapRequest {
            log: self.log.request()?,
            area: self.area,
            shore: self.shore_depth,
            reach_m: self.reach,
            interval: self.interval,
            out: self.out,
            existing: if self.force {
                Existing::Replace
            } else {
                Existing::Keep
            },
            settings,
        })
    }
}

fn as_text(outcome: &MapOutcome) -> String {
    let map = &outcome.map;
    let quality = &map.quality;
    let mut lines = lines_about(&outcome.log);
    lines.push((
        "places",
        format!(
            "{} different ones; {} dropped (repeated), {} averaged (same place)",
            outcome.places, outcome.repeated, outcome.averaged
        ),
    ));
    if let Some(area) = outcome.area_m2 {
        let shore = match outcome.shore {
            0 => String::new(),
            count => format!("; {count} places along its shore count as measured"),
        };
        let bank = map.bank.map_or(String::new(), |bank| {
            format!(
                ", from where the bed falls by {:.1}, most of it within {:.0} m",
                bank.fall.abs(),
                bank.reach_m
            )
        });
        lines.push((
            "area",
            format!("{:.0} m\u{b2} inside the outlines{shore}{bank}", area),
        ));
    }
    lines.extend([
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
    ]);
    if quality.coverage_apart.is_finite() {
        let held = format!(
            "{:.1} % inside 95 % intervals when left out with their surroundings, as far from soundings as the map is",
            100.0 * quality.coverage_apart
        );
        lines.push(("", held));
    }
    if let Some(full) = outcome
        .storage
        .as_ref()
        .and_then(|storage| storage.rows.first())
    {
        let [low, high] = full.volume_95;
        let water = if outcome.log.soundings.quantity == Quantity::Depth {
            String::new()
        } else {
            format!(" with the water at {} m", full.level)
        };
        lines.push((
            "water",
            format!(
                "{:.0} m\u{b3} (95 %: {low:.0} to {high:.0}) over {:.0} m\u{b2}, {:.2} m deep on average{water}",
                full.volume_m3, full.area_m2, full.mean_depth_m
            ),
        ));
        if map.far_share > FAR {
            lines.push((
                "warning",
                format!(
                    "{:.0} % of the area is farther from all soundings than the survey's lines are from each other: there the map \
                     is a guess",
                    100.0 * map.far_share
                ),
            ));
        }
        let across_m = full.area_m2.sqrt();
        if full.mean_depth_m > across_m {
            lines.push((
                "warning",
                format!(
                    "this water would be {:.0} m deep and only {across_m:.0} m across: are its depths in another unit? \
                     --unit says which",
                    full.mean_depth_m
                ),
            ));
        }
    }
    if !outcome.crossings.differences.is_empty() {
        lines.push((
            "crossings",
            format!(
                "{}: {:.3} apart (root mean square), 95 % within {:.3}, {:+.3} on average",
                outcome.crossings.differences.len(),
                outcome.crossings.rms(),
                outcome.crossings.quantile(0.95),
                outcome.crossings.mean()
            ),
        ));
    }
    if outcome.crossings.contradict() {
        lines.push((
            "warning",
            format!(
                "lines are usually {:.3} apart where they cross, but soundings scatter by {:.3} along them: was the water level \
                 another (--level), or are clocks or draughts (--latency, --draught) wrong?",
                outcome.crossings.quantile(0.5),
                outcome.crossings.scatter
            ),
        ));
    }
    if !outcome.orders.0.is_empty() {
        let reached = outcome
            .orders
            .1
            .map_or("none".to_string(), |name| format!("order {name}"));
        lines.push((
            "IHO S-44",
            format!("{reached} by vertical uncertainty in 95 % of the map"),
        ));
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
        "rows": outcome.log.soundings.rows,
        "gaps": outcome.log.soundings.gaps,
        "repeated": outcome.repeated,
        "averaged": outcome.averaged,
        "places": outcome.places,
        "columns": outcome.log.soundings.names,
        "quantity": outcome.log.soundings.quantity.column(),
        "crs": outcome.log.located.crs.to_string(),
        "centre": outcome.log.located.centre,
        "notes": outcome.log.notes,
        "set_aside": outcome.log.reasons().into_iter().collect::<std::collections::BTreeMap<_, _>>(),
        "shore": outcome.shore,
        "bank": map.bank.map(|bank| json!({ "fall": bank.fall, "reach_m": bank.reach_m })),
        "area_m2": outcome.area_m2,
        "far_share": map.far_share,
        "storage": outcome.storage.as_ref().map(|storage| storage.rows.iter().map(|row| json!({
            "level": row.level,
            "area_m2": row.area_m2,
            "area_95": row.area_95,
            "volume_m3": row.volume_m3,
            "volume_95": row.volume_95,
            "mean_depth_m": row.mean_depth_m,
        })).collect::<Vec<_>>()),
        "crossings": {
            "count": outcome.crossings.differences.len(),
            "rms": outcome.crossings.rms(),
            "within_95": outcome.crossings.quantile(0.95),
            "mean": outcome.crossings.mean(),
            "scatter": outcome.crossings.scatter,
            "contradict": outcome.crossings.contradict(),
        },
        "s44": outcome.orders.1,
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
        "memory_expected_bytes": outcome.outlook.bytes,
        "files": outcome.files,
    })
}

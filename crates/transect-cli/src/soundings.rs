//! `transect soundings`, and the flags about logs that it shares with `map` and `next`.

use crate::Failure;
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};
use transect_io::Crs;
use transect_io::atomic::{self, Existing};
use transect_io::soundings::{Columns, LevelTable, Quantity, Unit};
use transect_survey::soundings::{
    Corrections, Exclusion, Level, Log, LogRequest, USUAL_SPEED_MPS, csv, flagged_csv,
};

/// What is said about logs, whatever is made of them.
#[derive(Debug, Args)]
pub(crate) struct LogFlags {
    /// Logs (CSV and kin, NMEA 0183, GPX; gz, xz, zip), or folders of them
    #[arg(value_name = "FILES", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Column of x or longitude: its name, or its number from 1 on
    #[arg(long, value_name = "COL", help_heading = COLUMNS)]
    x: Option<String>,
    /// Column of y or latitude
    #[arg(long, value_name = "COL", help_heading = COLUMNS)]
    y: Option<String>,
    /// Column of what was measured (GPX: the element; NMEA: DPT, DBT, DBS or DBK)
    #[arg(long, value_name = "COL", help_heading = COLUMNS)]
    value: Option<String>,
    /// Column of the time
    #[arg(long, value_name = "COL", help_heading = COLUMNS)]
    time_column: Option<String>,
    /// Unit of the value: m, cm, ft, fathoms [default: as its name says, or m]
    #[arg(long, value_name = "UNIT", help_heading = COLUMNS)]
    unit: Option<Unit>,
    /// What the value is: depth, elevation, other [default: as its name says]
    #[arg(long, value_name = "WHAT", help_heading = COLUMNS)]
    quantity: Option<Quantity>,
    /// What x and y are; with longitude and latitude, the system in metres to use
    #[arg(long, value_name = "EPSG:n", help_heading = COLUMNS)]
    crs: Option<Crs>,
    /// Make the values depth or elevation
    #[arg(long = "as", value_name = "WHAT", help_heading = CORRECTIONS)]
    convert_to: Option<Quantity>,
    /// Depth of the transducer below the water, m
    #[arg(long, value_name = "METRES", help_heading = CORRECTIONS, default_value = "0", hide_default_value = true)]
    draught: f64,
    /// Speed of sound in the water, and the one the sonar assumed [default: 1500], m/s
    #[arg(long, value_name = "ACTUAL[/ASSUMED]", help_heading = CORRECTIONS)]
    sound_speed: Option<String>,
    /// How much later than its depth a place was written, s
    #[arg(long, value_name = "SECONDS", help_heading = CORRECTIONS, default_value = "0", hide_default_value = true, allow_negative_numbers = true)]
    latency: f64,
    /// Water level: metres, or a table by date, by time, or by time of day
    #[arg(long, value_name = "METRES|TABLE", help_heading = CORRECTIONS, allow_negative_numbers = true)]
    level: Option<String>,
    /// Level that depths are to be below, on the gauge's scale, m
    #[arg(long, value_name = "METRES", help_heading = CORRECTIONS, default_value = "0", allow_negative_numbers = true)]
    datum: f64,
    /// Hours from the log's clock to the table's: 2 where the log has UTC and the gauge UTC+2
    #[arg(long, value_name = "HOURS", help_heading = CORRECTIONS, default_value = "0", hide_default_value = true, allow_negative_numbers = true)]
    level_shift: f64,
    /// Set aside what is below this
    #[arg(long, value_name = "VALUE", help_heading = CLEANING, allow_negative_numbers = true)]
    min: Option<f64>,
    /// Set aside what is above this
    #[arg(long, value_name = "VALUE", help_heading = CLEANING, allow_negative_numbers = true)]
    max: Option<f64>,
    /// Set aside what is inside a polygon (.geojson, .kml, .gpkg, .shp), lines of the log (120-150,300), or rows of a file
    /// that this program wrote (.csv)
    #[arg(long, value_name = "WHAT", help_heading = CLEANING)]
    exclude: Vec<Exclusion>,
    /// Keep suspicious soundings
    #[arg(long, help_heading = CLEANING)]
    pub(crate) keep_all: bool,
}

const COLUMNS: &str = "What is in the files";
const CORRECTIONS: &str = "Corrections";
const CLEANING: &str = "Cleaning";

impl LogFlags {
    /// The request that the flags make.
    pub(crate) fn request(&self) -> Result<LogRequest, Failure> {
        let sound_speed = match &self.sound_speed {
            None => None,
            Some(text) => Some(speeds(text).ok_or_else(|| {
                Failure::Request(format!(
                    "--sound-speed is `{text}`: speeds of sound in water lie between 1300 and 1700 m/s, such as 1468 or 1468/1500"
                ))
            })?),
        };
        let unit = self.unit.unwrap_or_default();
        let level = match &self.level {
            None => None,
            Some(text) => Some(match text.parse::<f64>() {
                Ok(level) => Level::Constant(level * unit.in_metres()),
                Err(_) => Level::Table(LevelTable::read(Path::new(text), Unit::Metre)?),
            }),
        };
        Ok(LogRequest {
            files: self.files.clone(),
            columns: Columns {
                x: self.x.clone(),
                y: self.y.clone(),
                value: self.value.clone(),
                time: self.time_column.clone(),
                unit: self.unit,
                quantity: self.quantity,
            },
            crs: self.crs,
            corrections: Corrections {
                draught_m: self.draught,
                sound_speed,
                latency_s: self.latency,
                level,
                datum_m: self.datum,
                level_shift_s: 3600.0 * self.level_shift,
            },
            convert_to: self.convert_to,
            limits: [self.min, self.max],
            exclusions: self.exclude.clone(),
            keep_all: self.keep_all,
        })
    }
}

fn speeds(text: &str) -> Option<[f64; 2]> {
    let usual = USUAL_SPEED_MPS.to_string();
    let (actual, assumed) = text.split_once('/').unwrap_or((text, &usual));
    let speeds = [
        actual.trim().parse::<f64>().ok()?,
        assumed.trim().parse::<f64>().ok()?,
    ];
    speeds
        .iter()
        .all(|speed| (1300.0..1700.0).contains(speed))
        .then_some(speeds)
}

/// `transect soundings`
#[derive(Debug, Args)]
#[command(after_help = "\
Writes longitude, latitude, depth_m (positive downwards) or elevation_m (positive upwards), time, source and line of every \
sounding that can be used, and those set aside with the reason to CLEAN.flagged.csv.")]
pub(crate) struct SoundingsCommand {
    #[command(flatten)]
    log: LogFlags,
    /// The table to write
    #[arg(long, value_name = "CLEAN.csv")]
    out: PathBuf,
    /// Write over files that are there
    #[arg(long)]
    force: bool,
}

impl SoundingsCommand {
    pub(crate) fn run(self, json: bool) -> Result<(), Failure> {
        let existing = if self.force {
            Existing::Replace
        } else {
            Existing::Keep
        };
        let flagged = self.out.with_extension("flagged.csv");
        for path in [&self.out, &flagged] {
            if existing == Existing::Keep && path.exists() {
                return Err(transect_io::IoError::Exists { path: path.clone() }.into());
            }
        }
        let log = self.log.request()?.prepare()?;
        atomic::write(&self.out, csv(&log).as_bytes(), existing)?;
        atomic::write(&flagged, flagged_csv(&log).as_bytes(), existing)?;
        if json {
            println!("{}", as_json(&log, [&self.out, &flagged]));
        } else {
            for (name, words) in lines_about(&log) {
                println!("{name:14} {words}");
            }
            println!("{:14} {}", "wrote", self.out.display());
            println!("{:14} {}", "", flagged.display());
        }
        Ok(())
    }
}

/// What there is to say about logs that were read.
pub(crate) fn lines_about(log: &Log) -> Vec<(&'static str, String)> {
    let soundings = &log.soundings;
    let [x, y, value] = &soundings.names;
    let mut lines = vec![(
        "rows",
        format!(
            "{} read, {} skipped (a number is missing)",
            soundings.rows, soundings.gaps
        ),
    )];
    if soundings.files.len() > 1 {
        lines.push((
            "files",
            format!("{}: {}", soundings.files.len(), shortened(&soundings.files)),
        ));
    }
    lines.push((
        "columns",
        format!("{value} at ({x}, {y}); {}", soundings.quantity.convention()),
    ));
    lines.push((
        "coordinates",
        match (log.located.crs, log.located.centre) {
            (Crs::Local, _) => "metres of an unknown origin; say which with --crs".to_string(),
            (crs, Some(centre)) => format!(
                "{crs}, around longitude {:.5}, latitude {:.5}",
                centre.lon_deg, centre.lat_deg
            ),
            (crs, None) => format!("{crs}, whose places on the earth are not known here"),
        },
    ));
    lines.extend(log.notes.iter().map(|note| ("note", note.clone())));
    if !log.flags.is_empty() {
        let reasons: Vec<String> = log
            .reasons()
            .iter()
            .map(|(word, count)| format!("{count} {word}"))
            .collect();
        lines.push((
            "set aside",
            format!(
                "{} of {} soundings: {}",
                log.flags.len(),
                soundings.values.len(),
                reasons.join(", ")
            ),
        ));
        let first = log.flags[0];
        let worst = format!(
            "first: {} at {}: {}",
            soundings.values[first.index],
            soundings.origin(first.index),
            first.reason
        );
        lines.push(("", worst));
    }
    lines
}

fn shortened(names: &[String]) -> String {
    match names {
        all if all.len() <= 4 => all.join(", "),
        [first, .., last] => format!("{first} to {last}"),
        _ => String::new(),
    }
}

fn as_json(log: &Log, files: [&PathBuf; 2]) -> serde_json::Value {
    let soundings = &log.soundings;
    json!({
        "rows": soundings.rows,
        "gaps": soundings.gaps,
        "soundings": soundings.values.len(),
        "kept": soundings.values.len() - log.flags.len(),
        "columns": soundings.names,
        "quantity": soundings.quantity.column(),
        "crs": log.located.crs.to_string(),
        "centre": log.located.centre,
        "notes": log.notes,
        "set_aside": log.reasons().into_iter().collect::<std::collections::BTreeMap<_, _>>(),
        "files": files,
    })
}

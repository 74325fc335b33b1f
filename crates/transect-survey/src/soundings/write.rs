//! Soundings as a table that every program reads, and so does this one.
//!
//! `lon,lat,depth_m,time,source,line`: longitude and latitude on WGS 84 where the place on the earth is known, otherwise
//! `x,y`; the name of the value says unit and direction.

use super::Log;
use std::fmt::Write;
use transect::geometry::Position;
use transect_io::soundings::{Clock, iso8601, time_words};

/// The soundings that are used.
#[must_use]
pub fn csv(log: &Log) -> String {
    table(log, &log.kept(), |_| String::new(), "")
}

/// Those that were set aside, and why.
#[must_use]
pub fn flagged_csv(log: &Log) -> String {
    let indices: Vec<usize> = log.flags.iter().map(|flag| flag.index).collect();
    let why = |row: usize| {
        let reason = log.flags[row].reason;
        format!(",{},\"{reason}\"", reason.word())
    };
    table(log, &indices, why, ",reason,why")
}

fn table(log: &Log, indices: &[usize], more: impl Fn(usize) -> String, header: &str) -> String {
    let soundings = &log.soundings;
    let earth = log.located.centre.is_some();
    let (x, y) = if earth { ("lon", "lat") } else { ("x", "y") };
    let mut text = format!(
        "{x},{y},{},time,source,line{header}\n",
        soundings.quantity.column()
    );
    for (row, index) in indices.iter().copied().enumerate() {
        let [x, y] = log.located.metres[index];
        let place = match log.located.crs.lon_lat(Position::new(x, y)) {
            Some(place) if earth => format!("{:.8},{:.8}", place.lon_deg, place.lat_deg),
            _ if x.is_nan() => {
                let [x, y] = soundings.places[index];
                format!("{x},{y}")
            }
            _ => format!("{x},{y}"),
        };
        let time = soundings.times[index];
        let time = match soundings.clock {
            _ if time.is_nan() => String::new(),
            Clock::None => String::new(),
            Clock::Dated => iso8601(time),
            Clock::TimeOfDay => time_words(Clock::TimeOfDay, time),
            Clock::Elapsed => time.to_string(),
        };
        let source = soundings
            .files
            .get(usize::from(soundings.sources[index]))
            .map_or("", String::as_str);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{place},{},{time},{},{}{}",
            rounded(soundings.values[index]),
            source.replace(',', "_"),
            soundings.lines[index],
            more(row)
        );
    }
    text
}

/// To a tenth of a millimetre: corrections leave more digits than anybody measured.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

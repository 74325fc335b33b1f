//! GPX tracks whose points carry a depth, as chartplotters and sonars write it in their extensions.
//!
//! Any element called `depth` (or as the user says) inside a point counts, whatever its namespace:
//! `<gpxtpx:depth>`, `<gpxx:Depth>`, `<extensions><depth>`.

use super::clock::{Clock, DateOrder, moment};
use super::units::{Quantity, Unit};
use super::{Columns, Record, Soundings};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::io::{self, BufRead, Read};

/// No text of a track is longer, bytes.
const LONGEST_TEXT: usize = 1 << 20;
/// Elements that hold a depth.
const DEPTHS: [&str; 4] = ["depth", "waterdepth", "water_depth", "dpt"];

/// Whether the start of a file is GPX.
pub(super) fn is_gpx(start: &str) -> bool {
    start
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with('<')
        && start.contains("<gpx")
}

/// A point of a track while it is read.
#[derive(Default)]
struct Point {
    lon: Option<f64>,
    lat: Option<f64>,
    depth: Option<f64>,
    time: Option<f64>,
}

/// Reads a track.
pub(super) fn read(source: impl BufRead, wanted: &Columns) -> Result<Soundings, String> {
    let mut reader = Reader::from_reader(io::BufReader::new(Bounded { source, since: 0 }));
    let mut found = Soundings::named(["lon", "lat", "depth"].map(String::from), true);
    found.quantity = wanted.quantity.unwrap_or(Quantity::Depth);
    let factor = wanted.unit.map_or(1.0, Unit::in_metres);
    if let Some(name) = &wanted.value {
        found.names[2].clone_from(name);
        if name.eq_ignore_ascii_case("ele") {
            found.quantity = wanted.quantity.unwrap_or(Quantity::Elevation);
        }
    }
    let is_depth = |name: &str| match &wanted.value {
        Some(wanted) => name.eq_ignore_ascii_case(wanted),
        None => DEPTHS.contains(&name.to_ascii_lowercase().as_str()),
    };
    let mut buffer = Vec::new();
    let (mut point, mut element) = (None::<Point>, String::new());
    let (mut points, mut heights) = (0_u64, 0);
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer);
        let at = reader.buffer_position();
        match event
            .map_err(|error| format!("byte {at}: it is not GPX that can be read: {error}"))?
        {
            Event::Start(start) => {
                element = local(&start);
                if is_point(&element) {
                    point = Some(begin(&start));
                }
            }
            Event::Empty(start) if is_point(&local(&start)) => {
                points += 1;
                found.rows += 1;
                found.gaps += 1;
            }
            Event::Text(text) => {
                let text = String::from_utf8_lossy(&text).trim().to_string();
                if let Some(point) = &mut point {
                    heights += usize::from(element == "ele");
                    if is_depth(&element) {
                        point.depth = text.parse().ok().filter(|d: &f64| d.is_finite());
                    } else if element == "time" {
                        let read = moment(&text, DateOrder::MonthFirst).ok().flatten();
                        point.time = read.filter(|m| m.clock == Clock::Dated).map(|m| m.seconds);
                    }
                }
            }
            Event::End(end) => {
                element.clear();
                if is_point(&String::from_utf8_lossy(end.local_name().as_ref()))
                    && let Some(point) = point.take()
                {
                    points += 1;
                    found.rows += 1;
                    if let (Some(lon), Some(lat), Some(depth)) = (point.lon, point.lat, point.depth)
                    {
                        found.push(Record {
                            place: [lon, lat],
                            value: depth * factor,
                            time: point.time.unwrap_or(f64::NAN),
                            line: points,
                        });
                    } else {
                        found.gaps += 1;
                    }
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if found.values.is_empty() {
        let also = if heights > 0 {
            "; --value ele takes their elevations"
        } else {
            ""
        };
        return Err(format!(
            "none of its {points} points has a depth: an element `depth` inside each point is needed{also}"
        ));
    }
    if found.times.iter().any(|time| time.is_finite()) {
        found.clock = Clock::Dated;
    }
    found.notes.push(format!(
        "GPX: {} of {points} points have a depth",
        found.values.len()
    ));
    Ok(found)
}

fn local(start: &BytesStart<'_>) -> String {
    String::from_utf8_lossy(start.local_name().as_ref()).into_owned()
}

fn is_point(name: &str) -> bool {
    matches!(name, "trkpt" | "rtept" | "wpt")
}

fn begin(start: &BytesStart<'_>) -> Point {
    let attribute = |name: &str| {
        let mut attributes = start.attributes().flatten();
        let found = attributes.find(|a| a.key.as_ref() == name.as_bytes())?;
        let number: f64 = String::from_utf8_lossy(&found.value).trim().parse().ok()?;
        number.is_finite().then_some(number)
    };
    Point {
        lon: attribute("lon"),
        lat: attribute("lat"),
        ..Point::default()
    }
}

/// Refuses texts that no track has: the reader keeps each whole.
struct Bounded<R> {
    source: R,
    /// Bytes since the last tag began.
    since: usize,
}

impl<R: BufRead> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        let last = buffer[..count].iter().rposition(|byte| *byte == b'<');
        self.since = last.map_or(self.since + count, |at| count - at);
        if self.since > LONGEST_TEXT {
            return Err(io::Error::other(format!(
                "a text is longer than {} KiB",
                LONGEST_TEXT >> 10
            )));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACK: &str = r#"<?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"
        xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"><trk><trkseg>
        <trkpt lat="53.1618" lon="8.639355"><ele>1.5</ele><time>2021-08-26T09:39:54Z</time><extensions>
          <gpxtpx:TrackPointExtension><gpxtpx:depth>3.25</gpxtpx:depth></gpxtpx:TrackPointExtension></extensions></trkpt>
        <trkpt lat="53.1619" lon="8.6394"><ele>1.25</ele></trkpt><trkpt lat="1" lon="2"/>
        </trkseg></trk></gpx>"#;

    #[test]
    fn depths_in_extensions_are_found() {
        assert!(is_gpx(TRACK));
        let found = read(TRACK.as_bytes(), &Columns::default()).unwrap();
        assert_eq!(
            (found.places[0], found.values[0]),
            ([8.639_355, 53.1618], 3.25)
        );
        assert_eq!(
            (found.rows, found.gaps, found.times[0]),
            (3, 2, 1_629_970_794.0)
        );
        let heights = Columns {
            value: Some("ele".into()),
            ..Columns::default()
        };
        let found = read(TRACK.as_bytes(), &heights).unwrap();
        assert_eq!(
            (found.values.as_slice(), found.quantity),
            (&[1.5, 1.25][..], Quantity::Elevation)
        );
    }

    #[test]
    fn tracks_without_depths_are_refused_with_advice() {
        let bare = TRACK.replace("depth", "temp");
        let refused = read(bare.as_bytes(), &Columns::default()).unwrap_err();
        assert!(
            refused.contains("3 points") && refused.contains("--value ele"),
            "{refused}"
        );
        let long = format!("<gpx>{}", "x".repeat(LONGEST_TEXT + 100_000));
        assert!(
            read(long.as_bytes(), &Columns::default())
                .unwrap_err()
                .contains("longer than")
        );
    }
}

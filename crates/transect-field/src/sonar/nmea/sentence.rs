//! What a sentence says.

use nmea::sentences::FixType;
use nmea::sentences::rmc::RmcStatusOfFix;
use nmea::{ParseResult, SentenceType};

use crate::GeoPosition;
use crate::sonar::DepthSource;

const METRES_PER_FOOT: f64 = 0.3048;
const METRES_PER_FATHOM: f64 = 1.8288;
const MPS_PER_KNOT: f64 = 1852.0 / 3600.0;

/// What a sentence says, as far as it is wanted here.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Said {
    /// A depth below the transducer, m.
    Depth(DepthSource, f64),
    /// A place, with the time of day, s, and speed and course where they are known.
    Place {
        day_s: Option<f64>,
        position: GeoPosition,
        speed_mps: Option<f64>,
        course_deg: Option<f64>,
    },
    /// The receiver has no fix.
    NoPlace,
}

/// Reads one line from its `$`. `None` for wrong checksums, other sentences, and empty ones.
pub(super) fn read(line: &str) -> Option<Said> {
    if !line.is_ascii() {
        return None;
    }
    match nmea::parse_str(line).ok()? {
        ParseResult::DPT(data) => depth(DepthSource::NmeaDpt, data.water_depth),
        ParseResult::GGA(data) => {
            let blind = matches!(
                data.fix_type,
                None | Some(FixType::Invalid | FixType::Estimated)
            );
            if blind {
                return Some(Said::NoPlace);
            }
            place(
                data.latitude,
                data.longitude,
                day_s(data.fix_time),
                None,
                None,
            )
        }
        ParseResult::RMC(data) => {
            if data.status_of_fix == RmcStatusOfFix::Invalid {
                return Some(Said::NoPlace);
            }
            let speed_mps = data
                .speed_over_ground
                .map(|knots| f64::from(knots) * MPS_PER_KNOT);
            let course_deg = data.true_course.map(f64::from);
            place(
                data.lat,
                data.lon,
                day_s(data.fix_time),
                speed_mps,
                course_deg,
            )
        }
        // The library knows this sentence by name only; it has checked the sum.
        ParseResult::Unsupported(SentenceType::DBT) => depth(DepthSource::NmeaDbt, dbt_m(line)),
        _ => None,
    }
}

/// `$--DBT,feet,f,metres,M,fathoms,F*hh`: any of the three may be empty.
fn dbt_m(line: &str) -> Option<f64> {
    let data = line.split_once('*')?.0;
    let mut fields = data.split(',').skip(1);
    let [feet, _, metres, _, fathoms] = std::array::from_fn(|_| fields.next());
    let in_metres = |text: Option<&str>, unit_m: f64| {
        let value: f64 = text?.parse().ok()?;
        Some(value * unit_m)
    };
    in_metres(metres, 1.0)
        .or_else(|| in_metres(feet, METRES_PER_FOOT))
        .or_else(|| in_metres(fathoms, METRES_PER_FATHOM))
}

fn depth(source: DepthSource, depth_m: Option<f64>) -> Option<Said> {
    let depth_m = depth_m.filter(|depth_m| depth_m.is_finite())?;
    Some(Said::Depth(source, depth_m))
}

fn place(
    lat_deg: Option<f64>,
    lon_deg: Option<f64>,
    day_s: Option<f64>,
    speed_mps: Option<f64>,
    course_deg: Option<f64>,
) -> Option<Said> {
    let position = GeoPosition::new(lat_deg?, lon_deg?);
    Some(match position.is_plausible() {
        true => Said::Place {
            day_s,
            position,
            speed_mps: speed_mps.filter(|speed| speed.is_finite()),
            course_deg: course_deg.filter(|course| course.is_finite()),
        },
        false => Said::NoPlace,
    })
}

fn day_s(time: Option<chrono::NaiveTime>) -> Option<f64> {
    use chrono::Timelike;
    let time = time?;
    Some(f64::from(time.num_seconds_from_midnight()) + f64::from(time.nanosecond()) * 1e-9)
}

#[cfg(test)]
mod tests {
    use super::{Said, read};
    use crate::sonar::DepthSource;

    /// DPT and DBT as pynmea2 writes them; GGA and RMC as in the descriptions of the standard by gpsd.
    #[test]
    fn sentences_of_other_programs_are_read() {
        let dpt = read("$SDDPT,15.2,0.5*64");
        assert_eq!(dpt, Some(Said::Depth(DepthSource::NmeaDpt, 15.2)));
        let dbt = read("$SDDBT,7.8,f,2.4,M,1.3,F*0D");
        assert_eq!(dbt, Some(Said::Depth(DepthSource::NmeaDbt, 2.4)));
        let Some(Said::Place {
            day_s, position, ..
        }) = read("$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47")
        else {
            panic!("no place")
        };
        assert_eq!(day_s, Some(12.0 * 3600.0 + 35.0 * 60.0 + 19.0));
        assert!((position.lat_deg - (48.0 + 7.038 / 60.0)).abs() < 1e-9);
        assert!((position.lon_deg - (11.0 + 31.0 / 60.0)).abs() < 1e-9);
        let Some(Said::Place {
            speed_mps,
            course_deg,
            ..
        }) = read("$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A")
        else {
            panic!("no place")
        };
        assert!((speed_mps.unwrap() - 22.4 * 0.514_444).abs() < 1e-3);
        assert!((course_deg.unwrap() - 84.4).abs() < 1e-4);
    }

    #[test]
    fn wrong_sums_and_empty_fields_say_nothing() {
        assert_eq!(read("$SDDPT,15.2,0.5*65"), None);
        assert_eq!(read("$SDDBT,,f,,M,,F*28"), None);
        assert_eq!(
            read("$GPGGA,123519,,,,,0,00,,,M,,M,,*6B"),
            Some(Said::NoPlace)
        );
    }
}

//! GeoKeys: numbers in a directory of their own that name a coordinate system.
//!
//! The directory is a list of u16: a header (version 1, revision 1.0, number of keys), then for each key its number,
//! where its value is (0: here), how many values, and the value.

use crate::crs::{Crs, Datum, Zone};

const MODEL_TYPE: u16 = 1024;
const RASTER_TYPE: u16 = 1025;
const GEOGRAPHIC_CRS: u16 = 2048;
const ANGULAR_UNIT: u16 = 2054;
const PROJECTED_CRS: u16 = 3072;
const LINEAR_UNIT: u16 = 3076;
/// Keys that spell a system out.
const CITATION: u16 = 1026;
const GEOGRAPHIC_CITATION: u16 = 2049;
const PROJECTED_CITATION: u16 = 3073;
const PROJECTION: u16 = 3074;
const TRANSFORMATION: u16 = 3075;
const ORIGIN_LONGITUDE: u16 = 3080;
const FALSE_EASTING: u16 = 3082;
const FALSE_NORTHING: u16 = 3083;
const ORIGIN_SCALE: u16 = 3092;
const TRANSVERSE_MERCATOR: u16 = 1;
/// Tags that keys refer to.
const GEO_NUMBERS: u16 = 34736;
const GEO_WORDS: u16 = 34737;

/// The value of a key whose meaning other keys spell out.
const USER_DEFINED: u16 = 32767;
const MODEL_PROJECTED: u16 = 1;
const MODEL_GEOGRAPHIC: u16 = 2;
const PIXEL_IS_AREA: u16 = 1;
const PIXEL_IS_POINT: u16 = 2;
const DEGREE: u16 = 9102;
const METRE: u16 = 9001;

/// The directory for values that are means over cells in this system; none for local metres.
pub(super) fn encode(crs: Crs) -> Option<Vec<u16>> {
    let code = crs.epsg()?;
    let (model, system, unit) = match crs {
        Crs::Geographic(_) => (MODEL_GEOGRAPHIC, GEOGRAPHIC_CRS, (ANGULAR_UNIT, DEGREE)),
        _ => (MODEL_PROJECTED, PROJECTED_CRS, (LINEAR_UNIT, METRE)),
    };
    let keys = [
        (MODEL_TYPE, model),
        (RASTER_TYPE, PIXEL_IS_AREA),
        (system, code),
        unit,
    ];
    let header = [1, 1, 0, keys.len() as u16];
    let entries = keys.into_iter().flat_map(|(key, value)| [key, 0, 1, value]);
    Some(header.into_iter().chain(entries).collect())
}

/// What a directory says.
#[derive(Debug, Default)]
pub(super) struct Keys {
    pub(super) crs: Crs,
    /// Values are heights at points, the centres of cells, and the file places those.
    pub(super) pixel_is_point: bool,
}

/// What keys refer to: words, separated by `|`, and numbers.
#[derive(Debug, Default)]
pub(super) struct Parameters {
    pub(super) words: String,
    pub(super) numbers: Vec<f64>,
}

impl Keys {
    /// Reads a directory. One that is missing or empty names no system.
    pub(super) fn decode(directory: &[f64], parameters: &Parameters) -> Result<Self, String> {
        let entries = directory.get(4..).unwrap_or_default().chunks_exact(4);
        let entry = |wanted: u16| entries.clone().find(|e| e[0] == f64::from(wanted));
        let value = |wanted: u16| {
            let found = entry(wanted).filter(|e| e[1] == 0.0);
            found.map(|entry| entry[3] as u16)
        };
        let citation = |wanted: u16| {
            let found = entry(wanted).filter(|e| e[1] == f64::from(GEO_WORDS))?;
            let (start, count) = (found[3] as usize, found[2] as usize);
            parameters
                .words
                .get(start..start.checked_add(count)?.min(parameters.words.len()))
        };
        let number = |wanted: u16| {
            let found = entry(wanted).filter(|e| e[1] == f64::from(GEO_NUMBERS))?;
            parameters.numbers.get(found[3] as usize).copied()
        };
        let crs = match (
            value(PROJECTED_CRS),
            value(GEOGRAPHIC_CRS),
            value(MODEL_TYPE),
        ) {
            (Some(code), _, _) if code != USER_DEFINED => projected(code)?,
            (_, Some(code), Some(MODEL_GEOGRAPHIC)) if code != USER_DEFINED => geographic(code)?,
            (_, _, Some(MODEL_PROJECTED)) => {
                let names: Vec<&str> = [PROJECTED_CITATION, CITATION, GEOGRAPHIC_CITATION]
                    .into_iter()
                    .filter_map(citation)
                    .collect();
                let datum = datum(value(GEOGRAPHIC_CRS), &names);
                let zone = value(PROJECTION)
                    .and_then(zone_of_code)
                    .or_else(|| names.iter().find_map(|name| zone_of_name(name)))
                    .or_else(|| {
                        (value(TRANSFORMATION) == Some(TRANSVERSE_MERCATOR)).then_some(())?;
                        zone_of_numbers(
                            number(ORIGIN_LONGITUDE)?,
                            number(ORIGIN_SCALE)?,
                            number(FALSE_EASTING)?,
                            number(FALSE_NORTHING)?,
                        )
                    });
                match (datum, zone) {
                    (Some(datum), Some(zone)) => Crs::Utm(datum, zone),
                    _ => {
                        return Err(format!(
                            "its coordinate system is spelt out rather than named by a code ({}), and it is no UTM zone of WGS 84, \
                         ETRS89 or NAD83; `gdalwarp -t_srs EPSG:326zz` with the UTM zone for zz makes one that is",
                            if names.is_empty() {
                                "without words".to_string()
                            } else {
                                format!(
                                    "\u{201c}{}\u{201d}",
                                    names.join("; ").replace('|', " ").trim()
                                )
                            }
                        ));
                    }
                }
            }
            (_, _, Some(MODEL_GEOGRAPHIC)) => {
                let names: Vec<&str> = [GEOGRAPHIC_CITATION, CITATION]
                    .into_iter()
                    .filter_map(citation)
                    .collect();
                Crs::Geographic(datum(None, &names).ok_or(
                    "its longitudes and latitudes are on a datum that is spelt out; `gdalwarp -t_srs EPSG:4326` makes them WGS84's",
                )?)
            }
            _ => Crs::Local,
        };
        let metric = matches!(value(LINEAR_UNIT), None | Some(METRE));
        if !metric && !matches!(crs, Crs::Geographic(_)) {
            return Err("its coordinates are not in metres; `gdalwarp -t_srs EPSG:326zz` with the UTM zone for zz makes them so".into());
        }
        Ok(Self {
            crs,
            pixel_is_point: value(RASTER_TYPE) == Some(PIXEL_IS_POINT),
        })
    }
}

/// The datum of a code for degrees, or of words such as `GCS_WGS_1984`. SIRGAS 2000, and the GRS 80 ellipsoid without a datum,
/// are taken for WGS 84's, as their places agree within two metres.
fn datum(code: Option<u16>, names: &[&str]) -> Option<Datum> {
    match code {
        Some(4326 | 4674) => return Some(Datum::Wgs84),
        Some(4258) => return Some(Datum::Etrs89),
        Some(4269) => return Some(Datum::Nad83),
        Some(USER_DEFINED) | None => {}
        Some(_) => return None,
    }
    let plain = names
        .join(" ")
        .to_ascii_uppercase()
        .replace(['_', ' ', '-'], "");
    let has = |word: &str| plain.contains(word);
    if has("WGS84") || has("WGS1984") || has("SIRGAS2000") {
        Some(Datum::Wgs84)
    } else if has("ETRS89") || has("ETRS1989") {
        Some(Datum::Etrs89)
    } else if has("NAD83") || has("NAD1983") {
        Some(Datum::Nad83)
    } else if has("GRS80") || has("GRS1980") {
        Some(Datum::Wgs84)
    } else {
        None
    }
}

/// 16001 to 16060 are the zones of the north, 16101 to 16160 those of the south.
fn zone_of_code(code: u16) -> Option<Zone> {
    let zone = |number: u16, south| Zone {
        number: number as u8,
        south,
    };
    match code {
        16001..=16060 => Some(zone(code - 16000, false)),
        16101..=16160 => Some(zone(code - 16100, true)),
        _ => None,
    }
}

/// `UTM Zone 25, Southern Hemisphere`, `WGS 84 / UTM zone 43N`, `UTM25S`.
fn zone_of_name(name: &str) -> Option<Zone> {
    let upper = name.to_ascii_uppercase();
    let behind = &upper[upper.find("UTM")? + 3..];
    let digits: String = behind
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    let number: u8 = digits.parse().ok().filter(|n| (1..=60).contains(n))?;
    let after = &behind[behind.find(&digits)? + digits.len()..];
    let south = after.trim_start().starts_with('S') || after.contains("SOUTH");
    Some(Zone { number, south })
}

/// A transverse Mercator projection that is a UTM zone's.
fn zone_of_numbers(meridian: f64, scale: f64, east: f64, north: f64) -> Option<Zone> {
    let number = (meridian + 183.0) / 6.0;
    let is_zone = number.fract() == 0.0
        && (1.0..=60.0).contains(&number)
        && scale == 0.9996
        && east == 500_000.0;
    let south = north == 10_000_000.0;
    (is_zone && (south || north == 0.0)).then_some(Zone {
        number: number as u8,
        south,
    })
}

fn projected(code: u16) -> Result<Crs, String> {
    Crs::from_epsg(code.into())
        .ok_or_else(|| format!("its coordinate system EPSG:{code} is not known; `gdalwarp -t_srs EPSG:326zz` with the UTM zone for zz makes one that is"))
}

fn geographic(code: u16) -> Result<Crs, String> {
    match Crs::from_epsg(code.into()) {
        Some(crs @ Crs::Geographic(_)) => Ok(crs),
        _ => Err(format!(
            "its longitudes and latitudes are those of EPSG:{code}; `gdalwarp -t_srs EPSG:4326` makes them WGS84's"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crs(keys: &[[u16; 4]], words: &str, numbers: &[f64]) -> Result<Crs, String> {
        let header = [1, 1, 0, keys.len() as u16];
        let directory: Vec<f64> = header
            .iter()
            .chain(keys.as_flattened())
            .map(|n| f64::from(*n))
            .collect();
        let parameters = Parameters {
            words: words.into(),
            numbers: numbers.to_vec(),
        };
        Keys::decode(&directory, &parameters).map(|keys| keys.crs)
    }

    #[test]
    fn systems_by_name_and_spelt_out_are_understood() {
        // As in the terrain of Olinda that comes with R's stars: `gdalinfo` reads it as UTM zone 25 south on GRS 80.
        let olinda = "UTM Zone 25, Southern Hemisphere|GCS Name = GRS 1980(IUGG, 1980)|";
        let spelt_out = [
            [1024, 0, 1, 1],
            [1026, GEO_WORDS, 33, 0],
            [2048, 0, 1, USER_DEFINED],
            [2049, GEO_WORDS, 32, 33],
            [3072, 0, 1, USER_DEFINED],
        ];
        assert_eq!(crs(&spelt_out, olinda, &[]).unwrap().epsg(), Some(32725));
        let words = "UTM Zone 25, Southern Hemisphere|WGS 84|";
        let keys = [
            [1024, 0, 1, 1],
            [1025, 0, 1, 1],
            [1026, GEO_WORDS, 33, 0],
            [2048, 0, 1, 4326],
            [2049, GEO_WORDS, 7, 33],
            [3072, 0, 1, USER_DEFINED],
            [3076, 0, 1, METRE],
        ];
        assert_eq!(crs(&keys, words, &[]).unwrap().epsg(), Some(32725));
        let spelt = [
            [1024, 0, 1, 1],
            [2048, 0, 1, 4326],
            [3072, 0, 1, USER_DEFINED],
            [3075, 0, 1, 1],
            [3080, GEO_NUMBERS, 1, 0],
            [3092, GEO_NUMBERS, 1, 1],
            [3082, GEO_NUMBERS, 1, 2],
            [3083, GEO_NUMBERS, 1, 3],
        ];
        assert_eq!(
            crs(&spelt, "", &[15.0, 0.9996, 5e5, 0.0]).unwrap().epsg(),
            Some(32633)
        );
        let other = crs(&spelt, "", &[15.5, 1.0, 2e5, 0.0]).unwrap_err();
        assert!(
            other.contains("spelt out") && other.contains("gdalwarp"),
            "{other}"
        );
        let named = [
            [1024, 0, 1, 1],
            [1026, GEO_WORDS, 13, 0],
            [3072, 0, 1, USER_DEFINED],
        ];
        let message = crs(&named, "British Grid|", &[]).unwrap_err();
        assert!(message.contains("British Grid"), "{message}");
    }
}

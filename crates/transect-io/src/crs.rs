//! Coordinate reference systems: what the two numbers of a place mean.

use crate::geo::GeoPosition;
use crate::projection::{
    inverse_transverse_mercator, inverse_web_mercator, transverse_mercator, web_mercator,
};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use transect::geometry::Position;

/// Beyond this distance from the central meridian a UTM zone is of no use, degrees.
const WIDEST_DEG: f64 = 30.0;
/// Easting of the central meridian of a zone, m.
const FALSE_EASTING_M: f64 = 500_000.0;
/// Northing of the equator in southern zones, m.
const FALSE_NORTHING_M: f64 = 10_000_000.0;
/// Web maps end here, degrees.
const WEB_MERCATOR_LATITUDE_DEG: f64 = 85.06;

/// What the longitudes and latitudes are measured against. The three agree within two metres; no shift
/// between them is applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Datum {
    /// The World Geodetic System, of GPS.
    Wgs84,
    /// Europe's.
    Etrs89,
    /// North America's.
    Nad83,
}

/// A zone of the Universal Transverse Mercator grid, 6 degrees wide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Zone {
    /// 1 (from 180° W) to 60.
    pub number: u8,
    /// Of the southern hemisphere, with northings that count up to 10 000 km at the equator.
    pub south: bool,
}

/// A coordinate reference system.
///
/// ```
/// use transect_io::{Crs, GeoPosition};
/// let here = GeoPosition::new(17.5, 73.5);
/// let utm = Crs::utm_at(here).unwrap();
/// assert_eq!(utm.to_string(), "EPSG:32643");
/// let metres = utm.position(here).unwrap();
/// assert!((metres.x - 340749.567).abs() < 1e-3 && (metres.y - 1935495.847).abs() < 1e-3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Crs {
    /// Metres from an origin that nobody told.
    #[default]
    Local,
    /// Longitude and latitude, degrees.
    Geographic(Datum),
    /// Easting and northing in a UTM zone, m.
    Utm(Datum, Zone),
    /// The plane of web maps: metres at the equator only.
    WebMercator,
    /// Another system in metres, of this EPSG code. It is carried along, but its places on the earth are not known here.
    Other(u16),
}

impl Crs {
    /// Longitude and latitude of WGS84.
    pub const WGS84: Self = Self::Geographic(Datum::Wgs84);

    /// The system of an EPSG code, or `None` if it is not one this program can work in: degrees on another datum,
    /// or no code at all.
    pub fn from_epsg(code: u32) -> Option<Self> {
        let zone = |south| Zone {
            number: (code % 100) as u8,
            south,
        };
        Some(match code {
            4326 => Self::WGS84,
            4258 => Self::Geographic(Datum::Etrs89),
            4269 => Self::Geographic(Datum::Nad83),
            3857 => Self::WebMercator,
            32601..=32660 => Self::Utm(Datum::Wgs84, zone(false)),
            32701..=32760 => Self::Utm(Datum::Wgs84, zone(true)),
            25828..=25838 => Self::Utm(Datum::Etrs89, zone(false)),
            26901..=26923 => Self::Utm(Datum::Nad83, zone(false)),
            // The range that the register keeps for systems in degrees.
            4000..=4999 => return None,
            1024..=32766 => Self::Other(u16::try_from(code).ok()?),
            _ => return None,
        })
    }

    /// The EPSG code, where there is one.
    pub fn epsg(self) -> Option<u16> {
        Some(match self {
            Self::Local => return None,
            Self::Geographic(Datum::Wgs84) => 4326,
            Self::Geographic(Datum::Etrs89) => 4258,
            Self::Geographic(Datum::Nad83) => 4269,
            Self::Utm(Datum::Wgs84, zone) if zone.south => 32700 + u16::from(zone.number),
            Self::Utm(Datum::Wgs84, zone) => 32600 + u16::from(zone.number),
            Self::Utm(Datum::Etrs89, zone) => 25800 + u16::from(zone.number),
            Self::Utm(Datum::Nad83, zone) => 26900 + u16::from(zone.number),
            Self::WebMercator => 3857,
            Self::Other(code) => code,
        })
    }

    /// The UTM zone that a place belongs to, with the exceptions for Norway and Svalbard; `None` near the poles
    /// (south of 80° S, north of 84° N), which have none.
    pub fn utm_at(place: GeoPosition) -> Option<Self> {
        let [lon, lat] = place.lon_lat();
        if !(-80.0..=84.0).contains(&lat) || !(-360.0..=360.0).contains(&lon) {
            return None;
        }
        let lon = (lon + 180.0).rem_euclid(360.0) - 180.0;
        let number = match (lon, lat) {
            (3.0..12.0, 56.0..64.0) => 32,
            (0.0..42.0, 72.0..) => 31 + 2 * ((lon + 3.0) / 12.0) as u8,
            _ => ((lon + 180.0) / 6.0) as u8 + 1,
        };
        let zone = Zone {
            number,
            south: lat < 0.0,
        };
        Some(Self::Utm(Datum::Wgs84, zone))
    }

    /// One unit of both coordinates is a metre on the ground (within the 0.1 % or so that any map projection takes).
    pub fn is_metric(self) -> bool {
        !matches!(self, Self::Geographic(_) | Self::WebMercator)
    }

    /// The coordinates of a place on the earth: x is longitude or easting. `None` where the system does not reach, or
    /// is not known well enough.
    pub fn position(self, place: GeoPosition) -> Option<Position> {
        let [lon, lat] = place.lon_lat();
        if !lon.is_finite() || !(-90.0..=90.0).contains(&lat) {
            return None;
        }
        let (x, y) = match self {
            Self::Local | Self::Other(_) => return None,
            Self::Geographic(_) => (lon, lat),
            Self::WebMercator if lat.abs() > WEB_MERCATOR_LATITUDE_DEG => return None,
            Self::WebMercator => web_mercator(lat.to_radians(), lon.to_radians()),
            Self::Utm(_, zone) => {
                let from_centre = (lon - zone.centre_deg() + 180.0).rem_euclid(360.0) - 180.0;
                if from_centre.abs() > WIDEST_DEG {
                    return None;
                }
                let (east, north) = transverse_mercator(lat.to_radians(), from_centre.to_radians());
                (east + FALSE_EASTING_M, north + zone.false_northing_m())
            }
        };
        Some(Position::new(x, y))
    }

    /// The place on the earth of these coordinates: the inverse of [`Crs::position`].
    pub fn lon_lat(self, at: Position) -> Option<GeoPosition> {
        let (lat, lon) = match self {
            Self::Local | Self::Other(_) => return None,
            Self::Geographic(_) => (at.y, at.x),
            Self::WebMercator => {
                let (lat, lon) = inverse_web_mercator(at.x, at.y);
                (lat.to_degrees(), lon.to_degrees())
            }
            Self::Utm(_, zone) => {
                let north = at.y - zone.false_northing_m();
                let (lat, lon) = inverse_transverse_mercator(at.x - FALSE_EASTING_M, north);
                if lon.to_degrees().abs() > WIDEST_DEG {
                    return None;
                }
                (lat.to_degrees(), lon.to_degrees() + zone.centre_deg())
            }
        };
        let known = (-90.0..=90.0).contains(&lat) && lon.abs() <= 360.0;
        known.then_some(GeoPosition::new(lat, lon))
    }
}

impl Zone {
    fn centre_deg(self) -> f64 {
        f64::from(self.number) * 6.0 - 183.0
    }

    fn false_northing_m(self) -> f64 {
        if self.south { FALSE_NORTHING_M } else { 0.0 }
    }
}

impl fmt::Display for Crs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.epsg() {
            Some(code) => write!(f, "EPSG:{code}"),
            None => f.write_str("local"),
        }
    }
}

impl From<Crs> for String {
    fn from(crs: Crs) -> Self {
        crs.to_string()
    }
}

/// `EPSG:32643`, `32643`, or `local`.
impl FromStr for Crs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("local") {
            return Ok(Self::Local);
        }
        let code = match text.split_once(':') {
            Some((authority, code)) if authority.eq_ignore_ascii_case("epsg") => code,
            _ => text,
        };
        let code = code.trim().parse().ok().and_then(Self::from_epsg);
        code.ok_or_else(|| {
            format!(
                "`{text}` is no coordinate system known here; accepted are EPSG:4326 (longitude and latitude), \
                 EPSG:326zz and EPSG:327zz (UTM north and south), other EPSG codes of systems in metres, and local"
            )
        })
    }
}

impl TryFrom<String> for Crs {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Longitude, latitude, EPSG code, easting and northing by `cs2cs` of PROJ 9.1.
    const BY_PROJ: [(f64, f64, u32, f64, f64); 11] = [
        (73.5, 17.5, 32643, 340749.566665, 1935495.846596),
        (-84.2, 36.6, 32616, 750460.983747, 4054151.090375),
        (5.0, 60.3, 32632, 279003.806489, 6691527.154357),
        (18.0, 78.9, 32633, 564449.501224, 8760469.354515),
        (151.2, -33.86, 32756, 333491.229927, 6251909.206047),
        (-179.9, 0.001, 32601, 177163.806005, 110.672734),
        (75.2, 83.9, 32644, 431304.443258, 9320390.483778),
        (0.5, 51.5, 32631, 326480.496403, 5708392.652609),
        (12.0, 55.0, 32631, 1074899.970900, 6131905.071291),
        (-68.3, -54.8, 32719, 545000.053364, 3927239.381300),
        (151.2, -33.86, 3857, 16831507.00794, -4010018.90227),
    ];

    #[test]
    fn metres_agree_with_proj_to_ten_micrometres() {
        for (lon, lat, code, x, y) in BY_PROJ {
            let crs = Crs::from_epsg(code).unwrap();
            let at = crs.position(GeoPosition::new(lat, lon)).unwrap();
            assert!((at.x - x).abs() < 1e-5, "{code}: {} not {x}", at.x);
            assert!((at.y - y).abs() < 1e-5, "{code}: {} not {y}", at.y);
            let back = crs.lon_lat(Position::new(x, y)).unwrap();
            assert!((back.lon_deg - lon).abs() < 1e-10, "{code}: {back:?}");
            assert!((back.lat_deg - lat).abs() < 1e-10, "{code}: {back:?}");
        }
    }

    #[test]
    fn places_get_the_zone_that_the_grid_has_for_them() {
        for (lon, lat, code) in [
            (-84.2, 36.6, 32616),
            (-180.0, 10.0, 32601),
            (180.0, 10.0, 32601),
            (179.99, -10.0, 32760),
            (5.3, 60.4, 32632), // Bergen, in the widened zone
            (2.9, 60.4, 32631), // at sea west of it
            (8.9, 78.9, 32631), // Svalbard, from here on
            (9.1, 78.9, 32633),
            (20.9, 78.9, 32633),
            (21.1, 78.9, 32635),
            (33.1, 78.9, 32637),
            (42.1, 78.9, 32638),
        ] {
            let zone = Crs::utm_at(GeoPosition::new(lat, lon)).unwrap();
            assert_eq!(zone.epsg(), Some(code), "{lon} {lat}");
        }
        assert_eq!(Crs::utm_at(GeoPosition::new(85.0, 0.0)), None);
        assert_eq!(Crs::utm_at(GeoPosition::new(f64::NAN, 0.0)), None);
    }

    #[test]
    fn codes_and_names_lead_to_each_other() {
        for code in [4326, 4258, 4269, 3857, 32601, 32760, 25832, 26910, 2193] {
            let crs = Crs::from_epsg(code).unwrap();
            assert_eq!(crs.epsg().map(u32::from), Some(code));
            assert_eq!(crs.to_string().parse(), Ok(crs));
        }
        assert_eq!("32643".parse(), Crs::from_epsg(32643).ok_or(String::new()));
        assert_eq!("local".parse(), Ok(Crs::Local));
        for wrong in ["EPSG:4267", "EPSG:99999", "UTM 43N", "", "ESRI:54009", "-1"] {
            let message = wrong.parse::<Crs>().unwrap_err();
            assert!(
                message.contains(&format!("`{wrong}`")) && message.contains("EPSG:326zz"),
                "{message}"
            );
        }
    }

    #[test]
    fn places_out_of_reach_have_no_coordinates() {
        let zone = Crs::from_epsg(32631).unwrap();
        assert_eq!(zone.position(GeoPosition::new(0.0, 40.0)), None);
        assert_eq!(zone.lon_lat(Position::new(5e6, 0.0)), None);
        assert_eq!(zone.lon_lat(Position::new(f64::NAN, 0.0)), None);
        assert_eq!(Crs::WGS84.position(GeoPosition::new(91.0, 0.0)), None);
        assert_eq!(Crs::Local.position(GeoPosition::new(0.0, 0.0)), None);
    }

    proptest! {
        #[test]
        fn there_and_back_is_where_it_began(lon in -180.0..180.0, lat in -80.0..84.0) {
            let place = GeoPosition::new(lat, lon);
            let crs = Crs::utm_at(place).unwrap();
            let back = crs.lon_lat(crs.position(place).unwrap()).unwrap();
            // 1e-12 degrees are a tenth of a micrometre.
            prop_assert!((back.lat_deg - lat).abs() < 2e-12, "{back:?}");
            prop_assert!((back.lon_deg - lon).abs() * lat.to_radians().cos() < 2e-12, "{back:?}");
        }
    }
}

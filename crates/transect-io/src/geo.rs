//! A place on the earth, and short ways from it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A place, degrees on WGS 84.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GeoPosition {
    /// Latitude, degrees north.
    pub lat_deg: f64,
    /// Longitude, degrees east.
    pub lon_deg: f64,
}

/// Equatorial radius of WGS 84, m.
const SEMI_MAJOR_M: f64 = 6_378_137.0;
/// First eccentricity squared of WGS 84.
const ECCENTRICITY_2: f64 = 6.694_379_990_141_317e-3;

impl GeoPosition {
    /// A place, degrees north and east.
    pub const fn new(lat_deg: f64, lon_deg: f64) -> Self {
        Self { lat_deg, lon_deg }
    }

    /// Longitude and latitude, the order of x and y on maps.
    pub const fn lon_lat(self) -> [f64; 2] {
        [self.lon_deg, self.lat_deg]
    }

    /// On the earth, and not the 0/0 that receivers send before they know.
    pub fn is_plausible(self) -> bool {
        self.lat_deg.abs() <= 90.0
            && self.lon_deg.abs() <= 180.0
            && (self.lat_deg.abs() > 1e-6 || self.lon_deg.abs() > 1e-6)
    }

    /// The way to `other`: metres (north, east).
    ///
    /// In the tangent plane at the middle latitude `m`, with the radii of curvature of the meridian `M(m)`
    /// and of the prime vertical `N(m)`: `north = M dlat`, `east = N cos(m) dlon`. Good to a millimetre over a
    /// kilometre below 60 degrees of latitude.
    pub fn offset_to(self, other: Self) -> (f64, f64) {
        let (north_radius_m, east_radius_m) = radii_m(0.5 * (self.lat_deg + other.lat_deg));
        // The short way round where longitudes wrap.
        let turns = ((other.lon_deg - self.lon_deg) / 360.0).round();
        let dlon_deg = other.lon_deg - self.lon_deg - 360.0 * turns;
        (
            (other.lat_deg - self.lat_deg).to_radians() * north_radius_m,
            dlon_deg.to_radians() * east_radius_m,
        )
    }

    /// Distance to `other`, m.
    pub fn distance_m(self, other: Self) -> f64 {
        let (north_m, east_m) = self.offset_to(other);
        north_m.hypot(east_m)
    }

    /// The place `north_m` and `east_m` metres from here.
    pub fn moved(self, north_m: f64, east_m: f64) -> Self {
        let halfway_deg = self.lat_deg + 0.5 * (north_m / radii_m(self.lat_deg).0).to_degrees();
        let (north_radius_m, east_radius_m) = radii_m(halfway_deg);
        Self {
            lat_deg: self.lat_deg + (north_m / north_radius_m).to_degrees(),
            lon_deg: self.lon_deg + (east_m / east_radius_m).to_degrees(),
        }
    }

    /// The place a fraction `t` of the way from here to `other`, over a short way.
    pub fn towards(self, other: Self, t: f64) -> Self {
        let (north_m, east_m) = self.offset_to(other);
        self.moved(t * north_m, t * east_m)
    }
}

/// Metres per radian of latitude, and of longitude, at a latitude.
fn radii_m(lat_deg: f64) -> (f64, f64) {
    let (sin, cos) = lat_deg.to_radians().sin_cos();
    let w2 = 1.0 - ECCENTRICITY_2 * sin * sin;
    let prime_vertical_m = SEMI_MAJOR_M / w2.sqrt();
    // At the poles a radian of longitude has no length; a small one keeps quotients finite.
    let east_m = prime_vertical_m * cos.max(1e-9);
    (prime_vertical_m * (1.0 - ECCENTRICITY_2) / w2, east_m)
}

impl fmt::Display for GeoPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.7}, {:.7}", self.lat_deg, self.lon_deg)
    }
}

#[cfg(test)]
mod tests {
    use super::GeoPosition;

    #[test]
    fn short_ways_agree_with_the_published_length_of_a_degree() {
        // Length of a degree at 45 degrees on WGS 84 (NGA tables): 111 132 m north, 78 847 m east.
        let here = GeoPosition::new(45.0, 7.0);
        let (north, east) = GeoPosition::new(44.5, 7.0).offset_to(GeoPosition::new(45.5, 7.0));
        assert!(
            (north - 111_132.0).abs() < 1.0 && east == 0.0,
            "{north} {east}"
        );
        let (north, east) = here.offset_to(GeoPosition::new(45.0, 8.0));
        assert!(
            north == 0.0 && (east - 78_847.0).abs() < 1.0,
            "{north} {east}"
        );
    }

    #[test]
    fn there_and_back_is_the_same_place() {
        let here = GeoPosition::new(59.9, 179.9999);
        let there = here.moved(400.0, 900.0);
        let (north, east) = here.offset_to(there);
        assert!(
            (north - 400.0).abs() < 1e-3 && (east - 900.0).abs() < 1e-3,
            "{north} {east}"
        );
        assert!((here.distance_m(there) - 400.0_f64.hypot(900.0)).abs() < 2e-3);
    }

    #[test]
    fn the_place_that_receivers_send_first_is_not_plausible() {
        assert!(!GeoPosition::new(0.0, 0.0).is_plausible());
        assert!(!GeoPosition::new(91.0, 0.0).is_plausible());
        assert!(!GeoPosition::new(f64::NAN, 1.0).is_plausible());
        assert!(GeoPosition::new(0.0, 10.0).is_plausible());
    }
}

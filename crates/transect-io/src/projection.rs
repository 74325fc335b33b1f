//! The transverse Mercator projection behind UTM, and the Mercator projection of web maps.
//!
//! Krüger's series (1912) in the third flattening `n = f / (2 - f)`, as Karney (2011) writes it: the latitude
//! becomes a conformal one, that lands on a sphere's transverse Mercator plane `(xi', eta')`, and
//!
//! ```text
//! xi  = xi'  + sum_j alpha_j sin(2 j xi') cosh(2 j eta')        northing = k0 A xi
//! eta = eta' + sum_j alpha_j cos(2 j xi') sinh(2 j eta')        easting  = k0 A eta
//! ```
//!
//! and back with `beta`. Terms up to n⁴ leave less than a tenth of a micrometre within a zone. The functions of `libm`
//! are used so that every platform gets the same metres.

use libm::{asinh, atan, atan2, atanh, cos, cosh, exp, hypot, log, sin, sinh, tan};
use std::f64::consts::FRAC_PI_4;

/// Semi-major axis of WGS84, m.
const SEMI_MAJOR_M: f64 = 6_378_137.0;
/// Flattening of WGS84.
const FLATTENING: f64 = 1.0 / 298.257_223_563;
/// Third flattening.
const N: f64 = FLATTENING / (2.0 - FLATTENING);
/// Scale on the central meridian of a UTM zone.
const SCALE: f64 = 0.9996;
/// Radius of the sphere with a meridian of WGS84's length, m: A of the equations.
const RECTIFYING_RADIUS_M: f64 =
    SEMI_MAJOR_M / (1.0 + N) * (1.0 + N * N / 4.0 + N * N * N * N / 64.0);

const ALPHA: [f64; 4] = [
    N * (1.0 / 2.0 + N * (-2.0 / 3.0 + N * (5.0 / 16.0 + N * 41.0 / 180.0))),
    N * N * (13.0 / 48.0 + N * (-3.0 / 5.0 + N * 557.0 / 1440.0)),
    N * N * N * (61.0 / 240.0 - N * 103.0 / 140.0),
    N * N * N * N * 49561.0 / 161_280.0,
];
const BETA: [f64; 4] = [
    N * (1.0 / 2.0 + N * (-2.0 / 3.0 + N * (37.0 / 96.0 - N / 360.0))),
    N * N * (1.0 / 48.0 + N * (1.0 / 15.0 - N * 437.0 / 1440.0)),
    N * N * N * (17.0 / 480.0 - N * 37.0 / 840.0),
    N * N * N * N * 4397.0 / 161_280.0,
];

/// Latitude and longitude from the central meridian (rad) to metres east of it and north of the equator.
pub(crate) fn transverse_mercator(latitude: f64, longitude: f64) -> (f64, f64) {
    let conformal = conformal_tangent(tan(latitude));
    let xi = atan2(conformal, cos(longitude));
    let eta = asinh(sin(longitude) / hypot(conformal, cos(longitude)));
    let (dxi, deta) = series(&ALPHA, xi, eta);
    let scale = SCALE * RECTIFYING_RADIUS_M;
    (scale * (eta + deta), scale * (xi + dxi))
}

/// The inverse of [`transverse_mercator`]: metres east and north to latitude and longitude, rad.
pub(crate) fn inverse_transverse_mercator(east_m: f64, north_m: f64) -> (f64, f64) {
    let scale = SCALE * RECTIFYING_RADIUS_M;
    let (xi, eta) = (north_m / scale, east_m / scale);
    let (dxi, deta) = series(&BETA, xi, eta);
    let (xi, eta) = (xi - dxi, eta - deta);
    let conformal = sin(xi) / hypot(sinh(eta), cos(xi));
    (atan(tangent(conformal)), atan2(sinh(eta), cos(xi)))
}

/// Latitude and longitude (rad) to the metres of web maps, on a sphere of WGS84's semi-major axis.
pub(crate) fn web_mercator(latitude: f64, longitude: f64) -> (f64, f64) {
    let north = log(tan(FRAC_PI_4 + latitude / 2.0));
    (SEMI_MAJOR_M * longitude, SEMI_MAJOR_M * north)
}

/// The inverse of [`web_mercator`].
pub(crate) fn inverse_web_mercator(east_m: f64, north_m: f64) -> (f64, f64) {
    let latitude = 2.0 * (atan(exp(north_m / SEMI_MAJOR_M)) - FRAC_PI_4);
    (latitude, east_m / SEMI_MAJOR_M)
}

fn series(coefficients: &[f64; 4], xi: f64, eta: f64) -> (f64, f64) {
    let mut sums = (0.0, 0.0);
    for (factor, c) in [2.0, 4.0, 6.0, 8.0].into_iter().zip(coefficients) {
        sums.0 += c * sin(factor * xi) * cosh(factor * eta);
        sums.1 += c * cos(factor * xi) * sinh(factor * eta);
    }
    sums
}

/// Tangent of the conformal latitude from the tangent of the latitude.
fn conformal_tangent(tangent: f64) -> f64 {
    let e = (FLATTENING * (2.0 - FLATTENING)).sqrt();
    let secant = hypot(1.0, tangent);
    let sigma = sinh(e * atanh(e * tangent / secant));
    hypot(1.0, sigma) * tangent - sigma * secant
}

/// The inverse of [`conformal_tangent`] by Newton's method, which doubles the digits each time from a start that is
/// within 1 %: three rounds suffice.
fn tangent(conformal: f64) -> f64 {
    let one_minus_e2 = (1.0 - FLATTENING) * (1.0 - FLATTENING);
    let mut tangent = conformal / one_minus_e2;
    for _ in 0..4 {
        let at = conformal_tangent(tangent);
        let slope = one_minus_e2 * hypot(1.0, at) * hypot(1.0, tangent)
            / (1.0 + one_minus_e2 * tangent * tangent);
        tangent += (conformal - at) / slope;
    }
    tangent
}

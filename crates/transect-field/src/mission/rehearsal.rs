//! A bench boat for a document: the whole day at home.

use transect::terrain::{Lookup, Terrain};
use transect_io::builtin;

use super::document::{FieldDocument, SonarSettings};
use super::survey::Survey;
use crate::bench::{BenchBoat, BenchSettings};
use crate::{FieldError, GeoPosition};

/// Depths of the lake that is rehearsed on, m.
const SHALLOWEST_M: f64 = 2.0;
const DEEPEST_M: f64 = 14.0;

/// A lake bed over a survey's area: the relief of the Jacksboro fault, turned into depths of 2 to 14 m.
///
/// # Errors
/// Never, unless the program was built from a damaged file.
pub fn lake_bed(survey: &Survey) -> Result<Terrain, FieldError> {
    let relief = builtin::jacksboro().map_err(FieldError::Bench)?;
    let extreme =
        |better: fn(f64, f64) -> f64, start: f64| relief.values.iter().copied().fold(start, better);
    let (low, high) = (
        extreme(f64::min, f64::INFINITY),
        extreme(f64::max, f64::NEG_INFINITY),
    );
    let depth = |z: &f64| DEEPEST_M - (z - low) / (high - low) * (DEEPEST_M - SHALLOWEST_M);
    let depths = relief.values.iter().map(depth).collect();
    let bounds = survey.area.bounds();
    Ok(Terrain::new(depths, relief.rows, relief.columns, bounds)?)
}

/// Opens a boat on loopback, at home over `bed`, and points the document at it.
///
/// # Errors
/// When no port is free.
pub fn rehearse(
    document: &mut FieldDocument,
    survey: &Survey,
    home: GeoPosition,
    bed: Terrain,
) -> Result<BenchBoat, FieldError> {
    let settings = BenchSettings {
        home,
        speed_mps: document.boat.speed_mps,
        seed: document.seed,
        sounding: document.sounding,
        ..BenchSettings::default()
    };
    let plane = survey.plane;
    let boat = BenchBoat::open(settings, move |place| {
        bed.value(plane.metres(place)?, Lookup::Bilinear)
    })?;
    document.vehicle.link = boat.autopilot_address();
    document.vehicle.system_id = 0;
    document.sonar = SonarSettings::Ping {
        link: boat.sonar_address(),
        interval_s: 0.5,
    };
    Ok(boat)
}

//! GeoKeys: numbers in a directory of their own that name a coordinate system.
//!
//! The directory is a list of u16: a header (version 1, revision 1.0, number of keys), then for each key its number,
//! where its value is (0: here), how many values, and the value.

use crate::crs::Crs;

const MODEL_TYPE: u16 = 1024;
const RASTER_TYPE: u16 = 1025;
const GEOGRAPHIC_CRS: u16 = 2048;
const ANGULAR_UNIT: u16 = 2054;
const PROJECTED_CRS: u16 = 3072;
const LINEAR_UNIT: u16 = 3076;

const MODEL_PROJECTED: u16 = 1;
const MODEL_GEOGRAPHIC: u16 = 2;
const PIXEL_IS_AREA: u16 = 1;
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

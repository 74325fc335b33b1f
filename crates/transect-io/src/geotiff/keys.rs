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

impl Keys {
    /// Reads a directory. One that is missing or empty names no system.
    pub(super) fn decode(directory: &[f64]) -> Result<Self, String> {
        let entries = directory.get(4..).unwrap_or_default().chunks_exact(4);
        let value = |wanted: u16| {
            let found = entries
                .clone()
                .find(|e| e[0] == f64::from(wanted) && e[1] == 0.0);
            found.map(|entry| entry[3] as u16)
        };
        let crs = match (
            value(PROJECTED_CRS),
            value(GEOGRAPHIC_CRS),
            value(MODEL_TYPE),
        ) {
            (Some(code), _, _) if code != USER_DEFINED => projected(code)?,
            (_, Some(code), Some(MODEL_GEOGRAPHIC)) => geographic(code)?,
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

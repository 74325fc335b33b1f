//! Polygons of a GeoPackage (OGC 12-128r18): every polygon in its feature tables.

use super::regions::Regions;
use crate::crs::Crs;
use crate::sqlite::{Database, Value};

pub(super) fn regions(bytes: &[u8]) -> Result<Regions, String> {
    let database = Database::open(bytes)?;
    let mut found: Option<Regions> = None;
    for row in database.table("gpkg_geometry_columns")? {
        let Some(name) = row.values.first().and_then(Value::text) else {
            continue;
        };
        let code = row.values.get(3).and_then(Value::integer).unwrap_or(0);
        let mut rings = Vec::new();
        for row in database.table(name)? {
            for value in &row.values {
                if let Value::Blob(blob) = value {
                    geometry(blob, &mut rings).ok_or_else(|| {
                        format!(
                            "table `{name}`, row {}: its geometry is damaged",
                            row.number
                        )
                    })?;
                }
            }
        }
        if rings.is_empty() {
            continue;
        }
        let crs = u32::try_from(code).ok().and_then(Crs::from_epsg);
        let crs = crs.ok_or_else(|| format!("table `{name}`: its coordinate system {code} is not known here; `ogr2ogr -t_srs EPSG:4326` makes one that is"))?;
        match &mut found {
            None => found = Some(Regions { crs, rings }),
            Some(all) if all.crs == crs => all.rings.extend(rings),
            Some(_) => return Err("its tables are in different coordinate systems".into()),
        }
    }
    found.ok_or_else(|| "it holds no polygon".into())
}

/// The rings of a geometry: a header with a magic number, flags and an envelope, then well-known binary.
fn geometry(blob: &[u8], rings: &mut Vec<Vec<[f64; 2]>>) -> Option<()> {
    if !blob.starts_with(b"GP") {
        return Some(());
    }
    let envelope = match (blob.get(3)? >> 1) & 7 {
        0 => 0,
        1 => 32,
        2 | 3 => 48,
        4 => 64,
        _ => return None,
    };
    let mut at = 8 + envelope;
    shape(blob, &mut at, rings, 0)
}

fn shape(bytes: &[u8], at: &mut usize, rings: &mut Vec<Vec<[f64; 2]>>, depth: usize) -> Option<()> {
    let little = *bytes.get(*at)? == 1;
    *at += 1;
    let kind = number(bytes, at, little)?;
    let axes = match kind / 1000 {
        0 => 2,
        1 | 2 => 3,
        3 => 4,
        _ => return None,
    };
    match kind % 1000 {
        3 => {
            for _ in 0..number(bytes, at, little)? {
                let count = number(bytes, at, little)? as usize;
                if count > bytes.len() / 16 {
                    return None;
                }
                let mut ring = Vec::with_capacity(count);
                for _ in 0..count {
                    ring.push([real(bytes, *at, little)?, real(bytes, *at + 8, little)?]);
                    *at += 8 * axes;
                }
                rings.push(ring);
            }
        }
        6 | 7 if depth < 4 => {
            for _ in 0..number(bytes, at, little)? {
                shape(bytes, at, rings, depth + 1)?;
            }
        }
        // Points and lines are no area.
        _ => {}
    }
    Some(())
}

fn number(bytes: &[u8], at: &mut usize, little: bool) -> Option<u32> {
    let four = bytes.get(*at..*at + 4)?.try_into().ok()?;
    *at += 4;
    Some(if little {
        u32::from_le_bytes(four)
    } else {
        u32::from_be_bytes(four)
    })
}

fn real(bytes: &[u8], at: usize, little: bool) -> Option<f64> {
    let eight = bytes.get(at..at.checked_add(8)?)?.try_into().ok()?;
    Some(if little {
        f64::from_le_bytes(eight)
    } else {
        f64::from_be_bytes(eight)
    })
}

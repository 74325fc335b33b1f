//! Polygons of a Shapefile (ESRI, July 1998): records of rings, little-endian behind big-endian lengths.

use super::regions::Regions;
use crate::crs::Crs;
use crate::prj;

const POLYGONS: [u32; 3] = [5, 15, 25];

pub(super) fn regions(bytes: &[u8], prj: &str) -> Result<Regions, String> {
    if be32(bytes, 0) != Some(9994) {
        return Err("it is not a Shapefile".into());
    }
    let crs = if prj.trim().is_empty() {
        Crs::WGS84
    } else {
        prj::parse(prj).ok_or("the coordinate system in the .prj file beside it is not known here; `ogr2ogr -t_srs EPSG:4326` makes one that is")?
    };
    let mut regions = Regions {
        crs,
        rings: Vec::new(),
    };
    let mut at = 100;
    while at + 12 <= bytes.len() {
        // Lengths are in words of two bytes.
        let length = 2 * be32(bytes, at + 4).unwrap_or(0) as usize;
        let end = at.saturating_add(8).saturating_add(length);
        let record = bytes.get(at + 8..end).ok_or("it is cut off")?;
        rings(record, &mut regions.rings)
            .ok_or_else(|| format!("the record at byte {at} is damaged"))?;
        at = end;
    }
    if regions.rings.is_empty() {
        return Err("it holds no polygon; points and lines are no area".into());
    }
    let degrees = regions
        .rings
        .iter()
        .flatten()
        .all(|[x, y]| x.abs() <= 360.0 && y.abs() <= 90.0);
    if prj.trim().is_empty() && !degrees {
        return Err("its coordinates are not degrees, and there is no .prj file beside it that says what they are".into());
    }
    Ok(regions)
}

fn rings(record: &[u8], rings: &mut Vec<Vec<[f64; 2]>>) -> Option<()> {
    if !POLYGONS.contains(&le32(record, 0)?) {
        return Some(());
    }
    let (parts, points) = (le32(record, 36)? as usize, le32(record, 40)? as usize);
    let first = 44_usize.checked_add(parts.checked_mul(4)?)?;
    if first.checked_add(points.checked_mul(16)?)? > record.len() {
        return None;
    }
    for part in 0..parts {
        let start = le32(record, 44 + 4 * part)? as usize;
        let end = if part + 1 < parts {
            le32(record, 48 + 4 * part)? as usize
        } else {
            points
        };
        if start > end || end > points {
            return None;
        }
        let point = |k: usize| {
            Some([
                le64(record, first + 16 * k)?,
                le64(record, first + 16 * k + 8)?,
            ])
        };
        rings.push((start..end).map(point).collect::<Option<_>>()?);
    }
    Some(())
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn le32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn le64(bytes: &[u8], at: usize) -> Option<f64> {
    Some(f64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

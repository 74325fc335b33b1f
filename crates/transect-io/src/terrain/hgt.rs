//! SRTM tiles: big-endian i16 heights in metres, row 0 in the north, void -32768.
//!
//! A tile covers one degree and has 1201 (three arc-seconds) or 3601 (one) samples a side. The samples lie on the
//! degree lines themselves, so neighbouring tiles share a row or column, and cells reach half a sample beyond. The
//! file's name is the south-western corner: `N17E073`, `S34W070`.

use crate::crs::Crs;
use crate::geo::GeoPosition;
use crate::raster::{Placement, Raster};

const SIDES: [usize; 2] = [1201, 3601];
const VOID: i16 = i16::MIN;

/// The south-western corner in a tile's name: `N17E073`, in either case, whatever follows.
///
/// ```
/// use transect_io::terrain::tile_corner;
/// let corner = tile_corner("s34w070.hgt").unwrap();
/// assert_eq!((corner.lat_deg, corner.lon_deg), (-34.0, -70.0));
/// assert!(tile_corner("N91E000").is_none());
/// ```
pub fn tile_corner(name: &str) -> Option<GeoPosition> {
    let name = name.get(..7)?.to_ascii_uppercase();
    let signed = |text: &str, plus: char, minus: char, limit: i16| -> Option<f64> {
        let digits = text
            .get(1..)
            .filter(|d| d.bytes().all(|b| b.is_ascii_digit()))?;
        let degrees: i16 = digits.parse().ok()?;
        let degrees = match text.chars().next() {
            Some(c) if c == plus => degrees,
            Some(c) if c == minus => -degrees,
            _ => return None,
        };
        (-limit..limit).contains(&degrees).then(|| degrees.into())
    };
    Some(GeoPosition {
        lat_deg: signed(name.get(..3)?, 'N', 'S', 90)?,
        lon_deg: signed(name.get(3..)?, 'E', 'W', 180)?,
    })
}

/// Whether so many bytes can be a tile.
pub(super) fn is_size(bytes: usize) -> bool {
    SIDES.iter().any(|side| bytes == 2 * side * side)
}

/// The tile whose file has this name.
pub(super) fn decode(bytes: &[u8], name: &str) -> Result<Raster, String> {
    let side = SIDES
        .into_iter()
        .find(|side| bytes.len() == 2 * side * side);
    let side = side.ok_or_else(|| {
        format!(
            "it has {} bytes; an SRTM tile has 2 x 1201 x 1201 or 2 x 3601 x 3601",
            bytes.len()
        )
    })?;
    let corner = tile_corner(name).ok_or_else(|| {
        "its name does not tell its place; SRTM tiles are named after their south-western corner, N17E073.hgt say"
            .to_string()
    })?;
    let height = |pair: &[u8]| match i16::from_be_bytes([pair[0], pair[1]]) {
        VOID => f64::NAN,
        height => height.into(),
    };
    let values = bytes.chunks_exact(2).map(height).collect();
    let cell = 1.0 / (side - 1) as f64;
    let placement = Placement {
        west: corner.lon_deg - cell / 2.0,
        north: corner.lat_deg + 1.0 + cell / 2.0,
        cell_width: cell,
        cell_height: cell,
    };
    Raster::new(values, side, side, placement, Crs::WGS84).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_corners() {
        for (name, lat, lon) in [
            ("N17E073.hgt", 17.0, 73.0),
            ("n00w001", 0.0, -1.0),
            ("S56W072.SRTMGL1.hgt", -56.0, -72.0),
        ] {
            let corner = tile_corner(name).unwrap();
            assert_eq!((corner.lat_deg, corner.lon_deg), (lat, lon), "{name}");
        }
        for name in [
            "",
            "lake.hgt",
            "N17E73.hgt",
            "X17E073",
            "N-1E073",
            "N17E180",
            "N1\u{e9}E073",
        ] {
            assert!(tile_corner(name).is_none(), "{name}");
        }
    }

    #[test]
    fn first_sample_lies_on_the_north_western_degree_lines() {
        let mut bytes = vec![0; 2 * 1201 * 1201];
        bytes[..4].copy_from_slice(&[0x01, 0x02, 0x80, 0x00]);
        let raster = decode(&bytes, "N17E073.hgt").unwrap();
        assert_eq!(raster.at(0, 0), 258.0);
        assert!(raster.at(0, 1).is_nan());
        let (lon, lat) = raster.placement().centre(0, 0);
        assert!((lon - 73.0).abs() < 1e-12 && (lat - 18.0).abs() < 1e-12);
        let (lon, lat) = raster.placement().centre(1200, 1200);
        assert!((lon - 74.0).abs() < 1e-12 && (lat - 17.0).abs() < 1e-12);
    }

    #[test]
    fn says_what_is_wrong() {
        assert!(
            decode(&[0; 100], "N17E073.hgt")
                .unwrap_err()
                .contains("100 bytes")
        );
        let nameless = decode(&vec![0; 2 * 1201 * 1201], "lake.hgt").unwrap_err();
        assert!(nameless.contains("N17E073.hgt"), "{nameless}");
    }
}

//! The coordinate system in a `.prj` file beside an ASCII grid or an array: well-known text.

use crate::bounded;
use crate::crs::{Crs, Datum, Zone};
use std::path::Path;

/// Well-known text takes a page; what is larger is something else.
const MOST_BYTES: u64 = 1 << 20;

/// The system that the `.prj` file beside `path` names; local metres if there is none, or none that is known.
pub(super) fn beside(path: &Path) -> Crs {
    let text = bounded::read(&path.with_extension("prj"), MOST_BYTES).unwrap_or_default();
    parse(&String::from_utf8_lossy(&text)).unwrap_or_default()
}

/// Well-known text says it by a code (`AUTHORITY["EPSG","32643"]`, `ID["EPSG",32643]`) or by a name
/// (`WGS_1984_UTM_Zone_43N`, `WGS 84 / UTM zone 43N`, `GCS_WGS_1984`).
fn parse(text: &str) -> Option<Crs> {
    let spaced = text.to_ascii_uppercase().replace('_', " ");
    let words = spaced.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    // The code of the whole system comes last and closes two brackets; that of a part, a unit say, closes more.
    let closing = spaced.trim_end().bytes().rev().take_while(|b| *b == b']');
    if let ([.., "EPSG", code], 2) = (&words[..], closing.count()) {
        return Crs::from_epsg(code.parse().ok()?);
    }
    let wgs84 = words
        .windows(2)
        .any(|pair| matches!(pair, ["WGS", "1984" | "84"]));
    let projected = words
        .iter()
        .any(|word| matches!(*word, "PROJCS" | "PROJCRS"));
    let zone = words.windows(3).find_map(|triple| match triple {
        ["UTM", "ZONE", zone] => Some(*zone),
        _ => None,
    });
    match (wgs84, zone, projected) {
        (true, Some(zone), _) => {
            let number: u8 = zone.trim_end_matches(['N', 'S']).parse().ok()?;
            let south = zone.ends_with('S');
            (1..=60)
                .contains(&number)
                .then_some(Crs::Utm(Datum::Wgs84, Zone { number, south }))
        }
        (true, None, false) => Some(Crs::WGS84),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As `gdalsrsinfo -o wkt1`, `-o wkt_esri` and `-o wkt2` of GDAL 3.6 print them, shortened in the middle.
    #[test]
    fn names_and_codes_are_understood() {
        let code = |text: &str| parse(text).and_then(Crs::epsg);
        let wkt1 = r#"PROJCS["WGS 84 / UTM zone 43N",GEOGCS["WGS 84",AUTHORITY["EPSG","4326"]],UNIT["metre",1,AUTHORITY["EPSG","9001"]],AXIS["Northing",NORTH],AUTHORITY["EPSG","32643"]]"#;
        assert_eq!(code(wkt1), Some(32643));
        let esri = r#"PROJCS["WGS_1984_UTM_Zone_19S",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]]],UNIT["Meter",1.0]]"#;
        assert_eq!(code(esri), Some(32719));
        let geographic = r#"GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],UNIT["Degree",0.0174532925199433]]"#;
        assert_eq!(code(geographic), Some(4326));
        let unit_last = r#"PROJCS["Somewhere",UNIT["metre",1,AUTHORITY["EPSG","9001"]]]"#;
        assert_eq!(code(unit_last), None);
        assert_eq!(code(""), None);
    }
}

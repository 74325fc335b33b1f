//! The coordinate system in a `.prj` file beside an ASCII grid or an array: well-known text.

use crate::bounded;
use crate::crs::{Crs, Datum, Zone};
use std::path::Path;

/// Well-known text takes a page; what is larger is something else.
const MOST_BYTES: u64 = 1 << 20;

/// The system that the `.prj` file beside `path` names; local metres if there is none, or none that is known.
pub(crate) fn beside(path: &Path) -> Crs {
    let text = bounded::read(&path.with_extension("prj"), MOST_BYTES).unwrap_or_default();
    parse(&String::from_utf8_lossy(&text)).unwrap_or_default()
}

/// Well-known text says it by a code (`AUTHORITY["EPSG","32643"]`, `ID["EPSG",32643]`) or by a name
/// (`WGS_1984_UTM_Zone_43N`, `WGS 84 / UTM zone 43N`, `GCS_WGS_1984`).
pub(crate) fn parse(text: &str) -> Option<Crs> {
    let spaced = text.to_ascii_uppercase().replace('_', " ");
    let words = spaced.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    // The code of the whole system comes last and closes two brackets; that of a part, a unit say, closes more.
    let closing = spaced.trim_end().bytes().rev().take_while(|b| *b == b']');
    if let ([.., "EPSG", code], 2) = (&words[..], closing.count()) {
        return Crs::from_epsg(code.parse().ok()?);
    }
    let mut pairs = words.windows(2);
    let datum = pairs.find_map(|pair| match pair {
        ["WGS", "1984" | "84"] | ["WGS84", _] => Some(Datum::Wgs84),
        ["ETRS", "1989" | "89"] | ["ETRS89", _] => Some(Datum::Etrs89),
        ["NORTH", "AMERICAN"] | ["NAD", "1983" | "83"] | ["NAD83", _] => Some(Datum::Nad83),
        _ => None,
    });
    let projected = words
        .iter()
        .any(|word| matches!(*word, "PROJCS" | "PROJCRS"));
    let zone = words.windows(3).find_map(|triple| match triple {
        ["UTM", "ZONE", zone] => Some(*zone),
        _ => None,
    });
    match (datum, zone, projected) {
        (Some(datum), Some(zone), _) => {
            let number: u8 = zone.trim_end_matches(['N', 'S']).parse().ok()?;
            let south = zone.ends_with('S');
            (1..=60)
                .contains(&number)
                .then_some(Crs::Utm(datum, Zone { number, south }))
        }
        (Some(datum), None, false) => Some(Crs::Geographic(datum)),
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
        let europe = r#"PROJCS["ETRS_1989_UTM_Zone_33N",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]]],UNIT["Meter",1.0]]"#;
        assert_eq!(code(europe), Some(25833));
        let unit_last = r#"PROJCS["Somewhere",UNIT["metre",1,AUTHORITY["EPSG","9001"]]]"#;
        assert_eq!(code(unit_last), None);
        assert_eq!(code(""), None);
    }
}

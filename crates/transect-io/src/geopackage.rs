//! Lines and polygons as a GeoPackage (OGC 12-128r18), in the map's own coordinates.

use crate::crs::{Crs, Datum};
use crate::sqlite::{Identity, Table, Value, encode};

/// "GPKG" in ASCII, and version 1.3.
const IDENTITY: Identity = Identity {
    application: 0x4750_4b47,
    version: 10_300,
};
const DEGREES: &str = r#"GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]"#;

/// A shape with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// Depth or height, m; a layer of areas has none.
    pub value: Option<f64>,
    /// Corners: one list for a line, rings for a polygon (each closed).
    pub parts: Vec<Vec<[f64; 2]>>,
}

/// Features of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// The table's name, of small letters.
    pub name: &'static str,
    /// Polygons, otherwise lines.
    pub polygons: bool,
    /// What is in it.
    pub features: Vec<Feature>,
}

/// The bytes of a GeoPackage; `changed` is the moment in its table of contents, ISO 8601.
///
/// # Errors
/// If the layers are too many for its first page.
pub fn geopackage(layers: &[Layer], crs: Crs, changed: &str) -> Result<Vec<u8>, String> {
    let srs = crs.epsg().map_or(-1, i64::from);
    let text = |text: &str| Value::Text(text.into());
    let mut systems = vec![
        (
            -1,
            system("Undefined Cartesian SRS", "NONE", -1, "undefined"),
        ),
        (
            0,
            system("Undefined geographic SRS", "NONE", 0, "undefined"),
        ),
        (4326, system("WGS 84", "EPSG", 4326, DEGREES)),
    ];
    if srs > 0 && srs != 4326 {
        let definition = well_known_text(crs);
        systems.push((srs, system(&crs.to_string(), "EPSG", srs, &definition)));
        systems.sort_by_key(|(number, _)| *number);
    }
    let contents = layers.iter().zip(1..).map(|(layer, number)| {
        let [west, south, east, north] = bounds(layer);
        let row = vec![
            text(layer.name),
            text("features"),
            text(layer.name),
            text(""),
            text(changed),
            Value::Real(west),
            Value::Real(south),
            Value::Real(east),
            Value::Real(north),
            Value::Integer(srs),
        ];
        (number, row)
    });
    let columns = layers.iter().zip(1..).map(|(layer, number)| {
        let kind = if layer.polygons {
            "POLYGON"
        } else {
            "LINESTRING"
        };
        let row = vec![
            text(layer.name),
            text("geom"),
            text(kind),
            Value::Integer(srs),
            Value::Integer(0),
            Value::Integer(0),
        ];
        (number, row)
    });
    let mut tables = vec![
        Table {
            name: "gpkg_spatial_ref_sys",
            sql: "CREATE TABLE gpkg_spatial_ref_sys (srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization \
                  TEXT NOT NULL, organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT)".into(),
            rows: systems,
            indices: Vec::new(),
        },
        Table {
            name: "gpkg_contents",
            sql: "CREATE TABLE gpkg_contents (table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT \
                  UNIQUE, description TEXT DEFAULT '', last_change DATETIME NOT NULL DEFAULT \
                  (strftime('%Y-%m-%dT%H:%M:%fZ','now')), min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id \
                  INTEGER, CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id))".into(),
            rows: contents.collect(),
            indices: vec![vec![0], vec![2]],
        },
        Table {
            name: "gpkg_geometry_columns",
            sql: "CREATE TABLE gpkg_geometry_columns (table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name \
                  TEXT NOT NULL, srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL, CONSTRAINT pk_geom_cols \
                  PRIMARY KEY (table_name, column_name), CONSTRAINT uk_gc_table_name UNIQUE (table_name), CONSTRAINT \
                  fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name), CONSTRAINT fk_gc_srs FOREIGN KEY \
                  (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id))".into(),
            rows: columns.collect(),
            indices: vec![vec![0, 1], vec![0]],
        },
    ];
    for layer in layers {
        let kind = if layer.polygons {
            "POLYGON"
        } else {
            "LINESTRING"
        };
        let rows = layer.features.iter().zip(1..).map(|(feature, number)| {
            let value = feature.value.map_or(Value::Null, Value::Real);
            (
                number,
                vec![
                    Value::Null,
                    Value::Blob(geometry(feature, layer.polygons, srs)),
                    value,
                ],
            )
        });
        tables.push(Table {
            name: layer.name,
            sql: format!(
                "CREATE TABLE {} (fid INTEGER PRIMARY KEY NOT NULL, geom {kind}, value DOUBLE)",
                layer.name
            ),
            rows: rows.collect(),
            indices: Vec::new(),
        });
    }
    encode(&tables, IDENTITY)
}

fn system(name: &str, organization: &str, code: i64, definition: &str) -> Vec<Value> {
    let text = |text: &str| Value::Text(text.into());
    vec![
        text(name),
        Value::Null,
        text(organization),
        Value::Integer(code),
        text(definition),
        Value::Null,
    ]
}

/// A UTM zone in well-known text; others go by their code alone.
fn well_known_text(crs: Crs) -> String {
    let Crs::Utm(datum, zone) = crs else {
        return "undefined".into();
    };
    let (name, spheroid) = match datum {
        Datum::Wgs84 => ("WGS_1984", r#"SPHEROID["WGS 84",6378137,298.257223563]"#),
        Datum::Etrs89 => (
            "European_Terrestrial_Reference_System_1989",
            r#"SPHEROID["GRS 1980",6378137,298.257222101]"#,
        ),
        Datum::Nad83 => (
            "North_American_Datum_1983",
            r#"SPHEROID["GRS 1980",6378137,298.257222101]"#,
        ),
    };
    let half = if zone.south { 'S' } else { 'N' };
    let north = if zone.south { 10_000_000 } else { 0 };
    let meridian = i32::from(zone.number) * 6 - 183;
    format!(
        r#"PROJCS["UTM zone {}{half}",GEOGCS["{name}",DATUM["{name}",{spheroid}],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",{meridian}],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",{north}],UNIT["metre",1],AUTHORITY["EPSG","{}"]]"#,
        zone.number,
        crs.epsg().unwrap_or_default()
    )
}

fn bounds(layer: &Layer) -> [f64; 4] {
    let all = layer
        .features
        .iter()
        .flat_map(|feature| feature.parts.iter().flatten());
    let empty = [
        f64::INFINITY,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NEG_INFINITY,
    ];
    let bounds = all.fold(empty, |[w, s, e, n], [x, y]| {
        [w.min(*x), s.min(*y), e.max(*x), n.max(*y)]
    });
    if bounds[0].is_finite() {
        bounds
    } else {
        [0.0; 4]
    }
}

/// A header (magic, version, little-endian without envelope, system) and well-known binary.
fn geometry(feature: &Feature, polygon: bool, srs: i64) -> Vec<u8> {
    let mut bytes = b"GP\0\x01".to_vec();
    bytes.extend((srs as i32).to_le_bytes());
    bytes.push(1);
    bytes.extend((if polygon { 3_u32 } else { 2 }).to_le_bytes());
    if polygon {
        bytes.extend((feature.parts.len() as u32).to_le_bytes());
    }
    for part in &feature.parts {
        bytes.extend((part.len() as u32).to_le_bytes());
        bytes.extend(
            part.iter()
                .flatten()
                .flat_map(|number| number.to_le_bytes()),
        );
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::Regions;

    #[test]
    fn our_own_reader_finds_the_polygons() {
        let ring = vec![
            [500_000.0, 5_800_000.0],
            [500_100.0, 5_800_000.0],
            [500_000.0, 5_800_100.0],
            [500_000.0, 5_800_000.0],
        ];
        let line = |k: u32| Feature {
            value: Some(f64::from(k)),
            parts: vec![(0..300).map(|i| [f64::from(i), f64::from(k)]).collect()],
        };
        let layers = [
            Layer {
                name: "contours",
                polygons: false,
                features: (0..200).map(line).collect(),
            },
            Layer {
                name: "area",
                polygons: true,
                features: vec![Feature {
                    value: None,
                    parts: vec![ring.clone()],
                }],
            },
        ];
        let crs = Crs::from_epsg(32633).unwrap();
        let bytes = geopackage(&layers, crs, "2026-01-01T00:00:00.000Z").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gpkg");
        std::fs::write(&path, &bytes).unwrap();
        let regions = Regions::read(&path).unwrap();
        assert_eq!((regions.crs, regions.rings.len()), (crs, 1));
        assert_eq!(regions.rings[0], ring[..3]);
        assert!((regions.area() - 5000.0).abs() < 1e-6);
    }
}

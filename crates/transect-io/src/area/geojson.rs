//! A Polygon in GeoJSON, alone, in a Feature, or in collections (RFC 7946).

use super::regions::Regions;
use super::{Area, Boundary, Shape};
use crate::crs::Crs;
use serde_json::Value;

pub(super) fn parse(text: &str) -> Result<Area, String> {
    let document: Value = serde_json::from_str(text).map_err(|e| format!("it is not JSON: {e}"))?;
    let mut polygons = Vec::new();
    collect(&document, "", &mut polygons);
    match polygons.as_slice() {
        [] => Err("it holds no geometry of type Polygon".into()),
        [(place, rings)] => area(place, rings),
        several => {
            let places: Vec<&str> = several.iter().map(|(place, _)| place.as_str()).collect();
            Err(format!(
                "it holds {} polygons ({}); one is needed, with holes where not to go",
                several.len(),
                places.join(", ")
            ))
        }
    }
}

/// All polygons, however many; in the system that the `crs` member of older files names.
pub(super) fn regions(text: &str) -> Result<Regions, String> {
    let document: Value = serde_json::from_str(text).map_err(|e| format!("it is not JSON: {e}"))?;
    let mut polygons = Vec::new();
    collect(&document, "", &mut polygons);
    if polygons.is_empty() {
        return Err("it holds no geometry of type Polygon or MultiPolygon".into());
    }
    let mut regions = Regions {
        crs: named_crs(&document)?,
        rings: Vec::new(),
    };
    for (place, rings) in polygons {
        for vertices in rings.as_array().into_iter().flatten() {
            regions.rings.push(ring(vertices, &place)?);
        }
    }
    Ok(regions)
}

fn named_crs(document: &Value) -> Result<Crs, String> {
    let name = document
        .pointer("/crs/properties/name")
        .and_then(Value::as_str);
    let Some(name) = name.filter(|name| !name.contains("CRS84")) else {
        return Ok(Crs::WGS84);
    };
    let code = name.rsplit(':').next().and_then(|code| code.parse().ok());
    code.and_then(Crs::from_epsg).ok_or_else(|| {
        format!("its coordinate system `{name}` is not known here; `ogr2ogr -t_srs EPSG:4326` makes one that is")
    })
}

/// The coordinates of all polygons, each with the name of its place.
///
/// The parser has bounded the depth of the document, and with it the depth of this recursion.
fn collect<'a>(value: &'a Value, place: &str, found: &mut Vec<(String, &'a Value)>) {
    let at = |part: &str| match place.is_empty() {
        true => part.to_string(),
        false => format!("{place}.{part}"),
    };
    let list = |key: &str| {
        value
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    match value.get("type").and_then(Value::as_str) {
        Some("FeatureCollection") => {
            for (index, feature) in list("features").enumerate() {
                collect(feature, &at(&format!("features[{index}]")), found);
            }
        }
        Some("GeometryCollection") => {
            for (index, geometry) in list("geometries").enumerate() {
                collect(geometry, &at(&format!("geometries[{index}]")), found);
            }
        }
        Some("Feature") => {
            if let Some(geometry) = value.get("geometry") {
                collect(geometry, place, found);
            }
        }
        Some("MultiPolygon") => {
            for (index, rings) in list("coordinates").enumerate() {
                found.push((at(&format!("coordinates[{index}]")), rings));
            }
        }
        Some("Polygon") => {
            let name = if place.is_empty() {
                "the polygon"
            } else {
                place
            };
            found.push((name.to_string(), &value["coordinates"]));
        }
        _ => {}
    }
}

fn area(place: &str, rings: &Value) -> Result<Area, String> {
    let rings = rings
        .as_array()
        .ok_or_else(|| format!("{place} has no coordinates"))?;
    let mut area = Area::default();
    for (index, vertices) in rings.iter().enumerate() {
        let place = match index {
            0 => format!("{place}'s outer ring"),
            hole => format!("{place}'s hole {}", hole - 1),
        };
        let shape = Shape::of_lon_lat(ring(vertices, &place)?);
        let list = if index == 0 {
            &mut area.inside
        } else {
            &mut area.outside
        };
        list.push(Boundary { place, shape });
    }
    Ok(area)
}

fn ring(vertices: &Value, place: &str) -> Result<Vec<[f64; 2]>, String> {
    let vertices = vertices
        .as_array()
        .ok_or_else(|| format!("{place} is not a list of positions"))?;
    let position = |(index, vertex): (usize, &Value)| {
        let number = |axis: usize| vertex.get(axis).and_then(Value::as_f64);
        number(0)
            .zip(number(1))
            .map(<[f64; 2]>::from)
            .ok_or_else(|| {
                format!("{place}, vertex {index} is {vertex}; [longitude, latitude] is needed")
            })
    };
    vertices.iter().enumerate().map(position).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geo::GeoPosition;

    #[test]
    fn finds_the_polygon_and_its_holes_in_a_collection() {
        let text = r#"{"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"name":"ramp"},"geometry":{"type":"Point","coordinates":[1,2]}},
            {"type":"Feature","properties":null,"geometry":{"type":"Polygon","coordinates":
              [[[0,0,5],[9,0,5],[9,9,5],[0,0,5]],[[6,1],[7,1],[7,2],[6,1]]]}}]}"#;
        let area = parse(text).unwrap();
        assert_eq!((area.inside.len(), area.outside.len()), (1, 1));
        assert_eq!(area.outside[0].place, "features[1]'s hole 0");
        let Shape::Ring(ring) = &area.inside[0].shape else {
            panic!("not a ring")
        };
        assert_eq!(ring[1], GeoPosition::new(0.0, 9.0));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let wrong = |text: &str| parse(text).unwrap_err();
        assert!(wrong("{\"type\": \n oops").contains("line 2"));
        assert!(wrong(r#"{"type":"Point","coordinates":[1,2]}"#).contains("no geometry"));
        let text = r#"{"type":"Polygon","coordinates":[[[0,0],[1],[2,2]]]}"#;
        assert!(wrong(text).contains("outer ring, vertex 1 is [1]"));
        let text = r#"{"type":"MultiPolygon","coordinates":[[],[]]}"#;
        assert!(wrong(text).contains("2 polygons (coordinates[0], coordinates[1])"));
    }
}

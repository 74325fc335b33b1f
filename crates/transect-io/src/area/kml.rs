//! A Polygon in a KML document, as Google Earth and QGIS write it.

use super::regions::Regions;
use super::{Area, Boundary, Shape};
use crate::crs::Crs;
use roxmltree::{Document, Node, ParsingOptions};

/// More elements and texts than any fence needs.
const MOST_NODES: u32 = 200_000;

pub(super) fn parse(text: &str) -> Result<Area, String> {
    let options = ParsingOptions {
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let document =
        Document::parse_with_options(text, options).map_err(|e| format!("it is not XML: {e}"))?;
    let polygons: Vec<Node<'_, '_>> = document
        .descendants()
        .filter(|node| node.tag_name().name() == "Polygon")
        .collect();
    match polygons.as_slice() {
        [] => Err("it holds no Polygon element".into()),
        [polygon] => area(*polygon),
        several => {
            let lines: Vec<String> = several.iter().map(|n| line(*n).to_string()).collect();
            Err(format!(
                "it holds {} polygons (lines {}); one is needed, with inner boundaries where not to go",
                several.len(),
                lines.join(", ")
            ))
        }
    }
}

/// All polygons, however many.
pub(super) fn regions(text: &str) -> Result<Regions, String> {
    let options = ParsingOptions {
        nodes_limit: MOST_NODES,
        ..ParsingOptions::default()
    };
    let document =
        Document::parse_with_options(text, options).map_err(|e| format!("it is not XML: {e}"))?;
    let mut rings = Vec::new();
    for polygon in document
        .descendants()
        .filter(|node| node.tag_name().name() == "Polygon")
    {
        for node in polygon
            .descendants()
            .filter(|node| node.tag_name().name() == "coordinates")
        {
            rings.push(ring(
                node.text().unwrap_or(""),
                &format!("line {}", line(node)),
            )?);
        }
    }
    if rings.is_empty() {
        return Err("it holds no Polygon element".into());
    }
    Ok(Regions {
        rings,
        crs: Crs::WGS84,
    })
}

fn line(node: Node<'_, '_>) -> u32 {
    node.document().text_pos_at(node.range().start).row
}

fn area(polygon: Node<'_, '_>) -> Result<Area, String> {
    let mut area = Area::default();
    for boundary in polygon.children() {
        let list = match boundary.tag_name().name() {
            "outerBoundaryIs" => &mut area.inside,
            "innerBoundaryIs" => &mut area.outside,
            _ => continue,
        };
        for coordinates in boundary
            .descendants()
            .filter(|node| node.tag_name().name() == "coordinates")
        {
            let place = format!("line {}", line(coordinates));
            let shape = Shape::of_lon_lat(ring(coordinates.text().unwrap_or(""), &place)?);
            list.push(Boundary { place, shape });
        }
    }
    Ok(area)
}

/// `lon,lat[,altitude]` triples with white space between them.
fn ring(text: &str, place: &str) -> Result<Vec<[f64; 2]>, String> {
    let position = |(index, triple): (usize, &str)| {
        let mut numbers = triple.split(',').map(str::parse::<f64>);
        match (numbers.next(), numbers.next()) {
            (Some(Ok(lon)), Some(Ok(lat))) => Ok([lon, lat]),
            _ => Err(format!(
                "{place}, vertex {index} is `{triple}`; longitude,latitude is needed"
            )),
        }
    };
    text.split_whitespace().enumerate().map(position).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geo::GeoPosition;

    const LAKE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder><Placemark><name>lake</name><Polygon>
  <tessellate>1</tessellate>
  <outerBoundaryIs><LinearRing><coordinates>
    11.0,48.0,0 11.1,48.0,0
    11.1,48.1,0 11.0,48.0,0
  </coordinates></LinearRing></outerBoundaryIs>
  <innerBoundaryIs><LinearRing><coordinates>11.05,48.01 11.06,48.01 11.06,48.02</coordinates></LinearRing></innerBoundaryIs>
</Polygon></Placemark></Folder></Document></kml>"#;

    #[test]
    fn reads_outer_and_inner_boundaries() {
        let area = parse(LAKE).unwrap();
        let Shape::Ring(outer) = &area.inside[0].shape else {
            panic!("not a ring")
        };
        assert_eq!((outer.len(), outer[2]), (4, GeoPosition::new(48.1, 11.1)));
        assert_eq!(area.outside[0].place, "line 8");
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        let wrong = |text: &str| parse(text).unwrap_err();
        assert!(wrong("<kml>").contains("not XML"));
        assert!(wrong("<kml></kml>").contains("no Polygon"));
        let message = wrong(&LAKE.replace("11.1,48.1,0", "11.1;48.1"));
        assert_eq!(
            message,
            "line 4, vertex 2 is `11.1;48.1`; longitude,latitude is needed"
        );
        let message = wrong(&LAKE.replace("</Placemark>", "<Polygon/></Placemark>"));
        assert!(message.contains("2 polygons (lines 2, 9)"), "{message}");
    }
}

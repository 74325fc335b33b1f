//! A QGroundControl plan: the geofence's polygons and circles, and the polygons of surveys.
//!
//! The vehicle stays inside every inclusion and every survey polygon, and outside every exclusion. Unlike the
//! other formats, positions are written latitude first.

use super::{Area, Boundary, Shape};
use crate::geo::GeoPosition;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Plan {
    file_type: Option<String>,
    #[serde(default)]
    geo_fence: GeoFence,
    #[serde(default)]
    mission: Mission,
}

#[derive(Deserialize, Default)]
struct GeoFence {
    #[serde(default)]
    polygons: Vec<FencePolygon>,
    #[serde(default)]
    circles: Vec<FenceCircle>,
}

#[derive(Deserialize)]
struct FencePolygon {
    inclusion: bool,
    polygon: Vec<LatLon>,
}

#[derive(Deserialize)]
struct FenceCircle {
    inclusion: bool,
    circle: Circle,
}

#[derive(Deserialize)]
struct Circle {
    center: LatLon,
    radius: f64,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Mission {
    planned_home_position: Option<Vec<f64>>,
    #[serde(default)]
    items: Vec<Item>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Item {
    complex_item_type: Option<String>,
    polygon: Option<Vec<LatLon>>,
}

/// Latitude and longitude.
type LatLon = [f64; 2];

fn position([lat, lon]: LatLon) -> GeoPosition {
    GeoPosition::new(lat, lon)
}

fn ring(vertices: Vec<LatLon>) -> Shape {
    Shape::Ring(vertices.into_iter().map(position).collect())
}

pub(super) fn parse(text: &str) -> Result<Area, String> {
    let plan: Plan =
        serde_json::from_str(text).map_err(|e| format!("it is not a QGroundControl plan: {e}"))?;
    if plan.file_type.as_deref() != Some("Plan") {
        return Err("it is not a QGroundControl plan: its fileType is not \"Plan\"".into());
    }
    let mut area = Area::default();
    let mut put = |inclusion: bool, place: String, shape: Shape| {
        let list = if inclusion {
            &mut area.inside
        } else {
            &mut area.outside
        };
        list.push(Boundary { place, shape });
    };
    for (index, polygon) in plan.geo_fence.polygons.into_iter().enumerate() {
        let place = format!("geoFence.polygons[{index}]");
        put(polygon.inclusion, place, ring(polygon.polygon));
    }
    for (index, FenceCircle { inclusion, circle }) in plan.geo_fence.circles.into_iter().enumerate()
    {
        let place = format!("geoFence.circles[{index}]");
        let center = position(circle.center);
        let radius_m = circle.radius;
        put(inclusion, place, Shape::Circle { center, radius_m });
    }
    for (index, item) in plan.mission.items.into_iter().enumerate() {
        if let (Some("survey"), Some(polygon)) = (item.complex_item_type.as_deref(), item.polygon) {
            put(true, format!("mission.items[{index}]"), ring(polygon));
        }
    }
    if let Some([lat, lon, ..]) = plan.mission.planned_home_position.as_deref() {
        area.home = Some(GeoPosition::new(*lat, *lon));
    }
    Ok(area)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Trimmed from what QGroundControl 4 writes.
    const PLAN: &str = r#"{
        "fileType": "Plan", "version": 1, "groundStation": "QGroundControl",
        "geoFence": {"version": 2,
            "circles": [{"circle": {"center": [47.0005, 8.0005], "radius": 12.5}, "inclusion": false, "version": 1}],
            "polygons": [{"inclusion": true, "polygon": [[47, 8], [47, 8.001], [47.001, 8.001], [47.001, 8]], "version": 1}]},
        "mission": {"cruiseSpeed": 15, "items": [
            {"type": "SimpleItem", "command": 22, "params": [0, 0, 0, null, 47, 8, 50]},
            {"type": "ComplexItem", "complexItemType": "survey", "polygon": [[47, 8], [47, 8.001], [47.001, 8.001]]}],
            "plannedHomePosition": [47.0001, 8.0002, 390]},
        "rallyPoints": {"points": [], "version": 2}}"#;

    #[test]
    fn reads_the_fence_the_survey_and_the_home() {
        let area = parse(PLAN).unwrap();
        assert_eq!(area.home, Some(GeoPosition::new(47.0001, 8.0002)));
        let places: Vec<&str> = area.inside.iter().map(|b| b.place.as_str()).collect();
        assert_eq!(places, ["geoFence.polygons[0]", "mission.items[1]"]);
        let center = GeoPosition::new(47.0005, 8.0005);
        let circle = Shape::Circle {
            center,
            radius_m: 12.5,
        };
        assert_eq!(area.outside[0].shape, circle);
    }

    #[test]
    fn says_what_is_wrong() {
        let wrong = |text: &str| parse(text).unwrap_err();
        assert!(wrong("{}").contains("fileType"));
        assert!(wrong(&PLAN.replace("true", "7")).contains("line 5"));
    }
}

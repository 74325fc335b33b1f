//! A way to go, for autopilots and chartplotters: QGroundControl plans, GPX routes, GeoJSON.

use crate::geo::GeoPosition;
use crate::geojson;
use serde_json::{Value, json};

/// Firmware and vehicle of a plan: ArduPilot, surface boat, as MAVLink numbers them.
const ARDUPILOT: u8 = 3;
const SURFACE_BOAT: u8 = 11;
/// MAV_CMD_NAV_WAYPOINT, with heights above the start.
const WAYPOINT: u16 = 16;
const ABOVE_START: u8 = 3;

/// A route: where it starts, where it goes, how fast, and the fence around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// What it is called.
    pub name: String,
    /// Start.
    pub home: GeoPosition,
    /// Corners in order.
    pub places: Vec<GeoPosition>,
    /// Speed, m/s.
    pub speed_mps: f64,
    /// Rings to stay inside of (the first of each polygon) and out of.
    pub fence: Vec<Fence>,
}

/// A ring of a fence.
#[derive(Debug, Clone, PartialEq)]
pub struct Fence {
    /// Stay inside, otherwise outside.
    pub inclusion: bool,
    /// Corners; the first is not repeated.
    pub ring: Vec<GeoPosition>,
}

impl Route {
    /// The text of a QGroundControl plan (version 1 of the file, 2 of the mission).
    #[must_use]
    pub fn to_plan(&self) -> String {
        let at = |place: &GeoPosition| [place.lat_deg, place.lon_deg];
        let item = |(index, place): (usize, &GeoPosition)| {
            json!({
                "AMSLAltAboveTerrain": null, "Altitude": 0, "AltitudeMode": 1, "autoContinue": true, "command": WAYPOINT,
                "doJumpId": index + 1, "frame": ABOVE_START, "type": "SimpleItem",
                "params": [0, 0, 0, null, place.lat_deg, place.lon_deg, 0],
            })
        };
        let polygon = |fence: &Fence| {
            let ring: Vec<[f64; 2]> = fence.ring.iter().map(at).collect();
            json!({"inclusion": fence.inclusion, "polygon": ring, "version": 1})
        };
        let plan = json!({
            "fileType": "Plan",
            "version": 1,
            "groundStation": "QGroundControl",
            "geoFence": {"circles": [], "polygons": self.fence.iter().map(polygon).collect::<Vec<Value>>(), "version": 2},
            "mission": {
                "cruiseSpeed": self.speed_mps, "hoverSpeed": self.speed_mps, "firmwareType": ARDUPILOT, "globalPlanAltitudeMode": 1,
                "items": self.places.iter().enumerate().map(item).collect::<Vec<Value>>(),
                "plannedHomePosition": [self.home.lat_deg, self.home.lon_deg, 0], "vehicleType": SURFACE_BOAT, "version": 2,
            },
            "rallyPoints": {"points": [], "version": 2},
        });
        format!("{plan:#}\n")
    }

    /// The text of a GPX 1.1 route.
    #[must_use]
    pub fn to_gpx(&self) -> String {
        let escaped = self
            .name
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;");
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"transect\" \
             xmlns=\"http://www.topografix.com/GPX/1/1\">\n  <rte>\n    <name>{escaped}</name>\n"
        );
        for (index, place) in self.places.iter().enumerate() {
            text += &format!(
                "    <rtept lat=\"{:.8}\" lon=\"{:.8}\"><name>{}</name></rtept>\n",
                place.lat_deg,
                place.lon_deg,
                index + 1
            );
        }
        text + "  </rte>\n</gpx>\n"
    }

    /// The text of a GeoJSON document: the line.
    #[must_use]
    pub fn to_geojson(&self) -> String {
        let line = [&[self.home][..], &self.places].concat();
        let feature = json!({"type": "Feature", "properties": {"name": self.name}, "geometry": geojson::line(&line)});
        format!(
            "{}\n",
            json!({"type": "FeatureCollection", "features": [feature]})
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::area::{Area, Format};

    #[test]
    fn plans_are_read_again_and_routes_are_whole() {
        let place = |lon: f64, lat: f64| GeoPosition::new(lat, lon);
        let ring = vec![
            place(8.0, 47.0),
            place(8.001, 47.0),
            place(8.001, 47.001),
            place(8.0, 47.001),
        ];
        let route = Route {
            name: "lines <1>".into(),
            home: ring[0],
            places: vec![place(8.0002, 47.0003), place(8.0008, 47.0003)],
            speed_mps: 1.5,
            fence: vec![Fence {
                inclusion: true,
                ring,
            }],
        };
        let area = Area::parse(Format::Plan, route.to_plan().as_bytes()).unwrap();
        assert_eq!(
            (area.home, area.inside.len()),
            (Some(GeoPosition::new(47.0, 8.0)), 1)
        );
        let plan: Value = serde_json::from_str(&route.to_plan()).unwrap();
        assert_eq!(plan["mission"]["items"][1]["params"][4], 47.0003);
        let gpx = route.to_gpx();
        let document = roxmltree::Document::parse(&gpx).unwrap();
        assert_eq!(
            document
                .descendants()
                .filter(|n| n.tag_name().name() == "rtept")
                .count(),
            2
        );
        let geojson: Value = serde_json::from_str(&route.to_geojson()).unwrap();
        assert_eq!(
            geojson["features"][0]["geometry"]["coordinates"]
                .as_array()
                .unwrap()
                .len(),
            3
        );
    }
}

//! Where the vehicle went, and where it was sent.

use serde_json::{Value, json};
use transect::geometry::Position;
use transect::mission::Event;
use transect_io::{Crs, GeoPosition, geojson};

/// Where a vehicle was, and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passage {
    /// Where.
    pub position: Position,
    /// Seconds since the mission began.
    pub time_s: f64,
}

/// The way of a vehicle: where it was at every plan, reading and end of a leg, and the goals it was given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Track {
    /// The way.
    pub path: Vec<Passage>,
    /// The goals.
    pub waypoints: Vec<Position>,
}

impl Track {
    /// Takes what an event says about the way.
    pub fn note(&mut self, event: &Event<'_>) {
        let vehicle = match event {
            Event::Planned { plan, vehicle, .. } => {
                self.waypoints.extend(&plan.path);
                vehicle
            }
            Event::Sounding { vehicle, .. } | Event::LegEnded { vehicle, .. } => vehicle,
            _ => return,
        };
        let position = vehicle.pose.position;
        if self
            .path
            .last()
            .is_none_or(|last| last.position != position)
        {
            let time_s = vehicle.time_s;
            self.path.push(Passage { position, time_s });
        }
    }

    /// The track as GeoJSON: longitude and latitude where the coordinate system is known, metres otherwise (and the
    /// collection says so).
    pub fn to_geojson(&self, crs: Crs) -> String {
        let places = |positions: &[Position]| -> Option<Vec<GeoPosition>> {
            positions.iter().map(|at| crs.lon_lat(*at)).collect()
        };
        let plain = |at: &Position| json!([at.x, at.y]);
        let path: Vec<Position> = self.path.iter().map(|at| at.position).collect();
        let (coordinates, path, waypoints): (_, _, Vec<Value>) =
            match places(&path).zip(places(&self.waypoints)) {
                Some((path, waypoints)) => (
                    "longitude and latitude, degrees",
                    geojson::line(&path),
                    waypoints.into_iter().map(geojson::point).collect(),
                ),
                None => (
                    "metres east and north of the survey's own origin",
                    line(path.iter().map(plain).collect()),
                    self.waypoints
                        .iter()
                        .map(|at| json!({"type": "Point", "coordinates": plain(at)}))
                        .collect(),
                ),
            };
        let mut features = vec![json!({
            "type": "Feature",
            "properties": {"name": "path"},
            "geometry": path,
        })];
        for (number, waypoint) in waypoints.into_iter().enumerate() {
            features.push(json!({
                "type": "Feature",
                "properties": {"name": "waypoint", "number": number + 1},
                "geometry": waypoint,
            }));
        }
        json!({
            "type": "FeatureCollection",
            "coordinates": coordinates,
            "features": features,
        })
        .to_string()
    }
}

/// GeoJSON has no lines of fewer than two places.
fn line(path: Vec<Value>) -> Value {
    match path.len() {
        0 | 1 => json!({"type": "MultiPoint", "coordinates": path}),
        _ => json!({"type": "LineString", "coordinates": path}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_on_the_earth_are_degrees_and_others_metres() {
        let home = GeoPosition {
            lat_deg: 47.6,
            lon_deg: 7.5,
        };
        let crs = Crs::utm_at(home).unwrap();
        let here = crs.position(home).unwrap();
        let track = Track {
            path: [here, Position::new(here.x + 100.0, here.y)]
                .map(|position| Passage {
                    position,
                    time_s: 0.0,
                })
                .to_vec(),
            waypoints: vec![here],
        };
        let read = |crs| serde_json::from_str::<Value>(&track.to_geojson(crs)).unwrap();
        let on_earth = read(crs);
        let first = &on_earth["features"][0]["geometry"]["coordinates"][0];
        assert!((first[0].as_f64().unwrap() - 7.5).abs() < 1e-9);
        assert!((first[1].as_f64().unwrap() - 47.6).abs() < 1e-9);
        let local = read(Crs::Local);
        assert_eq!(
            local["features"][1]["geometry"]["coordinates"],
            json!([here.x, here.y])
        );
    }
}

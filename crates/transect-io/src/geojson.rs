//! Geometries of GeoJSON (RFC 7946): longitudes lie between -180 and 180, and a line over the date line is cut there.

use crate::geo::GeoPosition;
use serde_json::{Value, json};

/// Hundred-millionths of a degree are a millimetre.
const DEGREE_DIGITS: f64 = 1e8;

/// A place.
#[must_use]
pub fn point(place: GeoPosition) -> Value {
    let turns = turns(place.lon_deg);
    json!({"type": "Point", "coordinates": position(place, turns)})
}

/// A line through places whose longitudes do not jump from one to the next: beyond 180 they go on to 181. One place
/// alone makes no line: it stays a place.
///
/// ```
/// use transect_io::{GeoPosition, geojson};
/// let over = [GeoPosition::new(10.0, 179.0), GeoPosition::new(14.0, 183.0)];
/// let cut = geojson::line(&over);
/// assert_eq!(cut["type"], "MultiLineString");
/// assert_eq!(cut["coordinates"].to_string(), "[[[179.0,10.0],[180.0,11.0]],[[-180.0,11.0],[-177.0,14.0]]]");
/// ```
#[must_use]
pub fn line(places: &[GeoPosition]) -> Value {
    let mut pieces: Vec<Vec<Value>> = vec![Vec::new()];
    let mut push = |place: GeoPosition, turn: f64, begin: bool| {
        if begin {
            pieces.push(Vec::new());
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(position(place, turn));
        }
    };
    let mut before: Option<GeoPosition> = None;
    for place in places {
        let turn = turns(place.lon_deg);
        if let Some(last) = before
            && turns(last.lon_deg) != turn
        {
            let from = turns(last.lon_deg);
            let lon = 360.0 * from.max(turn) - 180.0;
            let share = (lon - last.lon_deg) / (place.lon_deg - last.lon_deg);
            let lat = last.lat_deg + share * (place.lat_deg - last.lat_deg);
            push(GeoPosition::new(lat, lon), from, false);
            push(GeoPosition::new(lat, lon), turn, true);
        }
        push(*place, turn, false);
        before = Some(*place);
    }
    match &pieces[..] {
        [only] if only.len() < 2 => json!({"type": "MultiPoint", "coordinates": only}),
        [only] => json!({"type": "LineString", "coordinates": only}),
        several => json!({"type": "MultiLineString", "coordinates": several}),
    }
}

/// How often a longitude goes around the earth, counted at the date line.
fn turns(lon: f64) -> f64 {
    ((lon + 180.0) / 360.0).floor()
}

fn position(place: GeoPosition, turns: f64) -> Value {
    let degrees = |angle: f64| (angle * DEGREE_DIGITS).round() / DEGREE_DIGITS;
    json!([
        degrees(place.lon_deg - 360.0 * turns),
        degrees(place.lat_deg)
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(coordinates: &[(f64, f64)]) -> Vec<GeoPosition> {
        let place = |(lon, lat): &(f64, f64)| GeoPosition {
            lat_deg: *lat,
            lon_deg: *lon,
        };
        coordinates.iter().map(place).collect()
    }

    #[test]
    fn lines_are_cut_at_the_date_line_in_either_direction() {
        let there_and_back = places(&[(-179.0, 0.0), (-181.0, 2.0), (-181.0, 4.0), (-179.0, 6.0)]);
        assert_eq!(
            line(&there_and_back)["coordinates"],
            json!([
                [[-179.0, 0.0], [-180.0, 1.0]],
                [[180.0, 1.0], [179.0, 2.0], [179.0, 4.0], [180.0, 5.0]],
                [[-180.0, 5.0], [-179.0, 6.0]]
            ])
        );
        let elsewhere = line(&places(&[(7.5, 47.0), (7.6, 47.0)]));
        assert_eq!(elsewhere["type"], "LineString");
        assert_eq!(line(&places(&[(7.5, 47.0)]))["type"], "MultiPoint");
        assert_eq!(line(&[])["coordinates"], json!([]));
    }

    #[test]
    fn places_lie_between_minus_180_and_180() {
        for (lon, shown) in [(181.0, -179.0), (-180.5, 179.5), (7.5, 7.5)] {
            let point = point(GeoPosition::new(1.0, lon));
            assert_eq!(point["coordinates"], json!([shown, 1.0]));
        }
    }
}

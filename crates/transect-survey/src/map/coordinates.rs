//! From the coordinates of a file to metres.

use transect::geometry::Position;
use transect_io::{Crs, LonLat};

/// Places in metres, and in which coordinate system.
///
/// Degrees (told by the columns' names or by `given`) are projected to the UTM zone of the place in the middle,
/// or to `given`. Other coordinates stay as they are: in `given`, or metres from an origin nobody told.
pub(super) fn in_metres(
    places: &[[f64; 2]],
    named_degrees: bool,
    given: Option<Crs>,
) -> Result<(Vec<[f64; 2]>, Crs), String> {
    let source = match given {
        Some(crs) if !crs.is_metric() => crs,
        _ if named_degrees => Crs::WGS84,
        Some(crs) => return Ok((places.to_vec(), crs)),
        None => return Ok((places.to_vec(), Crs::Local)),
    };
    let mut on_earth = Vec::with_capacity(places.len());
    for [x, y] in places {
        let place = source.lon_lat(Position::new(*x, *y));
        on_earth.push(place.ok_or_else(|| {
            format!(
                "({x}, {y}) is no place on the earth in {source}; longitude comes first, up to 360 either way, \
                 then latitude, up to 90; name the columns with --x and --y if they are swapped"
            )
        })?);
    }
    let target = match given.filter(|crs| crs.is_metric()) {
        Some(crs) => crs,
        None => middle(&on_earth).and_then(Crs::utm_at).ok_or(
            "there is no UTM zone there; give a coordinate system in metres with --crs".to_string(),
        )?,
    };
    let project = |place: &LonLat| {
        let at = target.position(*place).ok_or_else(|| {
            let LonLat { lon, lat } = place;
            format!("longitude {lon}, latitude {lat} is out of reach of {target}")
        })?;
        Ok([at.x, at.y])
    };
    let metres = on_earth
        .iter()
        .map(project)
        .collect::<Result<_, String>>()?;
    Ok((metres, target))
}

/// The median longitude and the median latitude.
fn middle(places: &[LonLat]) -> Option<LonLat> {
    let median = |coordinate: fn(&LonLat) -> f64| {
        let mut sorted: Vec<f64> = places.iter().map(coordinate).collect();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied()
    };
    Some(LonLat {
        lon: median(|place| place.lon)?,
        lat: median(|place| place.lat)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_go_to_their_zone_and_metres_stay() {
        let places = [[73.5, 17.5], [73.6, 17.4], [73.4, 17.6]];
        let (metres, crs) = in_metres(&places, true, None).unwrap();
        assert_eq!(crs.to_string(), "EPSG:32643");
        // By `cs2cs` of PROJ.
        assert!((metres[0][0] - 340_749.566_665).abs() < 1e-4);
        assert!((metres[0][1] - 1_935_495.846_596).abs() < 1e-4);
        // The neighbouring zone, if asked; degrees without telling names, if told.
        let neighbour = Crs::from_epsg(32642);
        assert_eq!(
            in_metres(&places, true, neighbour).unwrap().1,
            neighbour.unwrap()
        );
        assert_eq!(
            in_metres(&places, false, Some(Crs::WGS84)).unwrap(),
            (metres, crs)
        );
        assert_eq!(
            in_metres(&places, false, None).unwrap(),
            (places.to_vec(), Crs::Local)
        );
        let stays = in_metres(&places, false, neighbour).unwrap();
        assert_eq!(stays, (places.to_vec(), neighbour.unwrap()));
    }

    #[test]
    fn impossible_places_are_named() {
        let swapped = in_metres(&[[17.5, 173.5]], true, None).unwrap_err();
        assert!(
            swapped.contains("(17.5, 173.5)") && swapped.contains("--x"),
            "{swapped}"
        );
        let pole = in_metres(&[[0.0, 89.0]], true, None).unwrap_err();
        assert!(pole.contains("--crs"), "{pole}");
        let far = in_metres(&[[0.0, 0.0], [0.0, 1.0], [90.0, 0.0]], true, None).unwrap_err();
        assert!(
            far.contains("longitude 90") && far.contains("EPSG:32631"),
            "{far}"
        );
    }
}

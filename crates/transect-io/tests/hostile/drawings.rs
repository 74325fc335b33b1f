//! Areas that are well written and badly drawn: corners that touch, overlap and line up, too few of them, or anywhere at all.

use proptest::prelude::*;

type Ring = Vec<[f64; 2]>;

/// Mostly on a coarse lattice of some metres, where rings meet each other and themselves.
fn corner() -> impl Strategy<Value = [f64; 2]> {
    let lattice = (0..9_i32, 0..9_i32)
        .prop_map(|(x, y)| [11.0 + 1e-4 * f64::from(x), 48.0 + 1e-4 * f64::from(y)]);
    let odd = prop_oneof![
        Just(0.0),
        Just(-0.0),
        Just(180.0),
        Just(-180.0),
        Just(90.0),
        Just(1e308),
        Just(5e-324),
        -200.0..200.0
    ];
    let anywhere = (odd.clone(), odd).prop_map(|(x, y)| [x, y]);
    prop_oneof![40 => lattice, 1 => anywhere]
}

fn rings() -> impl Strategy<Value = Vec<Ring>> {
    prop::collection::vec(prop::collection::vec(corner(), 0..9), 0..4)
}

/// A file for this reader; none for those that do not read areas.
pub fn drawing(reader: &str) -> Option<BoxedStrategy<Vec<u8>>> {
    let text = match reader {
        "geojson" => rings().prop_map(|rings| geojson(&rings)).boxed(),
        "kml" => rings().prop_map(|rings| kml(&rings)).boxed(),
        "plan" => (rings(), corner(), -5.0..60.0)
            .prop_map(|(rings, center, radius_m)| plan(&rings, center, radius_m))
            .boxed(),
        _ => return None,
    };
    Some(text.prop_map(String::into_bytes).boxed())
}

fn json(ring: &Ring, corner: fn(&[f64; 2]) -> String) -> String {
    let corners: Vec<String> = ring.iter().map(corner).collect();
    format!("[{}]", corners.join(","))
}

fn geojson(rings: &[Ring]) -> String {
    let lon_lat = |[lon, lat]: &[f64; 2]| format!("[{lon:?},{lat:?}]");
    let rings: Vec<String> = rings.iter().map(|ring| json(ring, lon_lat)).collect();
    format!(
        r#"{{"type":"Feature","properties":{{}},"geometry":{{"type":"Polygon","coordinates":[{}]}}}}"#,
        rings.join(",")
    )
}

fn kml(rings: &[Ring]) -> String {
    let boundary = |(i, ring): (usize, &Ring)| {
        let name = if i == 0 {
            "outerBoundaryIs"
        } else {
            "innerBoundaryIs"
        };
        let corners: Vec<String> = ring
            .iter()
            .map(|[lon, lat]| format!("{lon:?},{lat:?},0"))
            .collect();
        let corners = corners.join(" ");
        format!("<{name}><LinearRing><coordinates>{corners}</coordinates></LinearRing></{name}>")
    };
    let boundaries: String = rings.iter().enumerate().map(boundary).collect();
    format!(
        r#"<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><Polygon>{boundaries}</Polygon></Placemark></kml>"#
    )
}

fn plan(rings: &[Ring], [lon, lat]: [f64; 2], radius_m: f64) -> String {
    let lat_lon = |[lon, lat]: &[f64; 2]| format!("[{lat:?},{lon:?}]");
    let fence = |(i, ring): (usize, &Ring)| {
        let (inclusion, ring) = (i % 2 == 0, json(ring, lat_lon));
        format!(r#"{{"inclusion":{inclusion},"version":1,"polygon":{ring}}}"#)
    };
    let fences: Vec<String> = rings.iter().enumerate().map(fence).collect();
    let circle = format!(
        r#"{{"circle":{{"center":[{lat:?},{lon:?}],"radius":{radius_m:?}}},"inclusion":true}}"#
    );
    format!(
        r#"{{"fileType":"Plan","version":1,"geoFence":{{"circles":[{circle}],"polygons":[{}],"version":2}},
        "mission":{{"plannedHomePosition":[{lat:?},{lon:?},0],"items":[]}}}}"#,
        fences.join(",")
    )
}

//! Whatever is drawn, no area file makes the readers panic: drawings that are well written and badly drawn, and damaged ones.
//!
//! Longer: `PROPTEST_CASES=100000000 timeout 600 cargo test --release -p transect-io --test areas geojson`, and so on for
//! `kml` and `plan`.
#![allow(missing_docs)]

use proptest::prelude::*;
use transect::fence::{Fence, Guard};
use transect_io::area::{Area, Format};
use transect_io::{Crs, LonLat};

type Ring = Vec<[f64; 2]>;

/// Corners on a coarse lattice of some metres touch, overlap and line up; a few are anywhere at all.
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

/// A piece of text that takes the place of another.
#[derive(Debug, Clone)]
struct Damage {
    at: prop::sample::Index,
    length: usize,
    text: String,
}

fn damage() -> impl Strategy<Value = Option<Damage>> {
    let text = prop_oneof![
        Just("null".to_string()),
        Just("[]".to_string()),
        Just("{}".to_string()),
        Just("1e999".to_string()),
        Just("-".to_string()),
        Just("\"".to_string()),
        Just("<a>".to_string()),
        Just("&x;".to_string()),
        "\\PC{0,6}",
    ];
    let damage = (any::<prop::sample::Index>(), 0..12_usize, text);
    prop::option::of(damage.prop_map(|(at, length, text)| Damage { at, length, text }))
}

fn damaged(text: String, damage: Option<Damage>) -> String {
    let Some(Damage {
        at,
        length,
        text: new,
    }) = damage
    else {
        return text;
    };
    let letters: Vec<char> = text.chars().collect();
    let start = at.index(letters.len());
    let end = (start + length).min(letters.len());
    let old = |range: &[char]| range.iter().collect::<String>();
    format!("{}{new}{}", old(&letters[..start]), old(&letters[end..]))
}

/// Reads it and, if that works, does what a mission does with an area.
fn use_it(format: Format, text: &str) {
    let Ok(area) = Area::parse(format, text.as_bytes()) else {
        return;
    };
    let [lon, lat] = area.middle();
    let Some(crs) = Crs::utm_at(LonLat { lon, lat }) else {
        return;
    };
    let project = |[lon, lat]: [f64; 2]| {
        let at = crs.position(LonLat { lon, lat });
        at.map(|at| [at.x, at.y]).ok_or("far away".to_string())
    };
    let Ok(polygon) = area.in_metres(project) else {
        return;
    };
    assert!(polygon.area() > 0.0 && polygon.area().is_finite());
    let home = polygon.outer()[0];
    if let Ok(fence) = Fence::new(polygon, 2.0, home) {
        let guard = Guard::new(fence, home);
        let inside = guard.homeward().home();
        assert!(guard.fence().area().contains(inside));
    }
}

fn json(ring: &Ring, swapped: bool) -> String {
    let corner = |[x, y]: &[f64; 2]| match swapped {
        true => format!("[{y:?},{x:?}]"),
        false => format!("[{x:?},{y:?}]"),
    };
    format!(
        "[{}]",
        ring.iter().map(corner).collect::<Vec<_>>().join(",")
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn geojson(rings in rings(), damage in damage()) {
        let rings: Vec<String> = rings.iter().map(|ring| json(ring, false)).collect();
        let text = format!(
            r#"{{"type":"Feature","properties":{{}},"geometry":{{"type":"Polygon","coordinates":[{}]}}}}"#,
            rings.join(",")
        );
        use_it(Format::GeoJson, &damaged(text, damage));
    }

    #[test]
    fn kml(rings in rings(), damage in damage()) {
        let ring = |name: &str, ring: &Ring| {
            let corners: Vec<String> = ring.iter().map(|[x, y]| format!("{x:?},{y:?},0")).collect();
            let corners = corners.join(" ");
            format!("<{name}><LinearRing><coordinates>{corners}</coordinates></LinearRing></{name}>")
        };
        let boundaries: Vec<String> = rings.iter().enumerate().map(|(i, corners)| match i {
            0 => ring("outerBoundaryIs", corners),
            _ => ring("innerBoundaryIs", corners),
        }).collect();
        let text = format!(
            "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Placemark><Polygon>{}</Polygon></Placemark></kml>",
            boundaries.concat()
        );
        use_it(Format::Kml, &damaged(text, damage));
    }

    #[test]
    fn plan(rings in rings(), circle in corner(), radius in -5.0..60.0, damage in damage()) {
        let fences: Vec<String> = rings.iter().enumerate().map(|(i, ring)| {
            let inclusion = i % 2 == 0;
            format!(r#"{{"inclusion":{inclusion},"version":1,"polygon":{}}}"#, json(ring, true))
        }).collect();
        let [lon, lat] = circle;
        let text = format!(
            r#"{{"fileType":"Plan","version":1,"geoFence":{{"circles":[{{"circle":{{"center":[{lat:?},{lon:?}],"radius":{radius:?}}},"inclusion":true}}],"polygons":[{}],"version":2}},"mission":{{"plannedHomePosition":[{lat:?},{lon:?},0],"items":[]}},"rallyPoints":{{"points":[],"version":2}}}}"#,
            fences.join(",")
        );
        use_it(Format::Plan, &damaged(text, damage));
    }
}

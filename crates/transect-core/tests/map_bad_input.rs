//! Soundings that nobody should have taken: maps are made of them, or the reason is given why not.

use transect::gp::random::{Randomness, Stream};
use transect::map::{Map, MapSettings, Method, make_map};
use transect::settings::KernelChoice;

/// Both ways of making a map, as fast as they go.
fn both_ways(cell_m: f64, places: &[[f64; 2]], values: &[f64]) -> [Map; 2] {
    [1e15, 0.0].map(|exact_work| {
        let settings = MapSettings {
            cell_m: Some(cell_m),
            kernels: vec![KernelChoice::named("matern32")],
            exact_work,
            ..MapSettings::default()
        };
        let map = make_map(places, values, &settings, &|_| ()).unwrap();
        assert_eq!(map.method == Method::Exact, exact_work > 0.0);
        map
    })
}

/// Root mean squared error of the cells that are inside; there must be some.
fn error(map: &Map, truth: impl Fn([f64; 2]) -> f64, inside: impl Fn([f64; 2]) -> bool) -> f64 {
    let (mut squares, mut count) = (0.0, 0);
    for cell in (0..map.grid.cells()).filter(|cell| map.mean[*cell].is_finite()) {
        let at = map
            .grid
            .centre(cell / map.grid.columns, cell % map.grid.columns);
        if inside(at) {
            assert!(map.std[cell] > 0.0 && map.std[cell].is_finite());
            squares += (map.mean[cell] - truth(at)).powi(2);
            count += 1;
        }
    }
    assert!(count > 20, "only {count} cells");
    f64::sqrt(squares / f64::from(count))
}

#[test]
fn soundings_on_one_line() {
    let floor = |[x, _]: [f64; 2]| 10.0 + 3.0 * (0.03 * x).sin();
    let places: Vec<[f64; 2]> = (0..600).map(|i| [0.5 * f64::from(i), 7.0]).collect();
    let values: Vec<f64> = places.iter().map(|place| floor(*place)).collect();
    for map in both_ways(2.0, &places, &values) {
        let off = error(&map, floor, |[_, y]| (y - 7.0).abs() < 2.0);
        assert!(off < 0.2, "{:?}: {off}", map.method);
    }
}

/// A boat at anchor that keeps logging: ten thousand soundings within a centimetre, and a survey around them.
#[test]
fn ten_thousand_soundings_at_one_place() {
    let floor = |[x, y]: [f64; 2]| 10.0 + (0.05 * x).sin() + (0.04 * y).cos();
    let mut stream = Stream::new(3);
    let mut places: Vec<[f64; 2]> = (0..400)
        .map(|i| [5.0 * f64::from(i % 20), 5.0 * f64::from(i / 20)])
        .collect();
    places.extend((0..10_000).map(|_| {
        let mut near = || 51.0 + stream.uniform(-0.005, 0.005);
        [near(), near()]
    }));
    let mut noise = Stream::new(4);
    let values: Vec<f64> = (places.iter())
        .map(|place| floor(*place) + noise.normal(0.0, 0.05))
        .collect();
    let settings = MapSettings {
        cell_m: Some(2.0),
        kernels: vec![KernelChoice::named("matern32")],
        ..MapSettings::default()
    };
    let map = make_map(&places, &values, &settings, &|_| ()).unwrap();
    let off = error(&map, floor, |_| true);
    assert!(off < 0.2, "{off}");
}

/// Five hundred soundings within a metre and five hundred over a kilometre.
#[test]
fn two_scales_a_thousand_times_apart() {
    let floor = |[x, y]: [f64; 2]| 20.0 + 5.0 * (0.006 * x).sin() * (0.005 * y).cos();
    let mut stream = Stream::new(5);
    let mut places: Vec<[f64; 2]> = Vec::new();
    for side in [1000.0, 1.0] {
        places.extend((0..500).map(|_| [stream.uniform(0.0, side), stream.uniform(0.0, side)]));
    }
    let values: Vec<f64> = (places.iter())
        .map(|place| floor(*place) + stream.normal(0.0, 0.02))
        .collect();
    for map in both_ways(20.0, &places, &values) {
        let off = error(&map, floor, |_| true);
        assert!(off < 0.5, "{:?}: {off}", map.method);
    }
}

/// Lines, then lines across them, two metres higher: nobody can know who is right, so error bars must say so.
#[test]
fn a_tide_of_two_metres_widens_error_bars() {
    let (mut places, mut values) = (Vec::new(), Vec::new());
    let mut stream = Stream::new(6);
    for line in 0..16_u32 {
        for step in 0..80_u32 {
            let (along, across) = (2.0 * f64::from(step), 20.0 * f64::from(line % 8) + 7.0);
            let is_second = line >= 8;
            places.push(if is_second {
                [across + 0.3, along]
            } else {
                [along, across]
            });
            let tide = if is_second { 2.0 } else { 0.0 };
            values.push(9.0 + tide + stream.normal(0.0, 0.03));
        }
    }
    for map in both_ways(4.0, &places, &values) {
        let apart = map.expected_error();
        assert!(apart > 0.15, "{:?}: {apart}", map.method);
        assert!(
            map.mean
                .iter()
                .all(|v| v.is_nan() || (8.5..11.5).contains(v))
        );
    }
}

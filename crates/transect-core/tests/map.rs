//! Maps from soundings of surfaces that are known.

use transect::Error;
use transect::geometry::Rect;
use transect::gp::random::{Randomness, Stream};
use transect::map::MapError;
use transect::map::{Evidence, Map, MapArea, MapSettings, Method, make_map, make_map_of};
use transect::metrics::{Calibration, Tails, accuracy};
use transect::settings::KernelChoice;

/// Hills 40 m wide, up to 3 m high.
fn hills([x, y]: [f64; 2]) -> f64 {
    2.0 * (0.08 * x).sin() * (0.06 * y).cos() + (0.02 * x + 0.03 * y).sin()
}

/// Places anywhere in 200 x 120 m, and noisy readings there.
fn survey(count: usize, noise_std: f64) -> (Vec<[f64; 2]>, Vec<f64>) {
    let mut stream = Stream::new(11);
    let mut place = || [stream.uniform(0.0, 200.0), stream.uniform(0.0, 120.0)];
    let places: Vec<[f64; 2]> = (0..count).map(|_| place()).collect();
    let values = places
        .iter()
        .map(|p| hills(*p) + stream.normal(0.0, noise_std));
    (places.clone(), values.collect())
}

fn settings(exact_work: f64) -> MapSettings {
    MapSettings {
        cell_m: Some(4.0),
        kernels: vec![KernelChoice::named("matern52")],
        exact_work,
        ..MapSettings::default()
    }
}

fn made(soundings: &(Vec<[f64; 2]>, Vec<f64>), settings: &MapSettings) -> Map {
    make_map(&soundings.0, &soundings.1, settings, &|_| ()).unwrap()
}

/// Mean, deviation and truth of all mapped cells.
fn against_truth(map: &Map) -> [Vec<f64>; 3] {
    let mut series = [const { Vec::new() }; 3];
    for cell in (0..map.grid.cells()).filter(|cell| map.mean[*cell].is_finite()) {
        let centre = map
            .grid
            .centre(cell / map.grid.columns, cell % map.grid.columns);
        series[0].push(map.mean[cell]);
        series[1].push(map.std[cell]);
        series[2].push(hills(centre));
    }
    series
}

#[test]
fn a_map_is_right_within_its_own_error_bars() {
    let map = made(&survey(500, 0.2), &settings(1e12));
    assert_eq!(map.method, Method::Exact);
    let [mean, std, truth] = against_truth(&map);
    assert!(truth.len() > 1300, "{} cells", truth.len());
    assert!(accuracy::rmse(&mean, &truth).unwrap() < 0.1);
    let calibration = Calibration::of(&mean, &std, Tails::Gaussian, &truth).unwrap();
    assert!(calibration.coverage_95 > 0.9, "{calibration:?}");
    // The model finds the noise that was put in, and so does leaving out.
    let [least, most] = map.noise_stds;
    assert_eq!(least, most);
    assert!((least / 0.2 - 1.0).abs() < 0.2, "{least}");
    assert!((0.2..0.25).contains(&map.quality.rmse), "{:?}", map.quality);
    assert!((0.92..0.98).contains(&map.quality.coverage_95));
    assert!(map.quality.suspicious.is_empty());
}

/// The two models are trained differently; what they say must not differ by more than a part of what they are unsure of.
#[test]
fn nearest_neighbours_agree_with_one_model_and_have_no_seams() {
    let soundings = survey(1500, 0.2);
    let exact = made(&soundings, &settings(1e15));
    let nearest = made(&soundings, &settings(0.0));
    assert_eq!(exact.method, Method::Exact);
    assert_eq!(nearest.method, Method::Nearest { points: 1500 });
    let mut squares = 0.0;
    let mut count = 0.0;
    for cell in (0..exact.grid.cells()).filter(|cell| exact.mean[*cell].is_finite()) {
        let off = (nearest.mean[cell] - exact.mean[cell]) / exact.std[cell];
        squares += off * off;
        count += 1.0;
        let ratio = nearest.std[cell] / exact.std[cell];
        assert!((0.6..1.6).contains(&ratio), "{ratio}");
    }
    let off = f64::sqrt(squares / count);
    assert!(off < 0.5, "{off}");
    let ratio = nearest.quality.rmse / exact.quality.rmse;
    assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
    let [mean, std, truth] = against_truth(&nearest);
    let calibration = Calibration::of(&mean, &std, Tails::Gaussian, &truth).unwrap();
    assert!(calibration.coverage_95 > 0.9, "{calibration:?}");
}

/// A boat's lanes are dense along and far from each other: what is between them is not as certain as the next sounding of the lane.
#[test]
fn error_bars_hold_between_lanes() {
    let rough = |[x, y]: [f64; 2]| {
        let waves = (1..8).map(f64::from);
        waves
            .map(|k| (0.045 * k * x + 2.1 * k).sin() * (0.04 * k * y + k * k).cos() / k)
            .sum::<f64>()
    };
    let mut stream = Stream::new(4);
    let (mut places, mut values) = (Vec::new(), Vec::new());
    for lane in 0..10 {
        for step in 0..70 {
            let place = [
                20.0 * f64::from(lane) + stream.uniform(-0.5, 0.5),
                2.0 * f64::from(step),
            ];
            places.push(place);
            values.push(rough(place) + stream.normal(0.0, 0.05));
        }
    }
    let settings = MapSettings {
        cell_m: Some(2.0),
        ..MapSettings::default()
    };
    let map = made(&(places, values), &settings);
    let cells = (0..map.grid.cells()).filter(|cell| map.mean[*cell].is_finite());
    let (mut held, mut count) = (0, 0);
    for cell in cells {
        let centre = map
            .grid
            .centre(cell / map.grid.columns, cell % map.grid.columns);
        count += 1;
        held += usize::from((rough(centre) - map.mean[cell]).abs() < 1.96 * map.std[cell]);
    }
    let share = held as f64 / f64::from(count);
    assert!((0.9..0.99).contains(&share), "{share}");
}

#[test]
fn threads_do_not_change_a_bit() {
    let soundings = survey(900, 0.1);
    let bits = |threads: usize, work: f64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let map = pool.unwrap().install(|| made(&soundings, &settings(work)));
        let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        (bits(&map.mean), bits(&map.std))
    };
    for work in [0.0, 1e15] {
        assert!(bits(1, work) == bits(2, work), "{work}");
    }
}

#[test]
fn gross_errors_are_pointed_at_and_do_no_harm() {
    let mut soundings = survey(300, 0.05);
    soundings.1[123] += 40.0;
    soundings.1[200] -= 15.0;
    let map = made(&soundings, &settings(1e12));
    assert_eq!(map.quality.suspicious, [123, 200]);
    // As if it were not there, for error bars too.
    assert!(map.quality.rmse < 0.1, "{:?}", map.quality);
    assert!(map.expected_error() < 0.1, "{}", map.expected_error());
    let followed = MapSettings {
        ignore_outliers: false,
        kernels: vec![KernelChoice::named("matern12")],
        ..settings(1e12)
    };
    let map = made(&soundings, &followed);
    assert!(map.quality.suspicious.contains(&123));
    let off = |map: &Map| {
        let (row, column) = map.grid.cell_at(soundings.0[123]).unwrap();
        let centre = map.grid.centre(row, column);
        (map.mean[row * map.grid.columns + column] - hills(centre)).abs()
    };
    assert!(off(&map) > 0.5, "{}", off(&map));
    let ignored = MapSettings {
        ignore_outliers: true,
        ..followed
    };
    let map = made(&soundings, &ignored);
    assert!(off(&map) < 0.3, "{}", off(&map));
}

/// What files have where nothing was measured, forgotten to be taken out.
#[test]
fn a_sentinel_does_not_spoil_the_scale() {
    let mut soundings = survey(300, 0.05);
    let clean = made(&soundings, &settings(1e12));
    for i in [17, 130, 244] {
        soundings.1[i] = -9999.0;
    }
    let map = made(&soundings, &settings(1e12));
    let mut found = map.quality.suspicious.clone();
    found.sort_unstable();
    assert_eq!(found, [17, 130, 244]);
    let ratio = map.expected_error() / clean.expected_error();
    assert!((0.8..1.3).contains(&ratio), "{ratio}");
    let [mean, std, truth] = against_truth(&map);
    assert!(accuracy::rmse(&mean, &truth).unwrap() < 0.05);
    let calibration = Calibration::of(&mean, &std, Tails::Gaussian, &truth).unwrap();
    assert!(calibration.coverage_95 > 0.9, "{calibration:?}");
}

/// A lake whose floor is flat beside slopes.
#[test]
fn error_bars_hold_on_a_flat_floor() {
    let slope = |[x, _]: [f64; 2]| 15.0 * (1.0 - x / 60.0).max(0.0);
    let (places, _) = survey(4000, 0.0);
    let mut stream = Stream::new(3);
    let values = places.iter().map(|p| slope(*p) + stream.normal(0.0, 0.05));
    let map = made(&(places.clone(), values.collect()), &settings(0.0));
    let floor = (0..map.grid.cells()).filter(|cell| {
        let [x, _] = map.grid.centre(0, cell % map.grid.columns);
        x > 80.0 && map.mean[*cell].is_finite()
    });
    let (mut held, mut count, mut widest) = (0, 0, 0.0_f64);
    for cell in floor {
        count += 1;
        held += usize::from(map.mean[cell].abs() < 1.96 * map.std[cell]);
        widest = widest.max(map.std[cell]);
    }
    let share = held as f64 / f64::from(count);
    assert!(share > 0.9, "{share}");
    assert!(widest < 0.2, "{widest}");
}

#[test]
fn cells_far_from_soundings_are_mapped_only_on_request() {
    let (mut places, mut values) = survey(400, 0.1);
    // A lake around an island of 80 x 60 m.
    let on_land = |p: &[f64; 2]| (60.0..140.0).contains(&p[0]) && (30.0..90.0).contains(&p[1]);
    let keep: Vec<bool> = places.iter().map(|p| !on_land(p)).collect();
    places.retain(|p| !on_land(p));
    values = values
        .into_iter()
        .zip(keep)
        .filter_map(|(v, k)| k.then_some(v))
        .collect();
    let soundings = (places, values);
    let at = |map: &Map, place| {
        let (row, column) = map.grid.cell_at(place).unwrap();
        map.mean[row * map.grid.columns + column]
    };
    let map = made(&soundings, &settings(1e12));
    assert!(at(&map, [100.0, 60.0]).is_nan());
    assert!(at(&map, [20.0, 60.0]).is_finite());
    let fill = true;
    let filled = made(
        &soundings,
        &MapSettings {
            fill,
            ..settings(1e12)
        },
    );
    assert!(filled.mean.iter().chain(&filled.std).all(|v| v.is_finite()));
}

#[test]
fn odd_surveys_have_maps_or_reasons() {
    let settings = MapSettings::default();
    let map = |places: &[[f64; 2]], values: &[f64]| make_map(places, values, &settings, &|_| ());
    let line: Vec<[f64; 2]> = (0..30)
        .map(|i| [f64::from(i), 2.0 * f64::from(i)])
        .collect();
    let rising: Vec<f64> = (0..30).map(f64::from).collect();
    assert!(map(&line, &rising).is_ok());
    assert!(map(&line, &[4.0; 30]).unwrap().quality.rmse < 1e-3);
    assert!(matches!(
        map(&line[..2], &rising[..2]),
        Err(Error::Map(MapError::TooFewSoundings { got: 2, .. }))
    ));
    assert!(matches!(
        map(&[[1.0, 1.0]; 5], &rising[..5]),
        Err(Error::Map(MapError::OnePlace))
    ));
    assert!(map(&line, &rising[..5]).is_err());
    let mut hole = rising.clone();
    hole[7] = f64::NAN;
    assert!(
        map(&line, &hole)
            .unwrap_err()
            .to_string()
            .contains("number 7")
    );
}

/// A log of ten pings a second: lines 60 m apart, a ping every half metre, the bottom lost now and then.
#[test]
fn a_dense_log_with_bad_pings_is_mapped_as_if_they_were_not_there() {
    let floor = |[x, y]: [f64; 2]| {
        12.0 + 3.0 * (0.011 * x).sin() * (0.013 * y).cos() + (0.03 * x + 0.02 * y).sin()
    };
    let mut stream = Stream::new(6);
    let (mut places, mut values) = (Vec::new(), Vec::new());
    for line in 0..8 {
        for ping in 0..1200 {
            let place = [
                0.5 * f64::from(ping),
                60.0 * f64::from(line) + stream.uniform(-0.3, 0.3),
            ];
            places.push(place);
            values.push(floor(place) + stream.normal(0.0, 0.05));
        }
    }
    let mut planted: Vec<usize> = (0..40).map(|i| 100 + 211 * i).collect();
    planted.extend((0..3).flat_map(|i| (0..3 + 3 * i).map(move |k| 1500 + 1200 * i + k)));
    planted.sort_unstable();
    planted.dedup();
    planted.iter().for_each(|i| values[*i] = 1.1);
    let settings = MapSettings {
        cell_m: Some(10.0),
        ..MapSettings::default()
    };
    let map = made(&(places, values), &settings);
    let Method::Nearest { points } = map.method else {
        panic!("{:?}", map.method);
    };
    assert!(points < 1000, "{points}");
    let mut found = map.quality.suspicious.clone();
    found.sort_unstable();
    assert_eq!(found, planted);
    let (mut held, mut squares, mut count) = (0.0, 0.0, 0.0);
    for cell in (0..map.grid.cells()).filter(|cell| map.mean[*cell].is_finite()) {
        let centre = map
            .grid
            .centre(cell / map.grid.columns, cell % map.grid.columns);
        let off = floor(centre) - map.mean[cell];
        count += 1.0;
        squares += off * off;
        held += f64::from(u8::from(off.abs() < 1.96 * map.std[cell]));
    }
    // The floor varies by 2.5 m.
    let rmse = f64::sqrt(squares / count);
    assert!(rmse < 0.35, "{rmse}");
    assert!(held / count > 0.92, "{}", held / count);
}

/// What nobody plans for, but files have.
#[test]
fn odd_surveys_of_many_soundings_have_maps() {
    let nearest = MapSettings {
        kernels: vec![KernelChoice::named("matern12")],
        exact_work: 0.0,
        ..MapSettings::default()
    };
    let map = |places: Vec<[f64; 2]>, depth: &dyn Fn(usize, [f64; 2]) -> f64| {
        let depths: Vec<f64> = places
            .iter()
            .enumerate()
            .map(|(i, p)| depth(i, *p))
            .collect();
        let map = made(&(places, depths.clone()), &nearest);
        let low = depths.iter().copied().fold(f64::INFINITY, f64::min);
        let high = depths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let slack = 0.1 * (high - low) + 1e-9;
        for (mean, std) in map
            .mean
            .iter()
            .zip(&map.std)
            .filter(|(mean, _)| mean.is_finite())
        {
            assert!((low - slack..=high + slack).contains(mean), "{mean}");
            assert!(std.is_finite() && *std >= 0.0);
        }
        map
    };
    // All on one line.
    let line = (0..2000)
        .map(|i| [f64::from(i), 0.5 * f64::from(i)])
        .collect();
    map(line, &|_, [x, _]| (0.01 * x).sin());
    // Thousands within a hand, and a survey around them.
    let mut stream = Stream::new(7);
    let mut anywhere = |count: usize, size: f64| -> Vec<[f64; 2]> {
        let mut place = || [stream.uniform(0.0, size), stream.uniform(0.0, size)];
        (0..count).map(|_| place()).collect()
    };
    let both = [anywhere(2000, 0.1), anywhere(600, 100.0)].concat();
    map(both, &|_, [x, y]| 0.1 * x + (0.1 * y).sin());
    // The same depth everywhere.
    map(anywhere(1500, 100.0), &|_, _| 4.0);
    // A track that crosses itself with an offset of 2 m: half of it at high tide.
    let crossing: Vec<[f64; 2]> = (0..3000)
        .map(|i| {
            if i < 1500 {
                [f64::from(i % 300), 20.0 * f64::from(i / 300)]
            } else {
                [20.0 * f64::from((i - 1500) / 300), 0.3 * f64::from(i % 300)]
            }
        })
        .collect();
    let tide =
        |i: usize, [x, y]: [f64; 2]| 10.0 + 0.01 * x - 0.02 * y + if i < 1500 { 0.0 } else { 2.0 };
    let map = map(crossing, &tide);
    // Lines left out are off by 2 m from those across them: error bars say so.
    assert!(map.expected_error() > 0.2, "{}", map.expected_error());
}

/// Totals of many surveys of many hills: the truth lies inside the 95 % interval of the surfaces drawn about as often as that says, with both methods.
#[test]
fn totals_are_as_uncertain_as_the_surfaces_drawn() {
    for exact_work in [1e12, 0.0] {
        let mut held = 0;
        let surveys = 20;
        for number in 0..surveys {
            let mut stream = Stream::new(100 + number);
            let shift = [stream.uniform(0.0, 500.0), stream.uniform(0.0, 500.0)];
            let truth = |[x, y]: [f64; 2]| hills([x + shift[0], y + shift[1]]);
            let places: Vec<[f64; 2]> = (0..60)
                .map(|_| [stream.uniform(0.0, 200.0), stream.uniform(0.0, 120.0)])
                .collect();
            let values: Vec<f64> = (places.iter())
                .map(|p| truth(*p) + stream.normal(0.0, 0.1))
                .collect();
            let evidence = Evidence {
                area: Some(MapArea {
                    bounds: Rect::new(0.0, 200.0, 0.0, 120.0).unwrap(),
                    contains: &|_| true,
                }),
                draws: 200,
                ..Evidence::measured(&places, &values)
            };
            let map = make_map_of(&evidence, &settings(exact_work), &|_| ()).unwrap();
            assert_eq!(map.draws.count(), 200);
            let cells: Vec<usize> = (0..map.grid.cells()).collect();
            let right: f64 = cells
                .iter()
                .map(|c| truth(map.grid.centre(c / map.grid.columns, c % map.grid.columns)))
                .sum();
            let mut drawn: Vec<f64> = (0..200)
                .map(|draw| {
                    let surface =
                        |c: &usize| map.mean[*c] + map.std[*c] * map.draws.deviation(draw, *c);
                    cells.iter().map(surface).sum()
                })
                .collect();
            drawn.sort_by(f64::total_cmp);
            held += u64::from((drawn[4]..=drawn[195]).contains(&right));
        }
        // Of twenty at 95 %, fewer than 17 happen once in sixty times.
        assert!(held >= 17, "{held} of {surveys}, exact up to {exact_work}");
    }
}

/// An area is mapped as a whole, beyond the soundings too, and what is far from them is told of.
#[test]
fn an_area_is_mapped_as_a_whole() {
    let (places, values) = survey(300, 0.1);
    let contains = |[x, y]: [f64; 2]| (-100.0..300.0).contains(&x) && y < 130.0;
    let evidence = |bounds: Rect| Evidence {
        area: Some(MapArea {
            bounds,
            contains: &contains,
        }),
        ..Evidence::measured(&places, &values)
    };
    let bounds = Rect::new(-100.0, 300.0, -10.0, 200.0).unwrap();
    let map = make_map_of(&evidence(bounds), &settings(1e12), &|_| ()).unwrap();
    let mapped = map.mean.iter().filter(|v| v.is_finite()).count() as f64 * 16.0;
    assert!((mapped / (400.0 * 140.0) - 1.0).abs() < 0.05, "{mapped}");
    // 200 of 400 m are beyond the soundings, and about 20 m on either side of them are in reach.
    assert!((0.3..0.6).contains(&map.far_share), "{}", map.far_share);
    assert_eq!(map.draws.count(), 0);
    let nowhere = Evidence {
        area: Some(MapArea {
            bounds,
            contains: &|_| false,
        }),
        ..evidence(bounds)
    };
    let refused = make_map_of(&nowhere, &settings(1e12), &|_| ());
    assert_eq!(refused.unwrap_err(), Error::Map(MapError::NothingInside));
}

/// Zeros along a shore are right everywhere; error bars in the middle must not believe that the rest is.
#[test]
fn a_shore_does_not_narrow_error_bars_far_from_it() {
    // A bowl with hills on its floor, lines 40 m apart.
    let floor = |[x, y]: [f64; 2]| {
        let r = f64::hypot(x, y) / 200.0;
        12.0 * (1.0 - r * r) + (1.0 - r) * hills([x, y])
    };
    let mut stream = Stream::new(4);
    let (mut places, mut values) = (Vec::new(), Vec::new());
    for line in -4..=4 {
        for ping in -180..=180 {
            let place = [
                f64::from(ping),
                40.0 * f64::from(line) + stream.uniform(-0.3, 0.3),
            ];
            if f64::hypot(place[0], place[1]) < 190.0 {
                places.push(place);
                values.push(floor(place) + stream.normal(0.0, 0.05));
            }
        }
    }
    let measured = places.len();
    let rim = (0..600).map(|k| {
        let turn = f64::from(k) * std::f64::consts::TAU / 600.0;
        [200.0 * turn.cos(), 200.0 * turn.sin()]
    });
    places.extend(rim);
    values.resize(places.len(), 0.0);
    let contains = |[x, y]: [f64; 2]| f64::hypot(x, y) < 200.0;
    let middle_std = |given: usize| {
        let evidence = Evidence {
            given,
            area: Some(MapArea {
                bounds: Rect::new(-200.0, 200.0, -200.0, 200.0).unwrap(),
                contains: &contains,
            }),
            ..Evidence::measured(&places, &values)
        };
        let map = make_map_of(&evidence, &settings(0.0), &|_| ()).unwrap();
        let cells = (0..map.grid.cells()).filter(|c| {
            let [x, y] = map.grid.centre(c / map.grid.columns, c % map.grid.columns);
            f64::hypot(x, y) < 120.0
        });
        let squares: Vec<f64> = cells.map(|c| map.std[c].powi(2)).collect();
        (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
    };
    let (told, untold) = (middle_std(600), middle_std(0));
    assert_eq!(measured + 600, places.len());
    assert!(told > 1.02 * untold, "{told} {untold}");
}

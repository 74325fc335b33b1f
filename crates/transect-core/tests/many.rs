//! Missions of many soundings: exact up to a number, nearest neighbours from then on.

mod support;

use std::any::Any;

use support::surface;
use transect::budget::Budget;
use transect::geometry::{Rect, Workspace};
use transect::gp::random::{Randomness, Stream};
use transect::gp::{Compute, Of, Points, Threads};
use transect::mission::{Evaluator, Event, Mission, Recorded, RecordedWorld, SimulatedWorld};
use transect::planner::Plan;
use transect::settings::{KernelChoice, MissionSettings, PilotSettings};
use transect::surrogate::{self, Auto, EXACT_UP_TO, FirstReadings, SURROGATES, Surrogate, Trouble};

fn square() -> Workspace {
    Rect::new(-10.0, 10.0, -10.0, 10.0).unwrap().into()
}

fn settings(surrogate: &str) -> MissionSettings {
    let mut settings = MissionSettings::default();
    settings.surrogate.name = surrogate.into();
    settings.kernel = KernelChoice::named("matern32");
    settings.sensor.noise_std = 0.05;
    settings
}

/// A mission at ten readings a second.
fn ten_hertz(surrogate: &str, soundings: u64) -> MissionSettings {
    let mut settings = settings(surrogate);
    settings.planner.name = "myopic".into();
    settings.planner.candidates = 60;
    settings.pilot = PilotSettings::paper();
    settings.pilot.soundings = 40;
    settings.training.pilot_steps = 30;
    settings.boat.sampling_rate_hz = 10.0;
    settings.boat.control_rate_hz = 10.0;
    settings.budget = Budget::of_soundings(soundings);
    (settings.evaluation.columns, settings.evaluation.rows) = (12, 12);
    settings
}

fn mission(settings: MissionSettings) -> Mission<SimulatedWorld> {
    Mission::simulated(surface(), square(), settings).unwrap()
}

/// Readings of a bumpy plain, at places between -10 and 10.
fn bumpy(at: &[[f64; 2]], noise: f64) -> (Points, Vec<f64>) {
    let mut stream = Stream::new(11);
    let value = |[x, y]: &[f64; 2]| (0.8 * x).sin() + 0.2 * y + (0.1 * x * y).cos();
    let values = at.iter().map(|p| value(p) + stream.normal(0.0, noise));
    (Points::from_rows(at).unwrap(), values.collect())
}

/// Lines a metre and a half apart, ten readings to the metre.
fn lines(count: usize) -> Vec<[f64; 2]> {
    (0..count)
        .map(|i| [0.1 * (i % 200) as f64 - 10.0, 1.5 * (i / 200) as f64 - 10.0])
        .collect()
}

fn learnt(settings: &MissionSettings, (x, y): (&Points, &[f64])) -> Box<dyn Surrogate> {
    let build = SURROGATES.get(&settings.surrogate.name).unwrap().build;
    let from = FirstReadings {
        settings,
        workspace: &square(),
        places: x,
        readings: y,
        compute: Compute::default(),
    };
    build(&from).unwrap()
}

/// Up to the number, `auto` is the exact surrogate to the last bit: what it decides, and what it is saved as.
#[test]
fn a_mission_of_few_soundings_is_exact_to_the_byte() {
    let run = |name: &str| {
        let mut mission = mission(ten_hertz(name, 150));
        mission.run(&mut ()).unwrap();
        let saved = mission.surrogate().unwrap().save().unwrap();
        (mission.soundings().to_vec(), saved)
    };
    assert_eq!(run("auto"), run("exact"));
}

#[test]
fn a_mission_that_outgrows_the_exact_model_is_replayed_to_the_byte() {
    let settings = ten_hertz("auto", 1800);
    let note = |event: &Event<'_>, to: &mut Vec<String>| match event {
        Event::Planned { plan, .. } => to.push(format!("{:?}", Plan::clone(plan))),
        Event::Trained { training, .. } => to.push(format!("{training:?}")),
        Event::Evaluated { evaluation, .. } => to.push(format!("{evaluation:?}")),
        Event::Trouble { trouble } => to.push(trouble.to_string()),
        _ => {}
    };
    let (mut steps, mut start, mut first) = (Vec::new(), None, Vec::new());
    let mut errors = Vec::new();
    let mut mission = mission(settings.clone()).with_compute(Compute::with_threads(Threads::All));
    mission
        .run(&mut |event: &Event<'_>| {
            if let Event::Started { vehicle, .. } = event {
                start = Some(*vehicle);
            }
            if let Event::Evaluated { evaluation, .. } = event {
                errors.push(evaluation.rmse);
            }
            steps.extend(Recorded::of(event));
            note(event, &mut first);
        })
        .unwrap();
    let model: &dyn Any = mission.surrogate().unwrap();
    assert!(model.downcast_ref::<Auto>().unwrap().exact().is_none());
    assert_eq!(mission.surrogate().unwrap().readings().len(), 1800);
    // What is known does not get worse where one takes over from the other, nor afterwards.
    let (early, late) = (errors[errors.len() / 3], *errors.last().unwrap());
    assert!(late < early, "{errors:?}");

    let world = RecordedWorld::new(start.unwrap(), steps, &settings);
    let (grid, lookup) = (settings.evaluation, settings.sensor.lookup);
    let truth = |at| surface().value(at, lookup);
    let evaluator = Evaluator::on_grid(&square(), grid.columns, grid.rows, truth).unwrap();
    let mut again = Mission::new(world, square(), settings)
        .unwrap()
        .with_evaluator(evaluator);
    let mut second = Vec::new();
    again
        .run(&mut |event: &Event<'_>| note(event, &mut second))
        .unwrap();
    assert_eq!(first, second);
    let saved = |surrogate: Option<&dyn Surrogate>| surrogate.unwrap().save().unwrap();
    assert_eq!(saved(mission.surrogate()), saved(again.surrogate()));
}

/// Where both can be computed they agree. Means of ten readings to the metre, and kernels whose parameters one took from the other.
#[test]
fn what_takes_over_knows_the_same() {
    let (x, y) = bumpy(&lines(1200), 0.05);
    let (first, rest) = (x.slice(0, EXACT_UP_TO), x.slice(EXACT_UP_TO, 1200));
    let part = (&first, &y[..EXACT_UP_TO]);
    let mut models = ["exact", "auto"].map(|name| {
        let mut model = learnt(&settings(name), part);
        model.train(60);
        model.add(&rest, &y[EXACT_UP_TO..]).unwrap();
        model
    });
    let known = [0, 1].map(|i| models[i].posterior());
    let mut stream = Stream::new(3);
    let at: Vec<[f64; 2]> = (0..300)
        .map(|_| [stream.uniform(-10.0, 10.0), stream.uniform(-10.0, -2.0)])
        .collect();
    let at = Points::from_rows(&at).unwrap();
    let [exact, many] = [0, 1].map(|i| known[i].marginals(&at, Of::Quantity).unwrap());
    let rms =
        |f: &dyn Fn(usize) -> f64| ((0..300).map(|i| f(i).powi(2)).sum::<f64>() / 300.0).sqrt();
    let means = rms(&|i| (many.mean[i] - exact.mean[i]) / exact.std[i]);
    let stds = rms(&|i| many.std[i] / exact.std[i] - 1.0);
    println!("means {means:.4} standard deviations, deviations {stds:.4}");
    assert!(means < 0.1 && stds < 0.05, "{means} {stds}");
    // The joint distribution has the marginals on its diagonal, and samples can be drawn from it.
    let few = at.slice(0, 40);
    let joint = known[1].joint(&few, Of::Quantity).unwrap();
    let own = known[1].marginals(&few, Of::Quantity).unwrap();
    let between = known[1].covariance(&few, &few).unwrap();
    for i in 0..40 {
        assert!((joint.covariance.column(i)[i].sqrt() / own.std[i] - 1.0).abs() < 1e-9);
        assert!((joint.mean[i] - own.mean[i]).abs() < 1e-12);
        let j = (i + 7) % 40;
        let entry = joint.covariance.column(i)[j];
        assert!((entry - between.column(i)[j]).abs() < 1e-9 * own.std[i] * own.std[j] + 1e-12);
    }
    // A reading takes uncertainty away where it is taken, and means stay.
    let place = few.slice(0, 1);
    // Asked alone: places that are asked together share their neighbours.
    let own = known[1].marginals(&place, Of::Quantity).unwrap();
    let given = known[1].given(&place).unwrap();
    let given = given.marginals(&place, Of::Quantity).unwrap();
    assert!(given.std[0] < own.std[0]);
    let moved = (given.mean[0] - own.mean[0]).abs() / own.std[0];
    assert!(moved < 0.05, "{moved}");
    // Error bars hold.
    for model in &mut models {
        model.train(10);
        let left_out = model.left_out().unwrap();
        let coverage = left_out.calibration(&y).unwrap().coverage_95;
        assert!(
            (0.9..=0.99).contains(&coverage),
            "{}: {coverage}",
            model.name()
        );
    }
}

#[test]
fn a_model_of_many_readings_is_saved_and_read_again() {
    let (x, y) = bumpy(&lines(2400), 0.05);
    let mut model = learnt(&settings("nearest"), (&x.slice(0, 2000), &y[..2000]));
    model.train(50);
    model.train(50);
    let json = model.save().unwrap();
    let mut read = surrogate::load(&json).unwrap();
    assert_eq!(read.save().unwrap(), json);
    assert_eq!((read.name(), read.readings()), ("nearest", &y[..2000]));
    let at = Points::from_rows(&[[0.3, -4.2], [9.0, 9.0]]).unwrap();
    let both = |a: &dyn Surrogate, b: &dyn Surrogate| {
        let of = |model: &dyn Surrogate| model.posterior().forecast(&at).unwrap();
        assert_eq!(of(a), of(b));
    };
    both(&*model, &*read);
    for model in [&mut model, &mut read] {
        model.add(&x.slice(2000, 2400), &y[2000..]).unwrap();
    }
    both(&*model, &*read);
    let refusal = |json: &str| surrogate::load(json).unwrap_err().to_string();
    assert!(refusal(&json.replacen("\"version\":1", "\"version\":2", 1)).contains("version is 2"));
    let mut value: serde_json::Value = serde_json::from_str(&json).unwrap();
    value["readings"] = serde_json::json!([1.0]);
    assert!(refusal(&value.to_string()).contains("more or fewer readings"));
}

#[test]
fn a_run_of_bad_pings_is_told_of_and_ignored_where_that_is_asked_for() {
    let (x, mut y) = bumpy(&lines(2000), 0.02);
    for i in (100..1900).step_by(150) {
        y[i..i + 4].fill(-60.0);
    }
    let error = |ignore: bool| {
        let mut told = settings("nearest");
        told.training.ignore_outliers = ignore;
        let mut model = learnt(&told, (&x.slice(0, 1500), &y[..1500]));
        model.add(&x.slice(1500, 2000), &y[1500..]).unwrap();
        model.train(40);
        let troubles = model.take_troubles();
        let told =
            |t: &Trouble| matches!(t, Trouble::Outliers { ignored, .. } if *ignored == ignore);
        assert!(troubles.iter().any(told), "{troubles:?}");
        assert_eq!(model.readings(), y);
        let clean = bumpy(&lines(2000), 0.0).1;
        let told = model.posterior().marginals(&x, Of::Quantity).unwrap();
        let squares = told.mean.iter().zip(&clean).map(|(m, y)| (m - y).powi(2));
        (squares.sum::<f64>() / 2000.0).sqrt()
    };
    let (without, with) = (error(true), error(false));
    assert!(without < 0.1 && with > 5.0 * without, "{without} {with}");
}

/// All on one line, thousands at one place, two scales a thousand times apart: something finite is known everywhere.
#[test]
fn odd_surveys_are_survived() {
    let mut stream = Stream::new(5);
    let one_line: Vec<[f64; 2]> = (0..3000)
        .map(|i| [0.006 * f64::from(i) - 9.0, 1.0])
        .collect();
    let mut one_place = vec![[1.5, 1.5]; 10_000];
    one_place.extend((0..50).map(|i| [0.3 * f64::from(i) - 8.0, -2.0]));
    let mut two_scales: Vec<[f64; 2]> = (0..1500)
        .map(|_| [stream.uniform(-0.01, 0.01), stream.uniform(-0.01, 0.01)])
        .collect();
    two_scales
        .extend((0..1500).map(|_| [stream.uniform(-10.0, 10.0), stream.uniform(-10.0, 10.0)]));
    let at: Vec<[f64; 2]> = (0..100)
        .map(|i| {
            [
                2.2 * f64::from(i % 10) - 10.0,
                2.2 * f64::from(i / 10) - 10.0,
            ]
        })
        .collect();
    let at = Points::from_rows(&at).unwrap();
    for places in [one_line, one_place, two_scales, vec![[3.0, 3.0]; 2000]] {
        let (x, y) = bumpy(&places, 0.1);
        let half = y.len() / 2;
        let mut model = learnt(&settings("nearest"), (&x.slice(0, half), &y[..half]));
        model.train(20);
        model.add(&x.slice(half, y.len()), &y[half..]).unwrap();
        for _round in 0..3 {
            model.train(20);
        }
        let known = model.posterior();
        let surface = known.forecast(&at).unwrap().surface.moments();
        let finite = surface
            .mean
            .iter()
            .chain(&surface.std)
            .all(|v| v.is_finite());
        assert!(
            finite && surface.std.iter().all(|std| *std > 0.0),
            "{surface:?}"
        );
        assert!(known.joint(&at, Of::Measurement).is_ok());
        assert!(model.left_out().is_some());
        let loaded = surrogate::load(&model.save().unwrap()).unwrap();
        assert_eq!(loaded.readings(), y);
    }
}

#[test]
fn what_is_no_number_is_refused_and_nothing_is_added() {
    for name in ["nearest", "auto"] {
        let (x, y) = bumpy(&lines(1500), 0.05);
        let mut model = learnt(&settings(name), (&x.slice(0, 990), &y[..990]));
        let more = x.slice(990, 1500);
        let mut bad = y[990..].to_vec();
        bad[7] = f64::NAN;
        let refusal = model.add(&more, &bad).unwrap_err().to_string();
        assert!(refusal.contains("NaN"), "{refusal}");
        assert!(model.add(&more, &bad[..5]).is_err());
        assert_eq!(model.readings().len(), 990);
        model.add(&more, &y[990..]).unwrap();
        assert_eq!(model.readings(), y);
    }
}

/// Processor time of this process so far, s.
fn processor_s() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields = text.rsplit_once(')').unwrap().1.split_whitespace();
    let ticks = fields
        .skip(11)
        .take(2)
        .map(|field| field.parse::<f64>().unwrap());
    ticks.sum::<f64>() / 100.0
}

/// The most memory that was resident, MB.
fn peak_mb() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|line| line.starts_with("VmHWM")).unwrap();
    let kilobytes = line
        .split_whitespace()
        .nth(1)
        .unwrap()
        .parse::<f64>()
        .unwrap();
    kilobytes / 1024.0
}

/// A day at ten hertz: 100,000 soundings of a lake of 640 m. Decisions take no longer in the last hour than in the first, and memory
/// stays what it was.
#[test]
#[ignore = "takes many minutes: run it alone, and on a quiet machine for the times"]
fn a_day_at_ten_hertz() {
    use std::time::Instant;
    use transect::terrain::Terrain;
    let side = 320;
    let extent = Rect::new(0.0, 640.0, 0.0, 640.0).unwrap();
    let height = |i: usize| {
        let (x, y) = (2.0 * (i % side) as f64, 2.0 * (i / side) as f64);
        let waves = (0..6).map(|k| {
            let (scale, turn) = (0.01 * 1.8_f64.powi(k), f64::from(k));
            (scale * (x * turn.cos() + y * turn.sin()) + turn).sin() / (scale * 100.0)
        });
        -12.0 + 4.0 * waves.sum::<f64>() + if x > 0.5 * y + 200.0 { 3.0 } else { 0.0 }
    };
    let heights: Vec<f64> = (0..side * side).map(height).collect();
    let terrain = std::sync::Arc::new(Terrain::new(heights, side, side, extent).unwrap());
    let planners = std::env::var("PLANNERS").unwrap_or("myopic,tour".into());
    let budget = std::env::var("SOUNDINGS").map_or(100_000, |text| text.parse().unwrap());
    for planner in planners.split(',') {
        let mut settings = MissionSettings::default();
        settings.planner.name = planner.into();
        settings.sensor.noise_std = 0.05;
        settings.boat.sampling_rate_hz = 10.0;
        settings.boat.control_rate_hz = 10.0;
        settings.budget = Budget::of_soundings(budget);
        let mut mission = Mission::simulated(terrain.clone(), extent.into(), settings)
            .unwrap()
            .with_compute(Compute::with_threads(Threads::All));
        let mut since = (Instant::now(), processor_s());
        let (mut taken, mut soundings, mut last) = (Vec::new(), 0, None);
        let mut train = (0.0, 0.0);
        mission
            .run(&mut |event: &Event<'_>| {
                match event {
                    Event::Planned { .. } => {
                        let (wall, processor) = (since.0.elapsed().as_secs_f64(), processor_s() - since.1);
                        taken.push((soundings, wall, processor));
                        if taken.len() % 10 == 0 || processor > 3.0 {
                            println!("{planner} {soundings}: {wall:.2} s, {processor:.2} s of processors (trained at {:.2}, judged at {:.2}), {:.0} MB", train.0, train.1, peak_mb());
                        }
                    }
                    Event::Trained { .. } => train.0 = processor_s() - since.1,
                    Event::Evaluated { evaluation, .. } => {
                        train.1 = processor_s() - since.1;
                        last = Some((*evaluation).clone());
                    }
                    Event::Trouble { trouble } => println!("{soundings}: {trouble}"),
                    _ => {}
                }
                if let Event::Sounding { .. } = event {
                    soundings += 1;
                }
                if let Event::Sounding { .. } | Event::LegEnded { .. } = event {
                    since = (Instant::now(), processor_s());
                }
            })
            .unwrap();
        let p99 = |from: u64, to: u64| {
            let part = taken
                .iter()
                .filter(|one| (from..to).contains(&(one.0 as u64)));
            let mut times: Vec<f64> = part.map(|one| one.2).collect();
            times.sort_by(f64::total_cmp);
            times
                .get((0.99 * (times.len().max(1) - 1) as f64) as usize)
                .copied()
                .unwrap_or(0.0)
        };
        let hours: Vec<f64> = (0..3).map(|h| p99(h * 36_000, (h + 1) * 36_000)).collect();
        println!(
            "{planner}: {} decisions, p99 of processor seconds by the hour {hours:.2?}, {:.0} MB",
            taken.len(),
            peak_mb()
        );
        println!("{:?}", last.unwrap());
        assert!(peak_mb() < 500.0);
        // Two cores share most of the work.
        assert!(hours.iter().all(|p99| *p99 < 2.0), "{hours:?}");
    }
}

/// 2,000 soundings of the lake at 1 Hz, without the planted bad ones: metres east and north of the first, and depths.
fn lake() -> (Points, Vec<f64>) {
    let read = |name: &str| {
        let path = support::data(&format!("lake/{name}"));
        let output = std::process::Command::new("gzip")
            .arg("-dcf")
            .arg(path)
            .output();
        String::from_utf8(output.expect("gzip is there").stdout).unwrap()
    };
    let numbers =
        |line: &str| -> Vec<f64> { line.split(',').map(|v| v.parse().unwrap()).collect() };
    let bad = read("planted_bad_1hz.csv");
    let bad: Vec<usize> = bad
        .lines()
        .skip(1)
        .map(|row| row.trim().parse().unwrap())
        .collect();
    let log = read("soundings_1hz.csv.gz");
    let rows = log.lines().skip(1).enumerate();
    let rows = rows
        .filter(|(i, _)| i % 2 == 0 && !bad.contains(i))
        .take(2000);
    let rows: Vec<Vec<f64>> = rows.map(|(_, line)| numbers(line)).collect();
    let metres = |row: &Vec<f64>| {
        let (lon, lat) = (row[1] - rows[0][1], row[2] - rows[0][2]);
        [
            lon * 111_320.0 * rows[0][2].to_radians().cos(),
            lat * 111_320.0,
        ]
    };
    let places: Vec<[f64; 2]> = rows.iter().map(metres).collect();
    (
        Points::from_rows(&places).unwrap(),
        rows.iter().map(|row| row[3]).collect(),
    )
}

/// The nearest-neighbour process against the exact one with the same learnt parameters, on a real kind of track: means within 5 % of a standard
/// deviation (root mean square), deviations within 5 %, evidence within 0.01 nats per sounding.
#[test]
#[cfg_attr(not(transect_data), ignore = "set TRANSECT_DATA to the data folder")]
fn on_the_lake_nearest_neighbours_are_almost_exact() {
    use transect::gp::nearest::{Minibatches, Vecchia};
    use transect::gp::{InputScaler, Regression, TargetScaler};
    use transect::map::MapSettings;
    let (x, y) = lake();
    assert_eq!(y.len(), 2000);
    let scalers = (
        InputScaler::fit(&x).unwrap(),
        TargetScaler::fit(&y).unwrap(),
    );
    let mut stream = Stream::new(9);
    let at: Vec<[f64; 2]> = (0..500)
        .map(|_| {
            let i = stream.uniform(0.0, 1999.0) as usize;
            [0, 1].map(|d| x.column(d)[i] + stream.uniform(-45.0, 45.0))
        })
        .collect();
    let at = Points::from_rows(&at).unwrap();
    for choice in MapSettings::default().kernels {
        let make = || choice.build(&mut Stream::new(1)).unwrap();
        let mut near = Vecchia::empty(make(), 0.05, scalers.clone()).unwrap();
        near.set_compute(Compute::with_threads(Threads::All));
        near.add(&x, &y, &[1.0; 2000]).unwrap();
        let how = Minibatches {
            steps: 60,
            size: 128,
            apart: vec![0.05, 0.1],
            ..Minibatches::default()
        };
        near.learn(&how, &mut |_, _| ()).unwrap();
        let mut exact = Regression::empty(make(), 0.05, scalers.clone()).unwrap();
        exact.set_compute(Compute::with_threads(Threads::All));
        for group in near.params().groups() {
            let values = near.params().get(&group.name).unwrap();
            exact.params_mut().set(&group.name, values).unwrap();
        }
        exact.add(&x, &y).unwrap();
        let mine = near.marginals(&at).unwrap();
        let its = exact
            .posterior()
            .unwrap()
            .predict(&at, Of::Quantity)
            .unwrap();
        let rms =
            |f: &dyn Fn(usize) -> f64| ((0..500).map(|i| f(i).powi(2)).sum::<f64>() / 500.0).sqrt();
        let means = rms(&|i| (mine.mean[i] - its.mean[i]) / its.std[i]);
        let stds = rms(&|i| mine.std[i] / its.std[i] - 1.0);
        let evidence = (near.loss().unwrap() - exact.loss().unwrap()) / 2000.0;
        println!(
            "{}: means {means:.4}, deviations {stds:.4}, evidence {evidence:.5}",
            choice.name
        );
        assert!(
            means < 0.05 && stds < 0.05,
            "{}: {means} {stds}",
            choice.name
        );
        assert!(evidence.abs() < 0.01, "{}: {evidence}", choice.name);
    }
}

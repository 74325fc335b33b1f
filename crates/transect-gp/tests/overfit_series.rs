//! The authors' published over-fitting series: 2000 Adam steps on 300 fixed samples of a terrain,
//! metrics on the training set and on a 100 x 100 grid after every step.
//!
//! A few hundred steps run by default; all of them with
//! `TRANSECT_DATA=<folder> cargo test --release -p transect-gp --test overfit_series -- --include-ignored`

use std::f64::consts::TAU;
use std::path::PathBuf;
use transect_gp::kernel::{Attentive, Deep, Exponent, Gibbs, Kernel, Lengthscales, rbf};
use transect_gp::random::{RandomState, Randomness, TorchGenerator};
use transect_gp::train::Adam;
use transect_gp::{Of, Points, Regression};

const SAMPLES: usize = 300;
const GRID: usize = 100;

fn data(path: &str) -> PathBuf {
    let folder = std::env::var_os("TRANSECT_DATA").expect("TRANSECT_DATA is set");
    PathBuf::from(folder).join(path)
}

/// A square little-endian f64 array in NumPy's format.
fn terrain(name: &str) -> (usize, Vec<f64>) {
    let bytes = std::fs::read(data(&format!("terrain/{name}.npy"))).expect("the terrain is there");
    let header = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let (numbers, _) = bytes[header..].as_chunks::<8>();
    let values: Vec<f64> = numbers.iter().map(|b| f64::from_le_bytes(*b)).collect();
    (values.len().isqrt(), values)
}

/// The authors' lookup on the unit square: cells a little too large, index truncated.
fn sense((side, values): &(usize, Vec<f64>), x: f64, y: f64) -> f64 {
    let cell = 1.0 / *side as f64 + 1e-4;
    values[(y / cell) as usize * side + (x / cell) as usize]
}

fn kernel(name: &str) -> Box<dyn Kernel> {
    let mut torch = TorchGenerator::new(0);
    match name {
        "rbf" => Box::new(rbf(1.0, 0.5)),
        "ak" => {
            let lengthscales = Lengthscales::even(0.01, 0.5, 10).unwrap();
            Box::new(Attentive::new(2, 10, lengthscales, 1.0, &mut torch))
        }
        "gibbs" => Box::new(Gibbs::new(2, 10, Exponent::Authors, 1.0, &mut torch)),
        _ => Box::new(Deep::new(2, 10, 10, 1.0, 0.5, &mut torch)),
    }
}

/// SMSE, MSLL and NLPD.
fn metrics(model: &mut Regression, at: &Points, truth: &[f64], seen: &[f64]) -> [f64; 3] {
    let moments = |values: &[f64]| {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        (
            mean,
            values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n,
        )
    };
    let prediction = model
        .posterior()
        .unwrap()
        .predict(at, Of::Measurement)
        .unwrap();
    let n = truth.len() as f64;
    let log_loss = |error: f64, std: f64| 0.5 * TAU.ln() + std.ln() + 0.5 * (error / std).powi(2);
    let (seen_mean, seen_variance) = moments(seen);
    let (mut squares, mut loss, mut trivial) = (0.0, 0.0, 0.0);
    for ((mean, std), truth) in prediction.mean.iter().zip(&prediction.std).zip(truth) {
        squares += (mean - truth).powi(2);
        loss += log_loss(mean - truth, *std);
        trivial += log_loss(truth - seen_mean, seen_variance.sqrt());
    }
    [
        squares / n / moments(truth).1,
        (loss - trivial) / n,
        loss / n,
    ]
}

fn published(terrain: &str, file: &str) -> Vec<[f64; 3]> {
    let path = data(&format!("series/overfit/{terrain}/{file}.csv"));
    let text = std::fs::read_to_string(path).expect("the series is there");
    let row = |line: &str| {
        let fields: Vec<f64> = line.split(',').map(|f| f.parse().unwrap()).collect();
        [fields[1], fields[2], fields[3]]
    };
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(row)
        .collect()
}

/// Trains on a terrain for `steps` steps and shows the metrics after each of them: the step, counted from 0, those on
/// the training set and, every `every` steps, those on the grid. `nudged` is a weight of the first layer that starts
/// 1e-15 of its value away.
fn run(
    terrain_name: &str,
    kernel_name: &str,
    nudged: Option<usize>,
    (steps, every): (usize, usize),
    mut see: impl FnMut(usize, [f64; 3], Option<[f64; 3]>),
) {
    let map = terrain(terrain_name);
    let mut rng = RandomState::new(0);
    let x = rng.uniforms(0.0, 1.0, SAMPLES);
    let y = rng.uniforms(0.0, 1.0, SAMPLES);
    let rows: Vec<[f64; 2]> = x.into_iter().zip(y).map(|(x, y)| [x, y]).collect();
    let seen: Vec<f64> = rows.iter().map(|[x, y]| sense(&map, *x, *y)).collect();
    let train = Points::from_rows(&rows).unwrap();
    let axis: Vec<f64> = (0..GRID).map(|i| i as f64 / (GRID - 1) as f64).collect();
    let test = Points::grid(&[&axis, &axis]).unwrap();
    let truth: Vec<f64> = (0..GRID * GRID)
        .map(|i| sense(&map, axis[i % GRID], axis[i / GRID]))
        .collect();

    let mut model = Regression::fit(kernel(kernel_name), 0.1, &train, &seen).unwrap();
    if let Some(weight) = nudged {
        let name = "net.linear1.weight";
        let mut weights = model.params().get(name).unwrap().to_vec();
        weights[weight] *= 1.0 + 1e-15;
        model.params_mut().set(name, &weights).unwrap();
    }
    let mut adam = Adam::default();
    for step in 0..steps {
        model.train(&mut adam, 1).unwrap();
        let on_train = metrics(&mut model, &train, &seen, &seen);
        let on_test = (step % every == 0).then(|| metrics(&mut model, &test, &truth, &seen));
        see(step, on_train, on_test);
    }
}

/// Follows the series for `steps` steps; `tolerance(step)` is what each value may be off by.
fn follow(terrain_name: &str, kernel_name: &str, steps: usize, tolerance: impl Fn(usize) -> f64) {
    let expected_train = published(terrain_name, &format!("{kernel_name}_train"));
    let expected_test = published(terrain_name, &format!("{kernel_name}_test"));
    assert!(expected_test.len() >= steps && expected_train.len() >= steps);
    let mut worst = (0.0, 0, "");
    let check = |step: usize, on_train: [f64; 3], on_test: Option<[f64; 3]>| {
        for (set, got, expected) in [
            ("train", on_train, expected_train[step]),
            ("test", on_test.unwrap(), expected_test[step]),
        ] {
            for (metric, (got, expected)) in got.iter().zip(expected).enumerate() {
                let error = (got - expected).abs();
                if error > worst.0 {
                    worst = (error, step, set);
                }
                assert!(
                    error <= tolerance(step),
                    "{terrain_name} {kernel_name} {set}, metric {metric} after step {}: {got}, \
                     published {expected}",
                    step + 1
                );
            }
        }
    };
    run(terrain_name, kernel_name, None, (steps, 1), check);
    let (error, step, set) = worst;
    println!(
        "{terrain_name} {kernel_name}: {steps} steps, worst {error:.2e} ({set}, step {})",
        step + 1
    );
}

/// Four runs whose starts differ by 1e-15 of one weight separate as far as this program is from the published series
/// (a third of it at least), so that what is left of the difference is rounding.
fn separate(terrain_name: &str, kernel_name: &str) {
    const STEPS: usize = 2000;
    const EVERY: usize = 10;
    let series = |set| published(terrain_name, &format!("{kernel_name}_{set}"));
    let (on_train, on_test) = (series("train"), series("test"));
    let on_test = on_test.into_iter().take(STEPS).step_by(EVERY);
    let published: Vec<[f64; 3]> = on_train.into_iter().take(STEPS).chain(on_test).collect();
    let ours = |nudged| {
        let (mut on_train, mut on_test) = (Vec::new(), Vec::new());
        let keep = |_, train, test| {
            on_train.push(train);
            on_test.extend(test);
        };
        run(terrain_name, kernel_name, nudged, (STEPS, EVERY), keep);
        on_train.append(&mut on_test);
        on_train
    };
    let apart = |a: &[[f64; 3]], b: &[[f64; 3]]| {
        assert_eq!(a.len(), b.len());
        let pairs = a.as_flattened().iter().zip(b.as_flattened());
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let runs = [None, Some(3), Some(8), Some(17)].map(ours);
    let from_published = apart(&runs[0], &published);
    let pairs = (0..4).flat_map(|a| (0..a).map(move |b| (a, b)));
    let from_each_other = pairs.map(|(a, b)| apart(&runs[a], &runs[b]));
    let from_each_other = from_each_other.fold(0.0, f64::max);
    println!(
        "{terrain_name} {kernel_name}: {from_published:.1e} from the published series, \
         {from_each_other:.1e} from each other"
    );
    assert!(from_published < 3.0 * from_each_other);
}

#[test]
#[ignore = "four times 2000 steps; run with --include-ignored"]
fn helens_dkl_runs_separate_by_rounding() {
    separate("helens", "dkl");
}

#[test]
#[ignore = "four times 2000 steps; run with --include-ignored"]
fn n17e073_dkl_runs_separate_by_rounding() {
    separate("N17E073", "dkl");
}

#[test]
#[ignore = "four times 2000 steps; run with --include-ignored"]
fn helens_gibbs_runs_separate_by_rounding() {
    separate("helens", "gibbs");
}

macro_rules! series {
    ($name:ident, $terrain:literal, $kernel:literal, $short:literal) => {
        mod $name {
            use super::follow;

            /// Rounding is amplified in three of the series, and no program can follow them to the end. The authors' own,
            /// run again on PyTorch 2.15, reproduces the start of AK and Gibbs to the last digit and then leaves its
            /// published series as far as this one does:
            ///
            /// | series | to step | authors | ours | later | authors | ours | ours, start 1e-15 apart |
            /// |---|---|---|---|---|---|---|---|
            /// | helens DKL | 500 | 2.7e-5 | 2.6e-5 | to 2000 | 1.3e-1 | 1.3e-1 | 8.4e-2 |
            /// | N17E073 DKL | 800 | 2.4e-6 | 1.5e-6 | to 2000 | 1.3e-2 | 1.3e-2 | 1.4e-2 |
            /// | helens Gibbs | 800 | 5.0e-9 | 5.0e-9 | to 2000 | 4.6e-3 | 3.6e-3 | 3.3e-3 |
            ///
            /// Deep kernels: which output is the lowest or highest of all decides where a gradient goes, and where two
            /// of them differ by less than 1e-7 (helens after step 495, N17E073 after step 802) rounding decides which.
            /// Besides, training is unstable now and then: on helens what separates two runs grows from 1e-14 to 1e-3
            /// between steps 820 and 870 of Gibbs, and from 1e-8 to 1e-3 between steps 1350 and 1415 of DKL.
            fn tolerance(step: usize) -> f64 {
                match ($terrain, $kernel) {
                    ("helens", "dkl") if step >= 1000 => 2e-1,
                    ("helens", "dkl") if step >= 400 => 1e-3,
                    ("N17E073", "dkl") if step >= 800 => 2e-2,
                    ("helens", "gibbs") if step >= 800 => 2e-2,
                    _ => 1e-5,
                }
            }

            #[test]
            #[cfg_attr(not(transect_data), ignore = "set TRANSECT_DATA to the data folder")]
            fn first_steps() {
                follow($terrain, $kernel, $short, tolerance);
            }

            #[test]
            #[ignore = "2000 steps; run with --include-ignored"]
            fn all_steps() {
                follow($terrain, $kernel, 2000, tolerance);
            }
        }
    };
}

series!(n17e073_rbf, "N17E073", "rbf", 100);
series!(n17e073_ak, "N17E073", "ak", 200);
series!(n17e073_gibbs, "N17E073", "gibbs", 100);
series!(n17e073_dkl, "N17E073", "dkl", 150);
series!(helens_rbf, "helens", "rbf", 100);
series!(helens_ak, "helens", "ak", 100);
series!(helens_gibbs, "helens", "gibbs", 200);
series!(helens_dkl, "helens", "dkl", 150);

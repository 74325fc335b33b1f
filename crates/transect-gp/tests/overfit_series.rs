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
    let prediction = model.predict(at, Of::Measurement).unwrap();
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

/// Follows the series for `steps` steps; `tolerance(step)` is what each value may be off by.
fn follow(terrain_name: &str, kernel_name: &str, steps: usize, tolerance: impl Fn(usize) -> f64) {
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
    let mut adam = Adam::default();
    let expected_train = published(terrain_name, &format!("{kernel_name}_train"));
    let expected_test = published(terrain_name, &format!("{kernel_name}_test"));
    assert!(expected_test.len() >= steps && expected_train.len() >= steps);
    let mut worst = (0.0, 0, "");
    for step in 0..steps {
        model.train(&mut adam, 1).unwrap();
        let on_train = metrics(&mut model, &train, &seen, &seen);
        let on_test = metrics(&mut model, &test, &truth, &seen);
        for (set, got, expected) in [
            ("train", on_train, expected_train[step]),
            ("test", on_test, expected_test[step]),
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
    }
    let (error, step, set) = worst;
    println!(
        "{terrain_name} {kernel_name}: {steps} steps, worst {error:.2e} ({set}, step {})",
        step + 1
    );
}

macro_rules! series {
    ($name:ident, $terrain:literal, $kernel:literal, $short:literal) => {
        mod $name {
            use super::follow;

            /// The authors' own program, run again on today's PyTorch, reproduces its published
            /// RBF and AK series to the last digit, but not these: the feature scaling of deep
            /// kernels is not smooth (1.7e-5 off within 500 steps, 1e-2 later; ours 1.3e-2 on N17E073
            /// and 1.2e-1 on helens), and the Gibbs run on helens passes an instability between
            /// steps 800 and 900 (3.4e-3 off, ours 3.5e-3).
            fn tolerance(step: usize) -> f64 {
                match ($terrain, $kernel) {
                    ("helens", "dkl") if step >= 500 => 2e-1,
                    (_, "dkl") if step >= 500 => 2e-2,
                    ("helens", "gibbs") if step >= 800 => 1e-2,
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

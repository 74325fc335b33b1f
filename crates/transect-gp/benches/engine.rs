//! Time of one training step and of one prediction, in parts, against the machine's own dgemm.
//!
//! `cargo bench -p transect-gp` prints a table per thread count. Every time is the minimum of
//! several runs. The dgemm rate is that of an N x N product in the same run, with the same threads:
//! a product of the same footprint. Fractions of it count N^3/3 flops for the factorisation,
//! 2 N^3/3 for the inverse and N^2 per point for a prediction.

use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, Par};
use std::hint::black_box;
use std::time::Instant;
use transect_gp::kernel::{Attentive, Kernel, Lengthscales, Memory, rbf};
use transect_gp::linalg::{Factor, InverseWorkspace, Matrix, invert_spd};
use transect_gp::random::{RandomState, Randomness, Stream};
use transect_gp::train::Adam;
use transect_gp::{Compute, Of, Points, Regression, Threads};

const SIZES: [usize; 3] = [200, 700, 2000];
const GRID: usize = 50;
const NOISE: f64 = 0.1;

/// Milliseconds per AK step and per 2500-point prediction of the authors' program, as reported for
/// one core of a machine of the same kind: not measured here. `bench/compare` measures it afresh.
const AUTHORS: [(usize, f64, f64); 2] = [(700, 154.0, 296.0), (2000, 3000.0, 1500.0)];

/// The shortest of several runs, in milliseconds.
fn shortest(budget_ms: f64, mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    let start = Instant::now();
    let mut runs = 0;
    while runs < 5 || start.elapsed().as_secs_f64() * 1e3 < budget_ms {
        let begin = Instant::now();
        run();
        best = best.min(begin.elapsed().as_secs_f64() * 1e3);
        runs += 1;
    }
    best
}

/// The rate of an n x n product, in GFLOP/s.
fn dgemm(n: usize, par: Par) -> f64 {
    let a = Mat::from_fn(n, n, |i, j| ((i * 7 + j * 3) % 11) as f64 - 5.0);
    let mut c = Mat::<f64>::zeros(n, n);
    let ms = shortest(500.0, || {
        matmul(c.as_mut(), Accum::Replace, a.as_ref(), a.as_ref(), 1.0, par);
        black_box(&c);
    });
    2.0 * (n as f64).powi(3) / ms / 1e6
}

fn samples(n: usize) -> (Points, Vec<f64>) {
    let mut rng = RandomState::new(0);
    let x = rng.uniforms(-10.0, 10.0, n);
    let y = rng.uniforms(-10.0, 10.0, n);
    let rows: Vec<[f64; 2]> = x.into_iter().zip(y).map(|(x, y)| [x, y]).collect();
    let height = |[x, y]: &[f64; 2]| (0.5 * x).sin() * 30.0 + (0.1 * x * y).cos() * (x + 10.0);
    let heights = rows.iter().map(height).collect();
    (Points::from_rows(&rows).expect("finite"), heights)
}

fn kernel(name: &str) -> Box<dyn Kernel> {
    match name {
        "RBF" => Box::new(rbf(1.0, 0.5)),
        _ => {
            let lengthscales = Lengthscales::even(0.01, 0.5, 10).expect("a range");
            Box::new(Attentive::new(
                2,
                10,
                lengthscales,
                1.0,
                &mut Stream::new(0),
            ))
        }
    }
}

/// Copies the lower triangle of `k` plus noise, as a factorisation overwrites it.
fn copy_noisy(k: &Matrix, to: &mut Matrix) {
    for j in 0..k.columns() {
        to.column_mut(j)[j..].copy_from_slice(&k.column(j)[j..]);
        to.column_mut(j)[j] += NOISE;
    }
}

/// Milliseconds of kernel matrix, factorisation, inverse, contraction, whole step, prediction.
fn parts(name: &str, n: usize, compute: &Compute) -> [f64; 6] {
    let budget = if n > 1000 { 1500.0 } else { 400.0 };
    let (x, y) = samples(n);
    let mut model = Regression::fit(kernel(name), NOISE, &x, &y).expect("good data");
    model.set_compute(*compute);
    let scaled = model.data().0.clone();
    let theta: Vec<f64> = model.params().natural().to_vec();
    let theta = &theta[..theta.len() - 1];

    let (own, mut memory) = (kernel(name), Memory::default());
    let mut k = Matrix::default();
    let build = shortest(budget, || {
        own.matrix(theta, &scaled, &mut k, &mut memory, compute)
    });

    let mut copy = Matrix::zeros(n, n);
    let copied = shortest(budget / 4.0, || copy_noisy(&k, &mut copy));
    let mut factor = Factor::default();
    let factored = shortest(budget, || {
        let outcome = factor.factorise(n, compute, |a| copy_noisy(&k, a));
        outcome.expect("positive definite");
    });
    let (mut inverse, mut workspace) = (Matrix::default(), InverseWorkspace::default());
    let inverted = shortest(budget, || {
        invert_spd(factor.lower(), &mut inverse, &mut workspace, compute);
    });
    let mut gradient = vec![0.0; theta.len()];
    let contracted = shortest(budget, || {
        own.contract(
            theta,
            &scaled,
            &inverse,
            &mut gradient,
            &mut memory,
            compute,
        );
    });

    let mut adam = Adam::default();
    let step = shortest(budget, || model.train(&mut adam, 1).expect("trains"));
    let axis: Vec<f64> = (0..GRID)
        .map(|i| -10.0 + 20.0 * i as f64 / (GRID - 1) as f64)
        .collect();
    let grid = Points::grid(&[&axis, &axis]).expect("finite");
    model
        .posterior()
        .unwrap()
        .predict(&grid, Of::Measurement)
        .expect("predicts");
    let predicted = shortest(budget, || {
        black_box(
            model
                .posterior()
                .unwrap()
                .predict(&grid, Of::Measurement)
                .expect("predicts"),
        );
    });
    let copied = copied.min(0.5 * factored);
    [
        build,
        factored - copied,
        inverted,
        contracted,
        step,
        predicted,
    ]
}

fn main() {
    // `cargo test --benches` only asks whether this runs.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    for threads in [Threads::One, Threads::All] {
        let compute = Compute::with_threads(threads);
        let par = match threads {
            Threads::One => Par::Seq,
            Threads::All => Par::rayon(0),
        };
        let cores = match threads {
            Threads::One => 1,
            Threads::All => rayon::current_num_threads(),
        };
        println!("\n{cores} core(s), {:?}", compute.simd);
        println!(
            "     N  kernel   matrix   factor  inverse contract     step | predict | fact+inv \
             step/(N^3/dgemm) predict rate"
        );
        for n in SIZES {
            let rate = dgemm(n, par);
            let cube = (n as f64).powi(3) / rate / 1e6;
            let mut steps = Vec::new();
            for name in ["RBF", "AK"] {
                let [build, factored, inverted, contracted, step, predicted] =
                    parts(name, n, &compute);
                steps.push((step, predicted));
                println!(
                    "{n:6}  {name:6} {build:8.2} {factored:8.2} {inverted:8.2} {contracted:8.2} \
                     {step:8.2} | {predicted:7.2} | {:7.1}% {:16.2} {:11.1}%",
                    100.0 * cube / (factored + inverted),
                    step / cube,
                    100.0 * (n * n * GRID * GRID) as f64 / predicted / rate / 1e6,
                );
            }
            print!(
                "        dgemm {rate:.1} GFLOP/s; AK step / RBF step = {:.2}",
                steps[1].0 / steps[0].0
            );
            if let Some((_, step, predict)) = AUTHORS.iter().find(|(size, ..)| *size == n) {
                print!(
                    "; authors' (reported) AK step / ours = {:.1}, prediction {:.1}",
                    step / steps[1].0,
                    predict / steps[1].1
                );
            }
            println!();
        }
    }
}

//! What it costs to ask "what if I measured there": 30 hypothetical places, 1,000 queries.
//!
//! `cargo bench -p transect-gp --bench posterior`; every time is the shortest of several runs, on one thread.

use std::hint::black_box;
use std::time::Instant;
use transect_gp::kernel::{Attentive, Kernel, Lengthscales, rbf};
use transect_gp::random::{RandomState, Randomness, Stream};
use transect_gp::{Of, Points, Regression};

const QUERIES: usize = 1000;
const PLACES: usize = 30;
const RUNS: usize = 15;

fn points(rng: &mut RandomState, count: usize) -> Points {
    let (x, y) = (
        rng.uniforms(-10.0, 10.0, count),
        rng.uniforms(-10.0, 10.0, count),
    );
    let rows: Vec<[f64; 2]> = x.into_iter().zip(y).map(|(x, y)| [x, y]).collect();
    Points::from_rows(&rows).expect("finite")
}

fn shortest_ms(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let begin = Instant::now();
        run();
        begin.elapsed().as_secs_f64() * 1e3
    };
    (0..RUNS).map(time).fold(f64::INFINITY, f64::min)
}

fn main() {
    println!(
        "{:>6} {:>6} {:>12} {:>12} {:>10}",
        "kernel", "N", "predict ms", "given ms", "more ms"
    );
    for n in [700, 2000] {
        for name in ["RBF", "AK"] {
            let kernel: Box<dyn Kernel> = if name == "RBF" {
                Box::new(rbf(1.0, 0.5))
            } else {
                let lengthscales = Lengthscales::even(0.01, 0.5, 10).expect("a range");
                Box::new(Attentive::new(
                    2,
                    10,
                    lengthscales,
                    1.0,
                    &mut Stream::new(0),
                ))
            };
            let mut rng = RandomState::new(0);
            let x = points(&mut rng, n);
            let y: Vec<f64> = (0..n)
                .map(|i| (0.5 * x.column(0)[i]).sin() * x.column(1)[i])
                .collect();
            let (queries, places) = (points(&mut rng, QUERIES), points(&mut rng, PLACES));
            let mut model = Regression::fit(kernel, 0.1, &x, &y).expect("good data");
            let known = model.posterior().expect("a factor");
            let plain = shortest_ms(|| {
                black_box(known.predict(&queries, Of::Quantity).expect("predicts"));
            });
            let thought = shortest_ms(|| {
                let then = known.given(&places).expect("conditions");
                black_box(then.predict(&queries, Of::Quantity).expect("predicts"));
            });
            println!(
                "{name:>6} {n:6} {plain:12.2} {thought:12.2} {:10.2}",
                thought - plain
            );
        }
    }
}

use std::time::Instant;
use transect_gp::kernel::*;
use transect_gp::random::*;
use transect_gp::simd::Simd;
use transect_gp::*;
fn main() {
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut rng = RandomState::new(0);
    let rows: Vec<[f64; 2]> = (0..n)
        .map(|_| [rng.uniform(-1., 1.), rng.uniform(-1., 1.)])
        .collect();
    let x = Points::from_rows(&rows).unwrap();
    let q: Vec<[f64; 2]> = (0..1000)
        .map(|_| [rng.uniform(-1., 1.), rng.uniform(-1., 1.)])
        .collect();
    let q = Points::from_rows(&q).unwrap();
    let axis: Vec<f64> = (0..50).map(|i| -1.0 + 2.0 * i as f64 / 49.0).collect();
    let g = Points::grid(&[&axis, &axis]).unwrap();
    for simd in Simd::available() {
        for (name, cache) in [
            ("rbf", 0),
            ("ak", 256usize << 20),
            ("ak", 0),
            ("gibbs", 0),
            ("dkl", 0),
        ] {
            let mut s = Stream::new(0);
            let mut k: Box<dyn Kernel> = match name {
                "rbf" => Box::new(rbf(1.0, 0.5)),
                "ak" => Box::new(Attentive::new(
                    2,
                    10,
                    Lengthscales::even(0.01, 0.5, 10).unwrap(),
                    1.0,
                    &mut s,
                )),
                "gibbs" => Box::new(Gibbs::new(2, 10, Exponent::Textbook, 1.0, &mut s)),
                _ => Box::new(Deep::new(2, 10, 10, 1.0, 0.5, &mut s)),
            };
            let theta: Vec<f64> = k.params().iter().flat_map(|p| p.start.clone()).collect();
            let c = Compute {
                threads: Threads::One,
                simd,
                cache_bytes: cache,
            };
            let best = |f: &mut dyn FnMut()| {
                let mut b = f64::MAX;
                for _ in 0..15 {
                    let t = Instant::now();
                    f();
                    b = b.min(t.elapsed().as_secs_f64() * 1e3);
                }
                b
            };
            let mut m = Matrix::default();
            let mut m2 = Matrix::default();
            let t1 = best(&mut || k.matrix(&theta, &x, &mut m, &c));
            let mut grad = vec![0.0; theta.len()];
            let t2 = best(&mut || k.contract(&theta, &x, &m, &mut grad, &c));
            let t3 = best(&mut || k.cross(&theta, &x, &q, &mut m2, &c));
            let t4 = best(&mut || k.cross(&theta, &x, &g, &mut m2, &c));
            println!(
                "{simd:?} {name} cache {cache}: matrix {t1:.3} contract {t2:.3} cross1000 {t3:.3} grid2500 {t4:.3} ms"
            );
        }
    }
}

//! What the tests of the engine share: kernels of every kind, points, ways to carry out work.
#![allow(dead_code)]

use transect_gp::kernel::{
    Attentive, Deep, Exponent, Family, Gibbs, Kernel, Lengthscales, Product, Sum, Variant,
    matern12, matern32, matern52, rational_quadratic, rbf,
};
use transect_gp::random::{Randomness, Stream};
use transect_gp::simd::Simd;
use transect_gp::{Compute, InputScaler, Points, TargetScaler, Threads};

pub const FAMILIES: [Family; 5] = [
    Family::Rbf,
    Family::Matern12,
    Family::Matern32,
    Family::Matern52,
    Family::RationalQuadratic { alpha: 0.8 },
];
pub const VARIANTS: [Variant; 4] = [Variant::Full, Variant::Weight, Variant::Mask, Variant::Nnx2];

/// An attentive kernel with `count` length-scales and `hidden` hidden units.
pub fn attentive(
    base: (Family, Variant),
    dim: usize,
    count: usize,
    hidden: usize,
    seed: u64,
) -> Box<dyn Kernel> {
    let lengthscales = Lengthscales::even(0.05, 0.7, count).unwrap();
    let mut source = Stream::new(seed);
    let kernel = Attentive::with(base, dim, hidden, lengthscales, 1.3, &mut source);
    Box::new(kernel)
}

pub fn gibbs(exponent: Exponent, dim: usize, seed: u64) -> Box<dyn Kernel> {
    Box::new(Gibbs::new(dim, 10, exponent, 0.7, &mut Stream::new(seed)))
}

pub fn deep(dim: usize, seed: u64) -> Box<dyn Kernel> {
    Box::new(Deep::new(dim, 10, 10, 1.2, 0.6, &mut Stream::new(seed)))
}

/// How many kernels [`kernel`] knows.
pub const KINDS: usize = 16;

/// Kernels of every kind, by number; the seed starts their networks.
pub fn kernel(kind: usize, dim: usize, seed: u64) -> (&'static str, Box<dyn Kernel>) {
    let ak = |family, variant| attentive((family, variant), dim, 4, 5, seed);
    let boxed = |kernel| -> Box<dyn Kernel> { Box::new(kernel) };
    match kind {
        0 => ("rbf", boxed(rbf(1.5, 0.4))),
        1 => ("matern12", boxed(matern12(0.8, 0.6))),
        2 => ("matern32", boxed(matern32(1.1, 0.5))),
        3 => ("matern52", boxed(matern52(0.9, 0.7))),
        4 => (
            "rational quadratic",
            boxed(rational_quadratic(1.2, 0.5, 0.9)),
        ),
        5 => ("attentive full", ak(Family::Rbf, Variant::Full)),
        6 => ("attentive weight", ak(Family::Rbf, Variant::Weight)),
        7 => ("attentive mask", ak(Family::Rbf, Variant::Mask)),
        8 => ("attentive nnx2", ak(Family::Rbf, Variant::Nnx2)),
        9 => ("attentive matern32", ak(Family::Matern32, Variant::Full)),
        10 => (
            "attentive rational quadratic",
            ak(Family::RationalQuadratic { alpha: 1.5 }, Variant::Mask),
        ),
        11 => ("gibbs textbook", gibbs(Exponent::Textbook, dim, seed)),
        12 => ("gibbs authors", gibbs(Exponent::Authors, dim, seed)),
        13 => ("deep", deep(dim, seed)),
        14 => (
            "rbf + attentive",
            Box::new(Sum::new(
                Box::new(rbf(0.5, 0.9)),
                ak(Family::Rbf, Variant::Full),
            )),
        ),
        _ => (
            "(matern52 + gibbs) * deep",
            Box::new(Product::new(
                Box::new(Sum::new(
                    Box::new(matern52(0.6, 0.8)),
                    gibbs(Exponent::Textbook, dim, seed),
                )),
                deep(dim, seed + 1),
            )),
        ),
    }
}

/// Every kernel of [`kernel`].
pub fn kernels(dim: usize, seed: u64) -> Vec<(&'static str, Box<dyn Kernel>)> {
    (0..KINDS).map(|kind| kernel(kind, dim, seed)).collect()
}

/// The start values of a kernel's parameters.
pub fn theta(kernel: &dyn Kernel) -> Vec<f64> {
    let specs = kernel.params().into_iter();
    specs.flat_map(|spec| spec.start).collect()
}

/// `n` points uniform in the cube [-1, 1]^dim.
pub fn points(n: usize, dim: usize, seed: u64) -> Points {
    let numbers = Stream::new(seed).uniforms(-1.0, 1.0, n * dim);
    Points::from_flat(dim, &numbers).unwrap()
}

/// Points and a rough function of them with a little noise.
pub fn data(n: usize, dim: usize, seed: u64) -> (Points, Vec<f64>) {
    let x = points(n, dim, seed);
    let mut stream = Stream::new(seed + 1);
    let y = (0..n)
        .map(|i| {
            let sum: f64 = x.row(i).iter().sum();
            40.0 + 3.0 * (4.0 * sum).sin() + sum + stream.normal(0.0, 0.1)
        })
        .collect();
    (x, y)
}

/// Every instruction set, cache and thread choice this machine can run.
pub fn computes() -> Vec<Compute> {
    let mut all = Vec::new();
    for simd in Simd::available() {
        for threads in [Threads::One, Threads::All] {
            for cache_bytes in [0, 256 << 20] {
                all.push(Compute {
                    threads,
                    simd,
                    cache_bytes,
                });
            }
        }
    }
    all
}

/// Asserts that two lists agree to `tolerance`, relative to the larger of their largest numbers.
#[track_caller]
pub fn assert_close(what: &str, got: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(got.len(), expected.len(), "{what}: how many");
    let largest = expected.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
        assert!(
            (got - expected).abs() <= tolerance * largest,
            "{what}, number {i}: {got}, expected {expected}"
        );
    }
}

/// Scalers that change nothing.
pub fn unscaled(dim: usize) -> (InputScaler, TargetScaler) {
    let ranges = vec![(-1.0, 1.0); dim];
    (
        InputScaler::from_ranges(&ranges).unwrap(),
        TargetScaler::new(0.0, 1.0).unwrap(),
    )
}

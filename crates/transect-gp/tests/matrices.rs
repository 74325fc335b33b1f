//! Kernel matrices: what every covariance must be, and what each kernel's formula says.

mod support;

use proptest::prelude::*;
use support::{FAMILIES, KINDS, VARIANTS, assert_close, attentive, kernel, points, theta};
use transect_gp::kernel::{Exponent, Family, Kernel, Memory, Variant};
use transect_gp::random::{Randomness, Stream};
use transect_gp::{Compute, Matrix, Points, Role, Threads};

/// Random parameters: positive ones between 0.05 and 3, weights within 1.5.
fn random_theta(kernel: &dyn Kernel, x: &Points, seed: u64) -> Vec<f64> {
    let mut stream = Stream::new(seed);
    let mut theta = Vec::new();
    for spec in kernel.params() {
        for start in spec.start {
            theta.push(match (spec.positive, spec.role) {
                (true, _) => stream.uniform(0.05_f64.ln(), 3.0_f64.ln()).exp(),
                (false, Role::Derived) => start,
                (false, _) => stream.uniform(-1.5, 1.5),
            });
        }
    }
    kernel.refresh(&mut theta, x, &mut Memory::default(), &Compute::default());
    theta
}

fn columns(matrix: &Matrix) -> Vec<f64> {
    let all = 0..matrix.columns();
    all.flat_map(|j| matrix.column(j).to_vec()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn a_matrix_is_symmetric_and_positive_semidefinite(
        kind in 0..KINDS, dim in 1_usize..=3, n in 1_usize..=90, repeats in 0_usize..5,
        seed in any::<u32>(), all in any::<bool>(),
    ) {
        let seed = u64::from(seed);
        let compute = Compute::with_threads(if all { Threads::All } else { Threads::One });
        let mut x = points(n, dim, seed);
        x.append(&x.slice(0, repeats.min(n))).unwrap();
        let n = x.len();
        let (name, kernel) = kernel(kind, dim, seed);
        let theta = random_theta(&*kernel, &x, seed);

        let (mut matrix, mut cross) = (Matrix::default(), Matrix::default());
        kernel.matrix(&theta, &x, &mut matrix, &mut Memory::default(), &compute);
        kernel.cross(&theta, &x, &x, &mut cross, &mut Memory::default(), &compute);
        let mut diagonal = vec![0.0; n];
        kernel.diagonal(&theta, &x, &mut diagonal);
        let amplitude = diagonal.iter().fold(0.0_f64, |most, v| most.max(*v));
        for j in 0..n {
            prop_assert!(
                (matrix.column(j)[j] - diagonal[j]).abs() <= 1e-13 * amplitude,
                "{}: diagonal {}: {} and {}", name, j, matrix.column(j)[j], diagonal[j]
            );
            for i in j..n {
                let (below, above) = (cross.column(j)[i], cross.column(i)[j]);
                let entry = matrix.column(j)[i];
                prop_assert!(
                    (entry - below).abs() <= 1e-13 * amplitude
                        && (entry - above).abs() <= 1e-13 * amplitude,
                    "{}: ({}, {}) is {}, {} and {}", name, i, j, entry, below, above
                );
            }
        }
        let eigenvalues = matrix.view().self_adjoint_eigenvalues(faer::Side::Lower).unwrap();
        let smallest = eigenvalues.into_iter().fold(f64::INFINITY, f64::min);
        prop_assert!(
            smallest >= -1e-10 * n as f64 * amplitude,
            "{}: smallest eigenvalue {:e}", name, smallest
        );
    }

    #[test]
    fn a_grid_is_worth_what_its_points_are(
        family in 0..FAMILIES.len(), variant in 0..VARIANTS.len(), count in 1_usize..=12,
        sides in prop::collection::vec(1_usize..=9, 1..=3), n in 1_usize..=80,
        seed in any::<u32>(), all in any::<bool>(),
    ) {
        let seed = u64::from(seed);
        let mut stream = Stream::new(seed);
        let axes: Vec<Vec<f64>> = sides.iter().map(|n| stream.uniforms(-1.2, 1.2, *n)).collect();
        let grid = Points::grid(&axes.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap();
        let rows: Vec<f64> = (0..grid.len()).flat_map(|i| grid.row(i)).collect();
        let scattered = Points::from_flat(sides.len(), &rows).unwrap();
        prop_assert!(scattered.axes().is_none());

        let base = (FAMILIES[family], VARIANTS[variant]);
        let kernel = attentive(base, sides.len(), count, 6, seed);
        let x = points(n, sides.len(), seed + 1);
        let theta = random_theta(&*kernel, &x, seed);
        let compute = Compute::with_threads(if all { Threads::All } else { Threads::One });
        let (mut on_grid, mut one_by_one) = (Matrix::default(), Matrix::default());
        kernel.cross(&theta, &x, &grid, &mut on_grid, &mut Memory::default(), &compute);
        kernel.cross(&theta, &x, &scattered, &mut one_by_one, &mut Memory::default(), &compute);
        for (got, expected) in columns(&on_grid).iter().zip(columns(&one_by_one)) {
            prop_assert!((got - expected).abs() <= 1e-12 * theta[0], "{} {}", got, expected);
        }
    }

    /// What a kernel remembers of grids and points must not show.
    #[test]
    fn grids_seen_before_change_nothing(
        variant in 0..VARIANTS.len(), seed in any::<u32>(),
        sights in prop::collection::vec((1_usize..=40, 0_usize..3, any::<bool>()), 1..=8),
    ) {
        let seed = u64::from(seed);
        let mut stream = Stream::new(seed);
        let axes: Vec<Vec<f64>> = [5, 13, 4].map(|n| stream.uniforms(-1.2, 1.2, n)).into();
        let x = points(40, 2, seed + 1);
        let base = (Family::Rbf, VARIANTS[variant]);
        let (used, mut memory) = (attentive(base, 2, 10, 6, seed), Memory::default());
        let compute = Compute::default();
        for (i, (n, axis, other)) in sights.into_iter().enumerate() {
            let grid = Points::grid(&[&axes[axis], &axes[(axis + 1) % 3]]).unwrap();
            let x = if other { points(n, 2, seed + 2) } else { x.slice(0, n) };
            let theta = random_theta(&*used, &x, seed + i as u64 / 2);
            let fresh = attentive(base, 2, 10, 6, seed);
            let (mut got, mut expected) = (Matrix::default(), Matrix::default());
            used.cross(&theta, &x, &grid, &mut got, &mut memory, &compute);
            fresh.cross(&theta, &x, &grid, &mut expected, &mut Memory::default(), &compute);
            prop_assert_eq!(columns(&got), columns(&expected));
        }
    }

    #[test]
    fn attention_sums_to_one(
        variant in 0..VARIANTS.len(), count in 1_usize..=17, dim in 1_usize..=3,
        n in 1_usize..=40, seed in any::<u32>(),
    ) {
        let seed = u64::from(seed);
        let kernel = attentive((Family::Rbf, VARIANTS[variant]), dim, count, 7, seed);
        let x = points(n, dim, seed);
        let theta = random_theta(&*kernel, &x, seed);
        let attention = kernel.attention(&theta, &x, &mut Memory::default(), &Compute::default()).unwrap();
        prop_assert_eq!((attention.w.len(), attention.z.len()), (n, n));
        for row in attention.w.iter().chain(&attention.z) {
            prop_assert_eq!(row.len(), count);
            prop_assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            prop_assert!(row.iter().all(|w| *w >= 0.0));
        }
        prop_assert_eq!(attention.w == attention.z, VARIANTS[variant] != Variant::Nnx2 || count == 1);
    }
}

/// The network as the documentation has it: `W3 tanh(W2 tanh(W1 x + b1) + b2) + b3`.
fn network(mut theta: &[f64], sizes: [usize; 3], x: &[f64]) -> Vec<f64> {
    let [_, hidden, outputs] = sizes;
    let mut values = x.to_vec();
    for (layer, fan_out) in [hidden, hidden, outputs].into_iter().enumerate() {
        let (weights, rest) = theta.split_at(values.len() * fan_out);
        let (biases, rest) = rest.split_at(fan_out);
        theta = rest;
        let unit = |(row, bias): (&[f64], &f64)| {
            let sum: f64 = row.iter().zip(&values).map(|(w, v)| w * v).sum();
            if layer < 2 {
                (sum + bias).tanh()
            } else {
                sum + bias
            }
        };
        values = weights.chunks(values.len()).zip(biases).map(unit).collect();
    }
    values
}

fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// The families as textbooks have them, in the distance over the length-scale.
fn family_value(family: Family, r: f64) -> f64 {
    let (s3, s5) = (3.0_f64.sqrt() * r, 5.0_f64.sqrt() * r);
    match family {
        Family::Rbf => (-0.5 * r * r).exp(),
        Family::Matern12 => (-r).exp(),
        Family::Matern32 => (1.0 + s3) * (-s3).exp(),
        Family::Matern52 => (1.0 + s5 + 5.0 * r * r / 3.0) * (-s5).exp(),
        Family::RationalQuadratic { alpha } => (1.0 + r * r / (2.0 * alpha)).powf(-alpha),
    }
}

/// Every pair of 11 points against `formula(theta, x, x')`.
#[track_caller]
fn follows(
    what: &str,
    kernel: &dyn Kernel,
    dim: usize,
    formula: impl Fn(&[f64], &[f64], &[f64]) -> f64,
) {
    let x = points(11, dim, 3);
    let theta = random_theta(kernel, &x, 17);
    let mut matrix = Matrix::default();
    kernel.matrix(
        &theta,
        &x,
        &mut matrix,
        &mut Memory::default(),
        &Compute::default(),
    );
    for j in 0..x.len() {
        for i in j..x.len() {
            let expected = formula(&theta, &x.row(i), &x.row(j));
            let got = matrix.column(j)[i];
            assert!(
                (got - expected).abs() <= 1e-13 * theta[0].max(1.0),
                "{what}, dimension {dim}, ({i}, {j}): {got}, expected {expected}"
            );
        }
    }
}

#[test]
fn stationary_kernels_follow_their_formulas() {
    for dim in 1..=3 {
        for (kind, family) in FAMILIES.into_iter().enumerate() {
            let (name, kernel) = kernel(kind, dim, 1);
            follows(name, &*kernel, dim, |theta, a, b| {
                let family = match family {
                    Family::RationalQuadratic { .. } => {
                        Family::RationalQuadratic { alpha: theta[2] }
                    }
                    other => other,
                };
                theta[0] * family_value(family, squared_distance(a, b).sqrt() / theta[1])
            });
        }
    }
}

#[test]
fn attentive_kernels_follow_the_papers_formula() {
    let (count, hidden) = (4, 5);
    let softmax = |out: Vec<f64>| {
        let sum: f64 = out.iter().map(|o| o.exp()).sum();
        out.into_iter().map(|o| o.exp() / sum).collect::<Vec<f64>>()
    };
    let unit = |v: Vec<f64>| {
        let norm = v.iter().map(|v| v * v).sum::<f64>().sqrt();
        v.into_iter().map(|v| v / norm).collect::<Vec<f64>>()
    };
    for dim in 1..=3 {
        for family in FAMILIES {
            for variant in VARIANTS {
                let kernel = attentive((family, variant), dim, count, hidden, 2);
                let sizes = [dim, hidden, count];
                let weights = (dim + 1) * hidden + (hidden + 1) * hidden + (hidden + 1) * count;
                let what = format!("{family:?} {variant:?}");
                follows(&what, &*kernel, dim, |theta, a, b| {
                    let hyper = if variant == Variant::Mask { 2 } else { 1 };
                    let nets = &theta[hyper..];
                    let w = |x| unit(softmax(network(&nets[..weights], sizes, x)));
                    let z = |x| match variant {
                        Variant::Nnx2 => unit(softmax(network(&nets[weights..], sizes, x))),
                        _ => w(x),
                    };
                    let distance = squared_distance(a, b).sqrt();
                    let dot = |p: Vec<f64>, q: Vec<f64>| -> f64 {
                        p.iter().zip(&q).map(|(p, q)| p * q).sum()
                    };
                    // Four length-scales evenly from 0.05 to 0.7.
                    let scales = (0..count).map(|m| 0.05 + 0.65 * m as f64 / 3.0);
                    let selected: f64 = match variant {
                        Variant::Mask => family_value(family, distance / theta[1]),
                        _ => (w(a).iter().zip(w(b)).zip(scales))
                            .map(|((p, q), l)| p * q * family_value(family, distance / l))
                            .sum(),
                    };
                    let visible = match variant {
                        Variant::Weight => 1.0,
                        _ => dot(z(a), z(b)),
                    };
                    theta[0] * visible * selected
                });
            }
        }
    }
}

#[test]
fn gibbs_kernels_follow_their_formula() {
    for dim in 1..=3 {
        for (exponent, c) in [(Exponent::Textbook, 1.0), (Exponent::Authors, dim as f64)] {
            let kernel = support::gibbs(exponent, dim, 3);
            follows(&format!("{exponent:?}"), &*kernel, dim, |theta, a, b| {
                let scale = |x| network(&theta[1..], [dim, 10, 1], x)[0].exp().ln_1p() + 1e-6;
                let (l, m) = (scale(a), scale(b));
                let sum = l * l + m * m;
                let ratio = (2.0 * l * m / sum).powf(0.5 * dim as f64);
                theta[0] * ratio * (-c * squared_distance(a, b) / sum).exp()
            });
        }
    }
}

#[test]
fn deep_kernels_rescale_their_features_by_the_extremes_of_the_training_set() {
    for dim in 1..=3 {
        let kernel = support::deep(dim, 4);
        let training = points(11, dim, 3);
        follows("deep", &*kernel, dim, |theta, a, b| {
            let raw = |x: &[f64]| network(&theta[4..], [dim, 10, 10], x);
            let all = (0..training.len()).flat_map(|i| raw(&training.row(i)));
            let (low, high) = all.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
            let features = |x| -> Vec<f64> {
                let rescale = |v| ((v - low) / (high - low) * 2.0 - 1.0) * 0.95;
                raw(x).into_iter().map(rescale).collect()
            };
            let squared = squared_distance(&features(a), &features(b));
            theta[0] * (-0.5 * squared / (theta[1] * theta[1])).exp()
        });
    }
}

#[test]
fn composites_add_and_multiply() {
    use transect_gp::kernel::{Product, Sum, matern32, rbf};
    let parts = || (Box::new(rbf(1.0, 0.5)), Box::new(matern32(1.0, 0.5)));
    let value = |theta: &[f64], a: &[f64], b: &[f64]| {
        let distance = squared_distance(a, b).sqrt();
        let rbf = theta[0] * family_value(Family::Rbf, distance / theta[1]);
        (
            rbf,
            theta[2] * family_value(Family::Matern32, distance / theta[3]),
        )
    };
    let (left, right) = parts();
    follows("sum", &Sum::new(left, right), 2, |theta, a, b| {
        let (k1, k2) = value(theta, a, b);
        k1 + k2
    });
    let (left, right) = parts();
    follows("product", &Product::new(left, right), 2, |theta, a, b| {
        let (k1, k2) = value(theta, a, b);
        k1 * k2
    });
}

#[test]
fn every_instruction_set_gives_the_same_matrix_up_to_rounding() {
    let x = points(77, 2, 6);
    for kind in 0..KINDS {
        let (name, kernel) = kernel(kind, 2, 5);
        let mut values = theta(&*kernel);
        kernel.refresh(&mut values, &x, &mut Memory::default(), &Compute::default());
        let mut matrices = support::computes().into_iter().map(|compute| {
            let mut matrix = Matrix::default();
            kernel.matrix(&values, &x, &mut matrix, &mut Memory::default(), &compute);
            matrix.mirror();
            columns(&matrix)
        });
        let first = matrices.next().unwrap();
        matrices.for_each(|other| assert_close(name, &other, &first, 1e-13));
    }
}

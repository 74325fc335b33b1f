//! Every objective against its definition, computed by brute force: explicit matrices, determinants by elimination, models
//! that were given the readings.

use std::f64::consts::{E, TAU};
use std::sync::Arc;

use transect::gp::kernel::{Kernel, matern32};
use transect::gp::{Compute, InputScaler, Of, Points};
use transect::objective::{
    Entropy, IntegratedVariance, LevelSet, MutualInformation, Objective, UpperConfidence, Variance,
};
use transect::posterior::Posterior;
use transect::settings::{ErrorBars, TrainingSettings};
use transect::surrogate::{Committee, Surrogate};

/// A model of one kernel, whose parameters stay as they are.
fn model() -> Committee {
    let place = |i: usize, step: f64| (i as f64 * step).fract() * 4.0 - 2.0;
    let rows: Vec<[f64; 2]> = (0..30)
        .map(|i| [place(i, 0.618_034), place(i, 0.754_878)])
        .collect();
    let y: Vec<f64> = rows.iter().map(|[a, b]| (2.0 * a).sin() + a * b).collect();
    let x = Points::from_rows(&rows).unwrap();
    let settings = TrainingSettings {
        error_bars: ErrorBars::Kernels,
        warp_knots: 0,
        ..TrainingSettings::default()
    };
    let kernel: Box<dyn Kernel> = Box::new(matern32(1.0, 0.4));
    let inputs = InputScaler::from_ranges(&[(-2.0, 2.0), (-2.0, 2.0)]).unwrap();
    let data = (&x, &y[..]);
    Committee::fit(kernel.into(), &settings, inputs, data, Compute::default()).unwrap()
}

fn known() -> Arc<dyn Posterior> {
    model().posterior()
}

/// Places of readings, and places of a map.
fn places() -> (Points, Points) {
    let path = [[-1.1, 0.4], [-0.6, 0.7], [0.1, 0.9], [0.9, 0.3]];
    let map: Vec<[f64; 2]> = (0..12)
        .map(|i| [f64::from(i % 4) - 1.4, 1.3 * f64::from(i / 4) - 1.2])
        .collect();
    (
        Points::from_rows(&path).unwrap(),
        Points::from_rows(&map).unwrap(),
    )
}

/// The covariance matrix of readings at the first `readings` places and of the surface at the others.
fn covariance(known: &dyn Posterior, all: &Points, readings: usize) -> Vec<Vec<f64>> {
    let joint = known.joint(all, Of::Quantity).unwrap();
    let entry = |i: usize, j: usize| {
        let noise = match i == j && i < readings {
            true => known.noise_variance(),
            false => 0.0,
        };
        joint.covariance.column(j)[i] + noise
    };
    (0..all.len())
        .map(|i| (0..all.len()).map(|j| entry(i, j)).collect())
        .collect()
}

/// By Gaussian elimination with pivots.
fn determinant(mut matrix: Vec<Vec<f64>>) -> f64 {
    let n = matrix.len();
    let mut product = 1.0;
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|a, b| matrix[*a][k].abs().total_cmp(&matrix[*b][k].abs()))
            .unwrap();
        if pivot != k {
            matrix.swap(pivot, k);
            product = -product;
        }
        product *= matrix[k][k];
        for i in k + 1..n {
            let factor = matrix[i][k] / matrix[k][k];
            for j in k..n {
                matrix[i][j] -= factor * matrix[k][j];
            }
        }
    }
    product
}

fn block(matrix: &[Vec<f64>], from: usize, to: usize) -> Vec<Vec<f64>> {
    matrix[from..to]
        .iter()
        .map(|row| row[from..to].to_vec())
        .collect()
}

fn close(got: f64, expected: f64) {
    let error = (got - expected).abs() / expected.abs().max(1e-3);
    assert!(error < 1e-6, "{got} instead of {expected}");
}

/// The worth of each place is that of a path of one.
fn each_is_a_path_of_one(objective: &dyn Objective, known: &dyn Posterior, places: &Points) {
    let each = objective.each(known, places).unwrap();
    for (i, worth) in each.iter().enumerate() {
        close(
            *worth,
            objective.path(known, &places.slice(i, i + 1)).unwrap(),
        );
    }
}

#[test]
fn entropy_is_that_of_the_joint_distribution() {
    let (known, (path, _)) = (known(), places());
    let readings = covariance(&*known, &path, path.len());
    let count = path.len() as f64;
    let expected = 0.5 * ((TAU * E).powf(count) * determinant(readings)).ln();
    close(Entropy.path(&*known, &path).unwrap(), expected);
    each_is_a_path_of_one(&Entropy, &*known, &path);
}

#[test]
fn variance_counts_what_earlier_readings_leave() {
    let (known, (path, _)) = (known(), places());
    let mut expected = 0.0;
    let mut so_far = Arc::clone(&known);
    for i in 0..path.len() {
        let place = path.slice(i, i + 1);
        expected += so_far.marginals(&place, Of::Measurement).unwrap().std[0].powi(2);
        so_far = so_far.given(&place).unwrap();
    }
    close(Variance.path(&*known, &path).unwrap(), expected);
    each_is_a_path_of_one(&Variance, &*known, &path);
}

#[test]
fn integrated_variance_is_what_a_model_with_the_readings_is_surer_of() {
    let (mut model, (path, map)) = (model(), places());
    let known = model.posterior();
    let objective = IntegratedVariance::at(map.clone());
    let worth = objective.path(&*known, &path).unwrap();
    let mean_variance = |known: &dyn Posterior| {
        let std = known.marginals(&map, Of::Quantity).unwrap().std;
        std.iter().map(|s| s * s).sum::<f64>() / map.len() as f64
    };
    let before = mean_variance(&*known);
    // Whatever is read.
    model.add(&path, &[3.0, -1.0, 0.4, 2.0]).unwrap();
    close(worth, before - mean_variance(&*model.posterior()));
    each_is_a_path_of_one(&objective, &*known, &path);
}

#[test]
fn mutual_information_is_what_the_determinants_say() {
    let (known, (path, map)) = (known(), places());
    let rows: Vec<f64> = [&path, &map]
        .iter()
        .flat_map(|points| (0..points.len()).flat_map(|i| points.row(i)))
        .collect();
    let all = Points::from_flat(2, &rows).unwrap();
    let joint = covariance(&*known, &all, path.len());
    let (readings, surface) = (
        block(&joint, 0, path.len()),
        block(&joint, path.len(), all.len()),
    );
    let expected = 0.5 * (determinant(readings) * determinant(surface) / determinant(joint)).ln();
    let objective = MutualInformation::with(map);
    close(objective.path(&*known, &path).unwrap(), expected);
    each_is_a_path_of_one(&objective, &*known, &path);
}

#[test]
fn intervals_are_those_of_the_surface() {
    let (known, (path, _)) = (known(), places());
    let surface = known.marginals(&path, Of::Quantity).unwrap();
    let upper = UpperConfidence::new(2.5);
    let straddle = LevelSet::new(0.3, 1.5);
    let (mut upper_sum, mut straddle_sum) = (0.0, 0.0);
    for i in 0..path.len() {
        let (mean, std) = (surface.mean[i], surface.std[i]);
        upper_sum += mean + 2.5 * std;
        straddle_sum += 1.5 * std - (mean - 0.3).abs();
    }
    close(upper.path(&*known, &path).unwrap(), upper_sum);
    close(straddle.path(&*known, &path).unwrap(), straddle_sum);
    each_is_a_path_of_one(&upper, &*known, &path);
    each_is_a_path_of_one(&straddle, &*known, &path);
}

//! Regression against closed forms, brute force and itself.

mod support;

use std::f64::consts::TAU;
use std::ops::ControlFlow;
use support::{assert_close, data, kernel, kernels, points, unscaled};
use transect_gp::kernel::{matern52, rbf};
use transect_gp::random::{Randomness, Stream};
use transect_gp::train::{Adam, Lbfgs, Step};
use transect_gp::{Joint, Matrix, Of, Points, Regression};

fn go_on(_: &Step<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[test]
fn one_point_by_hand() {
    // A = 2, l = 0.5, s2 = 0.1; one target 3 at 0; asked at 0.5.
    let mut model = Regression::empty(Box::new(rbf(2.0, 0.5)), 0.1, unscaled(1)).unwrap();
    model.add(&Points::line(&[0.0]).unwrap(), &[3.0]).unwrap();
    let k = 2.0 * (-0.5_f64).exp();
    let at = Points::line(&[0.5]).unwrap();
    let quantity = model
        .posterior()
        .unwrap()
        .predict(&at, Of::Quantity)
        .unwrap();
    assert!((quantity.mean[0] - k * 3.0 / 2.1).abs() < 1e-14);
    assert!((quantity.std[0].powi(2) - (2.0 - k * k / 2.1)).abs() < 1e-14);
    assert_eq!(quantity.floored, 0);
    let measured = model
        .posterior()
        .unwrap()
        .predict(&at, Of::Measurement)
        .unwrap();
    assert_eq!(measured.mean, quantity.mean);
    assert!((measured.std[0].powi(2) - quantity.std[0].powi(2) - 0.1).abs() < 1e-14);
    let loss = 0.5 * (9.0 / 2.1 + 2.1_f64.ln() + TAU.ln());
    assert!((model.loss().unwrap() - loss).abs() < 1e-14);
    // Without its only point the model knows the prior alone.
    let left_out = model.leave_one_out(None).unwrap()[0];
    assert!(left_out.mean.abs() < 1e-14 && (left_out.std.powi(2) - 2.1).abs() < 1e-13);
    let density = -0.5 * (9.0 / 2.1 + 2.1_f64.ln() + TAU.ln());
    assert!((left_out.log_density - density).abs() < 1e-13);
}

/// A model that was given other targets, whose inverse it keeps, is one that had them from the start; `|L^-1 y|^2` is `y'a`.
#[test]
fn other_targets_and_whitened_ones() {
    let (x, y) = data(30, 2, 4);
    let others: Vec<f64> = y.iter().map(|y| (0.7 * y).exp()).collect();
    let fresh = |y: &[f64]| {
        let mut model = Regression::empty(Box::new(rbf(1.3, 0.6)), 0.2, unscaled(2)).unwrap();
        model.add(&x, y).unwrap();
        model
    };
    let (mut changed, mut from_start) = (fresh(&y), fresh(&others));
    let before = changed.leave_one_out(None).unwrap();
    assert_eq!(
        changed.leave_one_out(Some(&others)).unwrap(),
        from_start.leave_one_out(None).unwrap()
    );
    let blocks = [vec![3, 8, 2], vec![1]];
    assert_eq!(
        changed.leave_blocks_out(&blocks, Some(&others)).unwrap(),
        from_start.leave_blocks_out(&blocks, None).unwrap()
    );
    assert_eq!(changed.leave_one_out(None).unwrap(), before);
    let at = points(20, 2, 5);
    let both = changed.posterior_of(&[&others]).unwrap();
    let both = both.predict_columns(&at, Of::Measurement).unwrap();
    let expected = [&mut changed, &mut from_start].map(|model| {
        let posterior = model.posterior().unwrap();
        posterior.predict(&at, Of::Measurement).unwrap()
    });
    assert_eq!(both, expected);
    // More points, and the inverse is another one.
    let (more, theirs) = (points(3, 2, 8), [0.1, -0.4, 0.9]);
    changed.add(&more, &theirs).unwrap();
    let grown = changed.leave_one_out(None).unwrap();
    let mut anew = fresh(&y);
    anew.add(&more, &theirs).unwrap();
    let expected = anew.leave_one_out(None).unwrap();
    let means = |all: &[transect_gp::LeftOut]| all.iter().map(|l| l.mean).collect::<Vec<_>>();
    assert_close("left out", &means(&grown), &means(&expected), 1e-11);

    let mut column = Matrix::zeros(30, 1);
    column.column_mut(0).copy_from_slice(&y);
    let twice: Vec<f64> = y.iter().map(|y| 2.0 * y).collect();
    let (mut model, mut doubled) = (fresh(&y), fresh(&twice));
    let square = |column: &[f64]| column.iter().map(|v| v * v).sum::<f64>();
    let fit = square(model.whiten(&column).unwrap().column(0));
    let loss = model.loss().unwrap();
    // Twice the targets cost four times the fit, and the determinant stays.
    assert!((doubled.loss().unwrap() - loss - 1.5 * fit).abs() < 1e-9 * fit);
    assert!(model.whiten(&Matrix::zeros(29, 1)).is_err());
    assert!(model.posterior_of(&[&twice[1..]]).is_err());
    let mut bad = twice;
    bad[5] = f64::NAN;
    assert!(model.leave_one_out(Some(&bad)).is_err());
}

#[test]
fn two_equal_points_are_one_measured_twice() {
    // The mean of two measurements of variance s2 is one of variance s2 / 2.
    let at = points(20, 2, 9);
    let mut twice = Regression::empty(Box::new(rbf(1.3, 0.6)), 0.2, unscaled(2)).unwrap();
    let x = Points::from_rows(&[[0.1, 0.2], [0.1, 0.2]]).unwrap();
    twice.add(&x, &[1.0, 2.0]).unwrap();
    let mut once = Regression::empty(Box::new(rbf(1.3, 0.6)), 0.1, unscaled(2)).unwrap();
    once.add(&x.slice(0, 1), &[1.5]).unwrap();
    let (twice, once) = (
        twice.posterior().unwrap().predict(&at, Of::Quantity),
        once.posterior().unwrap().predict(&at, Of::Quantity),
    );
    assert_close(
        "mean",
        &twice.clone().unwrap().mean,
        &once.clone().unwrap().mean,
        1e-13,
    );
    assert_close("std", &twice.unwrap().std, &once.unwrap().std, 1e-13);
}

/// Prediction, loss and leave-one-out density of a model.
fn judged(model: &mut Regression, at: &Points) -> Vec<f64> {
    let prediction = model
        .posterior()
        .unwrap()
        .predict(at, Of::Measurement)
        .unwrap();
    let left_out = model.leave_one_out(None).unwrap();
    let mut all = prediction.mean;
    all.extend(prediction.std);
    all.extend(left_out.iter().map(|point| point.log_density));
    // The deep kernel follows its training set when the loss is asked for: last.
    all.push(model.loss().unwrap());
    all
}

#[test]
fn data_added_bit_by_bit_are_data_given_at_once() {
    let (x, y) = data(90, 2, 1);
    let at = points(40, 2, 2);
    for (name, _) in kernels(2, 1) {
        let make = || {
            let kernel = kernels(2, 1)
                .into_iter()
                .find(|(n, _)| *n == name)
                .unwrap()
                .1;
            Regression::empty(kernel, 0.05, unscaled(2)).unwrap()
        };
        let mut whole = make();
        whole.add(&x, &y).unwrap();
        let expected = judged(&mut whole, &at);
        for blocks in [
            vec![1; 90],
            vec![50, 3, 7, 30],
            vec![1, 0, 64, 25],
            vec![8; 12],
        ] {
            let mut model = make();
            let mut from = 0;
            for size in blocks {
                let to = (from + size).min(90);
                model.add(&x.slice(from, to), &y[from..to]).unwrap();
                // Asking makes the factor, so that the next data extend it.
                let _ = model
                    .posterior()
                    .unwrap()
                    .predict(&at.slice(0, 1), Of::Quantity);
                from = to;
            }
            assert_eq!((from, model.len()), (90, 90));
            assert_close(name, &judged(&mut model, &at), &expected, 1e-10);
        }
    }
}

#[test]
fn the_joint_covariance_has_the_predicted_variances_on_its_diagonal() {
    let ((x, y), at) = (data(40, 2, 4), points(30, 2, 5));
    for (name, kernel) in kernels(2, 3) {
        let mut model = Regression::fit(kernel, 0.1, &x, &y).unwrap();
        let posterior = model.posterior().unwrap();
        let covariances = posterior.covariance(&at, &at).unwrap();
        for of in [Of::Quantity, Of::Measurement] {
            let prediction = posterior.predict(&at, of).unwrap();
            let Joint { mean, covariance } = posterior.joint(&at, of).unwrap();
            assert_close(name, &mean, &prediction.mean, 1e-13);
            let stds: Vec<f64> = (0..30).map(|j| covariance.column(j)[j].sqrt()).collect();
            assert_close(name, &stds, &prediction.std, 1e-10);
            for j in 1..30 {
                assert_eq!(covariance.column(0)[j], covariance.column(j)[0]);
                assert!((covariance.column(0)[j] - covariances.column(0)[j]).abs() < 1e-12);
            }
        }
    }
}

#[test]
fn samples_have_the_posteriors_moments() {
    let (x, y) = data(12, 1, 6);
    let at = Points::line(&[-0.9, -0.3, -0.25, 0.4, 3.0]).unwrap();
    let mut model = Regression::fit(Box::new(matern52(1.0, 0.5)), 0.1, &x, &y).unwrap();
    let joint = model.posterior().unwrap().joint(&at, Of::Quantity).unwrap();
    let Joint { mean, covariance } = &joint;
    let mut stream = Stream::new(7);
    let count = 20_000;
    let samples = joint.samples(count, || stream.standard_normal()).unwrap();
    assert_eq!((samples.len(), samples[0].len()), (count, 5));
    let n = count as f64;
    for j in 0..5 {
        for i in j..5 {
            let product = |s: &Vec<f64>| (s[i] - mean[i]) * (s[j] - mean[j]);
            let got = samples.iter().map(product).sum::<f64>() / n;
            let [vi, vj] = [i, j].map(|k| covariance.column(k)[k]);
            let expected = covariance.column(j)[i];
            // The standard error of a sample covariance of normal deviates.
            let error = ((vi * vj + expected * expected) / n).sqrt();
            assert!(
                (got - expected).abs() < 5.0 * error,
                "({i}, {j}): {got}, {expected}"
            );
        }
        let got = samples.iter().map(|s| s[j]).sum::<f64>() / n;
        let error = (covariance.column(j)[j] / n).sqrt();
        assert!(
            (got - mean[j]).abs() < 5.0 * error,
            "mean {j}: {got}, {}",
            mean[j]
        );
    }
    let mut same = Stream::new(7);
    let again = joint.samples(3, || same.standard_normal()).unwrap();
    assert_eq!(again, samples[..3]);
}

#[test]
fn a_grid_is_predicted_as_its_points_are() {
    let (x, y) = data(60, 2, 8);
    let axis = |n: usize| -> Vec<f64> { (0..n).map(|i| i as f64 / 15.0 - 1.1).collect() };
    // More than one chunk of points, and layers that do not divide a chunk.
    let grid = Points::grid(&[&axis(37), &axis(29)]).unwrap();
    let rows: Vec<f64> = (0..grid.len()).flat_map(|i| grid.row(i)).collect();
    let scattered = Points::from_flat(2, &rows).unwrap();
    for (name, kernel) in kernels(2, 4) {
        let mut model = Regression::fit(kernel, 0.1, &x, &y).unwrap();
        let on_grid = model
            .posterior()
            .unwrap()
            .predict(&grid, Of::Quantity)
            .unwrap();
        let one_by_one = model
            .posterior()
            .unwrap()
            .predict(&scattered, Of::Quantity)
            .unwrap();
        assert_close(name, &on_grid.mean, &one_by_one.mean, 1e-11);
        assert_close(name, &on_grid.std, &one_by_one.std, 1e-9);
    }
}

#[test]
fn lbfgs_finds_the_optimum_that_a_search_finds() {
    let (x, y) = data(20, 1, 10);
    let mut model = Regression::fit(Box::new(rbf(1.0, 0.5)), 0.1, &x, &y).unwrap();
    model.params_mut().freeze("noise", true).unwrap();
    // A search that only compares losses: a shrinking lattice over the logarithms.
    let (mut centre, mut width) = ([0.0_f64, 0.5_f64.ln()], 2.0);
    let mut best = f64::INFINITY;
    for _ in 0..60 {
        let from = centre;
        for (a, b) in (0..25).map(|k| (k % 5, k / 5)) {
            let at = [a, b].map(|k: i32| f64::from(k - 2) / 2.0 * width);
            let candidate = [from[0] + at[0], from[1] + at[1]];
            model
                .params_mut()
                .set("amplitude", &[candidate[0].exp()])
                .unwrap();
            model
                .params_mut()
                .set("lengthscale", &[candidate[1].exp()])
                .unwrap();
            let loss = model.loss().unwrap();
            if loss < best {
                (best, centre) = (loss, candidate);
            }
        }
        width *= 0.7;
    }
    model.params_mut().set("amplitude", &[1.0]).unwrap();
    model.params_mut().set("lengthscale", &[0.5]).unwrap();
    let mut steps = Vec::new();
    Lbfgs::default()
        .run(&mut model, 100, |step| {
            steps.push(step.loss);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert!(steps.len() < 50, "{} steps", steps.len());
    assert!(steps.is_sorted_by(|a, b| a >= b), "{steps:?}");
    assert!((model.loss().unwrap() - best).abs() < 1e-8);
    for (name, log) in [("amplitude", centre[0]), ("lengthscale", centre[1])] {
        let found = model.params().get(name).unwrap()[0];
        assert!(
            (found / log.exp() - 1.0).abs() < 1e-4,
            "{name}: {found}, {}",
            log.exp()
        );
    }
}

#[test]
fn adam_keeps_its_moments_while_data_are_added() {
    let (x, y) = data(30, 2, 11);
    let mut model = Regression::fit(kernel(5, 2, 1).1, 0.1, &x.slice(0, 20), &y[..20]).unwrap();
    let start = model.params().raw().to_vec();
    let mut adam = Adam::new(0.02, 0.003);
    let mut gradients: Vec<Vec<f64>> = Vec::new();
    let mut record = |step: &Step<'_>| {
        gradients.push(step.gradient.to_vec());
        ControlFlow::Continue(())
    };
    adam.run(&mut model, 4, &mut record).unwrap();
    model.add(&x.slice(20, 30), &y[20..]).unwrap();
    adam.run(&mut model, 3, &mut record).unwrap();

    // Kingma and Ba's algorithm 1 over all seven gradients.
    let mut expected = start;
    let networks: Vec<bool> = (model.params().groups().iter())
        .flat_map(|group| group.range.clone().map(|_| group.name.starts_with("net.")))
        .collect();
    let (mut first, mut second) = (vec![0.0; expected.len()], vec![0.0; expected.len()]);
    for (t, gradient) in (1..).zip(&gradients) {
        for i in 0..expected.len() {
            first[i] = 0.9 * first[i] + 0.1 * gradient[i];
            second[i] = 0.999 * second[i] + 0.001 * gradient[i] * gradient[i];
            let unbiased = first[i] / (1.0 - 0.9_f64.powi(t));
            let spread = (second[i] / (1.0 - 0.999_f64.powi(t))).sqrt();
            let rate = if networks[i] { 0.003 } else { 0.02 };
            expected[i] -= rate * unbiased / (spread + 1e-8);
        }
    }
    assert_eq!(gradients.len(), 7);
    assert_close("raw parameters", model.params().raw(), &expected, 1e-12);
}

#[test]
fn hooks_see_every_step_and_may_stop() {
    let (x, y) = data(20, 1, 12);
    let fresh = || Regression::fit(Box::new(rbf(1.0, 0.5)), 0.1, &x, &y).unwrap();
    let mut model = fresh();
    let mut seen = Vec::new();
    let stop_at_3 = |step: &Step<'_>| {
        seen.push((step.index, step.loss, step.params.raw().to_vec()));
        match step.index {
            3 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    };
    Adam::default().run(&mut model, 10, stop_at_3).unwrap();
    assert_eq!(seen.iter().map(|s| s.0).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!(
        model.params().raw(),
        seen[3].2,
        "the break is honoured at once"
    );
    assert_eq!(model.loss().unwrap(), seen[3].1);
    let mut other = fresh();
    Adam::default().run(&mut other, 3, go_on).unwrap();
    assert_eq!(other.params().raw(), seen[3].2, "three steps were taken");

    let mut model = fresh();
    let mut indices = Vec::new();
    Lbfgs::default()
        .run(&mut model, 10, |step| {
            indices.push(step.index);
            let mut judge = fresh();
            for group in step.params.groups() {
                let values = step.params.get(&group.name).unwrap();
                judge.params_mut().set(&group.name, values).unwrap();
            }
            let left_out = judge.leave_one_out(None).unwrap();
            let mean = left_out.iter().map(|l| l.log_density).sum::<f64>() / 20.0;
            assert!((judge.loss().unwrap() - step.loss).abs() < 1e-10);
            assert!((mean - step.left_out_density).abs() < 1e-9);
            match step.index {
                2 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        })
        .unwrap();
    assert_eq!(indices, [0, 1, 2]);
}

#[test]
fn degenerate_data_can_be_modelled() {
    let lines: [(&str, Vec<[f64; 2]>); 4] = [
        ("one point", vec![[3.0, 4.0]]),
        ("one place", vec![[3.0, 4.0]; 12]),
        (
            "a line along an axis",
            (0..12).map(|i| [f64::from(i), 7.0]).collect(),
        ),
        (
            "a diagonal",
            (0..12)
                .map(|i| [f64::from(i), 2.0 * f64::from(i)])
                .collect(),
        ),
    ];
    for (what, rows) in lines {
        let x = Points::from_rows(&rows).unwrap();
        let varied: Vec<f64> = (0..rows.len()).map(|i| (i as f64).sin()).collect();
        for (targets, y) in [("varied", varied), ("constant", vec![1e6; rows.len()])] {
            for (name, kernel) in kernels(2, 5) {
                let what = format!("{name}, {what}, {targets} targets");
                let mut model = Regression::fit(kernel, 0.1, &x, &y).expect(&what);
                model.train(&mut Adam::default(), 5).expect(&what);
                let prediction = model
                    .posterior()
                    .unwrap()
                    .predict(&x, Of::Quantity)
                    .expect(&what);
                let finite = |v: &f64| v.is_finite();
                assert!(prediction.mean.iter().all(finite), "{what}");
                assert!(
                    prediction.std.iter().all(|s| finite(s) && *s > 0.0),
                    "{what}"
                );
                if targets == "constant" {
                    assert_close(&what, &prediction.mean, &y, 1e-9);
                }
            }
        }
    }
}

/// Readings that were only thought of leave the same uncertainty as readings that were taken; thought of three times
/// in a row as at once.
#[test]
fn what_would_be_known_is_what_is_known_after_measuring() {
    let ((x, y), at) = (data(50, 2, 14), points(40, 2, 15));
    let places = points(12, 2, 16);
    for (name, kernel) in kernels(2, 3) {
        let mut model = Regression::fit(kernel, 0.05, &x, &y).unwrap();
        let now = model.posterior().unwrap();
        let at_once = now.given(&places).unwrap();
        let one_by_one = [(0, 5), (5, 6), (6, 12)]
            .iter()
            .fold(now.clone(), |known, (from, to)| {
                known.given(&places.slice(*from, *to)).unwrap()
            });
        assert_eq!(one_by_one.hypothetical(), 12);
        // The prediction itself is what one would read: means stay.
        let readings = now.predict(&places, Of::Quantity).unwrap().mean;
        model.add(&places, &readings).unwrap();
        let refitted = model.posterior().unwrap();
        for of in [Of::Quantity, Of::Measurement] {
            let expected = refitted.predict(&at, of).unwrap();
            let joint = refitted.joint(&at, of).unwrap();
            for thought in [&at_once, &one_by_one] {
                let got = thought.predict(&at, of).unwrap();
                assert_close(name, &got.std, &expected.std, 1e-9);
                assert_close(name, &got.mean, &expected.mean, 1e-9);
                let together = thought.joint(&at, of).unwrap();
                for j in 0..at.len() {
                    let columns = (together.covariance.column(j), joint.covariance.column(j));
                    assert_close(name, columns.0, columns.1, 1e-9);
                }
            }
        }
        // What was known before knows nothing of it, and neither does who shares it.
        let surprising: Vec<f64> = readings.iter().map(|r| 0.3 + 1.1 * r).collect();
        let mut other = model.emptied();
        other.add(&x, &y).unwrap();
        other.add(&places, &surprising).unwrap();
        let expected = other
            .posterior()
            .unwrap()
            .predict(&at, Of::Quantity)
            .unwrap();
        let (first, rest) = (places.slice(0, 5), places.slice(5, 12));
        let thought = now.given_readings(&first, &[&surprising[..5]]).unwrap();
        let thought = thought.given_readings(&rest, &[&surprising[5..]]).unwrap();
        let got = thought.predict(&at, Of::Quantity).unwrap();
        assert_close(name, &got.mean, &expected.mean, 1e-9);
        let joint = thought.joint(&at, Of::Quantity).unwrap();
        assert_close(name, &joint.mean, &expected.mean, 1e-9);
        assert_eq!(now.hypothetical(), 0);
        assert_eq!(now.given(&places.slice(0, 0)).unwrap().hypothetical(), 0);
    }
}

/// A posterior is asked from several threads at once, and outlives what its model learns later.
#[test]
fn posteriors_are_shared_and_do_not_change() {
    let ((x, y), at) = (data(60, 2, 24), points(300, 2, 25));
    let (_, kernel) = kernels(2, 3).remove(1);
    let mut model = Regression::fit(kernel, 0.05, &x, &y).unwrap();
    let posterior = model.posterior().unwrap();
    let before = posterior.predict(&at, Of::Quantity).unwrap();
    model.train(&mut Adam::default(), 5).unwrap();
    model.add(&at.slice(0, 1), &[0.3]).unwrap();
    assert_ne!(
        model
            .posterior()
            .unwrap()
            .predict(&at, Of::Quantity)
            .unwrap(),
        before
    );
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(posterior.predict(&at, Of::Quantity).unwrap(), before));
        }
    });
}

//! Points left out, against models that are fitted without them.

mod support;

use std::f64::consts::TAU;
use support::{assert_close, data, kernels, points, unscaled};
use transect_gp::kernel::{Kernel, matern52, rbf};
use transect_gp::{Compute, GpError, Of, Points, Regression, Threads};

#[test]
fn leaving_a_block_out_is_refitting_without_it() {
    let (x, y) = data(25, 2, 3);
    let blocks = [vec![7], vec![9, 3, 8], vec![24, 0, 12, 5, 1]];
    for (name, first) in kernels(2, 2) {
        let mut model = Regression::fit(first, 0.05, &x, &y).unwrap();
        let scalers = (model.scalers().0.clone(), *model.scalers().1);
        let closed = model.leave_blocks_out(&blocks, None).unwrap();
        model.set_compute(Compute::with_threads(Threads::All));
        assert_eq!(
            model.leave_blocks_out(&blocks, None).unwrap(),
            closed,
            "{name}"
        );
        let alone = model.leave_one_out(None).unwrap()[7];
        assert!((closed[0].mean - alone.mean).abs() < 1e-12, "{name}");
        for (block, closed) in blocks.iter().zip(closed) {
            let same = |(n, _): &(&str, _)| *n == name;
            let kernel = kernels(2, 2).into_iter().find(same).unwrap().1;
            let kept: Vec<usize> = (0..25).filter(|i| !block.contains(i)).collect();
            let rows: Vec<[f64; 2]> = kept
                .iter()
                .map(|&i| [x.column(0)[i], x.column(1)[i]])
                .collect();
            let targets: Vec<f64> = kept.iter().map(|&i| y[i]).collect();
            let mut rest = Regression::empty(kernel, 0.05, scalers.clone()).unwrap();
            rest.add(&Points::from_rows(&rows).unwrap(), &targets)
                .unwrap();
            let &last = block.last().unwrap();
            let refit = rest
                .posterior()
                .unwrap()
                .predict(&x.slice(last, last + 1), Of::Measurement)
                .unwrap();
            let (mean, std) = (refit.mean[0], refit.std[0]);
            let density = -0.5 * (((y[last] - mean) / std).powi(2) + (std * std).ln() + TAU.ln());
            let got = [closed.mean, closed.std, closed.log_density];
            assert_close(name, &got, &[mean, std, density], 1e-9);
        }
    }
}

#[test]
fn blocks_that_make_no_sense_are_refused() {
    let (x, y) = data(25, 2, 3);
    let kernel = Box::new(rbf(1.0, 0.5));
    let mut model = Regression::fit(kernel, 0.05, &x, &y).unwrap();
    let mut refused =
        |block: &[usize]| model.leave_blocks_out(&[block.to_vec()], None).unwrap_err();
    assert_eq!(refused(&[]), GpError::Empty);
    assert!(refused(&[3, 25]).to_string().starts_with("point 25"));
    assert!(matches!(refused(&[3, 4, 3]), GpError::Block { point: 3 }));
    // What a gradient leaves behind is not the inverse.
    let some = [vec![3, 4, 5]];
    let expected = model.leave_blocks_out(&some, None).unwrap();
    model.loss_and_gradient().unwrap();
    assert_eq!(model.leave_blocks_out(&some, None).unwrap(), expected);
    // Nothing is left to predict from: the prior.
    let all: Vec<usize> = (0..25).collect();
    let prior = model.leave_blocks_out(&[all], None).unwrap()[0];
    let mean = y.iter().sum::<f64>() / 25.0;
    assert!((prior.mean - mean).abs() < 1e-9);
}

#[test]
fn leaving_one_out_is_refitting_without_it() {
    let (x, y) = data(25, 2, 3);
    for (name, first) in kernels(2, 2) {
        let mut model = Regression::fit(first, 0.05, &x, &y).unwrap();
        let scalers = (model.scalers().0.clone(), *model.scalers().1);
        let closed = model.leave_one_out(None).unwrap();
        for (i, closed) in closed.iter().enumerate() {
            let kernel = kernels(2, 2)
                .into_iter()
                .find(|(n, _)| *n == name)
                .unwrap()
                .1;
            let mut rest = Regression::empty(kernel, 0.05, scalers.clone()).unwrap();
            let (mut others, mut targets) = (x.slice(0, i), y[..i].to_vec());
            others.append(&x.slice(i + 1, 25)).unwrap();
            targets.extend(&y[i + 1..]);
            rest.add(&others, &targets).unwrap();
            let refit = rest
                .posterior()
                .unwrap()
                .predict(&x.slice(i, i + 1), Of::Measurement)
                .unwrap();
            let (mean, std) = (refit.mean[0], refit.std[0]);
            let density = -0.5 * (((y[i] - mean) / std).powi(2) + (std * std).ln() + TAU.ln());
            let got = [closed.mean, closed.std, closed.log_density];
            for (got, expected) in got.into_iter().zip([mean, std, density]) {
                let error = (got - expected).abs() / expected.abs().max(1.0);
                assert!(
                    error < 1e-9,
                    "{name}, point {i}: {got}, refitted {expected}"
                );
            }
        }
    }
}

#[test]
fn a_point_of_great_extra_noise_counts_for_nothing() {
    let ((x, y), at) = (data(40, 2, 4), points(30, 2, 5));
    for (name, kernel) in [
        ("rbf", Box::new(rbf(1.0, 0.5)) as Box<dyn Kernel>),
        ("matern52", Box::new(matern52(1.0, 0.5))),
    ] {
        let again = transect_gp::kernel::by_name(kernel.name(), kernel.structure()).unwrap();
        let mut all = Regression::empty(kernel, 0.1, unscaled(2)).unwrap();
        let mut rest = Regression::empty(again, 0.1, unscaled(2)).unwrap();
        rest.params_mut().set("amplitude", &[1.0]).unwrap();
        rest.params_mut().set("lengthscale", &[0.5]).unwrap();
        all.add(&x, &y).unwrap();
        rest.add(&x.slice(1, 40), &y[1..]).unwrap();
        all.set_extra_noise(vec![1e4]);
        let without = rest
            .posterior()
            .unwrap()
            .predict(&at, Of::Quantity)
            .unwrap();
        let ignored = all.posterior().unwrap().predict(&at, Of::Quantity).unwrap();
        assert_close(name, &ignored.mean, &without.mean, 1e-3);
        // Left out, it is predicted as by the others, with ordinary noise.
        let left_out = all.leave_one_out(None).unwrap()[0];
        let alone = rest
            .posterior()
            .unwrap()
            .predict(&x.slice(0, 1), Of::Measurement)
            .unwrap();
        assert!((left_out.mean - alone.mean[0]).abs() < 1e-6, "{name}");
        assert!((left_out.std - alone.std[0]).abs() < 1e-6, "{name}");
        let loaded = Regression::load(&all.save().unwrap()).unwrap();
        assert_eq!(loaded.extra_noise(), [1e4]);
    }
}

//! Analytic gradients against fourth-order central differences, to 1e-6 of each component.
//!
//! Components below [`check::SMALLEST`] of the largest are compared with that fraction of the
//! largest: finite differences say nothing about smaller ones.

mod support;

use std::ops::ControlFlow;
use support::{FAMILIES, VARIANTS, attentive, computes, data, kernel, kernels, points, theta};
use transect_gp::kernel::{Exponent, Kernel, Memory};
use transect_gp::random::{Randomness, Stream};
use transect_gp::train::{Adam, Lbfgs};
use transect_gp::{Matrix, Points, Regression, check};

const TOLERANCE: f64 = 1e-6;

/// Every way to carry out the work against one set of differences; returns the worst seen.
#[track_caller]
fn agrees(what: &str, kernel: &dyn Kernel, x: &Points) -> f64 {
    let theta = theta(kernel);
    let worst = check::gradient(kernel, &theta, x, &computes());
    assert!(
        worst.relative <= TOLERANCE,
        "{what}, {} points, dimension {}: {worst:?}",
        x.len(),
        x.dim()
    );
    worst.relative
}

#[test]
fn every_kernel_of_one_to_many_points() {
    let mut worst = (0.0, "");
    for dim in 1..=3 {
        for n in [1, 2, 13, 70] {
            for (name, kernel) in kernels(dim, 5) {
                let seen = agrees(name, &*kernel, &points(n, dim, 1));
                if seen > worst.0 {
                    worst = (seen, name);
                }
            }
        }
    }
    println!("worst: {worst:?}");
}

#[test]
fn every_kernel_over_several_panels() {
    for kind in [0, 4, 5, 7, 8, 11, 13, 15] {
        let (name, kernel) = kernel(kind, 2, 6);
        let seen = agrees(name, &*kernel, &points(150, 2, 2));
        println!("{name}: {seen:.1e}");
    }
}

#[test]
fn attentive_kernels_of_every_family_variant_and_size() {
    let mut worst = 0.0_f64;
    for family in FAMILIES {
        for variant in VARIANTS {
            for dim in 1..=3 {
                for (count, hidden) in [(1, 2), (3, 10), (10, 2), (17, 10)] {
                    // Large networks have many parameters: fewer points keep the test short.
                    let n = if hidden == 2 { 13 } else { 6 };
                    let kernel = attentive((family, variant), dim, count, hidden, 7);
                    let what = format!("{family:?} {variant:?} M={count} H={hidden}");
                    worst = worst.max(agrees(&what, &*kernel, &points(n, dim, 3)));
                }
            }
        }
    }
    println!("worst: {worst:.1e}");
}

#[test]
fn repeated_points_have_gradients_too() {
    for dim in 1..=3 {
        let mut x = points(9, dim, 4);
        x.append(&x.clone()).unwrap();
        for (name, kernel) in kernels(dim, 8) {
            agrees(name, &*kernel, &x);
        }
    }
}

#[test]
fn a_contraction_adds_to_what_is_there() {
    for (name, kernel) in kernels(2, 9) {
        let (x, mut theta) = (points(20, 2, 5), theta(&*kernel));
        let compute = transect_gp::Compute::default();
        kernel.refresh(&mut theta, &x, &mut Memory::default(), &compute);
        let mut slopes = Matrix::zeros(20, 20);
        let mut stream = Stream::new(1);
        (0..20).for_each(|j| slopes.column_mut(j).fill_with(|| stream.standard_normal()));
        let (mut once, mut twice) = (vec![0.0; theta.len()], vec![0.0; theta.len()]);
        kernel.contract(
            &theta,
            &x,
            &slopes,
            &mut once,
            &mut Memory::default(),
            &compute,
        );
        kernel.contract(
            &theta,
            &x,
            &slopes,
            &mut twice,
            &mut Memory::default(),
            &compute,
        );
        kernel.contract(
            &theta,
            &x,
            &slopes,
            &mut twice,
            &mut Memory::default(),
            &compute,
        );
        once.iter_mut().for_each(|g| *g *= 2.0);
        support::assert_close(name, &twice, &once, 1e-14);
    }
}

/// `softplus(u) + 1e-6` and its inverse, as the documentation of the parameters has them.
fn natural(raw: f64, positive: bool) -> f64 {
    if positive {
        raw.exp().ln_1p() + 1e-6
    } else {
        raw
    }
}

/// Fourth-order differences of the loss along one raw parameter.
fn loss_slope(model: &mut Regression, name: &str, place: usize, step: f64) -> f64 {
    let group = model.params().groups().iter().find(|g| g.name == name);
    let group = group.unwrap().clone();
    let start = model.params().get(name).unwrap().to_vec();
    let raw = model.params().raw()[group.range.start + place];
    let mut sum = 0.0;
    for (steps, factor) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
        let mut moved = start.clone();
        moved[place] = natural(raw + steps * step, group.positive);
        model.params_mut().set(name, &moved).unwrap();
        sum += factor * model.loss().unwrap();
    }
    model.params_mut().set(name, &start).unwrap();
    sum / (12.0 * step)
}

/// Compares the model's gradient with differences of its loss; returns the worst disagreement.
#[track_caller]
fn loss_agrees(what: &str, model: &mut Regression) -> f64 {
    let gradient = model.loss_and_gradient().unwrap().1.to_vec();
    let floor = check::SMALLEST * gradient.iter().fold(0.0_f64, |most, g| most.max(g.abs()));
    let mut worst = 0.0_f64;
    for group in model.params().groups().to_vec() {
        for (place, i) in group.range.clone().enumerate() {
            if !group.trained() {
                assert_eq!(gradient[i], 0.0, "{what}: {} is not trained", group.name);
                continue;
            }
            let relative = |step: f64, model: &mut Regression| {
                let numeric = loss_slope(model, &group.name, place, step);
                let size = gradient[i].abs().max(numeric.abs()).max(floor);
                (gradient[i] - numeric).abs() / size
            };
            let steps = [1e-3, 2e-4, 5e-5];
            let best = steps.iter().fold(f64::INFINITY, |best, step| {
                if best < 1e-8 {
                    best
                } else {
                    best.min(relative(*step, model))
                }
            });
            assert!(
                best <= TOLERANCE,
                "{what}: {} [{place}] is {}, off by {best:e}",
                group.name,
                gradient[i]
            );
            worst = worst.max(best);
        }
    }
    worst
}

#[test]
fn the_gradient_of_the_loss_in_raw_parameters() {
    for dim in 1..=3 {
        let (x, y) = data(30, dim, 6);
        for (name, kernel) in kernels(dim, 10) {
            let mut model = Regression::fit(kernel, 0.1, &x, &y).unwrap();
            let worst = loss_agrees(name, &mut model);
            println!("{name}, dimension {dim}: {worst:.1e}");
        }
    }
}

#[test]
fn the_gradient_of_the_loss_however_it_is_computed() {
    let (x, y) = data(70, 2, 7);
    for compute in computes() {
        for kind in [0, 5, 7, 12] {
            let (name, kernel) = kernel(kind, 2, 11);
            let mut model = Regression::fit(kernel, 0.1, &x, &y).unwrap();
            model.set_compute(compute);
            loss_agrees(&format!("{name} {compute:?}"), &mut model);
        }
    }
}

#[test]
fn frozen_parameters_have_no_slope_and_do_not_move() {
    let (x, y) = data(25, 2, 8);
    for (name, kernel) in kernels(2, 12) {
        let mut model = Regression::fit(kernel, 0.1, &x, &y).unwrap();
        let names: Vec<String> = model
            .params()
            .groups()
            .iter()
            .map(|g| g.name.clone())
            .collect();
        let frozen: Vec<&String> = names.iter().step_by(2).collect();
        for name in &frozen {
            model.params_mut().freeze(name, true).unwrap();
        }
        loss_agrees(name, &mut model);
        let values = |model: &Regression| -> Vec<Vec<f64>> {
            let of = |name: &&String| model.params().get(name).unwrap().to_vec();
            frozen.iter().map(of).collect()
        };
        // A frozen parameter may still follow the training set.
        let _ = model.loss().unwrap();
        let trained: Vec<&String> = names.iter().filter(|n| !frozen.contains(n)).collect();
        let derived = |name: &str| name.ends_with("_feature");
        let before = values(&model);
        let others: Vec<f64> = model.params().raw().to_vec();
        model.train(&mut Adam::default(), 3).unwrap();
        let hook = |_: &transect_gp::train::Step<'_>| ControlFlow::Continue(());
        Lbfgs::default().run(&mut model, 3, hook).unwrap();
        for ((group, before), after) in frozen.iter().zip(&before).zip(values(&model)) {
            assert!(derived(group) || *before == after, "{name}: {group} moved");
        }
        assert!(
            trained.is_empty() || others != model.params().raw(),
            "{name} did not train"
        );
    }
}

#[test]
fn gibbs_of_the_authors_differs_from_the_textbook_beyond_one_dimension() {
    let (x, compute) = (points(5, 2, 9), transect_gp::Compute::default());
    let entry = |exponent| {
        let kernel = support::gibbs(exponent, 2, 1);
        let (theta, mut k) = (theta(&*kernel), Matrix::default());
        kernel.matrix(&theta, &x, &mut k, &mut Memory::default(), &compute);
        k.column(0)[1]
    };
    // k / A = r^(D/2) exp(-c d^2 / S): c = 2 squares the exponential.
    let (textbook, authors) = (entry(Exponent::Textbook), entry(Exponent::Authors));
    assert!(authors < textbook);
}

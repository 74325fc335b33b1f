//! Hostile numbers: a typed error or a finite answer, never a panic, never a NaN.

mod support;

use proptest::prelude::*;
use std::ops::ControlFlow;
use support::{KINDS, data, kernel, points};
use transect_gp::kernel::{Attentive, Deep, Exponent, Gibbs, Kernel, Lengthscales, Sum, rbf};
use transect_gp::random::{Randomness, Stream};
use transect_gp::train::{Adam, Lbfgs};
use transect_gp::{Compute, GpError, InputScaler, Of, Points, Regression, TargetScaler, Threads};

/// Numbers as a broken sensor, file or person may give them; `tame` to three are harmless.
fn hostile(tame: u32) -> impl Strategy<Value = f64> {
    prop_oneof![
        tame => -2.0..2.0_f64,
        1 => (-300.0..300.0_f64).prop_map(|e| 10.0_f64.powf(e)),
        1 => (-300.0..300.0_f64).prop_map(|e| -(10.0_f64.powf(e))),
        1 => prop::sample::select(vec![
            0.0, -0.0, 1e12, 1e-6, 1e-300, 1e300, 1e150, -1e150, f64::MAX, f64::MIN,
            f64::MIN_POSITIVE, 5e-324,
        ]),
    ]
}

fn hostile_or_not_finite(tame: u32) -> impl Strategy<Value = f64> {
    prop_oneof![
        300 => hostile(tame),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY]),
    ]
}

fn all_finite<'a>(values: impl IntoIterator<Item = &'a f64>) -> bool {
    values.into_iter().all(|v| v.is_finite())
}

/// Everything a model can be asked to do. Each may be refused; what is answered must be finite.
fn live(model: &mut Regression, at: &Points, more: (&Points, &[f64])) -> Result<(), String> {
    let dim = at.dim();
    let require = |what: &str, fine: bool| match fine {
        true => Ok(()),
        false => Err(format!("{what} is not finite")),
    };
    for round in 0..2 {
        if let Ok(posterior) = model.posterior() {
            for posterior in [posterior.given(at), Ok(posterior)].into_iter().flatten() {
                if let Ok(prediction) = posterior.predict(at, Of::Measurement) {
                    require("mean", all_finite(&prediction.mean))?;
                    require("std", all_finite(&prediction.std))?;
                }
                if let Ok(joint) = posterior.joint(at, Of::Quantity) {
                    require("joint mean", all_finite(&joint.mean))?;
                    let columns = (0..at.len()).flat_map(|j| joint.covariance.column(j));
                    require("covariance", all_finite(columns))?;
                    let mut stream = Stream::new(1);
                    if let Ok(samples) = joint.samples(2, || stream.standard_normal()) {
                        require("sample", all_finite(samples.iter().flatten()))?;
                    }
                }
                if let Ok(Some(attention)) = posterior.attention(at) {
                    require("attention", all_finite(attention.w.iter().flatten()))?;
                }
            }
        }
        if let Ok(left_out) = model.leave_one_out(None) {
            let numbers = left_out.iter().flat_map(|l| [l.mean, l.std, l.log_density]);
            require("left out", numbers.into_iter().all(f64::is_finite))?;
        }
        if let Ok(loss) = model.loss() {
            require("loss", loss.is_finite())?;
        }
        let _ = model.train(&mut Adam::new(0.1, 0.1), 2);
        require("trained parameters", all_finite(model.params().natural()))?;
        let _ = Lbfgs::default().run(model, 2, |_| ControlFlow::Continue(()));
        require(
            "parameters after L-BFGS",
            all_finite(model.params().natural()),
        )?;
        let json = model.save().map_err(|error| error.to_string())?;
        let loaded = Regression::load(&json).map_err(|error| error.to_string())?;
        let same = loaded.params().natural() == model.params().natural();
        require("the loaded model, or is not the saved one,", same)?;
        if round == 0 {
            let before = model.len();
            let added = model.add(more.0, more.1);
            let expected = before + if added.is_ok() { more.1.len() } else { 0 };
            require("count", model.len() == expected && more.0.dim() == dim)?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..Default::default() })]

    #[test]
    fn hostile_data(
        kind in 0..KINDS, dim in 1_usize..=3, seed in any::<u16>(),
        numbers in prop::collection::vec(hostile_or_not_finite(60), 3..60),
        later in prop::collection::vec(hostile(60), 4..9),
        noise in prop_oneof![Just(0.1), hostile(60)],
        all in any::<bool>(),
    ) {
        let n = numbers.len() / (dim + 1);
        prop_assume!(n > 0);
        let (inputs, targets) = numbers[..n * (dim + 1)].split_at(n * dim);
        let x = match Points::from_flat(dim, inputs) {
            Ok(x) => x,
            Err(GpError::NotFinite { index, value, .. }) => {
                prop_assert!(!value.is_finite());
                prop_assert_eq!(inputs[index].to_bits(), value.to_bits());
                return Ok(());
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        };
        let mut model = match Regression::fit(kernel(kind, dim, seed.into()).1, noise, &x, targets) {
            Ok(model) => model,
            Err(error) => {
                if let GpError::NotFinite { index, value, .. } = error {
                    prop_assert_eq!(targets[index].to_bits(), value.to_bits());
                }
                return Ok(());
            }
        };
        prop_assert!(all_finite(targets));
        model.set_compute(Compute::with_threads(if all { Threads::All } else { Threads::One }));
        let m = later.len() / (dim + 1);
        let at = Points::from_flat(dim, &later[..later.len() / dim * dim]).unwrap();
        let more = Points::from_flat(dim, &later[..m * dim]).unwrap();
        live(&mut model, &at, (&more, &later[later.len() - m..])).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn hostile_parameters(
        kind in 0..KINDS, dim in 1_usize..=3, n in 1_usize..20, seed in any::<u16>(),
        values in prop::collection::vec(hostile_or_not_finite(8), 1..40),
    ) {
        let (x, y) = data(n, dim, seed.into());
        let mut model = Regression::fit(kernel(kind, dim, seed.into()).1, 0.1, &x, &y).unwrap();
        let mut hostile = values.iter().cycle();
        for group in model.params().groups().to_vec() {
            let wanted: Vec<f64> = hostile.by_ref().take(group.range.len()).copied().collect();
            let before = model.params().get(&group.name).unwrap().to_vec();
            match model.params_mut().set(&group.name, &wanted) {
                Ok(()) => prop_assert_eq!(model.params().get(&group.name).unwrap(), &wanted[..]),
                Err(error) => {
                    prop_assert!(error.to_string().contains(&group.name), "{}", error);
                    // Refused as a whole.
                    prop_assert_eq!(model.params().get(&group.name).unwrap(), &before[..]);
                }
            }
        }
        prop_assert!(all_finite(model.params().raw()));
        let (more, targets) = data(3, dim, 1);
        live(&mut model, &points(5, dim, 2), (&more, &targets)).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn wrong_shapes_are_named() {
    let (x, y) = data(5, 2, 1);
    let line = Points::line(&[0.0, 1.0]).unwrap();
    let message = |error: GpError| error.to_string();
    for kind in 0..KINDS {
        let make = || Regression::fit(kernel(kind, 2, 1).1, 0.1, &x, &y).unwrap();
        let mut model = make();
        let dimension = GpError::Dimension {
            expected: 2,
            got: 1,
        };
        let known = model.posterior().unwrap();
        assert_eq!(known.predict(&line, Of::Quantity), Err(dimension.clone()));
        assert_eq!(known.joint(&line, Of::Quantity).unwrap_err(), dimension);
        assert_eq!(known.covariance(&x, &line).unwrap_err(), dimension);
        assert_eq!(known.given(&line).unwrap_err(), dimension);
        assert_eq!(known.attention(&line), Err(dimension.clone()));
        assert_eq!(model.add(&line, &[0.0, 1.0]), Err(dimension));
        let counts = model.add(&x, &y[..3]).unwrap_err();
        assert_eq!(message(counts), "targets: 3 given, 5 expected");
        let bad = model
            .add(&x.slice(0, 3), &[0.0, f64::NAN, 1.0])
            .unwrap_err();
        assert_eq!(
            message(bad),
            "target number 1 is NaN; every value must be finite"
        );
        assert_eq!(model.len(), 5);
        // Nothing happened to the model.
        assert_eq!(
            model
                .posterior()
                .unwrap()
                .predict(&x, Of::Quantity)
                .unwrap(),
            make()
                .posterior()
                .unwrap()
                .predict(&x, Of::Quantity)
                .unwrap()
        );
    }
}

#[test]
fn nothing_can_be_done_with_nothing() {
    let none = Points::empty(2).unwrap();
    for kind in 0..KINDS {
        let fitted = Regression::fit(kernel(kind, 2, 1).1, 0.1, &none, &[]);
        assert_eq!(fitted.unwrap_err(), GpError::Empty);
        let scalers = (
            InputScaler::from_ranges(&[(0.0, 1.0), (0.0, 2.0)]).unwrap(),
            TargetScaler::new(0.0, 1.0).unwrap(),
        );
        let mut model = Regression::empty(kernel(kind, 2, 1).1, 0.1, scalers).unwrap();
        let (x, y) = data(6, 2, 1);
        assert_eq!(model.loss(), Err(GpError::Empty));
        assert_eq!(model.loss_and_gradient(), Err(GpError::Empty));
        assert_eq!(model.posterior().unwrap_err(), GpError::Empty);
        assert_eq!(model.leave_one_out(None), Err(GpError::Empty));
        assert_eq!(model.train(&mut Adam::default(), 1), Err(GpError::Empty));
        let run = Lbfgs::default().run(&mut model, 1, |_| ControlFlow::Continue(()));
        assert_eq!(run, Err(GpError::Empty));
        model.add(&none, &[]).unwrap();
        model.add(&x, &y).unwrap();
        // Asked about nothing, a model says nothing.
        let nothing = model
            .posterior()
            .unwrap()
            .predict(&none, Of::Quantity)
            .unwrap();
        assert!(nothing.mean.is_empty() && nothing.std.is_empty());
        for axes in [[&[][..], &[1.0]], [&[1.0], &[]], [&[], &[]]] {
            let grid = Points::grid(&axes).unwrap();
            assert!(
                model
                    .posterior()
                    .unwrap()
                    .predict(&grid, Of::Quantity)
                    .unwrap()
                    .mean
                    .is_empty()
            );
        }
        let joint = model
            .posterior()
            .unwrap()
            .joint(&none, Of::Quantity)
            .unwrap();
        assert!(joint.mean.is_empty());
        assert_eq!(joint.samples(2, || 0.0).unwrap(), [[0.0; 0]; 2]);
        model.add(&none, &[]).unwrap();
        assert_eq!(model.len(), 6);
    }
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    for (min, max, count) in [
        (0.0, 1.0, 3),
        (0.5, 0.1, 3),
        (0.1, f64::NAN, 3),
        (0.1, f64::INFINITY, 3),
        (1e-300, 1.0, 3),
        (0.1, 0.5, 0),
    ] {
        assert!(Lengthscales::even(min, max, count).is_err(), "{min} {max}");
        assert!(
            Lengthscales::by_ratio(min, max, count).is_err(),
            "{min} {max}"
        );
    }
    let (x, y) = data(5, 2, 1);
    let refusal = |kernel: Box<dyn Kernel>| {
        let error = Regression::fit(kernel, 0.1, &x, &y).unwrap_err();
        error.to_string()
    };
    let mut source = Stream::new(1);
    let scales = Lengthscales::even(0.1, 0.5, 3).unwrap();
    let unitless = "parameter `net.linear1.weight` has no values";
    let attentive = Attentive::new(2, 0, scales, 1.0, &mut source);
    assert_eq!(refusal(Box::new(attentive)), unitless);
    let gibbs = Gibbs::new(2, 0, Exponent::Textbook, 1.0, &mut source);
    assert_eq!(refusal(Box::new(gibbs)), unitless);
    let deep = Deep::new(2, 3, 0, 1.0, 1.0, &mut source);
    assert_eq!(
        refusal(Box::new(deep)),
        "parameter `net.linear3.weight` has no values"
    );
    let two_dimensions = Sum::new(kernel(5, 2, 1).1, kernel(5, 3, 1).1);
    assert!(refusal(Box::new(two_dimensions)).contains("but 3 are expected"));
    assert!(refusal(Box::new(rbf(-1.0, 1.0))).contains("`amplitude` is -1"));
    assert!(refusal(Box::new(rbf(1.0, f64::NAN))).contains("`lengthscale` is NaN"));
    let noise = Regression::fit(Box::new(rbf(1.0, 1.0)), 0.0, &x, &y).unwrap_err();
    assert!(noise.to_string().contains("`noise` is 0"), "{noise}");
    assert!(TargetScaler::new(f64::NAN, 1.0).is_err() && TargetScaler::new(0.0, 0.0).is_err());
    assert!(InputScaler::from_ranges(&[(1.0, 1.0)]).is_err());
    assert!(InputScaler::from_ranges(&[(f64::NAN, 1.0)]).is_err());
}

#[test]
fn a_covariance_that_cannot_be_factored_is_named() {
    // Forty equal points of a huge amplitude: the noise is lost in rounding.
    let x = Points::from_flat(1, &[0.5; 40]).unwrap();
    let y: Vec<f64> = (0..40).map(f64::from).collect();
    let mut model = Regression::fit(Box::new(rbf(1e14, 0.5)), 2e-6, &x, &y).unwrap();
    let error = model.posterior().unwrap_err();
    let GpError::NotPositiveDefinite {
        size,
        pivot,
        jitter,
        ref parameters,
    } = error
    else {
        panic!("{error}");
    };
    assert!(size == 40 && pivot < 40 && jitter == 1e-4);
    assert!(
        parameters.contains("amplitude=100000000000000"),
        "{parameters}"
    );
    assert_eq!(model.loss().unwrap_err(), error);
    // It can be mended.
    model.params_mut().set("amplitude", &[1.0]).unwrap();
    assert!(model.posterior().unwrap().predict(&x, Of::Quantity).is_ok());
}

//! Models written down and read again.

mod support;

use support::{assert_close, data, kernel, kernels, points, unscaled};
use transect_gp::kernel::{Kernel, rbf};
use transect_gp::train::Adam;
use transect_gp::{GpError, Of, Points, Regression};

/// A trained model with one group frozen.
fn trained(kernel: Box<dyn Kernel>) -> Regression {
    let (x, y) = data(30, 2, 13);
    let mut model = Regression::fit(kernel, 0.1, &x, &y).unwrap();
    model.train(&mut Adam::default(), 5).unwrap();
    let name = model.params().groups()[0].name.clone();
    model.params_mut().freeze(&name, true).unwrap();
    model
}

#[test]
fn a_saved_model_predicts_the_same_bits() {
    let at = points(50, 2, 14);
    for (name, kernel) in kernels(2, 6) {
        let mut model = trained(kernel);
        let json = model.save().unwrap();
        let mut loaded = Regression::load(&json).unwrap();
        assert_eq!(
            model
                .posterior()
                .unwrap()
                .predict(&at, Of::Measurement)
                .unwrap(),
            loaded
                .posterior()
                .unwrap()
                .predict(&at, Of::Measurement)
                .unwrap(),
            "{name}"
        );
        assert_eq!(
            model.leave_one_out(None).unwrap(),
            loaded.leave_one_out(None).unwrap()
        );
        assert_eq!(model.params().groups(), loaded.params().groups());
        assert!(loaded.params().groups()[0].frozen && !loaded.params().groups()[1].frozen);
        assert_eq!(model.params().natural(), loaded.params().natural());
        assert_eq!(loaded.save().unwrap(), json, "{name}");
        // It goes on as the original does, up to the rounding of softplus's inverse, which
        // Adam's first steps magnify where a gradient is next to nothing.
        model.train(&mut Adam::default(), 3).unwrap();
        loaded.train(&mut Adam::default(), 3).unwrap();
        assert_close(
            name,
            loaded.params().natural(),
            model.params().natural(),
            1e-6,
        );
    }
}

#[test]
fn an_empty_model_and_one_at_the_floor_can_be_saved() {
    let model = Regression::empty(kernel(13, 2, 1).1, 0.1, unscaled(2)).unwrap();
    let mut loaded = Regression::load(&model.save().unwrap()).unwrap();
    assert!(loaded.is_empty());
    assert_eq!(loaded.loss(), Err(GpError::Empty));
    // Asking an empty model changed nothing.
    assert_eq!(loaded.params().natural(), model.params().natural());
    let mut model = trained(Box::new(rbf(1.0, 0.5)));
    model.params_mut().set("noise", &[1e-6]).unwrap();
    let loaded = Regression::load(&model.save().unwrap()).unwrap();
    assert_eq!(loaded.params().get("noise").unwrap(), [1e-6]);
}

#[test]
fn loading_refuses_what_it_does_not_understand() {
    let refusal = |json: &str| Regression::load(json).unwrap_err().to_string();
    assert!(refusal("not json").starts_with("cannot read the saved model: expected"));
    assert!(refusal("[]").starts_with("cannot read the saved model:"));
    assert!(refusal("{}").contains("`format`"));

    let attentive: serde_json::Value =
        serde_json::from_str(&trained(kernel(5, 2, 1).1).save().unwrap()).unwrap();
    let composite: serde_json::Value =
        serde_json::from_str(&trained(kernel(15, 2, 1).1).save().unwrap()).unwrap();
    let check =
        |base: &serde_json::Value, pointer: &str, value: serde_json::Value, message: &str| {
            let mut changed = base.clone();
            match changed.pointer_mut(pointer) {
                Some(place) => *place = value,
                None => {
                    let (parent, key) = pointer.rsplit_once('/').unwrap();
                    changed.pointer_mut(parent).unwrap()[key] = value;
                }
            }
            let got = refusal(&changed.to_string());
            assert!(
                got.contains(message),
                "{pointer}: {got:?} does not say {message:?}"
            );
        };
    use serde_json::json;
    let change = |pointer: &str, value, message: &str| check(&attentive, pointer, value, message);
    change(
        "/format",
        json!("other"),
        "its `format` is \"other\", not `transect-model`",
    );
    change(
        "/version",
        json!(2),
        "its version is 2; this program reads version 1",
    );
    change("/version", json!(null), "version is missing");
    change(
        "/kernel",
        json!("magic"),
        "no kernel is called `magic`; there are: stationary,",
    );
    change("/colour", json!("red"), "unknown field `colour`");
    change(
        "/parameters/0/name",
        json!("amplitud"),
        "no parameter is called `amplitud`",
    );
    change(
        "/parameters/0/name",
        json!("noise"),
        "parameter `noise` is there twice",
    );
    change(
        "/parameters/0/values",
        json!([1.0, 2.0]),
        "values for parameter `amplitude`: 2 given",
    );
    change("/parameters/0/values", json!([null]), "invalid type: null");
    change(
        "/parameters/0/values",
        json!([-1.0]),
        "parameter `amplitude` is -1",
    );
    change(
        "/parameters/0/values",
        json!([1e300]),
        "parameter `amplitude` is 1e300",
    );
    change("/parameters/0/colour", json!(1), "unknown field `colour`");
    change(
        "/parameters",
        json!([]),
        "parameters in the saved model: 0 given, 8 expected",
    );
    change("/inputs/3/0", json!(null), "invalid type: null");
    change(
        "/inputs/3",
        json!([1.0]),
        "points have 1 coordinates, but 2 are expected",
    );
    change("/inputs/3/0", json!(1e60), "scaled input number 3 is 1e60");
    change("/inputs", json!([]), "targets: 30 given, 0 expected");
    change("/targets/2", json!(null), "invalid type: null");
    change(
        "/targets/2",
        json!(-1e60),
        "standardised target number 2 is -1e60",
    );
    change(
        "/input_scaler/spans/0",
        json!(0.0),
        "the range of an input axis is 0",
    );
    change(
        "/input_scaler/spans",
        json!([1.0]),
        "spans of the input axes: 1 given, 2 expected",
    );
    change(
        "/input_scaler",
        json!({"lowest": [], "spans": []}),
        "0 coordinates",
    );
    change(
        "/input_scaler/lowest",
        json!([0.0, null]),
        "invalid type: null",
    );
    change(
        "/target_scaler/std",
        json!(-1.0),
        "the standard deviation of the targets is -1",
    );
    change("/target_scaler/colour", json!(1), "unknown field `colour`");
    change("/structure/colour", json!(1), "unknown field `colour`");
    change(
        "/structure/variant",
        json!("best"),
        "unknown variant `best`",
    );
    change(
        "/structure/net/inputs",
        json!(3),
        "points have 2 coordinates, but 3 are expected",
    );
    change("/structure/net/hidden", json!(0), "0 hidden units");
    change(
        "/structure/net/hidden",
        json!(4_000_000_000_u64),
        "must be between 1 and 4096",
    );
    change(
        "/structure/net/hidden",
        json!(7),
        "values for parameter `net.linear1.weight`",
    );
    change(
        "/structure/net/outputs",
        json!(3),
        "one per length-scale: 3 given, 4 expected",
    );
    change("/structure/net/colour", json!(3), "unknown field `colour`");
    change(
        "/structure/lengthscales/1",
        json!(0.0),
        "a length-scale is 0",
    );
    change("/structure/lengthscales", json!([]), "no length-scales");
    change("/structure", json!(null), "kernel structure");
    let change = |pointer: &str, value, message: &str| check(&composite, pointer, value, message);
    change(
        "/structure/0/kernel",
        json!("magic"),
        "no kernel is called `magic`",
    );
    change(
        "/structure/1/structure/net/inputs",
        json!(3),
        "3 are expected",
    );
    change("/structure/1/colour", json!(3), "unknown field `colour`");
    change("/structure", json!([]), "kernel structure");
}

/// A kernel nobody has registered.
#[derive(Debug)]
struct Foreign;

impl Kernel for Foreign {
    fn name(&self) -> &'static str {
        "foreign"
    }
    fn structure(&self) -> serde_json::Value {
        serde_json::Value::Null
    }
    fn params(&self) -> Vec<transect_gp::ParamSpec> {
        Vec::new()
    }
    fn matrix(
        &self,
        _: &[f64],
        x: &Points,
        out: &mut transect_gp::Matrix,
        _: &mut transect_gp::kernel::Memory,
        compute: &transect_gp::Compute,
    ) {
        let value = |i, j| f64::from(u8::from(i == j));
        transect_gp::kernel::pairs::lower(out, x.len(), compute, value);
    }
    fn cross(
        &self,
        _: &[f64],
        a: &Points,
        b: &Points,
        out: &mut transect_gp::Matrix,
        _: &mut transect_gp::kernel::Memory,
        compute: &transect_gp::Compute,
    ) {
        transect_gp::kernel::pairs::cross(out, (a.len(), b.len()), compute, |_, _| 0.0);
    }
    fn diagonal(&self, _: &[f64], _: &Points, out: &mut [f64]) {
        out.fill(1.0);
    }
    fn contract(
        &self,
        _: &[f64],
        _: &Points,
        _: &transect_gp::Matrix,
        _: &mut [f64],
        _: &mut transect_gp::kernel::Memory,
        _: &transect_gp::Compute,
    ) {
    }
}

#[test]
fn a_kernel_of_ones_own_works_but_cannot_be_saved() {
    let (x, y) = data(10, 2, 15);
    let mut model = Regression::fit(Box::new(Foreign), 0.1, &x, &y).unwrap();
    // White noise tells nothing about other places.
    let at = model
        .posterior()
        .unwrap()
        .predict(&points(3, 2, 1), Of::Quantity)
        .unwrap();
    let mean = y.iter().sum::<f64>() / 10.0;
    assert!(at.mean.iter().all(|m| (m - mean).abs() < 1e-12));
    let error = model.save().unwrap_err().to_string();
    assert!(error.contains("no kernel is called `foreign`"), "{error}");
}

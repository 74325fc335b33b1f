//! The paper's functions of one variable, made from their formulas.
//!
//! | set | function | training inputs |
//! |---|---|---|
//! | `step` | `sin 10x - 4` on [0, 1) and [4, 5], `sin 10x + 4` on [1, 2) and [3, 4), `3 sin 40x - 4` on [2, 3) | 30, 30, 50, 30, 30 at random in the five parts, then 0.01 before and after each jump |
//! | `sin` | `x sin 40x⁴` on [0, 1] | 40 at random in the first two thirds, 80 in the last |
//!
//! Random numbers are those of NumPy's `RandomState(0)`, so the sets are the authors' own. Inputs are scaled to [-1, 1] by the training
//! inputs, outputs to mean 0 and deviation 1 by the training outputs; then noise of deviation 0.1 is added to the latter.

use crate::data::LineData;
use crate::tables::Spread;
use transect::gp::random::{RandomState, Randomness};

/// Points of the test set.
const TESTS: usize = 300;
const NOISE: f64 = 0.1;

/// The range of a set's own x axis.
#[must_use]
pub fn range(name: &str) -> (f64, f64) {
    (0.0, if name == "step" { 5.0 } else { 1.0 })
}

fn step(x: f64) -> f64 {
    match x {
        x if !(1.0..4.0).contains(&x) => (10.0 * x).sin() - 4.0,
        x if (2.0..3.0).contains(&x) => 3.0 * (40.0 * x).sin() - 4.0,
        x => (10.0 * x).sin() + 4.0,
    }
}

fn sine(x: f64) -> f64 {
    x * (40.0 * x.powi(4)).sin()
}

/// The set `step` or `sin`; nothing for another name.
#[must_use]
pub fn made(name: &str) -> Option<LineData> {
    let mut stream = RandomState::new(0);
    let mut draw = |low: f64, high: f64, count: usize| -> Vec<f64> {
        (0..count).map(|_| stream.uniform(low, high)).collect()
    };
    let (x, function): (Vec<f64>, fn(f64) -> f64) = match name {
        "step" => {
            let parts = [30, 30, 50, 30, 30].into_iter().enumerate();
            let mut x: Vec<f64> = parts
                .flat_map(|(part, count)| draw(part as f64, part as f64 + 1.0, count))
                .collect();
            x.extend((1..5).map(|jump| f64::from(jump) - 1e-2));
            x.extend((1..5).map(|jump| f64::from(jump) + 1e-2));
            (x, step)
        }
        "sin" => {
            let mut x = draw(0.0, 2.0 / 3.0, 40);
            x.extend(draw(2.0 / 3.0, 1.0, 80));
            (x, sine)
        }
        _ => return None,
    };
    let (_, end) = range(name);
    let tests: Vec<f64> = (0..TESTS)
        .map(|i| end * i as f64 / (TESTS - 1) as f64)
        .collect();
    let y: Vec<f64> = x.iter().map(|x| function(*x)).collect();
    let test_y: Vec<f64> = tests.iter().map(|x| function(*x)).collect();
    let least = x.iter().copied().fold(f64::INFINITY, f64::min);
    let most = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let scaled = |x: &f64| -1.0 + 2.0 * (x - least) / (most - least);
    let spread = Spread::of(&y);
    let standard = |y: &f64| (y - spread.mean) / spread.std;
    let noisy = y
        .iter()
        .map(|y| standard(y) + NOISE * stream.standard_normal());
    Some(LineData {
        y: noisy.collect(),
        x: x.iter().map(scaled).collect(),
        test_x: tests.iter().map(scaled).collect(),
        test_y: test_y.iter().map(standard).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_the_authors_sizes_and_first_inputs() {
        let step = made("step").unwrap();
        let sine = made("sin").unwrap();
        assert_eq!(
            [step.x.len(), sine.x.len(), step.test_x.len()],
            [178, 120, 300]
        );
        // From the authors' files.
        assert!((step.x[0] + 0.787_654_33).abs() < 1e-8 && (step.y[0] + 0.945_926_11).abs() < 1e-8);
        assert!((sine.x[1] + 0.055_983_56).abs() < 1e-8 && (sine.y[1] - 0.903_425_87).abs() < 1e-8);
        assert!((step.test_y[5] + 0.513_924_24).abs() < 1e-8);
        assert!(made("cosine").is_none());
    }

    /// Needs the authors' files, in the folder that `TRANSECT_DATA` names.
    #[test]
    #[cfg_attr(not(transect_data), ignore = "set TRANSECT_DATA to the reference data")]
    fn sets_are_the_authors_own() {
        let folder = std::path::PathBuf::from(std::env::var("TRANSECT_DATA").unwrap());
        for name in ["step", "sin"] {
            let made = made(name).unwrap();
            let data = crate::DataFolder::new(&folder.join("terrain"));
            let read = data.line(name).unwrap();
            for (ours, theirs) in [
                (made.x, read.x),
                (made.y, read.y),
                (made.test_x, read.test_x),
                (made.test_y, read.test_y),
            ] {
                assert_eq!(ours.len(), theirs.len());
                for (a, b) in ours.iter().zip(&theirs) {
                    assert!((a - b).abs() < 1e-13, "{name}: {a} {b}");
                }
            }
        }
    }
}

//! A scale for readings on which the surface is equally rough at every height.
//!
//! The sea is flat, hills are not, and a plateau ends in a cliff: how much a surface changes from one place to the next
//! depends on how high it is there, and a Gaussian process knows nothing of that. A [`Warp`] is an increasing function g
//! of readings, steep where the surface is flat and gentle where it only passes on its way; the process then models `g(y)`
//! (Snelson, Rasmussen and Ghahramani, *Warped Gaussian Processes*, 2004).
//!
//! The slope g' is linear between knots and constant beyond the outer ones. So g is made of parabolas and two half-lines, and
//! its inverse of square roots. `learn` finds the slopes at the knots.

mod learn;

use crate::error::{GpError, Result};
use serde::{Deserialize, Serialize};

/// Standard deviations between two nodes of an integral over a Gaussian. The trapezoidal rule converges so fast there that two nodes
/// per deviation leave an error of 1e-8 where g is straight.
const NODE_STEP: f64 = 0.5;
/// Nodes on either side of the mean.
const NODES: i32 = 12;

/// An increasing function g of readings: a Gaussian process models `g(y)` in place of y.
///
/// The slope g' is linear between knots and constant beyond them. Where `g(y)` has the density p, y has `p(g(y)) g'(y)`.
///
/// ```
/// use transect_gp::Warp;
/// let none = Warp::identity();
/// assert_eq!((none.warp(3.0), none.log_slope(3.0), none.unwarp(3.0)), (3.0, 0.0, 3.0));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SavedWarp")]
pub struct Warp {
    /// Readings, increasing; none for the identity.
    knots: Vec<f64>,
    /// g' there.
    slopes: Vec<f64>,
    /// g there.
    values: Vec<f64>,
}

/// A [`Warp`] as read from a file, to be checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedWarp {
    knots: Vec<f64>,
    slopes: Vec<f64>,
    values: Vec<f64>,
}

impl TryFrom<SavedWarp> for Warp {
    type Error = GpError;
    fn try_from(saved: SavedWarp) -> Result<Self> {
        let SavedWarp {
            knots,
            slopes,
            values,
        } = saved;
        let increasing = |numbers: &[f64]| numbers.windows(2).all(|pair| pair[0] < pair[1]);
        let finite = [&knots, &slopes, &values]
            .iter()
            .all(|numbers| numbers.iter().all(|number| number.is_finite()));
        let counts = knots.len() == slopes.len() && knots.len() == values.len();
        let rising = slopes.iter().all(|slope| *slope > 0.0);
        let sound = counts && finite && rising && increasing(&knots) && increasing(&values);
        if !sound || knots.len() == 1 {
            let why = "its warp is not an increasing function".into();
            return Err(GpError::Model(why));
        }
        Ok(Self {
            knots,
            slopes,
            values,
        })
    }
}

impl Warp {
    /// The warp that changes nothing.
    #[must_use]
    pub fn identity() -> Self {
        Self {
            knots: Vec::new(),
            slopes: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Whether it changes nothing.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.knots.is_empty()
    }

    /// The warp with these slopes at these knots that is 0 at the first.
    fn rising_from_0(knots: Vec<f64>, slopes: Vec<f64>) -> Self {
        let mut values = vec![0.0];
        let mut value = 0.0;
        for i in 1..knots.len() {
            value += 0.5 * (slopes[i] + slopes[i - 1]) * (knots[i] - knots[i - 1]);
            values.push(value);
        }
        Self {
            knots,
            slopes,
            values,
        }
    }

    /// g(y).
    #[must_use]
    pub fn warp(&self, y: f64) -> f64 {
        let Some(i) = segment(&self.knots, y) else {
            return y;
        };
        let width = self.knots[i + 1] - self.knots[i];
        let (slope, next) = (self.slopes[i], self.slopes[i + 1]);
        let along = y - self.knots[i];
        if along < 0.0 {
            return self.values[i] + slope * along;
        }
        if along > width {
            return self.values[i + 1] + next * (along - width);
        }
        self.values[i] + along * (slope + 0.5 * (next - slope) * along / width)
    }

    /// `log g'(y)`.
    #[must_use]
    pub fn log_slope(&self, y: f64) -> f64 {
        let Some(i) = segment(&self.knots, y) else {
            return 0.0;
        };
        let share = share(&self.knots, i, y);
        ((1.0 - share) * self.slopes[i] + share * self.slopes[i + 1]).ln()
    }

    /// The inverse: the y for which `g(y)` is `value`.
    #[must_use]
    pub fn unwarp(&self, value: f64) -> f64 {
        let Some(i) = segment(&self.values, value) else {
            return value;
        };
        let width = self.knots[i + 1] - self.knots[i];
        let (slope, next) = (self.slopes[i], self.slopes[i + 1]);
        let up = value - self.values[i];
        if up < 0.0 {
            return self.knots[i] + up / slope;
        }
        let beyond = value - self.values[i + 1];
        if beyond > 0.0 {
            return self.knots[i + 1] + beyond / next;
        }
        // The root of a parabola, in the form that does not cancel.
        let steepening = (next - slope) / width;
        let root = (slope * slope + 2.0 * steepening * up).max(0.0).sqrt();
        self.knots[i] + 2.0 * up / (slope + root)
    }

    /// Mean and standard deviation of y, where `g(y)` is Gaussian with the given mean and standard deviation.
    #[must_use]
    pub fn unwarp_moments(&self, mean: f64, std: f64) -> (f64, f64) {
        if self.is_identity() {
            return (mean, std);
        }
        let middle = self.unwarp(mean);
        let (mut total, mut sum, mut squares) = (0.0, 0.0, 0.0);
        for node in -NODES..=NODES {
            let z = NODE_STEP * f64::from(node);
            let weight = (-0.5 * z * z).exp();
            let off = self.unwarp(mean + z * std) - middle;
            total += weight;
            sum += weight * off;
            squares += weight * off * off;
        }
        let off = sum / total;
        let variance = squares / total - off * off;
        // A deviation that drowns in the digits of the mean is a deviation still.
        let least = f64::EPSILON * std * (-self.log_slope(middle)).exp();
        (middle + off, variance.max(0.0).sqrt().max(least))
    }
}

/// Between which two of some increasing numbers a value lies; the first or last two if it is outside; none if there are no two.
fn segment(at: &[f64], value: f64) -> Option<usize> {
    let last = at.len().checked_sub(2)?;
    let above = at.partition_point(|knot| *knot <= value);
    Some(above.saturating_sub(1).min(last))
}

/// How far y is on the way from knot i to the next, between 0 and 1.
fn share(knots: &[f64], i: usize, y: f64) -> f64 {
    ((y - knots[i]) / (knots[i + 1] - knots[i])).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bent() -> Warp {
        Warp::rising_from_0(vec![0.0, 1.0, 3.0, 10.0], vec![4.0, 0.5, 2.0, 0.1])
    }

    #[test]
    fn slopes_are_those_of_the_function_and_the_inverse_undoes_it() {
        let warp = bent();
        let mut last = f64::NEG_INFINITY;
        for i in 0..400 {
            let y = -3.017 + 0.05 * f64::from(i);
            let value = warp.warp(y);
            assert!(value > last);
            last = value;
            assert!(
                (warp.unwarp(value) - y).abs() < 1e-12 * (1.0 + y.abs()),
                "{y}"
            );
            let h = 1e-6;
            let difference = (warp.warp(y + h) - warp.warp(y - h)) / (2.0 * h);
            assert!(
                (warp.log_slope(y).exp() / difference - 1.0).abs() < 1e-5,
                "{y}"
            );
        }
    }

    /// Where g is a straight line the moments are known; across a bend, from a fine sum over quantiles.
    #[test]
    fn moments_are_those_of_the_unwarped_gaussian() {
        let warp = bent();
        let (mean, std) = warp.unwarp_moments(warp.warp(-5.0), 0.8);
        assert!((mean + 5.0).abs() < 1e-12 && (std - 0.2).abs() < 1e-7);
        for (mean, std) in [(1.0, 0.5), (4.0, 2.0), (8.0, 0.3), (-2.0, 5.0)] {
            let (mut total, mut first, mut second) = (0.0, 0.0, 0.0);
            for i in -80_000..=80_000 {
                let z = f64::from(i) * 1e-4;
                let weight = (-0.5 * z * z).exp();
                let y = warp.unwarp(mean + z * std);
                total += weight;
                first += weight * y;
                second += weight * y * y;
            }
            let expected = first / total;
            let spread = (second / total - expected * expected).sqrt();
            let (got, got_std) = warp.unwarp_moments(mean, std);
            assert!((got - expected).abs() < 0.02 * spread, "{got} {expected}");
            assert!((got_std / spread - 1.0).abs() < 0.02, "{got_std} {spread}");
        }
        let (_, tiny) = warp.unwarp_moments(1e6, 1e-30);
        assert!(tiny > 0.0);
    }

    #[test]
    fn what_does_not_rise_is_refused() {
        let read = |json: &str| serde_json::from_str::<Warp>(json);
        let good = serde_json::to_string(&bent()).unwrap();
        assert_eq!(read(&good).unwrap(), bent());
        let nothing = serde_json::to_string(&Warp::identity()).unwrap();
        assert!(read(&nothing).unwrap().is_identity());
        for bad in [
            r#"{"knots":[1.0],"slopes":[1.0],"values":[1.0]}"#,
            r#"{"knots":[1.0,2.0],"slopes":[1.0],"values":[1.0,2.0]}"#,
            r#"{"knots":[2.0,1.0],"slopes":[1.0,1.0],"values":[1.0,2.0]}"#,
            r#"{"knots":[1.0,2.0],"slopes":[1.0,-1.0],"values":[1.0,2.0]}"#,
            r#"{"knots":[1.0,2.0],"slopes":[1.0,1.0],"values":[2.0,1.0]}"#,
        ] {
            assert!(read(bad).unwrap_err().to_string().contains("increasing"));
        }
    }
}

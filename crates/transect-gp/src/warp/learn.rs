//! The warp under which readings are most likely.
//!
//! g is linear in the slopes s at its K knots: `g(y_i) = c + sum_k B_ik s_k`, where column k of B is g for the slopes that are 1
//! at knot k and 0 at the others. With the factor `K + s2 I = L L'` of a model, the negative logarithm of the
//! evidence of the readings y is, up to a constant,
//!
//! `1/2 |L^-1 (B s + c)|^2 - sum_i log g'(y_i)`.
//!
//! The best c is that of least squares; what is left, `1/2 s' Q s - sum_i log (b_i's)`, has the sum of squares
//! `1/2 sum_k (v_k - v_{k-1})^2 / ROUGHNESS^2` added to it for `v = log s`, and is minimised over v by Newton's method with the Gauss-Newton
//! Hessian, which is positive definite. Several models have equal say: Q is the mean of theirs.

use super::{Warp, segment, share};
use crate::compute::Compute;
use crate::error::{GpError, Result, require_finite};
use crate::linalg::{Factor, Matrix, solve_lower, solve_lower_transposed};

/// Expected change of `log s` from knot to knot (a standard deviation).
const ROUGHNESS: f64 = 0.3;
/// Weight of the quantiles of the readings, against even spacing, in the places of knots.
const BY_QUANTILES: f64 = 0.7;
/// Most steps of Newton's method.
const STEPS: usize = 50;
/// A step that gains less than this per reading, in nats, ends the search.
const GAIN: f64 = 1e-9;
/// How many times a step that leads uphill is shortened before the search gives up.
const SHORTENED: usize = 20;

impl Warp {
    /// The warp with the given number of knots under which readings are most likely.
    ///
    /// It is scaled so that warped readings have the standard deviation of the readings, and shifted so that the most likely
    /// level of the surface comes to `centre`. That level is the one of least squares, for which readings close together
    /// count for little more than one. With `centre` as prior mean, a model of the warped readings does *ordinary kriging*.
    /// Only the readings whose indices are in `heard` count.
    ///
    /// `trust`, between 0 and 1, is the power to which the slopes found are raised: with 1 the warp is the most likely one, with 0 it is straight.
    ///
    /// `whiten` takes columns with one number for each reading, and returns `L^-1` times these columns for every model that
    /// counts: see [`Regression::whiten`](crate::Regression::whiten).
    ///
    /// The identity is returned for fewer than two knots, and where readings do not differ.
    ///
    /// # Errors
    /// If a reading is not finite, or a model's matrix is of no use.
    pub fn learn(
        readings: &[f64],
        heard: &[usize],
        (knots, trust): (usize, f64),
        centre: f64,
        whiten: impl FnOnce(&Matrix) -> Result<Vec<Matrix>>,
    ) -> Result<Self> {
        require_finite("reading", readings)?;
        let heard: Vec<f64> = heard
            .iter()
            .filter_map(|i| readings.get(*i))
            .copied()
            .collect();
        let Some(knots) = place_knots(&heard, knots) else {
            return Ok(Self::identity());
        };
        let whitened = whiten(&columns(&knots, readings))?;
        let between = |y: &f64| {
            let i = segment(&knots, *y).unwrap_or(0);
            (i, share(&knots, i, *y))
        };
        let evidence = Evidence {
            quadratic: mean_quadratic(&whitened, knots.len())?,
            readings: heard.iter().map(between).collect(),
        };
        let logs = evidence.most_likely()?;
        let slopes: Vec<f64> = logs.iter().map(|v| (trust * v).exp()).collect();
        let level = level(&whitened, &slopes);
        let warp = Self::rising_from_0(knots, slopes);
        let scaled = warp.scaled(&heard, level, centre);
        Ok(scaled.unwrap_or_else(Self::identity))
    }

    /// The same with other units, in which the warped readings have the standard deviation of the readings, and `level` is at `centre`.
    fn scaled(self, readings: &[f64], level: f64, centre: f64) -> Option<Self> {
        let warped: Vec<f64> = readings.iter().map(|y| self.warp(*y)).collect();
        let unit = deviation(readings) / deviation(&warped);
        let scaled = Self {
            slopes: self.slopes.iter().map(|slope| slope * unit).collect(),
            values: self
                .values
                .iter()
                .map(|value| (value - level) * unit + centre)
                .collect(),
            knots: self.knots,
        };
        let mut numbers = scaled.slopes.iter().chain(&scaled.values);
        (unit > 0.0 && numbers.all(|number| number.is_finite())).then_some(scaled)
    }
}

/// Population standard deviation.
fn deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (squares.sum::<f64>() / count).sqrt()
}

/// K readings from the lowest to the highest; none for K < 2 or readings that do not differ.
fn place_knots(readings: &[f64], count: usize) -> Option<Vec<f64>> {
    let mut sorted = readings.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (*sorted.first()?, *sorted.last()?);
    let range = high - low;
    let noticeable = range > 1e-9 * high.abs().max(low.abs()) && range.is_finite();
    if count < 2 || !noticeable {
        return None;
    }
    let knot = |k: usize| {
        let share = k as f64 / (count - 1) as f64;
        let rank = share * (sorted.len() - 1) as f64;
        let (below, above) = (rank.floor() as usize, rank.ceil() as usize);
        let quantile = sorted[below] + (sorted[above] - sorted[below]) * rank.fract();
        (1.0 - BY_QUANTILES) * (low + share * range) + BY_QUANTILES * quantile
    };
    Some((0..count).map(knot).collect())
}

/// B, and a column of ones.
fn columns(knots: &[f64], readings: &[f64]) -> Matrix {
    let mut columns = Matrix::zeros(readings.len(), knots.len() + 1);
    columns.column_mut(knots.len()).fill(1.0);
    for k in 0..knots.len() {
        let mut slopes = vec![0.0; knots.len()];
        slopes[k] = 1.0;
        let one = Warp::rising_from_0(knots.to_vec(), slopes);
        for (b, y) in columns.column_mut(k).iter_mut().zip(readings) {
            *b = one.warp(*y);
        }
    }
    columns
}

/// Q: of each model `V'V - V'1 1'V / 1'1` with the whitened B and ones.
fn mean_quadratic(whitened: &[Matrix], knots: usize) -> Result<Vec<Vec<f64>>> {
    let mut quadratic = vec![vec![0.0; knots]; knots];
    for columns in whitened {
        let ones = columns.column(knots);
        let constant: Vec<f64> = (0..knots).map(|k| dot(columns.column(k), ones)).collect();
        let all = dot(ones, ones);
        for a in 0..knots {
            for b in 0..knots {
                let product = dot(columns.column(a), columns.column(b));
                let left = product - constant[a] * constant[b] / all;
                quadratic[a][b] += left / whitened.len() as f64;
            }
        }
    }
    for row in &quadratic {
        require_finite("evidence of a warp", row)?;
    }
    Ok(quadratic)
}

/// The constant nearest to the warped readings `B s`, in the least squares of all models together.
fn level(whitened: &[Matrix], slopes: &[f64]) -> f64 {
    let (mut products, mut squares) = (0.0, 0.0);
    for columns in whitened {
        let ones = columns.column(slopes.len());
        squares += dot(ones, ones);
        for (k, slope) in slopes.iter().enumerate() {
            products += slope * dot(columns.column(k), ones);
        }
    }
    products / squares
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// What is to be minimised over `v = log s`.
struct Evidence {
    /// Q.
    quadratic: Vec<Vec<f64>>,
    /// The knot before each reading, and how far it is on the way to the next.
    readings: Vec<(usize, f64)>,
}

impl Evidence {
    /// The negative logarithm of evidence and penalty.
    fn loss(&self, v: &[f64]) -> f64 {
        let s: Vec<f64> = v.iter().map(|v| v.exp()).collect();
        let row = |(row, s_a): (&Vec<f64>, &f64)| {
            s_a * row.iter().zip(&s).map(|(q, s_b)| q * s_b).sum::<f64>()
        };
        let square: f64 = self.quadratic.iter().zip(&s).map(row).sum();
        let slope = |(i, share): &(usize, f64)| (1.0 - share) * s[*i] + share * s[*i + 1];
        let slopes: f64 = self.readings.iter().map(|at| slope(at).ln()).sum();
        let changes = v.windows(2).map(|pair| (pair[1] - pair[0]).powi(2));
        0.5 * square - slopes + 0.5 * changes.sum::<f64>() / ROUGHNESS.powi(2)
    }

    /// Its gradient and Gauss-Newton Hessian.
    fn slopes(&self, v: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let s: Vec<f64> = v.iter().map(|v| v.exp()).collect();
        let mut hessian: Vec<Vec<f64>> = self.quadratic.clone();
        for (row, s_a) in hessian.iter_mut().zip(&s) {
            row.iter_mut().zip(&s).for_each(|(q, s_b)| *q *= s_a * s_b);
        }
        let mut gradient: Vec<f64> = hessian.iter().map(|row| row.iter().sum()).collect();
        for &(i, share) in &self.readings {
            let (low, high) = ((1.0 - share) * s[i], share * s[i + 1]);
            let p = high / (low + high);
            gradient[i] -= 1.0 - p;
            gradient[i + 1] -= p;
            hessian[i][i] += (1.0 - p) * (1.0 - p);
            hessian[i + 1][i + 1] += p * p;
            hessian[i][i + 1] += p * (1.0 - p);
            hessian[i + 1][i] += p * (1.0 - p);
        }
        let weight = 1.0 / ROUGHNESS.powi(2);
        for k in 1..v.len() {
            let change = weight * (v[k] - v[k - 1]);
            gradient[k] += change;
            gradient[k - 1] -= change;
            hessian[k][k] += weight;
            hessian[k - 1][k - 1] += weight;
            hessian[k][k - 1] -= weight;
            hessian[k - 1][k] -= weight;
        }
        (gradient, hessian)
    }

    /// The most likely `log s`; the search starts from the best straight line.
    fn most_likely(&self) -> Result<Vec<f64>> {
        let knots = self.quadratic.len();
        let total: f64 = self.quadratic.iter().flatten().sum();
        let start = 0.5 * (self.readings.len() as f64 / total).ln();
        require_finite("slope of a warp", &[start])?;
        let mut v = vec![start; knots];
        let mut loss = self.loss(&v);
        for _ in 0..STEPS {
            let (gradient, hessian) = self.slopes(&v);
            let step = solve(&hessian, &gradient)?;
            let lengths = (0..SHORTENED).map(|halvings| 0.5_f64.powi(halvings as i32));
            let along = |length: f64| -> Vec<f64> {
                v.iter()
                    .zip(&step)
                    .map(|(v, step)| v - length * step)
                    .collect()
            };
            let mut tried = lengths.map(along).map(|v| (self.loss(&v), v));
            let Some((lower, there)) = tried.find(|(tried, _)| *tried < loss) else {
                break;
            };
            let gained = loss - lower;
            (loss, v) = (lower, there);
            if gained < GAIN * self.readings.len() as f64 {
                break;
            }
        }
        Ok(v)
    }
}

/// `hessian^-1 gradient`.
fn solve(hessian: &[Vec<f64>], gradient: &[f64]) -> Result<Vec<f64>> {
    let (size, compute) = (gradient.len(), Compute::default());
    let mut factor = Factor::default();
    let build = |out: &mut Matrix| {
        for (j, row) in hessian.iter().enumerate() {
            out.column_mut(j).copy_from_slice(row);
        }
    };
    factor
        .factorise(size, &compute, build)
        .map_err(|pivot| GpError::NotPositiveDefinite {
            size,
            pivot,
            jitter: 0.0,
            parameters: "slopes of a warp".into(),
        })?;
    let mut step = Matrix::zeros(size, 1);
    step.column_mut(0).copy_from_slice(gradient);
    solve_lower(factor.lower().view(), step.view_mut(), &compute);
    solve_lower_transposed(factor.lower().view(), step.view_mut(), &compute);
    Ok(step.column(0).to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::matern12;
    use crate::{Points, Regression};

    fn pseudo(i: usize) -> f64 {
        (i as f64 * 0.754_877_666).fract() + (i as f64 * 0.569_840_29).fract() - 1.0
    }

    #[test]
    fn the_gradient_is_that_of_the_loss() {
        let columns: Vec<Vec<f64>> = (0..5)
            .map(|k| (0..9).map(|i| pseudo(7 * k + i)).collect())
            .collect();
        let row = |a: &Vec<f64>| columns.iter().map(|b| dot(a, b)).collect();
        let evidence = Evidence {
            quadratic: columns.iter().map(row).collect(),
            readings: (0..30).map(|i| (i % 4, pseudo(i).abs())).collect(),
        };
        let v = [0.3, -0.2, 0.8, 0.1, -0.5];
        let (gradient, _) = evidence.slopes(&v);
        for k in 0..5 {
            let at = |h: f64| {
                let mut v = v;
                v[k] += h;
                evidence.loss(&v)
            };
            let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((gradient[k] / difference - 1.0).abs() < 1e-7);
        }
        let best = evidence.most_likely().unwrap();
        let (at_best, _) = evidence.slopes(&best);
        assert!(at_best.iter().all(|g| g.abs() < 1e-3), "{at_best:?}");
    }

    /// Readings `exp(f)` of a smooth f: the warp must come out like a logarithm, and make them more likely.
    #[test]
    fn finds_the_logarithm_that_readings_were_bent_by() {
        let places: Vec<f64> = (0..300).map(|i| f64::from(i) / 30.0).collect();
        let f = |x: &f64| (1.3 * x).sin() + 0.6 * (3.1 * x).cos() + 0.2 * (9.0 * x).sin();
        let readings: Vec<f64> = places.iter().map(|x| (1.5 * f(x)).exp()).collect();
        let x = Points::line(&places).unwrap();
        let kernel = Box::new(matern12(1.0, 0.5));
        let mut model = Regression::fit(kernel, 1e-3, &x, &readings).unwrap();
        let scaler = *model.scalers().1;
        let centre = scaler.unscale(0.0);
        let all: Vec<usize> = (0..readings.len()).collect();
        let warp = Warp::learn(&readings, &all, (20, 1.0), centre, |c| {
            Ok(vec![model.whiten(c)?])
        })
        .unwrap();

        let slope_from = |y: f64| warp.log_slope(y) - warp.log_slope(1.0);
        for y in [0.2_f64, 0.5, 2.0, 4.0] {
            // A logarithm has the slope 1/y.
            assert!(
                (slope_from(y) + y.ln()).abs() < 0.35,
                "{y} {}",
                slope_from(y)
            );
        }
        let warped: Vec<f64> = readings.iter().map(|y| warp.warp(*y)).collect();
        assert!((deviation(&warped) / deviation(&readings) - 1.0).abs() < 1e-9);
        // The level is where the evidence of the warped readings is highest.
        let shifted = |by: f64| {
            warped
                .iter()
                .map(|w| w + by * scaler.unit())
                .collect::<Vec<_>>()
        };
        let loss = |targets: &[f64]| {
            let mut other = model.emptied();
            other.add(&x, targets).unwrap();
            other.loss().unwrap()
        };
        let at_level = loss(&warped);
        let beside = [loss(&shifted(-0.01)), loss(&shifted(0.01))];
        assert!(beside.iter().all(|beside| *beside > at_level));
        assert!((beside[0] - beside[1]).abs() < 1e-9 * at_level.abs());
        let jacobian: f64 = readings.iter().map(|y| warp.log_slope(*y)).sum();
        assert!(at_level - jacobian < loss(&readings) - 100.0);
    }

    #[test]
    fn readings_without_a_say_do_not_matter_and_equal_ones_are_left_alone() {
        let readings: Vec<f64> = (0..60).map(|i| 5.0 + 3.0 * pseudo(i)).collect();
        let white = |c: &Matrix| Ok(vec![c.clone()]);
        let learn = |readings: &[f64], heard: usize, how: (usize, f64)| {
            let heard: Vec<usize> = (0..heard).collect();
            Warp::learn(readings, &heard, how, 5.0, white)
        };
        let mut odd = readings.clone();
        odd[59] = 1e6;
        let warp = learn(&odd, 59, (8, 0.5)).unwrap();
        assert!(warp.knots.iter().all(|knot| *knot < 10.0), "{warp:?}");
        let straight = learn(&readings, 60, (8, 0.0)).unwrap();
        let slopes: Vec<f64> = readings.iter().map(|y| straight.log_slope(*y)).collect();
        assert!(slopes.iter().all(|slope| slope.abs() < 1e-12));
        assert!(learn(&[2.0; 9], 9, (8, 0.5)).unwrap().is_identity());
        assert!(learn(&readings, 0, (8, 0.5)).unwrap().is_identity());
        assert!(learn(&readings, 60, (1, 1.0)).unwrap().is_identity());
        odd[3] = f64::NAN;
        assert!(learn(&odd, 60, (8, 1.0)).is_err());
    }
}

//! Where ticks go and what they say.

use super::Range;

/// One tick.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// The value it stands at.
    pub value: f64,
    /// What it says; empty for the small ticks between.
    pub label: String,
}

/// The ticks of an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    /// The ticks from low to high.
    pub ticks: Vec<Tick>,
    /// Power of ten that all labels leave out; 0 for most axes.
    pub exponent: i32,
}

impl Ticks {
    /// About `target` ticks, at least 2, at multiples of 1, 2 or 5 times a power of ten, inside the range.
    ///
    /// ```
    /// use transect_plot::{Range, Ticks};
    /// let range = Range::new("demo", 0.0, 103.0)?;
    /// let labels: Vec<String> = Ticks::linear(range, 5).ticks.into_iter().map(|t| t.label).collect();
    /// assert_eq!(labels, ["0", "20", "40", "60", "80", "100"]);
    /// # Ok::<(), transect_plot::PlotError>(())
    /// ```
    pub fn linear(range: Range, target: usize) -> Self {
        let ends = |step: f64| {
            (
                (range.low / step - 1e-9).ceil(),
                (range.high / step + 1e-9).floor(),
            )
        };
        let mut step = nice_step(range.length() / target.max(1) as f64);
        // A single tick gives no scale.
        while ends(step).1 - ends(step).0 < 1.0 {
            step = nice_step(0.45 * step);
        }
        let (first, last) = ends(step);
        let count = (last - first + 1.0).clamp(0.0, 100.0) as usize;
        let values: Vec<f64> = (0..count).map(|i| (first + i as f64) * step).collect();

        let largest = values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        // Coordinates such as northings are long but must stay whole: 4190010, not 4.19001.
        let readable = if step < 1e-3 * largest { 1e9 } else { 1e6 };
        let exponent = if largest > 0.0 && !(1e-3..readable).contains(&largest) {
            largest.log10().floor() as i32
        } else {
            0
        };
        let unit = 10f64.powi(exponent);
        let decimals = (-((step / unit).log10() + 1e-9).floor()).clamp(0.0, 15.0) as usize;
        let ticks = values
            .into_iter()
            .map(|value| Tick {
                value,
                label: decimal_label(value / unit, decimals),
            })
            .collect();
        Ticks { ticks, exponent }
    }

    /// Ticks at powers of ten, with unlabelled ticks between them; ranges shorter than two decades also label 2 and 5.
    pub fn log(range: Range, target: usize) -> Self {
        let (low, high) = (range.low.log10(), range.high.log10());
        let decades = high - low;
        let every = (decades / target.max(1) as f64).ceil().max(1.0) as i64;
        let mut ticks = Vec::new();
        for power in low.floor() as i64..=high.ceil() as i64 {
            for digit in 1..=9_i64 {
                let value = digit as f64 * 10f64.powi(power as i32);
                if value < range.low * (1.0 - 1e-9) || value > range.high * (1.0 + 1e-9) {
                    continue;
                }
                let named = match digit {
                    1 => power.rem_euclid(every) == 0,
                    2 | 5 => decades < 2.0,
                    _ => decades < 0.7,
                };
                if named {
                    ticks.push(Tick {
                        value,
                        label: power_label(digit, power),
                    });
                } else if every == 1 {
                    ticks.push(Tick {
                        value,
                        label: String::new(),
                    });
                }
            }
        }
        if ticks.iter().filter(|t| !t.label.is_empty()).count() < 2 {
            return Ticks::linear(range, target);
        }
        Ticks { ticks, exponent: 0 }
    }

    /// Names at 0, 1, 2, ...
    pub(crate) fn names(names: &[String]) -> Self {
        let ticks = names
            .iter()
            .enumerate()
            .map(|(i, name)| Tick {
                value: i as f64,
                label: name.clone(),
            })
            .collect();
        Ticks { ticks, exponent: 0 }
    }
}

/// The smallest of 1, 2, 5, 10 times a power of ten that is not much below `rough`.
fn nice_step(rough: f64) -> f64 {
    let least = 0.75 * rough;
    let power = 10f64.powf(least.log10().floor());
    let digits = [1.0, 2.0, 5.0].into_iter();
    digits
        .map(|d| d * power)
        .find(|step| *step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

fn decimal_label(v: f64, decimals: usize) -> String {
    let s = format!("{v:.decimals$}");
    let zero = s.chars().all(|c| matches!(c, '-' | '0' | '.'));
    if zero {
        s.replace('-', "")
    } else {
        s.replace('-', "−")
    }
}

fn power_label(digit: i64, power: i64) -> String {
    match power {
        0..=3 => format!("{}", digit * 10i64.pow(power as u32)),
        -3..=-1 => format!(
            "{:.*}",
            -power as usize,
            digit as f64 * 10f64.powi(power as i32)
        ),
        _ if digit == 1 => format!("10{}", superscript(power)),
        _ => format!("{digit}·10{}", superscript(power)),
    }
}

/// A whole number in raised digits.
pub(crate) fn superscript(n: i64) -> String {
    n.to_string()
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            d => char::from_u32('⁰' as u32 + d.to_digit(10).unwrap_or(0)).unwrap_or('⁰'),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(low: f64, high: f64) -> Range {
        Range::new("test", low, high).expect("a legal range")
    }

    #[test]
    fn linear_ticks_are_nice_and_cover_the_range() {
        for (low, high) in [
            (0.0, 1.0),
            (-3.7, 12.9),
            (1e-9, 3e-9),
            (550_000.0, 550_080.0),
            (-1e12, 7e12),
            (0.1, 0.1001),
            (-0.3, -0.1),
        ] {
            for target in 2..10 {
                let ticks = Ticks::linear(range(low, high), target);
                let v: Vec<f64> = ticks.ticks.iter().map(|t| t.value).collect();
                assert!(
                    v.len() >= 2 && v.len() <= 4 * target / 3 + 1,
                    "{low}..{high} in {target}: {v:?}"
                );
                let step = v[1] - v[0];
                assert!(v[0] >= low - step * 1e-6 && v[0] - low < step * 1.001);
                assert!(
                    v[v.len() - 1] <= high + step * 1e-6 && high - v[v.len() - 1] < step * 1.001
                );
                let digit = step / 10f64.powf((step * 1.000_001).log10().floor());
                assert!(
                    [1.0, 2.0, 5.0].iter().any(|d| (digit - d).abs() < 1e-6),
                    "step {step}"
                );
                assert!(
                    v.windows(2)
                        .all(|w| ((w[1] - w[0]) / step - 1.0).abs() < 1e-5)
                );
            }
        }
    }

    #[test]
    fn labels_say_the_value_they_stand_at() {
        for (low, high) in [
            (0.0, 1.0),
            (-3.7, 12.9),
            (2e-7, 9e-7),
            (-4e8, 1e9),
            (1234.0, 1236.0),
        ] {
            let ticks = Ticks::linear(range(low, high), 6);
            for t in &ticks.ticks {
                let said: f64 = t.label.replace('−', "-").parse().expect("a number");
                let said = said * 10f64.powi(ticks.exponent);
                assert!(
                    (said - t.value).abs() < 1e-6 * (high - low),
                    "{} at {}",
                    t.label,
                    t.value
                );
            }
        }
    }

    #[test]
    fn coordinates_stay_whole_and_other_large_numbers_share_a_power() {
        let northing = Ticks::linear(range(4_190_000.0, 4_190_088.0), 5);
        assert_eq!(
            (northing.exponent, northing.ticks[1].label.as_str()),
            (0, "4190020")
        );
        let rate = Ticks::linear(range(0.0, 4e7), 4);
        assert_eq!((rate.exponent, rate.ticks[1].label.as_str()), (7, "1"));
    }

    #[test]
    fn log_ticks_are_powers_of_ten() {
        let labels = |low, high| -> Vec<String> {
            Ticks::log(range(low, high), 5)
                .ticks
                .into_iter()
                .map(|t| t.label)
                .filter(|l| !l.is_empty())
                .collect()
        };
        assert_eq!(labels(0.0008, 2.0), ["0.001", "0.01", "0.1", "1"]);
        assert_eq!(labels(0.03, 0.6), ["0.05", "0.1", "0.2", "0.5"]);
        assert_eq!(labels(1e-6, 1e-4), ["10⁻⁶", "10⁻⁵", "10⁻⁴"]);
        assert!(labels(1e-90, 1e90).len() <= 7);
    }
}

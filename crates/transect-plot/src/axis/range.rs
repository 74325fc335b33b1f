//! Ranges of values.

use crate::error::PlotError;

/// Values beyond this magnitude count as missing; it keeps every sum and difference in this crate finite.
const LARGEST: f64 = 1e150;

/// An interval with a positive length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Range {
    /// The interval from `low` to `high`; `what` names it in the error.
    pub fn new(what: &'static str, low: f64, high: f64) -> Result<Self, PlotError> {
        if low.abs() < LARGEST
            && high.abs() < LARGEST
            && high - low > 1e-12 * low.abs().max(high.abs())
        {
            Ok(Range { low, high })
        } else {
            Err(PlotError::Range { what, low, high })
        }
    }

    /// The interval that covers all values which are not missing, widened if they are all alike; none if there is none.
    pub fn covering(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for v in values.into_iter().filter(|v| v.abs() < LARGEST) {
            low = low.min(v);
            high = high.max(v);
        }
        if low > high {
            return None;
        }
        let pad = (0.05 * low.abs()).max(0.5);
        Some(Range::new("values", low, high).unwrap_or(Range {
            low: low - pad,
            high: high + pad,
        }))
    }

    /// The interval that covers the positive values, widened if they are all alike.
    pub(crate) fn covering_positive(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for v in values
            .into_iter()
            .filter(|v| *v > 1.0 / LARGEST && *v < LARGEST)
        {
            low = low.min(v);
            high = high.max(v);
        }
        match (low <= high, high / low > 1.0 + 1e-9) {
            (false, _) => None,
            (true, true) => Some(Range { low, high }),
            (true, false) => Some(Range {
                low: low / 2.0,
                high: high * 2.0,
            }),
        }
    }

    /// The interval with `share` of its length added at both ends.
    pub(crate) fn padded(self, share: f64) -> Self {
        let pad = share * self.length();
        Range {
            low: self.low - pad,
            high: self.high + pad,
        }
    }

    /// As [`Range::padded`], in ratios.
    pub(crate) fn padded_log(self, share: f64) -> Self {
        let factor = (self.high / self.low).powf(share);
        Range {
            low: self.low / factor,
            high: self.high * factor,
        }
    }

    /// The distance between the ends.
    pub fn length(self) -> f64 {
        self.high - self.low
    }

    /// Where `v` lies: 0 at the low end, 1 at the high end.
    pub(crate) fn fraction(self, v: f64) -> f64 {
        (v - self.low) / self.length()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_and_absurd_values_are_passed_over() {
        let r = Range::covering([f64::NAN, 2.0, f64::INFINITY, -1.0, f64::MAX, f64::MIN])
            .expect("two values remain");
        assert_eq!((r.low, r.high), (-1.0, 2.0));
        assert_eq!(Range::covering([f64::NAN]), None);
        assert_eq!(Range::covering([]), None);
    }

    #[test]
    fn a_single_value_gets_room() {
        for v in [0.0, 3.0, -1e9, 1e140] {
            let r = Range::covering([v, v]).expect("a value");
            assert!(r.low < v && v < r.high);
        }
    }

    #[test]
    fn illegal_ranges_are_refused() {
        for (low, high) in [
            (1.0, 1.0),
            (2.0, 1.0),
            (f64::NAN, 1.0),
            (0.0, f64::INFINITY),
        ] {
            assert!(Range::new("axis", low, high).is_err());
        }
    }
}

//! What can be wrong with series that are evaluated.

/// Why a map, or a series of numbers, cannot be evaluated. Indices count from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricError {
    /// Nothing to evaluate.
    #[error("{what} is empty: nothing to evaluate")]
    NothingToEvaluate {
        /// Which input.
        what: &'static str,
    },

    /// Two series that belong together differ in length.
    #[error("{what} has {got} values where the truth has {expected}")]
    LengthMismatch {
        /// Which input.
        what: &'static str,
        /// Length of the truth.
        expected: usize,
        /// Length of the input.
        got: usize,
    },

    /// A value that cannot be evaluated: NaN, infinite, or a standard deviation that is not positive.
    #[error("{what} number {index} is {value}: {accepted}")]
    BadValue {
        /// Which input.
        what: &'static str,
        /// Index into it.
        index: usize,
        /// The value.
        value: f64,
        /// What would be accepted.
        accepted: &'static str,
    },

    /// A series whose variance a metric divides by is constant.
    #[error("all values of {what} are equal: {metric} is not defined")]
    NoVariance {
        /// Which input.
        what: &'static str,
        /// The metric.
        metric: &'static str,
    },
}

//! What can go wrong, in words a caller can act on.

/// Why the engine refused or could not finish.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpError {
    /// A number that must be finite is NaN or infinite.
    #[error("{what} number {index} is {value}; every value must be finite")]
    NotFinite {
        /// What the numbers are ("input", "target", ...).
        what: &'static str,
        /// Position of the first offender, counted from 0.
        index: usize,
        /// The offending value.
        value: f64,
    },
    /// A number that must be positive is not.
    #[error("{what} is {value}; it must be finite and greater than {above}")]
    NotPositive {
        /// What the number is.
        what: String,
        /// The offending value.
        value: f64,
        /// The bound it must exceed.
        above: f64,
    },
    /// A number so large that sums of its squares could overflow.
    #[error("{what} number {index} is {value:e}; beyond {limit:e} the arithmetic would overflow")]
    TooLarge {
        /// What the numbers are ("scaled input", "standardised target", ...).
        what: &'static str,
        /// Position of the first offender, counted from 0.
        index: usize,
        /// The offending value.
        value: f64,
        /// The largest magnitude allowed.
        limit: f64,
    },
    /// Points of one dimension were given where another was expected.
    #[error("points have {got} coordinates, but {expected} are expected")]
    Dimension {
        /// Coordinates expected per point.
        expected: usize,
        /// Coordinates given.
        got: usize,
    },
    /// Two lists that belong together differ in length.
    #[error("{what}: {got} given, {expected} expected")]
    Length {
        /// What was counted.
        what: String,
        /// How many were expected.
        expected: usize,
        /// How many there were.
        got: usize,
    },
    /// No data where at least one point is needed.
    #[error("no points given; at least one is needed")]
    Empty,
    /// A point could not be left out together with others.
    #[error(
        "point {point} cannot be left out together with the others of its block: one of them is named twice, or \
         the covariance matrix is nearly singular"
    )]
    Block {
        /// The point, counted from 0.
        point: usize,
    },
    /// The covariance matrix could not be factored, not even with jitter.
    #[error(
        "the {size}x{size} covariance matrix is not positive definite at pivot {pivot}, even with \
         {jitter:e} added to its diagonal; parameters: {parameters}"
    )]
    NotPositiveDefinite {
        /// Number of rows.
        size: usize,
        /// First pivot that failed.
        pivot: usize,
        /// Largest jitter tried.
        jitter: f64,
        /// The parameters that led here, as `name=value` pairs.
        parameters: String,
    },
    /// There is no parameter of that name.
    #[error("no parameter is called `{name}`; there are: {known}")]
    UnknownParameter {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// There is no kernel of that name.
    #[error("no kernel is called `{name}`; there are: {known}")]
    UnknownKernel {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A setting has a value the kernel cannot work with.
    #[error("{0}")]
    Setting(String),
    /// A saved model is not one this version can read.
    #[error("cannot read the saved model: {0}")]
    Model(String),
}

/// The engine's result type.
pub type Result<T> = std::result::Result<T, GpError>;

/// Refuses the first NaN or infinity in `values`.
pub(crate) fn require_finite(what: &'static str, values: &[f64]) -> Result<()> {
    match values.iter().position(|v| !v.is_finite()) {
        None => Ok(()),
        Some(index) => Err(GpError::NotFinite {
            what,
            index,
            value: values[index],
        }),
    }
}

/// Refuses the first number in `values` whose magnitude exceeds `limit`, or is not finite.
pub(crate) fn require_within(
    limit: f64,
    what: &'static str,
    values: impl IntoIterator<Item = f64>,
) -> Result<()> {
    let mut numbered = values.into_iter().enumerate();
    match numbered.find(|(_, value)| value.is_nan() || value.abs() > limit) {
        None => Ok(()),
        Some((index, value)) if value.is_nan() => Err(GpError::NotFinite { what, index, value }),
        Some((index, value)) => Err(GpError::TooLarge {
            what,
            index,
            value,
            limit,
        }),
    }
}

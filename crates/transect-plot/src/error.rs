//! What can be wrong with a request for a figure.

/// A figure that cannot be drawn as asked.
///
/// Missing numbers (NaN, infinities) are not errors: they are left blank. A shape that contradicts itself is.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// A grid whose number of values is not rows × columns.
    #[error("{what}: {values} values do not make {rows} rows of {columns} columns")]
    Shape {
        /// What was being drawn.
        what: &'static str,
        /// Number of values given.
        values: usize,
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        columns: usize,
    },
    /// Two slices that must run side by side but differ in length.
    #[error(
        "{what}: {left} has {left_len} values but {right} has {right_len}; they must be equally long"
    )]
    Length {
        /// What was being drawn.
        what: &'static str,
        /// Name of the first slice.
        left: &'static str,
        /// Its length.
        left_len: usize,
        /// Name of the second slice.
        right: &'static str,
        /// Its length.
        right_len: usize,
    },
    /// A range with an end that is not finite, or that does not increase.
    #[error("{what}: the range {low} to {high} must be finite and increasing")]
    Range {
        /// Which range.
        what: &'static str,
        /// Its lower end.
        low: f64,
        /// Its upper end.
        high: f64,
    },
    /// A picture size that is not positive or too large to hold in memory.
    #[error(
        "a picture of {width:.0} by {height:.0} pixels cannot be made; each side must be from 1 to {limit}"
    )]
    PictureSize {
        /// Width in pixels.
        width: f64,
        /// Height in pixels.
        height: f64,
        /// Largest side allowed.
        limit: u32,
    },
    /// The PNG encoder refused.
    #[error("the picture could not be encoded as PNG: {0}")]
    Encode(String),
}

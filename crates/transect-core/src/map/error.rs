//! What can be wrong with a request for a map.

/// Why a map cannot be made of some soundings.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// Readings could not be predicted without themselves.
    #[error(
        "soundings cannot be predicted from each other: the numbers do not allow it; look for \
         soundings that repeat or contradict each other"
    )]
    NoLeftOut,

    /// A map was asked for from next to nothing.
    #[error(
        "{got} soundings at different places are too few for a map: at least {needed} are needed"
    )]
    TooFewSoundings {
        /// Places given.
        got: usize,
        /// Places needed.
        needed: usize,
    },

    /// A map was asked for of a single place, or of places without end.
    #[error("all soundings are at one place, or too far apart for a map")]
    OnePlace,

    /// The area to be mapped has nothing to do with the soundings.
    #[error("no cell of the map lies inside the area: is it the outline of this survey?")]
    NothingInside,

    /// A map would have too many cells.
    #[error(
        "a map with cells of {cell_m} m would have {rows} x {columns} cells, more than {most}: choose larger cells"
    )]
    TooManyCells {
        /// Rows it would have.
        rows: f64,
        /// Columns it would have.
        columns: f64,
        /// Side of a cell, m.
        cell_m: f64,
        /// Cells accepted.
        most: f64,
    },
}

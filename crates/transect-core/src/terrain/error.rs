//! What can be wrong with a terrain.

/// Why values do not make a terrain. Indices count from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TerrainError {
    /// A terrain without cells.
    #[error("a terrain of {rows} rows and {columns} columns has no cells")]
    Empty {
        /// Rows given.
        rows: usize,
        /// Columns given.
        columns: usize,
    },

    /// The number of values is not rows × columns.
    #[error("a terrain of {rows} rows and {columns} columns cannot have {values} values")]
    Size {
        /// Rows given.
        rows: usize,
        /// Columns given.
        columns: usize,
        /// Values given.
        values: usize,
    },

    /// A terrain cell is infinite. (NaN marks a void.)
    #[error(
        "terrain row {row}, column {column} is {value}: use a finite number, or NaN for a void"
    )]
    Infinite {
        /// Row of the cell.
        row: usize,
        /// Column of the cell.
        column: usize,
        /// Its value.
        value: f64,
    },

    /// Every cell of a terrain is void.
    #[error("all {cells} cells of the terrain are void")]
    AllVoid {
        /// Number of cells.
        cells: usize,
    },
}

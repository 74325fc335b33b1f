//! Cells of equal size over a rectangle.

use crate::geometry::{Position, Rect, Workspace};

/// Cells of equal size over a rectangle, x running fastest; places are their centres.
#[derive(Debug, Clone, PartialEq)]
pub struct Lattice {
    bounds: Rect,
    columns: usize,
    rows: usize,
}

impl Lattice {
    /// Cells at whose places what is known of an area is asked for. Planners and those who judge a map ask at the same places: one answer then
    /// serves all.
    pub const ASKED: usize = 1024;

    /// About `cells` cells over `bounds`, as square as possible.
    pub fn over(bounds: Rect, cells: usize) -> Self {
        let side_m = (bounds.area() / cells.max(1) as f64).sqrt();
        let count = |length_m: f64| ((length_m / side_m).round() as usize).clamp(1, cells.max(1));
        Self {
            bounds,
            columns: count(bounds.width()),
            rows: count(bounds.height()),
        }
    }

    /// The rectangle.
    pub fn bounds(&self) -> Rect {
        self.bounds
    }

    /// Cells along x.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Cells along y.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// All cells.
    pub fn len(&self) -> usize {
        self.columns * self.rows
    }

    /// Whether it has no cells; it always has some.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Sides of a cell along x and y, m.
    pub fn cell_m(&self) -> [f64; 2] {
        [
            self.bounds.width() / self.columns as f64,
            self.bounds.height() / self.rows as f64,
        ]
    }

    /// The centre of a cell.
    pub fn place(&self, cell: usize) -> Position {
        let [width, height] = self.cell_m();
        let (column, row) = (cell % self.columns, cell / self.columns);
        Position::new(
            self.bounds.xmin() + (column as f64 + 0.5) * width,
            self.bounds.ymin() + (row as f64 + 0.5) * height,
        )
    }

    /// The cells whose places are in a workspace.
    pub fn inside(&self, workspace: &Workspace) -> Vec<usize> {
        let cells = 0..self.len();
        cells
            .filter(|&cell| workspace.contains(self.place(cell)))
            .collect()
    }

    /// The cell a place is in; none outside.
    pub fn cell(&self, place: Position) -> Option<usize> {
        let [width, height] = self.cell_m();
        let index = |from_m: f64, size_m: f64, count: usize| {
            let index = (from_m / size_m).floor();
            // The far sides belong to the last cells.
            (index >= 0.0 && index <= count as f64).then(|| (index as usize).min(count - 1))
        };
        let column = index(place.x - self.bounds.xmin(), width, self.columns)?;
        let row = index(place.y - self.bounds.ymin(), height, self.rows)?;
        Some(row * self.columns + column)
    }
}

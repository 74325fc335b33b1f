//! What a figure needs to know of its panels to arrange them.

use crate::legend::LegendEntry;
use crate::scene::{Rect, Scene};

/// Room around a panel's frame for tick labels, axis labels and colour bars, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Insets {
    /// Room on the left.
    pub left: f64,
    /// Room on the right.
    pub right: f64,
    /// Room above; the title and legend are added by the figure.
    pub top: f64,
    /// Room below.
    pub bottom: f64,
}

/// One plot of a figure.
///
/// A panel says how large its frame wants to be and how much room its labels need; the figure aligns the frames of all panels
/// in a column and in a row, then asks each to draw itself into its frame.
pub trait Panel: Send + Sync {
    /// Width and height of the frame, in pixels.
    fn size(&self) -> [f64; 2];

    /// Whether the frame may grow in width and in height to line up with its neighbours.
    fn stretch(&self) -> [bool; 2] {
        [true, true]
    }

    /// Room for labels around the frame.
    fn insets(&self) -> Insets;

    /// Title above the frame; may be empty.
    fn title(&self) -> &str;

    /// What the colours and shapes mean.
    fn legend(&self) -> Vec<LegendEntry> {
        Vec::new()
    }

    /// Draws everything but title and legend; `frame` is the place of the frame.
    fn draw(&self, scene: &mut Scene, frame: Rect);
}

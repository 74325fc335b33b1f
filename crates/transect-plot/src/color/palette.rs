//! The look of each series in a plot with several: colour, dash pattern and marker together, so that it can be told apart
//! with any colour vision and in black-and-white print.

use super::Color;
use crate::scene::Marker;

/// How one series is drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesStyle {
    /// Colour of line, marker and band.
    pub color: Color,
    /// Lengths of dashes and gaps in pixels; empty for a solid line.
    pub dash: &'static [f64],
    /// Shape of markers.
    pub marker: Marker,
}

/// The palette of M. Okabe and K. Ito (2008), in an order that keeps neighbours apart in lightness; yellow comes last because it is faint on white.
pub const OKABE_ITO: [Color; 8] = [
    Color::hex(0x0072b2),
    Color::hex(0xd55e00),
    Color::hex(0x009e73),
    Color::hex(0xcc79a7),
    Color::hex(0xe69f00),
    Color::hex(0x56b4e9),
    Color::hex(0x000000),
    Color::hex(0xf0e442),
];

const DASHES: [&[f64]; 5] = [
    &[],
    &[7.0, 3.0],
    &[2.0, 2.5],
    &[8.0, 2.5, 2.0, 2.5],
    &[4.0, 2.0],
];
const MARKERS: [Marker; 5] = [
    Marker::Circle,
    Marker::Square,
    Marker::Triangle,
    Marker::Diamond,
    Marker::Star,
];

/// The style of series number `index`; colours repeat after 8 and dashes and markers after 5, so 40 differ in something.
///
/// ```
/// use transect_plot::palette;
/// assert_ne!(palette::series(0), palette::series(1));
/// ```
pub fn series(index: usize) -> SeriesStyle {
    SeriesStyle {
        color: OKABE_ITO[index % 8],
        dash: DASHES[index % 5],
        marker: MARKERS[index % 5],
    }
}

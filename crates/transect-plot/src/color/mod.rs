//! Colours that survive colour blindness and black-and-white print.
//!
//! [`ColorMap`] turns a number in `[0, 1]` into a colour, [`ColorScale`] turns a value with a unit into one, and
//! [`palette`] gives each series of a line plot a colour, a dash pattern and a marker of its own.

mod map;
mod oklab;
pub mod palette;
mod scale;
mod tables;

pub use map::ColorMap;
pub use scale::ColorScale;

/// An sRGB colour with opacity, eight bits per channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Opacity; 255 is opaque.
    pub a: u8,
}

impl Color {
    /// White.
    pub const WHITE: Color = Color::hex(0xffffff);
    /// Nothing at all.
    pub const CLEAR: Color = Color {
        r: 0,
        g: 0,
        b: 0,
        a: 0,
    };
    /// Colour of text and of the data that matters most.
    pub const INK: Color = Color::hex(0x1f2933);
    /// Colour of tick labels and secondary text.
    pub const MUTED: Color = Color::hex(0x52606d);
    /// Colour of axis frames.
    pub const FRAME: Color = Color::hex(0x9aa5b1);
    /// Colour of grid lines.
    pub const GRID: Color = Color::hex(0xe4e7eb);

    /// An opaque colour from `0xRRGGBB`.
    pub const fn hex(rgb: u32) -> Self {
        Color {
            r: (rgb >> 16) as u8,
            g: (rgb >> 8) as u8,
            b: rgb as u8,
            a: 255,
        }
    }

    /// The same colour with opacity `alpha` in `[0, 1]`.
    pub fn with_opacity(self, alpha: f64) -> Self {
        Color {
            a: (alpha.clamp(0.0, 1.0) * 255.0).round() as u8,
            ..self
        }
    }

    /// Relative luminance after WCAG 2, from 0 (black) to 1 (white).
    pub fn luminance(self) -> f64 {
        let linear = |c: u8| oklab::linear_from_srgb(f64::from(c) / 255.0);
        0.2126 * linear(self.r) + 0.7152 * linear(self.g) + 0.0722 * linear(self.b)
    }

    /// The colour `t` of the way from `self` to `other`, channel by channel.
    pub(crate) fn mix(self, other: Color, t: f64) -> Self {
        let channel = |a: u8, b: u8| {
            (f64::from(a) + (f64::from(b) - f64::from(a)) * t)
                .round()
                .clamp(0.0, 255.0) as u8
        };
        Color {
            r: channel(self.r, other.r),
            g: channel(self.g, other.g),
            b: channel(self.b, other.b),
            a: channel(self.a, other.a),
        }
    }
}

//! Colours as one number.

/// The brightness of a colour by the weights of ITU-R BT.601, in the unit of its parts. Greys stay what they are.
pub(crate) fn luminance(red: f64, green: f64, blue: f64) -> f64 {
    if red == green && green == blue {
        return red;
    }
    0.299 * red + 0.587 * green + 0.114 * blue
}

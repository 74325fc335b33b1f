//! The Oklab colour space (B. Ottosson, 2020), in which equal distances look about equally different.

use super::Color;

/// Lightness, chroma and hue (degrees) in Oklab.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lch {
    pub l: f64,
    pub c: f64,
    pub h: f64,
}

impl Lch {
    /// The nearest sRGB colour; chroma is given up until the colour can be shown, lightness and hue are kept.
    pub fn to_color(self) -> Color {
        let mut c = self.c;
        for _ in 0..40 {
            let rgb = linear_rgb(self.l, c, self.h);
            if rgb.iter().all(|v| (-1e-4..=1.0 + 1e-4).contains(v)) {
                break;
            }
            c *= 0.95;
        }
        let [r, g, b] = linear_rgb(self.l, c, self.h)
            .map(|v| (srgb_from_linear(v.clamp(0.0, 1.0)) * 255.0).round() as u8);
        Color { r, g, b, a: 255 }
    }

    pub fn mix(self, other: Lch, t: f64) -> Lch {
        let at = |a: f64, b: f64| a + (b - a) * t;
        Lch {
            l: at(self.l, other.l),
            c: at(self.c, other.c),
            h: at(self.h, other.h),
        }
    }
}

fn linear_rgb(lightness: f64, chroma: f64, hue_degrees: f64) -> [f64; 3] {
    let (sin, cos) = hue_degrees.to_radians().sin_cos();
    let (a, b) = (chroma * cos, chroma * sin);
    let l = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
    let m = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
    let s = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
    [
        4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
        -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
        -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701_0 * s,
    ]
}

fn srgb_from_linear(v: f64) -> f64 {
    if v <= 0.003_130_8 {
        12.92 * v
    } else {
        1.055 * v.powf(1.0 / 2.4) - 0.055
    }
}

pub(super) fn linear_from_srgb(v: f64) -> f64 {
    if v <= 0.040_45 {
        v / 12.92
    } else {
        ((v + 0.055) / 1.055).powf(2.4)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_pairs_come_out() {
        // Reference values: CSS Color 4, oklch(62.796% 0.25768 29.234) is pure red; white is oklch(1 0 0).
        let red = Lch {
            l: 0.627_96,
            c: 0.257_68,
            h: 29.234,
        }
        .to_color();
        assert!(red.r >= 254 && red.g <= 3 && red.b <= 3, "{red:?}");
        assert_eq!(
            Lch {
                l: 1.0,
                c: 0.0,
                h: 0.0
            }
            .to_color(),
            Color::WHITE
        );
    }
}

//! Colour maps: from a number in `[0, 1]` to a colour.

use super::Color;
use super::oklab::Lch;
use super::tables::{CIVIDIS, VIRIDIS};

/// A continuous colour map.
///
/// The sequential maps grow lighter steadily from 0 to 1, so they can be read in grey; the diverging one is lightest at 0.5.
///
/// ```
/// use transect_plot::ColorMap;
/// let dark = ColorMap::Viridis.at(0.0);
/// let light = ColorMap::Viridis.at(1.0);
/// assert!(dark.luminance() < light.luminance());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColorMap {
    /// Violet to yellow: predictions and other sequential values.
    #[default]
    Viridis,
    /// Blue to yellow, made to look the same with red-green blindness: uncertainty.
    Cividis,
    /// Deep blue over green and ochre to cream, with lightness linear in value: elevation.
    Terrain,
    /// The colours of [`ColorMap::Terrain`] from light to dark: depth, which is dark where it is deep.
    Depth,
    /// Blue over near-white to brown: signed errors, with zero in the middle.
    Diverging,
}

/// Hue and chroma along [`ColorMap::Terrain`]; lightness is linear, which is what makes the map uniform.
const TERRAIN: [Lch; 6] = [
    Lch {
        l: 0.32,
        c: 0.085,
        h: 262.0,
    },
    Lch {
        l: 0.45,
        c: 0.080,
        h: 215.0,
    },
    Lch {
        l: 0.58,
        c: 0.095,
        h: 155.0,
    },
    Lch {
        l: 0.71,
        c: 0.110,
        h: 112.0,
    },
    Lch {
        l: 0.84,
        c: 0.095,
        h: 82.0,
    },
    Lch {
        l: 0.97,
        c: 0.020,
        h: 70.0,
    },
];
const COLD: [Lch; 3] = [
    Lch {
        l: 0.33,
        c: 0.115,
        h: 258.0,
    },
    Lch {
        l: 0.65,
        c: 0.110,
        h: 245.0,
    },
    Lch {
        l: 0.97,
        c: 0.004,
        h: 235.0,
    },
];
const WARM: [Lch; 3] = [
    Lch {
        l: 0.97,
        c: 0.004,
        h: 70.0,
    },
    Lch {
        l: 0.65,
        c: 0.125,
        h: 52.0,
    },
    Lch {
        l: 0.33,
        c: 0.100,
        h: 35.0,
    },
];

impl ColorMap {
    /// The colour at `t`; values outside `[0, 1]` take the colour of the nearer end, NaN is clear.
    pub fn at(self, t: f64) -> Color {
        if t.is_nan() {
            return Color::CLEAR;
        }
        let t = t.clamp(0.0, 1.0);
        match self {
            ColorMap::Viridis => along(&VIRIDIS.map(Color::hex), t, Color::mix),
            ColorMap::Cividis => along(&CIVIDIS.map(Color::hex), t, Color::mix),
            ColorMap::Terrain => along(&TERRAIN, t, Lch::mix).to_color(),
            ColorMap::Depth => along(&TERRAIN, 1.0 - t, Lch::mix).to_color(),
            ColorMap::Diverging if t < 0.5 => along(&COLD, 2.0 * t, Lch::mix).to_color(),
            ColorMap::Diverging => along(&WARM, 2.0 * t - 1.0, Lch::mix).to_color(),
        }
    }

    /// 256 evenly spaced colours, for painting many cells.
    pub fn table(self) -> Vec<Color> {
        (0..256).map(|i| self.at(f64::from(i) / 255.0)).collect()
    }
}

fn along<T: Copy>(anchors: &[T], t: f64, mix: impl Fn(T, T, f64) -> T) -> T {
    let s = t * (anchors.len() - 1) as f64;
    let i = (s as usize).min(anchors.len() - 2);
    mix(anchors[i], anchors[i + 1], s - i as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequential_maps_grow_lighter_all_the_way() {
        for map in [ColorMap::Viridis, ColorMap::Cividis, ColorMap::Terrain] {
            let lum: Vec<f64> = (0..=64)
                .map(|i| map.at(f64::from(i) / 64.0).luminance())
                .collect();
            assert!(lum.windows(2).all(|w| w[1] > w[0]), "{map:?}: {lum:?}");
            assert!(
                lum[64] - lum[0] > 0.5,
                "{map:?} uses too little of the range from dark to light"
            );
        }
    }

    #[test]
    fn diverging_map_is_lightest_in_the_middle_and_balanced() {
        let lum: Vec<f64> = (0..=64)
            .map(|i| ColorMap::Diverging.at(f64::from(i) / 64.0).luminance())
            .collect();
        assert!(lum[..33].windows(2).all(|w| w[1] > w[0]));
        assert!(lum[32..].windows(2).all(|w| w[1] < w[0]));
        for i in 0..32 {
            assert!(
                (lum[i] - lum[64 - i]).abs() < 0.06,
                "step {i}: {} against {}",
                lum[i],
                lum[64 - i]
            );
        }
    }

    #[test]
    fn viridis_matches_the_published_ends_and_middle() {
        assert_eq!(ColorMap::Viridis.at(0.0), Color::hex(0x440154));
        assert_eq!(ColorMap::Viridis.at(0.5), Color::hex(0x21918c));
        assert_eq!(ColorMap::Viridis.at(1.0), Color::hex(0xfde725));
        assert_eq!(ColorMap::Viridis.at(f64::NAN), Color::CLEAR);
    }
}

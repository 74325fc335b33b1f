//! Seeded noise on the plane: gradient noise on a square lattice, and sums of its octaves.

/// Noise of one seed.
#[derive(Clone, Copy)]
pub(super) struct Noise(pub(super) u64);

impl Noise {
    /// Smooth noise with features of about one unit, between -1 and 1 and zero on average.
    pub(super) fn smooth(self, x: f64, y: f64) -> f64 {
        let (left, below) = (x.floor(), y.floor());
        let (dx, dy) = (x - left, y - below);
        let (i, j) = (left as i64, below as i64);
        let corner = |a: i64, b: i64| {
            let (east, north) = self.gradient(i + a, j + b);
            east * (dx - a as f64) + north * (dy - b as f64)
        };
        let (u, v) = (ease(dx), ease(dy));
        let south = mix(corner(0, 0), corner(1, 0), u);
        let north = mix(corner(0, 1), corner(1, 1), u);
        // The noise stays within ±1/√2.
        std::f64::consts::SQRT_2 * mix(south, north, v)
    }

    /// Noise with detail at every scale: each of the octaves has half the size and half the height of the one before.
    pub(super) fn rugged(self, x: f64, y: f64, octaves: i32) -> f64 {
        (0..octaves).map(|octave| self.octave(x, y, octave)).sum()
    }

    /// Sharp crests: the creases of `|noise|`, turned up, between 0 and about 1.
    pub(super) fn crested(self, x: f64, y: f64, octaves: i32) -> f64 {
        let crest = |octave| {
            let height = 0.5_f64.powi(octave + 1);
            height - self.octave(x, y, octave).abs() / 2.0
        };
        (0..octaves).map(crest).sum()
    }

    fn octave(self, x: f64, y: f64, octave: i32) -> f64 {
        let finer = 2.0_f64.powi(octave);
        // Lattices of different octaves must not share their corners, where each is zero.
        let shift = 17.3 * f64::from(octave);
        Self(self.0.wrapping_add(octave as u64)).smooth(x * finer + shift, y * finer - shift)
            / finer
    }

    /// One of sixteen directions for a corner of the lattice.
    fn gradient(self, i: i64, j: i64) -> (f64, f64) {
        let corner = (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (j as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        let direction =
            scramble(scramble(corner) ^ self.0.wrapping_mul(0xd6e8_feb8_6659_fd93)) >> 60;
        let angle = std::f64::consts::TAU * (direction as f64 + 0.5) / 16.0;
        (libm::cos(angle), libm::sin(angle))
    }
}

/// A bijection of 64 bits in which every bit of the result depends on every bit of the argument (the finaliser of
/// MurmurHash3).
fn scramble(mut bits: u64) -> u64 {
    bits ^= bits >> 33;
    bits = bits.wrapping_mul(0xff51_afd7_ed55_8ccd);
    bits ^= bits >> 33;
    bits = bits.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    bits ^ (bits >> 33)
}

/// From 0 to 1 with slopes and curvatures that vanish at both.
fn ease(t: f64) -> f64 {
    t * t * t * (t * (6.0 * t - 15.0) + 10.0)
}

/// `a` at 0, `b` at 1, linear between.
pub(super) fn mix(a: f64, b: f64, share: f64) -> f64 {
    a + (b - a) * share
}

/// 0 up to `low`, 1 from `high` on, smooth between.
pub(super) fn step(low: f64, high: f64, x: f64) -> f64 {
    ease(((x - low) / (high - low)).clamp(0.0, 1.0))
}

/// A bell of height 1 and this width around a centre.
pub(super) fn bell(x: f64, y: f64, centre: (f64, f64), width: f64) -> f64 {
    let (dx, dy) = ((x - centre.0) / width, (y - centre.1) / width);
    libm::exp(-(dx * dx + dy * dy) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twice the standard error of the mean of 10 000 nearly independent values of variance below 0.2.
    #[test]
    fn noise_is_centred_bounded_and_its_own_for_each_seed() {
        let at =
            |seed, i: u32| Noise(seed).smooth(f64::from(i % 100) * 1.37, f64::from(i / 100) * 1.73);
        let values: Vec<f64> = (0..10_000).map(|i| at(1, i)).collect();
        assert!(values.iter().all(|v| v.abs() <= 1.0));
        let mean = values.iter().sum::<f64>() / 10_000.0;
        assert!(mean.abs() < 0.02, "{mean}");
        let product: f64 = (0..10_000).map(|i| at(1, i) * at(2, i)).sum();
        assert!(
            (product / 10_000.0).abs() < 0.01,
            "seeds are correlated: {product}"
        );
    }
}

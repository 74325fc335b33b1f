//! A small random source for faults.

/// Uniform numbers in [0, 1) from a seed (SplitMix64). For spoiling readings, apart from the mission's own
/// random streams.
pub fn seeded_uniform(seed: u64) -> impl FnMut() -> f64 + Clone {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        (z >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    /// The first outputs of SplitMix64 from seed 1234567, as published with the reference generator.
    #[test]
    fn is_splitmix64() {
        let mut uniform = super::seeded_uniform(1_234_567);
        for word in [6_457_827_717_110_365_317_u64, 3_203_168_211_198_807_973] {
            assert_eq!(uniform(), (word >> 11) as f64 / 2f64.powi(53));
        }
    }
}

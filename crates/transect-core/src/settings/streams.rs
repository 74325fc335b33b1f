//! Which random numbers.

use serde::{Deserialize, Serialize};
use transect_gp::random::{NetworkStart, RandomState, Randomness, Stream, TorchGenerator};

use super::require;
use crate::Error;

/// Keep the streams of one seed apart (the first digits of 2^64 / φ and 2^64 / e).
const NETWORKS: u64 = 0x9E37_79B9_7F4A_7C15;
const NOISE: u64 = 0x5E2D_58D8_B3BC_DF1A;

/// Which random numbers a mission draws: for candidates, for simulated noise, for the first weights of
/// networks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Streams {
    /// ChaCha, a stream for each. A replayed log, which draws no noise, sees the same candidates.
    #[default]
    Chacha,
    /// One of NumPy's `RandomState(seed)` for noise and candidates alike, and PyTorch's generator for networks, as in the
    /// paper's program. Seeds are below 2^32.
    Paper,
}

impl Streams {
    pub(super) fn validate(self, seed: u64) -> Result<(), Error> {
        let good = self != Self::Paper || u32::try_from(seed).is_ok();
        let accepted = "NumPy's and PyTorch's streams take seeds below 2^32";
        require(good, "seed", seed as f64, accepted)
    }

    /// The stream of candidates.
    pub fn randomness(self, seed: u64) -> Box<dyn Randomness + Send> {
        match self {
            Self::Chacha => Box::new(Stream::new(seed)),
            Self::Paper => Box::new(RandomState::new(seed as u32)),
        }
    }

    /// The stream of noise, where it is not that of candidates.
    pub fn noise(self, seed: u64) -> Option<Box<dyn Randomness + Send>> {
        match self {
            Self::Chacha => Some(Box::new(Stream::new(seed ^ NOISE))),
            Self::Paper => None,
        }
    }

    /// The stream of networks' first weights.
    pub fn networks(self, seed: u64) -> Box<dyn NetworkStart> {
        match self {
            Self::Chacha => Box::new(Stream::new(seed ^ NETWORKS)),
            Self::Paper => Box::new(TorchGenerator::new(seed)),
        }
    }
}

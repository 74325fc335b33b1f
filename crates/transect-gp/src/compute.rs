//! How work is carried out: threads, SIMD level, memory for caches.
//!
//! None of these choices changes a result by a single bit, except the SIMD level: fused and
//! separate multiply-add round differently.

use crate::simd::Simd;
use faer::Par;

/// How many cores one model may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Threads {
    /// The calling thread only: right for many runs side by side.
    #[default]
    One,
    /// Every thread of the current rayon pool: right for a single interactive run.
    All,
}

/// How the engine carries out its work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Compute {
    /// Cores to use.
    pub threads: Threads,
    /// Instruction set to use.
    pub simd: Simd,
    /// A kernel keeps what depends on inputs alone (the attentive kernel's primitive kernel
    /// values) as long as they take no more than this many bytes; beyond that, it recomputes them. It is also the scratch
    /// memory that a model keeps when it is asked to give back the rest.
    pub cache_bytes: usize,
}

impl Default for Compute {
    /// One thread, the best instruction set of this processor, 256 MiB of cache.
    fn default() -> Self {
        Self {
            threads: Threads::One,
            simd: Simd::detect(),
            cache_bytes: 256 << 20,
        }
    }
}

impl Compute {
    /// The default with `threads` threads.
    #[must_use]
    pub fn with_threads(threads: Threads) -> Self {
        Self {
            threads,
            ..Self::default()
        }
    }

    /// The same on the calling thread alone.
    pub(crate) fn on_one_thread(&self) -> Self {
        Self {
            threads: Threads::One,
            ..*self
        }
    }

    /// The same choice in faer's words, for a product of about `flops` operations: below a
    /// hundred microseconds of work, waking other threads costs more than it saves.
    pub(crate) fn par(&self, flops: usize) -> Par {
        match self.threads {
            Threads::All if flops > 4_000_000 => Par::rayon(0),
            _ => Par::Seq,
        }
    }

    /// Runs two independent pieces of work, side by side where that is allowed.
    pub(crate) fn join(
        &self,
        flops: usize,
        first: impl FnOnce() + Send,
        second: impl FnOnce() + Send,
    ) {
        if self.threads == Threads::All && flops > 1_000_000 {
            rayon::join(first, second);
        } else {
            first();
            second();
        }
    }
}

//! Choosing the instruction set at run time. The one module with `unsafe` code.
#![allow(unsafe_code)]

/// An instruction set the hot loops are compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Simd {
    /// What every processor of the target architecture has (SSE2 on x86-64, NEON on aarch64).
    Portable,
    /// AVX2 and fused multiply-add on x86-64.
    Avx2,
    /// AVX-512 (F, VL, DQ) on x86-64.
    Avx512,
}

impl Simd {
    /// The best level this processor has.
    #[must_use]
    pub fn detect() -> Self {
        *Self::available().last().unwrap_or(&Self::Portable)
    }

    /// The levels this processor can run, slowest first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        [Self::Portable, Self::Avx2, Self::Avx512]
            .into_iter()
            .filter(|level| level.runs_here())
            .collect()
    }

    #[cfg(target_arch = "x86_64")]
    fn runs_here(self) -> bool {
        use std::arch::is_x86_feature_detected as has;
        match self {
            Self::Portable => true,
            Self::Avx2 => has!("avx2") && has!("fma"),
            Self::Avx512 => {
                Self::Avx2.runs_here() && has!("avx512f") && has!("avx512vl") && has!("avx512dq")
            }
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn runs_here(self) -> bool {
        self == Self::Portable
    }
}

/// How a level multiplies and adds: where the processor cannot fuse the two, `f64::mul_add` falls
/// back to a software routine thirty times slower, so the portable code must not use it.
pub trait Arithmetic: Copy + Send + Sync {
    /// `a * b + c`.
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64;
}

/// One rounding: the processor has fused multiply-add.
#[derive(Debug, Clone, Copy)]
pub struct Fused;

/// Two roundings: any processor.
#[derive(Debug, Clone, Copy)]
pub struct Separate;

impl Arithmetic for Fused {
    #[inline(always)]
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }
}

impl Arithmetic for Separate {
    #[inline(always)]
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
}

/// A piece of work to compile once per instruction set. Mark `run` and everything it calls
/// `#[inline(always)]`, or the callee is compiled for the oldest processor.
///
/// ```
/// use transect_gp::simd::{Arithmetic, Simd, Work, dispatch};
///
/// struct Dot<'a>(&'a [f64], &'a [f64]);
/// impl Work for Dot<'_> {
///     type Output = f64;
///     #[inline(always)]
///     fn run<A: Arithmetic>(self, arithmetic: A) -> f64 {
///         let pairs = self.0.iter().zip(self.1);
///         pairs.fold(0.0, |sum, (a, b)| arithmetic.mul_add(*a, *b, sum))
///     }
/// }
/// assert_eq!(dispatch(Simd::detect(), Dot(&[1.0, 2.0], &[3.0, 4.0])), 11.0);
/// ```
pub trait Work {
    /// What the work results in.
    type Output;
    /// Does it.
    fn run<A: Arithmetic>(self, arithmetic: A) -> Self::Output;
}

/// Runs `work` compiled for `level`, or for the best level below it that this processor has.
#[inline]
pub fn dispatch<W: Work>(level: Simd, work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if level == Simd::Avx512 && Simd::Avx512.runs_here() {
            // SAFETY: `runs_here` has just confirmed every feature `avx512` is compiled with.
            return unsafe { avx512(work) };
        }
        if level != Simd::Portable && Simd::Avx2.runs_here() {
            // SAFETY: `runs_here` has just confirmed every feature `avx2` is compiled with.
            return unsafe { avx2(work) };
        }
        work.run(Separate)
    }
    #[cfg(target_arch = "aarch64")]
    {
        // Fused multiply-add belongs to the base instruction set there.
        let _ = level;
        work.run(Fused)
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        let _ = level;
        work.run(Separate)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2<W: Work>(work: W) -> W::Output {
    work.run(Fused)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512dq")]
fn avx512<W: Work>(work: W) -> W::Output {
    work.run(Fused)
}

//! Choosing the instruction set at run time. The one module with `unsafe` code.
#![allow(unsafe_code)]

use super::{LANES, Lanes};

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

/// The arithmetic of one instruction set. A value of an implementing type is proof that the
/// processor has the instructions: only [`dispatch`] makes them.
///
/// Plain loops over slices vectorise by themselves and need only [`Arithmetic::mul_add`]; sums
/// that must stay in registers use the vectors.
pub trait Arithmetic: Copy + Send + Sync {
    /// [`LANES`] numbers in registers.
    type Vector: Copy;

    /// `a * b + c`. Fused where the processor can: where it cannot, `f64::mul_add` falls back to a
    /// software routine thirty times slower.
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64;

    /// The same number in every lane.
    fn splat(self, x: f64) -> Self::Vector;

    /// Reads a vector.
    fn load(self, from: &Lanes) -> Self::Vector;

    /// Writes a vector.
    fn store(self, v: Self::Vector, to: &mut Lanes);

    /// `a + b`.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// `a * b`.
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// `a * b + c`.
    fn fma(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;

    /// Asks for a vector that will be read soon to be brought into the second-level cache; the first has too few places
    /// for lines under way. Changes nothing but time.
    fn prefetch(self, from: &Lanes);
}

/// Any processor: plain code on arrays.
#[derive(Debug, Clone, Copy)]
pub struct Portable(());

impl Portable {
    #[inline(always)]
    fn zip(a: Lanes, b: Lanes, f: impl Fn(f64, f64) -> f64) -> Lanes {
        let mut out = a;
        for l in 0..LANES {
            out[l] = f(a[l], b[l]);
        }
        out
    }
}

impl Arithmetic for Portable {
    type Vector = Lanes;

    #[inline(always)]
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
        // On aarch64 the fused instruction belongs to the base set.
        if cfg!(target_arch = "aarch64") {
            a.mul_add(b, c)
        } else {
            a * b + c
        }
    }

    #[inline(always)]
    fn splat(self, x: f64) -> Lanes {
        [x; LANES]
    }

    #[inline(always)]
    fn load(self, from: &Lanes) -> Lanes {
        *from
    }

    #[inline(always)]
    fn store(self, v: Lanes, to: &mut Lanes) {
        *to = v;
    }

    #[inline(always)]
    fn add(self, a: Lanes, b: Lanes) -> Lanes {
        Self::zip(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn mul(self, a: Lanes, b: Lanes) -> Lanes {
        Self::zip(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn fma(self, a: Lanes, b: Lanes, c: Lanes) -> Lanes {
        let mut out = c;
        for l in 0..LANES {
            out[l] = self.mul_add(a[l], b[l], c[l]);
        }
        out
    }

    #[inline(always)]
    fn prefetch(self, _: &Lanes) {}
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Arithmetic, Lanes};
    use std::arch::x86_64::*;

    /// AVX2 and FMA.
    #[derive(Debug, Clone, Copy)]
    pub struct Avx2(pub(super) ());

    /// AVX-512.
    #[derive(Debug, Clone, Copy)]
    pub struct Avx512(pub(super) ());

    // SAFETY, for every block below: the intrinsics need AVX, AVX2 or FMA in `Avx2`, AVX-512F in
    // `Avx512`. Values of these types exist only inside `dispatch`, after it has detected those
    // features. Loads and stores are unaligned and cover exactly the eight numbers of the array
    // they borrow; a prefetch (part of SSE, which every x86-64 processor has) is a hint.

    impl Arithmetic for Avx2 {
        type Vector = (__m256d, __m256d);

        #[inline(always)]
        fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
            a.mul_add(b, c)
        }

        #[inline(always)]
        fn splat(self, x: f64) -> Self::Vector {
            // SAFETY: see above.
            let half = unsafe { _mm256_set1_pd(x) };
            (half, half)
        }

        #[inline(always)]
        fn load(self, from: &Lanes) -> Self::Vector {
            // SAFETY: see above.
            unsafe {
                (
                    _mm256_loadu_pd(from.as_ptr()),
                    _mm256_loadu_pd(from.as_ptr().add(4)),
                )
            }
        }

        #[inline(always)]
        fn store(self, v: Self::Vector, to: &mut Lanes) {
            // SAFETY: see above.
            unsafe {
                _mm256_storeu_pd(to.as_mut_ptr(), v.0);
                _mm256_storeu_pd(to.as_mut_ptr().add(4), v.1);
            }
        }

        #[inline(always)]
        fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
            // SAFETY: see above.
            unsafe { (_mm256_add_pd(a.0, b.0), _mm256_add_pd(a.1, b.1)) }
        }

        #[inline(always)]
        fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
            // SAFETY: see above.
            unsafe { (_mm256_mul_pd(a.0, b.0), _mm256_mul_pd(a.1, b.1)) }
        }

        #[inline(always)]
        fn fma(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector {
            // SAFETY: see above.
            unsafe {
                (
                    _mm256_fmadd_pd(a.0, b.0, c.0),
                    _mm256_fmadd_pd(a.1, b.1, c.1),
                )
            }
        }

        #[inline(always)]
        fn prefetch(self, from: &Lanes) {
            // SAFETY: see above.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(from.as_ptr().cast()) }
        }
    }

    impl Arithmetic for Avx512 {
        type Vector = __m512d;

        #[inline(always)]
        fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
            a.mul_add(b, c)
        }

        #[inline(always)]
        fn splat(self, x: f64) -> Self::Vector {
            // SAFETY: see above.
            unsafe { _mm512_set1_pd(x) }
        }

        #[inline(always)]
        fn load(self, from: &Lanes) -> Self::Vector {
            // SAFETY: see above.
            unsafe { _mm512_loadu_pd(from.as_ptr()) }
        }

        #[inline(always)]
        fn store(self, v: Self::Vector, to: &mut Lanes) {
            // SAFETY: see above.
            unsafe { _mm512_storeu_pd(to.as_mut_ptr(), v) }
        }

        #[inline(always)]
        fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
            // SAFETY: see above.
            unsafe { _mm512_add_pd(a, b) }
        }

        #[inline(always)]
        fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
            // SAFETY: see above.
            unsafe { _mm512_mul_pd(a, b) }
        }

        #[inline(always)]
        fn fma(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector {
            // SAFETY: see above.
            unsafe { _mm512_fmadd_pd(a, b, c) }
        }

        #[inline(always)]
        fn prefetch(self, from: &Lanes) {
            // SAFETY: see above.
            unsafe { _mm_prefetch::<_MM_HINT_T1>(from.as_ptr().cast()) }
        }
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
    }
    let _ = level;
    work.run(Portable(()))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2<W: Work>(work: W) -> W::Output {
    work.run(x86::Avx2(()))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512dq")]
fn avx512<W: Work>(work: W) -> W::Output {
    work.run(x86::Avx512(()))
}

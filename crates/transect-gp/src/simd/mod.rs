//! Arithmetic on eight numbers at a time, on whatever processor runs the program.
//!
//! Hot loops are written once, over arrays of [`LANES`] numbers, and compiled several times with
//! different instruction sets; [`dispatch`] picks the copy the processor can run. The compiler
//! vectorises plain loops over slices, which is how elementary functions are applied; sums that
//! must stay in registers use the vectors of [`Arithmetic`].

mod dispatch;
mod math;

pub use dispatch::{Arithmetic, Portable, Simd, Work, dispatch};
pub use math::{exp, tanh};

/// Numbers handled together.
pub const LANES: usize = 8;

/// A vector of [`LANES`] numbers.
pub type Lanes = [f64; LANES];

/// `n` rounded up to whole vectors.
#[must_use]
pub const fn padded(n: usize) -> usize {
    n.next_multiple_of(LANES)
}

//! Dense linear algebra on top of faer: storage, factorisation, inverse (small ones in strips of
//! our own), triangular solves.

pub(crate) mod dots;
mod factor;
mod inverse;
mod matrix;
mod solve;
mod strips;

pub use factor::{Factor, solve_lower, solve_lower_transposed};
pub use inverse::{InverseWorkspace, invert_spd};
pub use matrix::Matrix;
pub use matrix::Panel;
pub use solve::PackedLower;

//! Exact Gaussian process regression.
pub mod random;

//! Exact Gaussian process regression.

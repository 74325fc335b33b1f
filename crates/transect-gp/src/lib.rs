//! Exact Gaussian process regression: numbers in, numbers out; knows no robots, files or clocks.
//!
//! | to | see |
//! |---|---|
//! | fit, extend, train, judge, save a model | [`Regression`] |
//! | predict, ask what a reading would tell | [`Posterior`]: what is known, and never changes |
//! | choose or write a covariance function | [`kernel`]: one trait, one file per kernel, one list |
//! | train it | [`train`]: Adam, L-BFGS, hooks |
//! | model readings on a scale that suits them | [`Warp`] |
//! | check a gradient of your own | [`check`] |
//! | draw the random numbers of NumPy, PyTorch or a modern generator | [`random`] |
//! | choose threads, instruction set, memory for caches | [`Compute`] |
//!
//! Gradients are contractions of dLoss/dK with each parameter's dK: there is no tape. Results do not
//! depend on the number of threads.
#![deny(unsafe_code)]

pub mod check;
mod compute;
mod error;
pub mod kernel;
pub mod linalg;
mod memory;
pub mod nearest;
mod net;
mod pairwise;
mod params;
mod points;
mod posterior;
pub mod random;
mod regression;
mod save;
mod scaler;
pub mod simd;
pub mod train;
mod warp;

pub use compute::{Compute, Threads};
pub use error::{GpError, Result};
pub use linalg::Matrix;
pub use params::{Group, ParamSpec, Parameters, Role};
pub use points::Points;
pub use posterior::{Joint, Of, Posterior, Prediction};
pub use regression::{LeftOut, Regression};
pub use save::require_format;
pub use scaler::{InputScaler, TargetScaler};
pub use warp::Warp;

/// Compiles and runs the example of this crate's `README.md`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

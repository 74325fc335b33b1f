//! Exact Gaussian process regression.
#![deny(unsafe_code)]

pub mod check;
mod compute;
mod error;
pub mod kernel;
pub mod linalg;
mod net;
mod pairwise;
mod params;
mod points;
pub mod random;
mod regression;
mod save;
mod scaler;
pub mod simd;
pub mod train;

pub use compute::{Compute, Threads};
pub use error::{GpError, Result};
pub use linalg::Matrix;
pub use params::{Group, ParamSpec, Parameters, Role};
pub use points::Points;
pub use regression::{LeftOut, Of, Prediction, Regression};
pub use scaler::{InputScaler, TargetScaler};

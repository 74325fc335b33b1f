//! Files in and out. Each format is a module; every reader refuses what it does not understand
//! with the file's name and the reason.
#![forbid(unsafe_code)]

pub mod area;
pub mod builtin;
mod error;
pub mod npy;
pub mod soundings;

pub use error::IoError;

//! The paper's experiments, run and believed.
//!
//! ```text
//!  selection ──> jobs ──> sweep (parallel, resumable) ──> results folder ──> tables, figures, report
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`experiment`] | which runs there are, and how each is carried out |
//! | [`sweep`] | carries out runs side by side; never repeats a finished one |
//! | [`shard`], [`slurm`] | a sweep in parts, on more than one machine |
//! | [`results`] | the results folder: what is where, written whole or not at all |
//! | [`tables`] | the paper's tables, ours beside theirs |
//! | [`planners`] | planners against a lawnmower at equal time |
//! | [`report`] | figures and one self-contained page |
#![forbid(unsafe_code)]

mod data;
mod error;
pub mod experiment;
pub mod gains;
pub mod planners;
pub mod report;
pub mod results;
pub mod shard;
pub mod slurm;
pub mod sweep;
pub mod tables;

pub use data::DataFolder;
pub use error::{LabError, Result};

/// Compiles and runs the example of this crate's `README.md`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

//! Experiments: the paper's, planners side by side, and sweeps over any setting.
//!
//! ```text
//!  selection ──> jobs ──> sweep (parallel, resumable) ──> results folder ──> tables, figures, report
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`experiment`] | which runs there are, and how each is carried out |
//! | [`demo1d`] | the paper's functions of one variable, from their formulas |
//! | [`sweep`] | carries out runs side by side; never repeats a finished one |
//! | [`shard`], [`slurm`] | a sweep in parts, on more than one machine |
//! | [`results`] | the results folder: what is where, written whole or not at all |
//! | [`tables`] | the paper's tables, ours beside theirs |
//! | [`claims`] | what the paper claims, and whether results bear it out |
//! | [`authors`] | ours beside runs of the authors' program |
//! | [`variants`] | ablation and sensitivity |
//! | [`vary`] | sweeps over any setting of a mission |
//! | [`planners`] | planners against a lawnmower at equal time |
//! | [`report`] | figures and one self-contained page |
#![forbid(unsafe_code)]

pub mod authors;
pub mod claims;
mod data;
pub mod demo1d;
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
pub mod variants;
pub mod vary;

pub use data::{DataFolder, LineData};
pub use error::{LabError, Result};

/// Compiles and runs the example of this crate's `README.md`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

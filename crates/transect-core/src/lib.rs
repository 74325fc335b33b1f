//! Tells a survey robot where to measure next.
//!
//! ```text
//!  terrain ──> sensor ──> soundings ──> model ──> objective ──> planner ──> vehicle ─┐
//!     ^                                                                              │
//!     └──────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! Lengths are metres, times seconds, angles radians counter-clockwise from the x axis. Randomness is
//! always handed in, so that the same seed gives the same mission.
#![forbid(unsafe_code)]

pub mod budget;
mod error;
pub mod geometry;
pub mod lawnmower;
pub mod metrics;
pub mod mission;
pub mod model;
pub mod objective;
pub mod pilot;
pub mod planner;
pub mod sensor;
pub mod settings;
mod sounding;
pub mod terrain;
pub mod vehicle;

pub use error::{Error, RingName};
pub use sounding::Sounding;
pub use transect_gp as gp;

/// Compiles and runs the walk through a new planner.
#[cfg(doctest)]
#[doc = include_str!("../ADDING_A_PLANNER.md")]
struct AddingAPlanner;

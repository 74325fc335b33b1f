//! Tells a survey robot where to measure next.
//!
//! ```text
//!  terrain ──> sensor ──> soundings ──> model ──> objective ──> planner ──> vehicle ─┐
//!     ^                                                                              │
//!     └──────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! Lengths are metres, times seconds, angles radians counter-clockwise from the x axis. Randomness is
//! always handed in as a closure, so that the same seed gives the same mission.
#![forbid(unsafe_code)]

pub mod budget;
mod error;
pub mod geometry;
pub mod lawnmower;
pub mod metrics;
pub mod pilot;
pub mod sensor;
pub mod terrain;
pub mod vehicle;

pub use error::{Error, RingName};

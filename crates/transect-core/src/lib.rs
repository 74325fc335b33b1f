//! Tells a survey robot where to measure next.
//!
//! ```text
//!  terrain ──> sensor ──> soundings ──> surrogate ──> posterior ──> objective ──> planner ──> vehicle ─┐
//!     ^                                                                                                │
//!     └────────────────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! A whole mission, simulated: a pilot survey, then legs to wherever the most is to be learnt for the way.
//!
//! ```
//! use std::sync::Arc;
//! use transect::budget::Budget;
//! use transect::geometry::{Rect, Workspace};
//! use transect::mission::{Event, Mission};
//! use transect::settings::{KernelChoice, MissionSettings};
//! use transect::terrain::Terrain;
//!
//! let extent = Rect::new(0.0, 40.0, 0.0, 20.0)?;
//! let depth_m = |row: i32, column: i32| f64::from(row) + 3.0 * (0.4 * f64::from(column)).sin();
//! let depths = (0..800).map(|cell| depth_m(cell / 40, cell % 40)).collect();
//! let terrain = Arc::new(Terrain::new(depths, 20, 40, extent)?);
//!
//! let mut settings = MissionSettings {
//!     seed: 7,
//!     kernel: KernelChoice::named("matern52"),
//!     budget: Budget { distance_m: Some(250.0), ..Budget::default() },
//!     ..MissionSettings::default()
//! };
//! settings.sensor.noise_std = 0.1;
//!
//! let mut mission = Mission::simulated(terrain, Workspace::from(extent), settings)?;
//! let mut rmse_m = Vec::new();
//! let ending = mission.run(&mut |event: &Event<'_>| {
//!     if let Event::Evaluated { evaluation, .. } = event {
//!         rmse_m.push(evaluation.rmse);
//!     }
//! })?;
//! println!("{ending}: {} soundings", mission.soundings().len());
//! assert!(mission.spent().distance_m < 250.2);
//! assert!(rmse_m.last() < rmse_m.first());
//! # Ok::<(), transect::Error>(())
//! ```
//!
//! Lengths are metres, times seconds, angles radians counter-clockwise from the x axis. Randomness is
//! always handed in, so that the same seed gives the same mission.
#![forbid(unsafe_code)]

pub mod budget;
mod calibration;
mod error;
pub mod fence;
pub mod geometry;
pub mod inputs;
pub mod lawnmower;
pub mod map;
pub mod metrics;
pub mod mission;
pub mod objective;
pub mod pilot;
pub mod planner;
pub mod posterior;
pub mod registry;
pub mod sensor;
pub mod settings;
mod sounding;
pub mod surrogate;
pub mod terrain;
pub mod tour;
pub mod travel;
pub mod vehicle;

pub use error::Error;
pub use sounding::Sounding;
pub use transect_gp as gp;

/// Compiles and runs the walks through a new kernel and a new planner.
#[cfg(doctest)]
#[doc = include_str!("../../../CONTRIBUTING.md")]
struct Contributing;

/// Compiles and runs the example of the project's `README.md`.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ProjectReadme;

/// Compiles and runs the example of this crate's `README.md`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

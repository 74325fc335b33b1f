//! Files in and out. Each format is a module; every reader refuses what it does not understand
//! with the file's name and the reason.
//!
//! | module | what it holds |
//! |---|---|
//! | [`area`] | survey areas and fences |
//! | [`builtin`] | terrains that come with the program |
//! | [`npy`] | NumPy arrays |
//! | [`terrain`] | terrains of any format in |
//! | [`soundings`] | readings from the logs of boats |
//! | [`contours`] | lines of equal value, as GeoJSON |
//! | [`geopackage`], [`dxf`] | contours and areas for other programs |
//! | [`geojson`] | places and lines on the earth |
//! | [`geotiff`] | maps that other programs open in the right place |
//! | [`parquet`] | tables for data analysis |
//! | [`waypoints`] | routes for autopilots and chartplotters |
//! | [`atomic`] | files that appear whole or not at all |
//! | `fetch` | downloads of public elevation tiles, with the feature `fetch` |
//!
//! [`Raster`] is what readers give and writers take: values with a [`Placement`] and a [`Crs`].
#![forbid(unsafe_code)]

pub mod area;
pub mod atomic;
mod bounded;
pub mod builtin;
pub mod contours;
mod crs;
pub mod dxf;
mod error;
#[cfg(feature = "fetch")]
pub mod fetch;
mod geo;
pub mod geojson;
pub mod geopackage;
pub mod geotiff;
pub mod journal;
mod luminance;
pub mod npy;
mod packed;
pub mod parquet;
mod prj;
mod projection;
mod raster;
mod resample;
pub mod soundings;
mod sqlite;
pub mod terrain;
pub mod waypoints;

pub use crs::{Crs, Datum, Zone};
pub use error::IoError;
pub use geo::GeoPosition;
pub use raster::{MOST_CELLS, Placement, Raster};

/// Compiles and runs the example of this crate's `README.md`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

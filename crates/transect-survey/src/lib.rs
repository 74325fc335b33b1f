//! From a mission's document to its folder, and back.
//!
//! ```text
//!  document ──> scene ──> mission ──> outcome ──> folder: page, map, soundings, track, journal, model
//!                            ^                                                            │
//!                            └───────────────────── replay ───────────────────────────────┘
//! ```
//!
//! | module | what |
//! |---|---|
//! | [`document`] | TOML with errors that name the line; documents in which every setting is explained |
//! | [`choice`], [`mission`] | the mission document |
//! | [`scene`] | terrain, area and earlier readings that a document names |
//! | [`audience`], [`frames`] | who looks on, and the map on the way |
//! | [`outcome`], [`track`] | what a mission came to, in any world |
//! | [`soundings`] | logs read, corrected, placed and cleaned |
//! | [`next`](mod@next) | the best extra lines for the time there is |
//! | [`products`] | water by level, crossings, survey orders, change |
//! | [`map`] | maps: of a mission's model, and from soundings that already exist |
//! | [`folder`], [`page`] | how it is kept and shown |
//! | `field` | missions on the water (feature `field`) |
//! | `live` | a mission to watch while it runs (feature `live`) |
//! | [`run`](mod@run), [`demo`](mod@demo), [`replay`](mod@replay) | what the commands of these names do |
#![forbid(unsafe_code)]

pub mod audience;
pub mod beside;
pub mod choice;
pub mod demo;
pub mod document;
mod error;
#[cfg(feature = "field")]
pub mod field;
pub mod folder;
pub mod frames;
#[cfg(feature = "live")]
pub mod live;
pub mod map;
pub mod mission;
pub mod next;
pub mod outcome;
pub mod pace;
pub mod page;
pub mod products;
pub mod replay;
pub mod run;
pub mod scene;
pub mod soundings;
mod surface;
pub mod track;

pub use error::{Result, SurveyError};

/// Compiles and runs the example of this crate's `README.md`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

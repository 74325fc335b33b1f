//! Each depth with the place where it was taken.
//!
//! ```text
//!  fixes    ──x────────x────────x──> time      the place of a reading lies between the two fixes
//!  readings ─────o────────o────────>           around it; so it waits for the second of them
//! ```
//!
//! - [`Joiner`]: takes fixes and readings as they come, gives soundings and rejections
//! - [`SoundingSettings`]: where the sonar is, what its distances mean, what is believed
//! - [`Rejection`]: why a reading is not used

mod filter;
mod joiner;
mod rejection;
mod settings;
mod track;

pub use joiner::{Joined, Joiner, PlacedSounding};
pub use rejection::Rejection;
pub use settings::SoundingSettings;

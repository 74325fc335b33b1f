//! The Ping protocol of Blue Robotics.
//!
//! - [`Ping1d`]: the single-beam sonar
//! - [`frame`]: messages in bytes

mod device;
pub mod frame;

pub use device::Ping1d;

/// Asks for one message; payload: its id, u16.
pub(crate) const GENERAL_REQUEST: u16 = 6;
/// Distance and confidence; payload: mm u32, percent u8.
pub(crate) const DISTANCE_SIMPLE: u16 = 1211;
/// Distance and how it was found; payload: mm u32, percent u16, pulse µs u16, ping number u32, scan start mm u32,
/// scan length mm u32, gain u32.
pub(crate) const DISTANCE: u16 = 1212;

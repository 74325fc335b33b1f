//! On the water: what speaks to a boat, a sonar and a GPS receiver.
//!
//! ```text
//!  autopilot ──link── Autopilot (a Helm) ──fixes──┐
//!                                                 ├── join ──> soundings with a place
//!  sonar ─────link── a Sounder ────────readings───┘
//! ```
//!
//! - [`link`]: bytes over UDP, TCP, serial lines and files; reconnects by itself
//! - [`autopilot`]: an ArduPilot boat over MAVLink
//! - [`skipper`]: who has the helm: keeps the fence, the budget and the vehicle's orders
//! - [`sonar`]: Ping1D, NMEA 0183, and depths that come through the autopilot
//! - [`join`]: each depth with the place where it was taken, or with the reason why it is not used
//! - [`mod@bench`]: a boat and a sonar that answer on loopback sockets, on good days and bad ones
//!
//! Nothing here waits: every driver is polled with the time, and whoever polls decides what time is. A
//! simulated day can run faster than a real one. Poll at least ten times a second: what arrives is
//! stamped with the time of the poll that finds it.
//!
//! Times are seconds on the caller's clock, lengths metres, headings degrees clockwise from true north,
//! positions WGS 84 degrees.
#![forbid(unsafe_code)]

pub mod autopilot;
pub mod bench;
pub mod clock;
mod error;
mod fix;
pub mod join;
pub mod link;
mod mavlink_port;
pub mod skipper;
pub mod sonar;

pub use error::FieldError;
pub use fix::Fix;
pub use transect_io::GeoPosition;

/// Compiles and runs the example of this crate's `README.md`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

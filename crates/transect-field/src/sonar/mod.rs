//! What measures depth.
//!
//! - [`Sounder`]: any source of depths
//! - [`DepthReading`]: one of them, before it has a place
//! - [`Ping1d`]: a Blue Robotics Ping sonar
//! - [`Nmea`]: an echo sounder or GPS receiver that speaks NMEA 0183
//!
//! Depths that come through the autopilot are taken from
//! [`Helm::take_depths`](crate::autopilot::Helm::take_depths).

mod nmea;
pub mod ping;
mod reading;

use crate::Fix;
pub use nmea::Nmea;
pub use ping::Ping1d;
pub use reading::{DepthReading, DepthSource};

/// A source of depths. Nothing here waits.
pub trait Sounder {
    /// Appends the readings that have arrived by `now_s`, oldest first, and asks for more where the device
    /// must be asked. A time before that of an earlier call counts as that one.
    fn poll(&mut self, now_s: f64, into: &mut Vec<DepthReading>);

    /// Seconds since the last reading of any quality; `None` before the first.
    fn age_s(&self, now_s: f64) -> Option<f64>;

    /// Moves the positions that came on the same line since the last call to `into`, oldest first; many have none.
    fn take_fixes(&mut self, _into: &mut Vec<Fix>) {}
}

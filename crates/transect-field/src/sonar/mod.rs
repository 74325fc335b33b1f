//! What measures depth.
//!
//! - [`Sounder`]: any source of depths
//! - [`DepthReading`]: one of them, before it has a place

mod reading;

pub use reading::{DepthReading, DepthSource};

/// A source of depths. Nothing here waits.
pub trait Sounder {
    /// Appends the readings that have arrived by `now_s`, oldest first, and asks for more where the device
    /// must be asked. A time before that of an earlier call counts as that one.
    fn poll(&mut self, now_s: f64, into: &mut Vec<DepthReading>);

    /// Seconds since the last reading of any quality; `None` before the first.
    fn age_s(&self, now_s: f64) -> Option<f64>;
}

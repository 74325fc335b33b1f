//! NMEA 0183: depths from an echo sounder, positions from a GPS receiver.
//!
//! - [`Nmea`]: either or both, on a link
//! - `lines`: sentences in bytes
//! - `sentence`: what a sentence says

mod device;
mod lines;
mod sentence;

pub use device::Nmea;

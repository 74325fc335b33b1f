//! A boat on the bench: plays an ArduPilot boat and a Ping1D sonar over loopback sockets.
//!
//! Everything that a mission does on the water can be rehearsed against it: the drivers speak their real
//! protocols to it and cannot tell. Bad days are data: a list of [`Fault`]s.
//!
//! ```
//! use transect_field::autopilot::{Autopilot, AutopilotSettings, Helm, Phase};
//! use transect_field::bench::{BenchBoat, BenchSettings};
//!
//! let settings = BenchSettings::default();
//! let mut boat = BenchBoat::open(settings.clone(), |_| Some(6.0))?;
//! let mut helm = Autopilot::open(AutopilotSettings {
//!     link: boat.autopilot_address(),
//!     ..AutopilotSettings::default()
//! })?;
//! helm.engage();
//! helm.go_to(settings.home.moved(20.0, 0.0));
//! for tick in 0..1200 {
//!     let now_s = 0.05 * f64::from(tick);
//!     boat.step(now_s);
//!     helm.poll(now_s);
//! }
//! assert_eq!(helm.state().phase, Phase::Ready);
//! assert!(helm.state().target_distance_m.is_some_and(|distance_m| distance_m < 2.0));
//! # Ok::<(), transect_field::FieldError>(())
//! ```
//!
//! - [`BenchBoat`]: stepped with the time, or running on a thread of its own
//! - [`BenchSettings`]: where it starts and how it moves
//! - [`Fault`], [`FaultKind`]: what goes wrong, when, and for how long
//! - [`BenchRecord`], [`Heard`]: what it was asked to do, for those who check

mod boat;
mod fault;
mod hull;
mod messages;
mod record;
mod settings;
mod sonar;
mod vehicle;

pub use boat::{BenchBoat, RunningBoat};
pub use fault::{Fault, FaultKind};
pub use record::{BenchRecord, Heard};
pub use settings::BenchSettings;

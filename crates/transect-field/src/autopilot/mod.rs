//! A vehicle that is sent to places.
//!
//! - [`Helm`]: what a mission asks of any vehicle
//! - [`HelmState`], [`Phase`], [`HelmEvent`]: what it learns from it
//! - [`Parting`], [`Farewell`]: how it is left, and whether it is
//! - [`Autopilot`]: an ArduPilot boat over MAVLink
//! - [`AutopilotSettings`]: how it is reached and judged

mod captaincy;
mod command;
mod depths;
mod driver;
mod event;
mod helm;
mod position;
mod request;
mod settings;
mod state;
mod streams;
mod target;
mod texts;

pub use driver::Autopilot;
pub use event::HelmEvent;
pub use helm::Helm;
pub use settings::AutopilotSettings;
pub use state::{Farewell, HelmState, Mode, Parting, Phase, PositionTrouble, Takeover};

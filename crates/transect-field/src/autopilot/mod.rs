//! A vehicle that is sent to places.
//!
//! - [`Helm`]: what a mission asks of any vehicle
//! - [`HelmState`], [`Phase`], [`HelmEvent`]: what it learns from it

mod event;
mod helm;
mod state;

pub use event::HelmEvent;
pub use helm::Helm;
pub use state::{HelmState, Mode, Phase, PositionTrouble, Takeover};

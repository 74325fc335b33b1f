//! A mission on the water: the loop of [`transect::mission`], with a skipper for its world.
//!
//! - [`FieldDocument`]: everything it is told; [`Survey`]: where it takes place
//! - [`FieldWorld`]: the world of a mission whose vehicle a skipper has the helm of
//! - [`Deck`]: how the two speak, in one thread or across two
//! - [`sail`]: from the first command until the vehicle is home
//! - [`Voyage`]: all of it, in a folder; [`Results`]: what is in it then; [`Lake`] puts it on the bench
//! - [`Coverage`]: when the map is good enough
//! - [`SharedJournal`], [`LogFile`], [`Past`]: what is written down, and what is left of it

mod coverage;
mod crew;
mod deck;
mod document;
mod error;
mod finder;
mod logs;
mod past;
mod rehearsal;
mod results;
mod sail;
mod survey;
mod voyage;
mod world;

pub use coverage::{Coverage, Knowledge, StopSettings};
pub use deck::{Deck, OwnThread, POLL_S, SameThread};
pub use document::{
    AreaSettings, BoatLimits, FenceSettings, FieldDocument, FieldPilot, ReceiverSettings,
    SonarSettings,
};
pub use error::VoyageError;
pub use finder::find_vehicle;
pub use logs::{Aboard, Home, Kept, LogFile, SharedJournal};
pub use past::Past;
pub use rehearsal::Lake;
pub use results::Results;
pub use sail::{Outcome, sail};
pub use survey::Survey;
pub use voyage::{Begin, Pace, View, Voyage};
pub use world::FieldWorld;

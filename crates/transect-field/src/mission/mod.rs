//! A mission on the water: the loop of [`transect::mission`], with a skipper for its world.
//!
//! - [`FieldDocument`]: everything it is told; [`Survey`]: where it takes place
//! - [`FieldWorld`]: the world of a mission whose vehicle a skipper has the helm of
//! - [`Deck`]: how the two speak, in one thread or across two
//! - [`sail`]: from the first command until the vehicle is home
//! - [`Voyage`]: all of it, in a folder; [`rehearse`] puts it on the bench
//! - [`Coverage`]: when the map is good enough
//! - [`SharedJournal`], [`LogFile`], [`Past`]: what is written down, and what is left of it

mod coverage;
mod crew;
mod deck;
mod document;
mod finder;
mod folder;
mod logs;
mod past;
mod rehearsal;
mod sail;
mod survey;
mod voyage;
mod world;

pub use coverage::{Coverage, Knowledge, StopSettings};
pub use deck::{Deck, OwnThread, POLL_S, SameThread};
pub use document::{
    AreaSettings, BoatLimits, FenceSettings, FieldDocument, PilotCount, SonarSettings,
};
pub use finder::find_vehicle;
pub use logs::{Aboard, Kept, LogFile, SharedJournal};
pub use past::{JOURNAL, Past};
pub use rehearsal::{lake_bed, rehearse};
pub use sail::{Outcome, sail};
pub use survey::Survey;
pub use voyage::{View, Voyage};
pub use world::FieldWorld;

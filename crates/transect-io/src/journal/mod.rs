//! The journal: everything that happened in a mission, in one file that other tools read too.
//!
//! The file is [MCAP](https://mcap.dev); every message is JSON with its schema. Messages are written as things happen:
//! a program that is killed loses nothing that was told before, a machine that loses power at most the last second.
//! The clock of the file is the mission's, so that the same mission gives the same bytes.
//!
//! | topic | message | told |
//! |---|---|---|
//! | `place` | [`Place`] | once, before the start: what coordinates and values mean |
//! | `begun` | [`Begun`] | once, at the start: all that is needed to do it again |
//! | `truth` | [`Truth`] | once, before the start, where maps are judged by a truth |
//! | `plan` | [`Planned`] | when the next place is chosen |
//! | `sounding` | [`Taken`] | for every reading |
//! | `lost` | [`Lost`] | when a reading was due and none came |
//! | `leg` | [`LegOver`] | when a leg is over |
//! | `pilot` | [`PilotOver`] | when there is a model |
//! | `training` | [`Trained`] | when the model has learnt |
//! | `evaluation` | [`Evaluated`] | when the map was judged |
//! | `trouble` | [`Troubled`] | when something went wrong and was dealt with |
//! | `ending` | [`Finished`] | once, at the end |
//!
//! Beside these stand messages that other viewers know, see [`foxglove`].
//!
//! Any other [`Message`] can be written beside these: a topic and a type that serde and schemars know.
//!
//! ```
//! use transect::mission::{Event, Observer};
//! use transect_io::journal::{Journal, JournalWriter, Message};
//!
//! /// A remark by whoever is on board.
//! #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
//! struct Remark { text: String }
//! impl Message for Remark { const TOPIC: &'static str = "remark"; }
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("journal.mcap");
//! let mut writer = JournalWriter::create(&path)?;
//! writer.write(12.5, &Remark { text: "a seal".into() })?;
//! writer.finish()?;
//!
//! let journal = Journal::read(&path)?;
//! assert!(journal.complete);
//! assert_eq!(journal.entries[0].time_s, 12.5);
//! assert_eq!(journal.all::<Remark>()?[0].text, "a seal");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod entries;
pub mod foxglove;
mod message;
mod reader;
mod recording;
mod syncer;
mod tail;
mod told;
mod writer;

pub use entries::Entries;
pub use message::{
    Begun, Evaluated, Finished, LegOver, Lost, Message, PilotOver, Place, Planned, Taken, Trained,
    Troubled, Truth,
};
pub use reader::{Entry, Journal};
pub use recording::Recording;
pub use tail::Tail;
pub use told::Told;
pub use writer::JournalWriter;

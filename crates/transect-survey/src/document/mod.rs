//! Documents that people write: TOML, with errors that name the line and the key meant.
//!
//! - [`Source`]: a document's text, with changes by `--set`; it is read part by part
//! - [`Part`]: one part with its values, for [`commented`], which writes a document with every setting, its
//!   unit and its meaning
//!
//! A part is any type that serde and schemars know. What a setting means is written in one place, its doc comment: the
//! commented document, the keys that are accepted and the schema of the journal are all made from it.

mod commented;
mod schema;
mod source;

pub use commented::{Part, commented};
pub use source::{DocumentError, Source};

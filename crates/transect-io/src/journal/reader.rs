//! Reads a journal, also one that was cut off.

use super::entries::Entries;
use super::message::Message;
use crate::{IoError, bounded};
use std::path::Path;

/// Longer journals are refused: they would not fit into the memory of a small computer.
const MOST_BYTES: u64 = 1 << 30;

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// What it is filed under.
    pub topic: String,
    /// The mission's clock, s.
    pub time_s: f64,
    /// The message.
    pub value: serde_json::Value,
}

/// The messages of a journal in the order they were written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Journal {
    /// The messages.
    pub entries: Vec<Entry>,
    /// The file was ended properly. A journal that was cut off holds what was written until then.
    pub complete: bool,
}

impl Journal {
    /// Reads a file.
    ///
    /// # Errors
    /// If the file cannot be read or is no journal at all.
    pub fn read(path: &Path) -> Result<Self, IoError> {
        let bytes = bounded::read(path, MOST_BYTES)?;
        Self::parse(&bytes).map_err(IoError::content(path))
    }

    /// Reads the bytes of a file, as far as they make sense.
    ///
    /// # Errors
    /// If they do not begin as a journal does.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut messages = Entries::of(bytes)?;
        let entries = messages.by_ref().collect();
        Ok(Self {
            entries,
            complete: messages.is_complete(),
        })
    }

    /// All messages of one kind.
    ///
    /// # Errors
    /// If one of them is not what its topic says.
    pub fn all<M: Message>(&self) -> Result<Vec<M>, String> {
        let entries = self.entries.iter();
        entries.filter_map(Entry::read).collect()
    }
}

impl Entry {
    /// The message, if it is of this kind; an error if it should be and is not.
    pub fn read<M: Message>(&self) -> Option<Result<M, String>> {
        (self.topic == M::TOPIC).then(|| {
            M::deserialize(&self.value).map_err(|error| {
                let (topic, time_s) = (&self.topic, self.time_s);
                format!("the `{topic}` message at {time_s:.1} s cannot be understood: {error}")
            })
        })
    }
}

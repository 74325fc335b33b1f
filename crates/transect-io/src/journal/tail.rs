//! Reads a journal while another program writes it.

use super::reader::Entry;
use crate::IoError;
use mcap::records::Record;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// No record is longer: what says so is damaged.
const LONGEST_RECORD: u64 = 64 << 20;
/// Opcode and length stand before each record.
const HEAD: usize = 9;

/// Follows a journal as it grows.
#[derive(Debug)]
pub struct Tail {
    path: PathBuf,
    file: File,
    /// Bytes of the file that were read.
    read: u64,
    /// Those of them that are not understood yet.
    rest: Vec<u8>,
    channels: BTreeMap<u16, String>,
    begun: bool,
    complete: bool,
}

impl Tail {
    /// Opens a journal at its beginning.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, IoError> {
        Ok(Self {
            path: path.to_owned(),
            file: File::open(path).map_err(IoError::system(path))?,
            read: 0,
            rest: Vec::new(),
            channels: BTreeMap::new(),
            begun: false,
            complete: false,
        })
    }

    /// The journal was ended properly.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// What was written since the last time. A journal that was begun anew is read from its beginning.
    ///
    /// # Errors
    /// If the file cannot be read, or is no journal.
    pub fn news(&mut self) -> Result<Vec<Entry>, IoError> {
        let length = std::fs::metadata(&self.path).map_or(self.read, |file| file.len());
        if length < self.read {
            *self = Self::open(&self.path)?;
        }
        let read = self.file.read_to_end(&mut self.rest);
        self.read += read.map_err(IoError::system(&self.path))? as u64;
        self.parse().map_err(IoError::content(&self.path))
    }

    fn parse(&mut self) -> Result<Vec<Entry>, String> {
        let mut entries = Vec::new();
        let mut at = 0;
        if !self.begun {
            if self.rest.len() < mcap::MAGIC.len() {
                return Ok(entries);
            }
            if !self.rest.starts_with(mcap::MAGIC) {
                return Err("it is not a journal: it does not begin as MCAP files do".into());
            }
            (self.begun, at) = (true, mcap::MAGIC.len());
        }
        while !self.complete && self.rest.len() >= at + HEAD {
            let length: [u8; 8] = self.rest[at + 1..at + HEAD].try_into().unwrap_or_default();
            let length = u64::from_le_bytes(length);
            if length > LONGEST_RECORD {
                return Err(format!("it is damaged: a record of {length} bytes"));
            }
            let (from, to) = (at + HEAD, at + HEAD + length as usize);
            if self.rest.len() < to {
                break;
            }
            let record = mcap::parse_record(self.rest[at], &self.rest[from..to]);
            match record.map_err(|error| format!("it is damaged: {error}"))? {
                Record::Channel(channel) => {
                    self.channels.insert(channel.id, channel.topic.clone());
                }
                Record::Message { header, data } => {
                    let topic = self.channels.get(&header.channel_id);
                    if let (Some(topic), Ok(value)) = (topic, serde_json::from_slice(&data)) {
                        entries.push(Entry {
                            topic: topic.clone(),
                            time_s: header.log_time as f64 * 1e-9,
                            value,
                        });
                    }
                }
                Record::DataEnd(_) => self.complete = true,
                _ => {}
            }
            at = to;
        }
        self.rest.drain(..at);
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Journal, JournalWriter, PilotOver};
    use std::io::Write;

    #[test]
    fn however_a_journal_arrives_it_is_read_as_when_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let (whole, growing) = (folder.path().join("a.mcap"), folder.path().join("b.mcap"));
        let mut writer = JournalWriter::create(&whole).unwrap();
        for soundings in 0..40 {
            let time_s = soundings as f64;
            writer.write(time_s, &PilotOver { soundings }).unwrap();
        }
        writer.finish().unwrap();
        let expected = Journal::read(&whole).unwrap();
        let bytes = std::fs::read(&whole).unwrap();
        for piece in [1, 7, 100, 100_000] {
            let mut file = File::create(&growing).unwrap();
            let mut tail = Tail::open(&growing).unwrap();
            let mut seen = tail.news().unwrap();
            for bytes in bytes.chunks(piece) {
                file.write_all(bytes).unwrap();
                seen.extend(tail.news().unwrap());
            }
            assert_eq!(seen, expected.entries, "in pieces of {piece}");
            assert!(tail.is_complete());
        }
        // Begun anew, it is read anew.
        let mut tail = Tail::open(&growing).unwrap();
        assert_eq!(tail.news().unwrap().len(), 40);
        std::fs::write(&growing, &bytes[..bytes.len() / 3]).unwrap();
        assert!((1..40).contains(&tail.news().unwrap().len()));
        assert!(!tail.is_complete());
    }

    #[test]
    fn what_is_no_journal_is_said_to_be_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.mcap");
        std::fs::write(&path, "soundings, of course").unwrap();
        let error = Tail::open(&path).unwrap().news().unwrap_err().to_string();
        assert!(
            error.contains("not a journal") && error.contains("a.mcap"),
            "{error}"
        );
        let mut bytes = mcap::MAGIC.to_vec();
        bytes.extend([5; 40]);
        std::fs::write(&path, bytes).unwrap();
        assert!(
            Tail::open(&path)
                .unwrap()
                .news()
                .unwrap_err()
                .to_string()
                .contains("damaged")
        );
    }
}

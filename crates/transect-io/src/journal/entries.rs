//! The messages of a journal, one after the other: however long it is, only one of them is in memory.

use super::reader::Entry;
use crate::{IoError, bounded};
use mcap::records::Record;
use mcap::sans_io::linear_reader::{LinearReadEvent, LinearReader, LinearReaderOptions};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// No record is longer: what says so is damaged.
const LONGEST_RECORD: usize = 64 << 20;
/// Most bytes that are read at a time.
const PIECE: usize = 64 << 10;

/// Reads the messages of a journal in the order they were written, as far as they make sense.
pub struct Entries<R> {
    source: R,
    reader: LinearReader,
    channels: BTreeMap<u16, String>,
    /// All if none are named.
    topics: Option<&'static [&'static str]>,
    state: State,
}

#[derive(Debug)]
enum State {
    Reading,
    Complete,
    CutOff(Option<io::Error>),
}

impl Entries<BufReader<File>> {
    /// The messages of a file.
    ///
    /// # Errors
    /// If it cannot be read, or does not begin as a journal does.
    pub fn open(path: &Path) -> Result<Self, IoError> {
        let file = bounded::open(path)?;
        Self::of(BufReader::new(file)).map_err(IoError::content(path))
    }
}

impl<R: Read> Entries<R> {
    /// The messages of a stream of bytes.
    ///
    /// # Errors
    /// If they do not begin as a journal does.
    pub fn of(mut source: R) -> Result<Self, String> {
        let mut magic = [0; mcap::MAGIC.len()];
        let is_journal = source.read_exact(&mut magic).is_ok() && magic == mcap::MAGIC;
        if !is_journal {
            return Err("it is not a journal: it does not begin as MCAP files do".into());
        }
        let options = LinearReaderOptions::default()
            .with_skip_start_magic(true)
            .with_record_length_limit(LONGEST_RECORD);
        Ok(Self {
            source,
            reader: LinearReader::new_with_options(options),
            channels: BTreeMap::new(),
            topics: None,
            state: State::Reading,
        })
    }

    /// Only those that are filed under one of these topics; the others are not even looked into.
    #[must_use]
    pub fn about(mut self, topics: &'static [&'static str]) -> Self {
        self.topics = Some(topics);
        self
    }

    /// All were read, and the journal was ended properly.
    pub fn is_complete(&self) -> bool {
        matches!(self.state, State::Complete)
    }

    /// What the bytes could not be read for, if that is why there are no more messages.
    pub fn failure(&mut self) -> Option<io::Error> {
        match &mut self.state {
            State::CutOff(failure) => failure.take(),
            _ => None,
        }
    }
}

/// What a record holds for the reader of messages.
enum Content {
    Message(Entry),
    Other,
    Damaged,
}

impl<R: Read> Iterator for Entries<R> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        while matches!(self.state, State::Reading) {
            match self.reader.next_event() {
                None => self.state = State::Complete,
                Some(Err(_)) => self.state = State::CutOff(None),
                Some(Ok(LinearReadEvent::ReadRequest(count))) => {
                    let room = self.reader.insert(count.min(PIECE));
                    match self.source.read(room) {
                        Ok(read) => self.reader.notify_read(read),
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                        Err(error) => self.state = State::CutOff(Some(error)),
                    }
                }
                Some(Ok(LinearReadEvent::Record { data, opcode })) => {
                    match content(&mut self.channels, self.topics, (opcode, data)) {
                        Content::Message(entry) => return Some(entry),
                        Content::Other => {}
                        Content::Damaged => self.state = State::CutOff(None),
                    }
                }
            }
        }
        None
    }
}

fn content(
    channels: &mut BTreeMap<u16, String>,
    topics: Option<&[&str]>,
    (opcode, data): (u8, &[u8]),
) -> Content {
    match mcap::parse_record(opcode, data) {
        Ok(Record::Channel(channel)) => {
            channels.insert(channel.id, channel.topic);
            Content::Other
        }
        Ok(Record::Message { header, data }) => {
            let Some(topic) = channels.get(&header.channel_id) else {
                return Content::Damaged;
            };
            if topics.is_some_and(|topics| !topics.contains(&topic.as_str())) {
                return Content::Other;
            }
            let Ok(value) = serde_json::from_slice(&data) else {
                return Content::Damaged;
            };
            Content::Message(Entry {
                topic: topic.clone(),
                time_s: header.log_time as f64 * 1e-9,
                value,
            })
        }
        Ok(_) => Content::Other,
        Err(_) => Content::Damaged,
    }
}

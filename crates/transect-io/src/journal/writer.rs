//! Writes a journal while the mission goes on.

use super::foxglove;
use super::message::{Message, Place};
use super::syncer::Syncer;
use super::told::Told;
use crate::{Crs, IoError};
use mcap::records::MessageHeader;
use mcap::{McapError, WriteOptions, Writer};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use transect::mission::{Event, Observer};

/// Writes messages as they come. As an observer it keeps the first failure for [`JournalWriter::finish`]:
/// a full disk does not end a mission.
pub struct JournalWriter {
    path: PathBuf,
    file: Writer<BufWriter<File>>,
    channels: BTreeMap<&'static str, u16>,
    written: u32,
    time_s: f64,
    failure: Option<IoError>,
    syncer: Syncer,
    place: Option<Crs>,
}

impl JournalWriter {
    /// An empty journal at `path`, in place of any file there.
    ///
    /// # Errors
    /// If the file cannot be made.
    pub fn create(path: &Path) -> Result<Self, IoError> {
        let file = File::create(path).map_err(IoError::system(path))?;
        let same = file.try_clone().map_err(IoError::system(path))?;
        // Without chunks every message stands for itself: one that is written can be read.
        let options = WriteOptions::new()
            .use_chunks(false)
            .library(concat!("transect ", env!("CARGO_PKG_VERSION")));
        let file = options.create(BufWriter::new(file));
        Ok(Self {
            path: path.to_owned(),
            file: file.map_err(system).map_err(IoError::system(path))?,
            channels: BTreeMap::new(),
            written: 0,
            time_s: 0.0,
            failure: None,
            syncer: Syncer::of(same).map_err(IoError::system(path))?,
            place: None,
        })
    }

    /// Says what coordinates and values mean, and from now on tells other viewers about events in [their own
    /// words](super::foxglove) too.
    ///
    /// # Errors
    /// If the file cannot be written to.
    pub fn begin_at(&mut self, place: &Place) -> Result<(), IoError> {
        self.place = Some(place.crs);
        self.write(0.0, place)
    }

    /// Writes one message; `time_s` is the mission's clock.
    ///
    /// # Errors
    /// If the file cannot be written to.
    pub fn write<M: Message>(&mut self, time_s: f64, message: &M) -> Result<(), IoError> {
        let told = Told::message(Some(time_s), message).map_err(io::Error::from);
        told.and_then(|told| self.put(&told))
            .map_err(IoError::system(&self.path))
    }

    /// Writes one message as an observer does: a failure is kept for [`JournalWriter::finish`].
    pub fn keep<M: Message>(&mut self, time_s: f64, message: &M) {
        if self.failure.is_none() {
            self.failure = self.write(time_s, message).err();
        }
    }

    fn put(&mut self, told: &Told) -> io::Result<()> {
        if let Some(time_s) = told.time_s {
            self.time_s = time_s;
        }
        let channel_id = match self.channels.get(told.topic) {
            Some(id) => *id,
            None => self.add_channel(told).map_err(system)?,
        };
        let log_time = (self.time_s.max(0.0) * 1e9) as u64;
        let header = MessageHeader {
            channel_id,
            sequence: self.written,
            log_time,
            publish_time: log_time,
        };
        let data = serde_json::to_vec(&told.value)?;
        self.file
            .write_to_known_channel(&header, &data)
            .and_then(|()| self.file.flush())
            .map_err(system)?;
        self.written = self.written.wrapping_add(1);
        self.syncer.touch();
        Ok(())
    }

    /// What other viewers understand of an event.
    fn put_beside(&mut self, event: &Event<'_>) -> io::Result<()> {
        let Some(crs) = self.place else { return Ok(()) };
        let beside = foxglove::beside(event, crs, self.time_s)?;
        beside.iter().try_for_each(|told| self.put(told))
    }

    fn add_channel(&mut self, told: &Told) -> Result<u16, McapError> {
        let schema = (told.schema)();
        let text = schema.as_value().to_string();
        let name = match told.name {
            Some(name) => name.into(),
            None => format!("transect.{}", told.topic),
        };
        let schema = self.file.add_schema(&name, "jsonschema", text.as_bytes())?;
        let nothing_more = BTreeMap::new();
        let channel = self
            .file
            .add_channel(schema, told.topic, "json", &nothing_more)?;
        self.channels.insert(told.topic, channel);
        Ok(channel)
    }

    /// Ends the file properly.
    ///
    /// # Errors
    /// If anything of the journal could not be written, now or before.
    pub fn finish(mut self) -> Result<(), IoError> {
        let path = std::mem::take(&mut self.path);
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let outcome = self.file.finish().map_err(system);
        outcome
            .and_then(|_| self.syncer.finish())
            .map_err(IoError::system(&path))
    }
}

impl Observer for JournalWriter {
    fn event(&mut self, event: &Event<'_>) {
        if self.failure.is_some() {
            return;
        }
        let told = Told::of(event).map_err(io::Error::from);
        let outcome = told
            .and_then(|told| self.put(&told))
            .and_then(|()| self.put_beside(event));
        if let Err(source) = outcome {
            self.failure = Some(IoError::system(&self.path)(source));
        }
    }
}

fn system(error: McapError) -> io::Error {
    match error {
        McapError::Io(error) => error,
        other => io::Error::other(other),
    }
}

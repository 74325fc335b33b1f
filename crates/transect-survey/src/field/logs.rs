//! Logbooks on disk: the journal, and lines to read.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::audience::{Audience, FrameData, grid};
use chrono::{DateTime, Datelike, Timelike};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transect::Sounding;
use transect::mission::{Event, Observer};
use transect_io::IoError;
use transect_io::journal::{JournalWriter, Message};

use transect_field::GeoPosition;
use transect_field::skipper::{Entry, Logbook};

/// A sounding as it was kept, before any model saw it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Kept {
    /// The sounding.
    pub sounding: Sounding,
    /// The vehicle's way so far, m.
    pub distance_m: f64,
}

impl Message for Kept {
    const TOPIC: &'static str = "kept";
}

/// Where a mission comes home to: a mission that is taken up again comes home to the same place, wherever it was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Home {
    /// The place that was set, or where the vehicle was launched.
    pub place: GeoPosition,
}

impl Message for Home {
    const TOPIC: &'static str = "home";
}

/// Anything else that happened on board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Aboard {
    /// In words.
    pub text: String,
    /// In full.
    pub details: serde_json::Value,
}

impl Message for Aboard {
    const TOPIC: &'static str = "aboard";
}

/// One journal for the mission and the skipper, who may be in different threads.
#[derive(Clone)]
pub struct SharedJournal(Arc<Mutex<Writing>>);

struct Writing {
    journal: Option<JournalWriter>,
    failure: Failure,
}

/// The first failure, told once: a full disk fails at every write.
#[derive(Default)]
struct Failure {
    text: Option<String>,
    told: bool,
}

impl Failure {
    fn happened(&mut self, text: impl ToString) {
        self.text.get_or_insert_with(|| text.to_string());
    }

    fn tell(&mut self) -> Option<String> {
        let text = self.text.as_ref().filter(|_| !self.told)?;
        self.told = true;
        Some(format!("not everything is written down: {text}"))
    }
}

impl SharedJournal {
    /// Shares a journal.
    pub fn new(journal: JournalWriter) -> Self {
        Self(Arc::new(Mutex::new(Writing {
            journal: Some(journal),
            failure: Failure::default(),
        })))
    }

    /// Ends the file properly.
    ///
    /// # Errors
    /// If anything could not be written, now or before.
    pub fn finish(&self) -> Result<(), IoError> {
        match self.lock().journal.take() {
            Some(journal) => journal.finish(),
            None => Ok(()),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Writing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a message of another kind.
    pub fn put<M: Message>(&self, time_s: f64, message: &M) {
        let mut writing = self.lock();
        if let Some(journal) = &mut writing.journal
            && let Err(error) = journal.write(time_s, message)
        {
            writing.failure.happened(error);
        }
    }
}

impl Observer for SharedJournal {
    fn event(&mut self, event: &Event<'_>) {
        if let Some(journal) = &mut self.lock().journal {
            journal.event(event);
        }
    }
}

impl Audience for SharedJournal {
    fn frame(&mut self, frame: &FrameData) {
        if let Some(grid) = grid(frame) {
            self.put(frame.time_s, &grid);
        }
    }
}

impl Logbook for SharedJournal {
    fn entry(&mut self, time_s: f64, entry: &Entry) {
        match entry {
            Entry::Sounding {
                sounding,
                distance_m,
            } => {
                let (sounding, distance_m) = (*sounding, *distance_m);
                self.put(
                    time_s,
                    &Kept {
                        sounding,
                        distance_m,
                    },
                );
            }
            _ => {
                let details = serde_json::to_value(entry).unwrap_or_default();
                let text = entry.to_string();
                self.put(time_s, &Aboard { text, details });
            }
        }
    }

    fn settle(&mut self, _: f64) -> Option<String> {
        self.lock().failure.tell()
    }
}

/// The date and the time of day, UTC.
pub(super) fn wall_clock() -> String {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or_default();
    let now = DateTime::from_timestamp(seconds, 0).unwrap_or_default();
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
        now.year(),
        now.month(),
        now.day(),
        now.hour(),
        now.minute(),
        now.second()
    )
}

/// One line for everything that an operator would want to read: the wall clock, the time of the mission, s, and what happened.
pub struct LogFile {
    file: File,
    failure: Failure,
}

impl LogFile {
    /// Appends to a file.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn append(path: &Path) -> Result<Self, IoError> {
        let file = File::options().create(true).append(true).open(path);
        Ok(Self {
            file: file.map_err(IoError::system(path))?,
            failure: Failure::default(),
        })
    }
}

impl Logbook for LogFile {
    fn entry(&mut self, time_s: f64, entry: &Entry) {
        if entry.is_routine() {
            return;
        }
        let now = wall_clock();
        if let Err(error) = writeln!(self.file, "{now} {time_s:9.1} {entry}") {
            self.failure.happened(error);
        }
    }

    fn settle(&mut self, _: f64) -> Option<String> {
        self.failure.tell()
    }
}

//! What a journal says about the world, for running its mission again.

use super::entries::Entries;
use super::message::{Begun, Finished, LegOver, Lost, Message, Planned, Taken, Truth};
use super::reader::Entry;
use crate::IoError;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use transect::mission::{Evaluator, Recorded, RecordedWorld};

/// Messages that say what the world did.
const STEPS: &[&str] = &[
    Planned::TOPIC,
    Taken::TOPIC,
    Lost::TOPIC,
    LegOver::TOPIC,
    Finished::TOPIC,
];

/// A mission as it was recorded. Its journal is read again whenever it is run again, message by message.
#[derive(Debug, Clone)]
pub struct Recording {
    path: PathBuf,
    /// How it began.
    pub begun: Begun,
    /// What maps were judged by.
    pub truth: Option<Truth>,
    /// How many messages there are under each topic.
    pub counts: BTreeMap<String, usize>,
    /// The journal was ended properly; otherwise it holds what was written until it was cut off.
    pub complete: bool,
}

impl Recording {
    /// The mission of a journal.
    ///
    /// # Errors
    /// If it cannot be read, holds no beginning of a mission, or something that cannot be understood.
    pub fn read(path: &Path) -> Result<Self, IoError> {
        let refuse = IoError::content(path);
        let (mut begun, mut truth, mut counts) = (None, None, BTreeMap::new());
        let mut entries = Entries::open(path)?;
        for entry in entries.by_ref() {
            if begun.is_none() {
                begun = entry.read::<Begun>().transpose().map_err(&refuse)?;
            }
            if truth.is_none() {
                truth = entry.read::<Truth>().transpose().map_err(&refuse)?;
            }
            step(&entry).transpose().map_err(&refuse)?;
            *counts.entry(entry.topic).or_default() += 1;
        }
        if let Some(error) = entries.failure() {
            return Err(IoError::system(path)(error));
        }
        let nothing = "it does not say how the mission began: nothing can be run again from it";
        Ok(Self {
            path: path.to_owned(),
            begun: begun.ok_or_else(|| refuse(nothing.into()))?,
            truth,
            counts,
            complete: entries.is_complete(),
        })
    }

    /// The judge of its maps, if it had one. A replay needs it to come out the same to the last digit.
    ///
    /// # Errors
    /// If the truth that was recorded does not fit the workspace.
    pub fn evaluator(&self) -> Result<Option<Evaluator>, IoError> {
        let Some(truth) = &self.truth else {
            return Ok(None);
        };
        let Begun {
            workspace,
            settings,
            ..
        } = &self.begun;
        let (columns, rows) = (settings.evaluation.columns, settings.evaluation.rows);
        let next = Cell::new(0);
        let in_turn = |_| {
            let index = next.replace(next.get() + 1);
            truth.values.get(index).copied().flatten()
        };
        let evaluator = Evaluator::on_grid(workspace, columns, rows, in_turn);
        let refuse = |error: transect::Error| IoError::content(&self.path)(error.to_string());
        evaluator.map(Some).map_err(refuse)
    }

    /// Its messages under some topics, once more.
    ///
    /// # Errors
    /// If the journal cannot be opened any more.
    pub fn entries(
        &self,
        topics: &'static [&'static str],
    ) -> Result<impl Iterator<Item = Entry> + Send + use<>, IoError> {
        Ok(Entries::open(&self.path)?.about(topics))
    }

    /// A world that does again what it did.
    ///
    /// # Errors
    /// If the journal cannot be opened any more.
    pub fn world(&self) -> Result<RecordedWorld, IoError> {
        // All were understood when it was read.
        let steps = self.entries(STEPS)?.filter_map(|entry| step(&entry)?.ok());
        let Begun {
            vehicle, settings, ..
        } = &self.begun;
        Ok(RecordedWorld::new(*vehicle, steps, settings))
    }
}

fn step(entry: &Entry) -> Option<Result<Recorded, String>> {
    let planned = |p: Planned| Recorded::Planned(p.vehicle);
    let taken = |t: Taken| Recorded::Sounding(t.sounding, t.vehicle);
    let lost = |l: Lost| Recorded::Lost(l.vehicle);
    let leg = |l: LegOver| Recorded::LegEnded(l.end, l.vehicle);
    let finished = |f: Finished| Recorded::Finished(f.spent.distance_m, f.spent.time_s);
    None.or_else(|| Some(entry.read::<Planned>()?.map(planned)))
        .or_else(|| Some(entry.read::<Taken>()?.map(taken)))
        .or_else(|| Some(entry.read::<Lost>()?.map(lost)))
        .or_else(|| Some(entry.read::<LegOver>()?.map(leg)))
        .or_else(|| Some(entry.read::<Finished>()?.map(finished)))
}

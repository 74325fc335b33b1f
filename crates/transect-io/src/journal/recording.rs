//! What a journal says about the world, for running its mission again.

use super::message::{Begun, Finished, LegOver, Lost, Planned, Taken, Truth};
use super::reader::{Entry, Journal};
use std::cell::Cell;
use transect::mission::{Evaluator, Recorded, RecordedWorld};

/// A mission as it was recorded.
#[derive(Debug, Clone)]
pub struct Recording {
    /// How it began.
    pub begun: Begun,
    /// What the world did.
    pub steps: Vec<Recorded>,
    /// What maps were judged by.
    pub truth: Option<Truth>,
}

impl Recording {
    /// The mission of a journal.
    ///
    /// # Errors
    /// If it holds no beginning of one, or something that cannot be understood.
    pub fn of(journal: &Journal) -> Result<Self, String> {
        let begun = journal
            .all::<Begun>()?
            .into_iter()
            .next()
            .ok_or("it does not say how the mission began: nothing can be run again from it")?;
        let steps = journal.entries.iter().filter_map(step);
        Ok(Self {
            begun,
            steps: steps.collect::<Result<_, _>>()?,
            truth: journal.all::<Truth>()?.into_iter().next(),
        })
    }

    /// The judge of its maps, if it had one. A replay needs it to come out the same to the last digit.
    ///
    /// # Errors
    /// If the truth that was recorded does not fit the workspace.
    pub fn evaluator(&self) -> Result<Option<Evaluator>, String> {
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
        evaluator.map(Some).map_err(|error| error.to_string())
    }

    /// A world that does again what it did.
    pub fn world(&self) -> RecordedWorld {
        let steps = self.steps.iter().copied();
        RecordedWorld::new(self.begun.vehicle, steps, &self.begun.settings)
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

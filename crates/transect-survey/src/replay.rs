//! Runs a recorded mission again and checks that every decision comes out the same.

use crate::error::{Result, SurveyError};
use crate::folder::Folder;
use serde_json::Value;
use std::collections::VecDeque;
use std::path::Path;
use transect::gp::{Compute, Threads};
use transect::mission::{Event, Mission, Observer};
use transect_io::IoError;
use transect_io::journal::{
    Evaluated, Finished, Journal, Message, Planned, Recording, Told, Trained, Troubled,
};

/// What a replay found: everything the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replayed {
    /// Decisions that were compared: plans, rounds of training, verdicts, troubles, the ending.
    pub decisions: usize,
    /// The journal was ended properly; otherwise it was compared up to where it was cut off.
    pub complete: bool,
}

/// Replays a journal, or that of a mission folder. `watch` hears how much is done, in [0, 1].
///
/// # Errors
/// If there is no journal, or a decision comes out differently: the error says which is the first.
pub fn replay(path: &Path, watch: &mut dyn FnMut(f64)) -> Result<Replayed> {
    let path = match path.is_dir() {
        true => path.join(Folder::JOURNAL),
        false => path.to_owned(),
    };
    let journal = Journal::read(&path)?;
    let refuse = |reason| IoError::Content {
        path: path.clone(),
        reason,
    };
    let recording = Recording::of(&journal).map_err(refuse)?;
    let evaluator = recording.evaluator().map_err(refuse)?;
    let begun = recording.begun.clone();
    let mission = Mission::new(recording.world(), begun.workspace, begun.settings)?;
    let mut mission = mission
        .with_prior(begun.prior)?
        .with_compute(Compute::with_threads(Threads::All));
    if let Some(evaluator) = evaluator {
        mission = mission.with_evaluator(evaluator);
    }
    let mut comparison = Comparison::with(&journal);
    let total = comparison.expected.len().max(1);
    loop {
        let step = mission.step(&mut comparison);
        watch(comparison.compared as f64 / total as f64);
        if let Some(difference) = comparison.difference {
            return Err(SurveyError::Differs(difference));
        }
        if !journal.complete && comparison.expected.is_empty() {
            break;
        }
        match step {
            Ok(progress) if progress.ending.is_some() => break,
            Ok(_) => {}
            Err(_) if !journal.complete && mission.world().is_over() => break,
            Err(error) => {
                return Err(SurveyError::Differs(format!(
                    "the replay differs after {} decisions: {error}",
                    comparison.compared
                )));
            }
        }
    }
    if let Some(next) = comparison.expected.front().filter(|_| journal.complete) {
        return Err(SurveyError::Differs(format!(
            "the replay ended after {} decisions; recorded was another: {}",
            comparison.compared, next.decision
        )));
    }
    Ok(Replayed {
        decisions: comparison.compared,
        complete: journal.complete,
    })
}

/// A decision and where it stands.
struct Decision {
    topic: String,
    time_s: f64,
    decision: Value,
}

/// Compares the decisions of a mission with those that were recorded.
struct Comparison {
    expected: VecDeque<Decision>,
    compared: usize,
    difference: Option<String>,
    /// The recording has an end: nothing may come after it.
    complete: bool,
}

impl Comparison {
    fn with(journal: &Journal) -> Self {
        let expected = journal.entries.iter().filter_map(|entry| {
            Some(Decision {
                topic: entry.topic.clone(),
                time_s: entry.time_s,
                decision: decision(&entry.topic, &entry.value)?,
            })
        });
        Self {
            expected: expected.collect(),
            compared: 0,
            difference: None,
            complete: journal.complete,
        }
    }
}

impl Observer for Comparison {
    fn event(&mut self, event: &Event<'_>) {
        let Ok(told) = Told::of(event) else { return };
        let Some(now) = decision(told.topic, &told.value) else {
            return;
        };
        let cut_off_here = self.expected.is_empty() && !self.complete;
        if self.difference.is_some() || cut_off_here {
            return;
        }
        let Some(recorded) = self.expected.pop_front() else {
            let topic = told.topic;
            self.difference = Some(format!(
                "the replay differs after {} decisions: the recording ends there, the replay goes on with {topic} {now}",
                self.compared
            ));
            return;
        };
        self.compared += 1;
        if (recorded.topic.as_str(), &recorded.decision) != (told.topic, &now) {
            self.difference = Some(format!(
                "the replay differs at decision {}, {:.1} s into the mission: recorded is {} {}, now it is {} {now}",
                self.compared, recorded.time_s, recorded.topic, recorded.decision, told.topic
            ));
        }
    }
}

/// What the mission itself decided in a message, without what the world did.
fn decision(topic: &str, value: &Value) -> Option<Value> {
    match topic {
        Planned::TOPIC => Some(serde_json::json!([value["phase"], value["plan"]])),
        Finished::TOPIC => Some(value["ending"].clone()),
        Trained::TOPIC | Evaluated::TOPIC | Troubled::TOPIC => Some(value.clone()),
        _ => None,
    }
}

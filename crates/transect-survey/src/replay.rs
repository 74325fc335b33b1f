//! Runs a recorded mission again and checks that every decision comes out the same. The journal is read on the way, message by message: what a
//! replay keeps in memory is what the mission did.

use crate::error::{Result, SurveyError};
use crate::folder::Folder;
use serde_json::Value;
use std::iter::Peekable;
use std::path::Path;
use transect::gp::{Compute, Threads};
use transect::mission::{Event, Mission, Observer};
use transect_io::journal::{
    Evaluated, Finished, Message, Planned, Recording, Told, Trained, Troubled,
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
    let recording = Recording::read(&path)?;
    let begun = recording.begun.clone();
    let mission = Mission::new(recording.world()?, begun.workspace, begun.settings)?;
    let mut mission = mission
        .with_prior(begun.prior)?
        .with_compute(Compute::with_threads(Threads::All));
    if let Some(evaluator) = recording.evaluator()? {
        mission = mission.with_evaluator(evaluator);
    }
    let mut comparison = Comparison::with(&recording)?;
    let counts = |topic: &&str| recording.counts.get(*topic).copied().unwrap_or(0);
    let total = DECISIONS.iter().map(counts).sum::<usize>().max(1);
    loop {
        let step = mission.step(&mut comparison);
        watch(comparison.compared as f64 / total as f64);
        if let Some(difference) = comparison.difference {
            return Err(SurveyError::Differs(difference));
        }
        if !recording.complete && comparison.expected.peek().is_none() {
            break;
        }
        match step {
            Ok(progress) if progress.ending.is_some() => break,
            Ok(_) => {}
            Err(_) if !recording.complete && mission.world_mut().is_over() => break,
            Err(error) => {
                return Err(SurveyError::Differs(format!(
                    "the replay differs after {} decisions: {error}",
                    comparison.compared
                )));
            }
        }
    }
    if let Some(next) = comparison.expected.next().filter(|_| recording.complete) {
        return Err(SurveyError::Differs(format!(
            "the replay ended after {} decisions; recorded was another: {}",
            comparison.compared, next.decision
        )));
    }
    Ok(Replayed {
        decisions: comparison.compared,
        complete: recording.complete,
    })
}

/// Messages that hold what the mission itself decided.
const DECISIONS: &[&str] = &[
    Planned::TOPIC,
    Finished::TOPIC,
    Trained::TOPIC,
    Evaluated::TOPIC,
    Troubled::TOPIC,
];

/// A decision and where it stands.
struct Decision {
    topic: String,
    time_s: f64,
    decision: Value,
}

/// Compares the decisions of a mission with those that were recorded.
struct Comparison {
    expected: Peekable<Box<dyn Iterator<Item = Decision>>>,
    compared: usize,
    difference: Option<String>,
    /// The recording has an end: nothing may come after it.
    complete: bool,
}

impl Comparison {
    fn with(recording: &Recording) -> Result<Self> {
        let expected = recording.entries(DECISIONS)?.filter_map(|entry| {
            Some(Decision {
                decision: decision(&entry.topic, &entry.value)?,
                topic: entry.topic,
                time_s: entry.time_s,
            })
        });
        let expected: Box<dyn Iterator<Item = Decision>> = Box::new(expected);
        Ok(Self {
            expected: expected.peekable(),
            compared: 0,
            difference: None,
            complete: recording.complete,
        })
    }
}

impl Observer for Comparison {
    fn event(&mut self, event: &Event<'_>) {
        let Ok(told) = Told::of(event) else { return };
        let Some(now) = decision(told.topic, &told.value) else {
            return;
        };
        let cut_off_here = !self.complete && self.expected.peek().is_none();
        if self.difference.is_some() || cut_off_here {
            return;
        }
        let Some(recorded) = self.expected.next() else {
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

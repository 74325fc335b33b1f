//! What there is to see.

use std::fmt;

use serde::{Deserialize, Serialize};
use transect_gp::Prediction;

use crate::Sounding;
use crate::budget::Spent;
use crate::geometry::{Position, Workspace};
use crate::metrics::Evaluation;
use crate::model::{Model, Training, Trouble};
use crate::planner::Plan;
use crate::settings::MissionSettings;
use crate::vehicle::Pose;

/// Which part of a mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Before there is a model.
    Pilot,
    /// With a model.
    Survey,
}

/// Why a mission ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// A limit of the budget is reached, or the next sample would exceed it.
    BudgetSpent,
    /// The planner has nowhere left to go.
    SurveyComplete,
    /// Too many readings in a row were lost.
    NoReadings,
    /// Too many plans in a row brought no reading.
    NoProgress,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BudgetSpent => "the budget is spent",
            Self::SurveyComplete => "the survey is complete",
            Self::NoReadings => "the sensor gives no readings: too many in a row were lost",
            Self::NoProgress => "no progress: too many plans in a row brought no reading",
        })
    }
}

/// What happens in a mission, in order.
#[derive(Debug)]
pub enum Event<'a> {
    /// The first step begins.
    Started {
        /// What the mission was told.
        settings: &'a MissionSettings,
        /// Where.
        workspace: &'a Workspace,
        /// Where the vehicle is.
        pose: Pose,
    },
    /// The next place was chosen.
    Planned {
        /// By whom.
        phase: Phase,
        /// The plan.
        plan: &'a Plan,
    },
    /// A reading was taken.
    Sounding {
        /// When.
        phase: Phase,
        /// The reading.
        sounding: &'a Sounding,
    },
    /// A reading was due, but none came, or it was not a number.
    Lost {
        /// About here.
        at: Position,
    },
    /// The pilot survey is over and there is a model, not yet trained.
    PilotDone {
        /// What was read.
        soundings: &'a [Sounding],
    },
    /// The model has learnt.
    Trained {
        /// How far.
        training: Training,
        /// The model now.
        model: &'a Model,
    },
    /// The map was judged.
    Evaluated {
        /// The verdict.
        evaluation: &'a Evaluation,
        /// The map, at the evaluator's points.
        prediction: &'a Prediction,
    },
    /// Something went wrong and did not end the mission.
    Trouble {
        /// What, and what was done.
        trouble: &'a Trouble,
    },
    /// The mission is over.
    Finished {
        /// Why.
        ending: Ending,
        /// What it took.
        spent: Spent,
    },
}

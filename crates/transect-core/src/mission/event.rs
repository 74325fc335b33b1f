//! What observers of a mission see.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use transect_gp::Prediction;

use super::Whereabouts;
use crate::Sounding;
use crate::budget::Spent;
use crate::geometry::Workspace;
use crate::metrics::Evaluation;
use crate::planner::Plan;
use crate::posterior::Posterior;
use crate::settings::MissionSettings;
use crate::surrogate::{Training, Trouble};

/// Which part of a mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Before there is a model.
    Pilot,
    /// With a model.
    Survey,
}

/// Why a mission ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Ending {
    /// A limit of the budget is reached, or the next sample would exceed it.
    BudgetSpent,
    /// The planner has nowhere left to go.
    SurveyComplete,
    /// Too many readings in a row were lost.
    NoReadings,
    /// Too many plans in a row brought no reading.
    NoProgress,
    /// The vehicle was called home.
    CalledHome,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BudgetSpent => "the budget is spent",
            Self::SurveyComplete => "the survey is complete",
            Self::NoReadings => "the sensor gives no readings: too many in a row were lost",
            Self::NoProgress => "no progress: too many plans in a row brought no reading",
            Self::CalledHome => "the vehicle was called home",
        })
    }
}

/// Why a leg ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LegEnd {
    /// The goal is reached.
    Arrived,
    /// It is time to decide again; the vehicle goes on along the path meanwhile.
    Underway,
    /// The goal cannot be reached.
    Stuck,
    /// The vehicle did not take the goal.
    Refused,
    /// The budget is spent.
    BudgetSpent,
    /// The vehicle was called home.
    CalledHome,
    /// Too many readings in a row were lost.
    NoReadings,
    /// Nothing happened for too long.
    Silence,
}

/// What happens in a mission, in order. Together, events say everything that the world did: a mission
/// can be run again from them. That is why the list is exhaustive: whoever records missions must be told by the
/// compiler of an event that is new.
#[derive(Debug)]
pub enum Event<'a> {
    /// The first step begins.
    Started {
        /// What the mission was told.
        settings: &'a MissionSettings,
        /// Where.
        workspace: &'a Workspace,
        /// Where the vehicle is.
        vehicle: Whereabouts,
        /// Readings from before the mission, which the model is given too.
        prior: &'a [Sounding],
    },
    /// The next place was chosen.
    Planned {
        /// By whom.
        phase: Phase,
        /// The plan.
        plan: &'a Plan,
        /// Where the vehicle was then.
        vehicle: Whereabouts,
    },
    /// A reading was taken.
    Sounding {
        /// When.
        phase: Phase,
        /// The reading.
        sounding: &'a Sounding,
        /// Where the vehicle was when it came.
        vehicle: Whereabouts,
    },
    /// A reading was due, but none came, or it was not a number.
    Lost {
        /// About where.
        vehicle: Whereabouts,
    },
    /// A leg is over. (Jumps have none.)
    LegEnded {
        /// Why.
        end: LegEnd,
        /// Where the vehicle is now.
        vehicle: Whereabouts,
    },
    /// The pilot survey is over and there is a model, not yet trained.
    PilotDone {
        /// What was read.
        soundings: &'a [Sounding],
    },
    /// The surrogate has learnt.
    Trained {
        /// What the round of training did.
        training: Training,
        /// What is known now: to predict from, now or later, on any thread.
        posterior: &'a Arc<dyn Posterior>,
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

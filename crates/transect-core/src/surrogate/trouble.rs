//! What went wrong, and what was done about it.

use std::fmt;

use transect_gp::GpError;

/// What the model was doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Taking in readings.
    Learning,
    /// Taking training steps.
    Training,
    /// Choosing the next place.
    Planning,
    /// Judging the map.
    Evaluation,
}

/// What was done about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Remedy {
    /// Back to the last good parameters; the training steps left in this round were left out.
    SkippedTraining,
    /// Back to the last good parameters.
    RestoredParameters,
    /// A larger noise variance.
    RaisedNoise {
        /// The new noise variance, standardised.
        to: f64,
    },
    /// All parameters back to where they started.
    RestartedParameters,
    /// The model did not take in the new readings; they are kept with the others.
    LeftOutReadings,
    /// What was known before the last readings or training steps stands.
    KeptPosterior,
    /// The next place was chosen at random.
    WentAnywhere,
    /// No evaluation this time.
    SkippedEvaluation,
}

/// Something that went wrong and did not end the mission.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Trouble {
    /// The engine's numbers broke down.
    Numerics {
        /// During this.
        task: Task,
        /// In this way.
        error: GpError,
        /// And this was done.
        remedy: Remedy,
    },
    /// Predicted variances had to be lifted to the floor.
    FlooredVariances {
        /// How many, in one prediction.
        count: usize,
    },
    /// Readings that do not belong to the surface that the others show.
    Outliers {
        /// How many.
        count: usize,
        /// Of how many.
        readings: usize,
        /// Whether the model leaves them out.
        ignored: bool,
    },
    /// Too many readings lie outside the error bars that the other readings make.
    Overconfident {
        /// Share of readings inside their 95 % intervals.
        coverage: f64,
        /// Of how many.
        readings: usize,
    },
    /// A planner or an evaluation could not do its work.
    Refused {
        /// During this.
        task: Task,
        /// For this reason.
        reason: crate::Error,
        /// And this was done.
        remedy: Remedy,
    },
}

impl Trouble {
    /// What is known could not be brought up to date.
    pub(super) fn stale(error: GpError) -> Self {
        Self::Numerics {
            task: Task::Learning,
            error,
            remedy: Remedy::KeptPosterior,
        }
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Learning => "learning",
            Self::Training => "training",
            Self::Planning => "planning",
            Self::Evaluation => "evaluation",
        })
    }
}

impl fmt::Display for Remedy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SkippedTraining => write!(
                f,
                "restored the last good parameters and trained no further"
            ),
            Self::RestoredParameters => write!(f, "restored the last good parameters"),
            Self::RaisedNoise { to } => write!(f, "raised the noise variance to {to}"),
            Self::RestartedParameters => write!(f, "started the parameters afresh"),
            Self::LeftOutReadings => write!(f, "left the new readings out of the model"),
            Self::KeptPosterior => write!(f, "kept what was known before"),
            Self::WentAnywhere => write!(f, "chose the next place at random"),
            Self::SkippedEvaluation => write!(f, "went on without an evaluation"),
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numerics {
                task,
                error,
                remedy,
            } => write!(f, "{task}: {error}; {remedy}"),
            Self::Refused {
                task,
                reason,
                remedy,
            } => write!(f, "{task}: {reason}; {remedy}"),
            Self::Outliers {
                count,
                readings,
                ignored,
            } => {
                let remedy = match ignored {
                    true => "the model ignores them",
                    false => "the map is spoilt around them: set training.ignore_outliers",
                };
                write!(
                    f,
                    "learning: {count} of {readings} readings do not fit the others; {remedy}"
                )
            }
            Self::Overconfident { coverage, readings } => write!(
                f,
                "the error bars cannot be trusted: only {:.0} % of {readings} readings lie inside the 95 % \
                 intervals that the others make; look for bad readings, or try another kernel",
                100.0 * coverage
            ),
            Self::FlooredVariances { count } => {
                write!(f, "prediction: {count} variances lifted to the floor")
            }
        }
    }
}

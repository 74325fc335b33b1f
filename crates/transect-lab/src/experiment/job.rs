//! One run of an experiment.

use super::{FixedJob, LineJob, MissionJob, PlannersJob, Profile, overfit, volcano};
use crate::data::DataFolder;
use crate::error::Result;
use crate::results::Output;
use crate::vary::VariedJob;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;
use transect::settings::{KernelChoice, TrainingSettings};

/// One run: where its results go, and how it is carried out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Job {
    /// A simulated mission.
    Mission(MissionJob),
    /// Many training steps on fixed samples.
    Overfit(FixedJob),
    /// A 1-D function.
    Line(LineJob),
    /// A map from fixed samples.
    Volcano(FixedJob),
    /// A planner's mission in a given time.
    Planners(PlannersJob),
    /// A mission of a sweep.
    Varied(Box<VariedJob>),
}

/// A run as `run.json` records it.
#[derive(Serialize)]
struct Specification<'a> {
    #[serde(flatten)]
    job: &'a Job,
    /// What the paper's program does never changes; what ours does may.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    learning: Option<Learning>,
}

#[derive(Serialize)]
struct Learning {
    training: TrainingSettings,
    companions: Vec<KernelChoice>,
}

/// Hears how much of a run is done, in [0, 1].
pub type Watch<'a> = &'a mut dyn FnMut(f64);

impl Job {
    /// The run's folder within the results.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Self::Mission(job) => job.path(),
            Self::Overfit(job) => job.path("overfit"),
            Self::Line(job) => job.path(),
            Self::Volcano(job) => job.path("volcano"),
            Self::Planners(job) => job.path(),
            Self::Varied(job) => job.path(),
        }
    }

    /// Its full specification, as `run.json` records it.
    #[must_use]
    pub fn spec(&self) -> serde_json::Value {
        serde_json::to_value(self.specification()).unwrap_or_default()
    }

    fn specification(&self) -> Specification<'_> {
        let (profile, settings) = match self {
            // It holds all of its settings itself.
            Self::Varied(_) => {
                return Specification {
                    job: self,
                    learning: None,
                };
            }
            Self::Mission(job) => (job.profile, job.settings()),
            Self::Planners(job) => (Profile::Default, job.settings()),
            Self::Overfit(FixedJob { profile, .. })
            | Self::Volcano(FixedJob { profile, .. })
            | Self::Line(LineJob { profile, .. }) => (*profile, profile.settings()),
        };
        let learning = (profile == Profile::Default).then_some({
            Learning {
                training: settings.training,
                companions: settings.companions,
            }
        });
        Specification {
            job: self,
            learning,
        }
    }

    /// The terrain it needs.
    #[must_use]
    pub fn terrain(&self) -> Option<&str> {
        match self {
            Self::Mission(job) => Some(&job.terrain),
            Self::Overfit(job) | Self::Volcano(job) => Some(&job.terrain),
            Self::Planners(job) => Some(&job.terrain),
            // A sweep's missions are somewhere else too: [`Job::check`] looks there.
            Self::Line(_) | Self::Varied(_) => None,
        }
    }

    /// Refuses a job whose terrain is not there or cannot be surveyed. `known` holds what was looked at before.
    ///
    /// # Errors
    /// If a file is missing or unusable.
    pub fn check(&self, data: &DataFolder, known: &mut Vec<String>) -> Result<()> {
        let place = match self {
            Self::Varied(job) => serde_json::to_string(&job.place).unwrap_or_default(),
            job => job.terrain().unwrap_or_default().into(),
        };
        if !known.contains(&place) {
            match self {
                Self::Varied(job) => drop(job.scene(data)?),
                job => job.terrain().map_or(Ok(()), |name| data.check(name))?,
            }
            known.push(place);
        }
        Ok(())
    }

    /// Refuses what cannot be run, before anything is.
    ///
    /// # Errors
    /// If a setting is out of range or a name is not known.
    pub fn validate(&self) -> Result<()> {
        match self {
            Self::Mission(job) => job.validate(),
            Self::Planners(job) => job.validate(),
            Self::Varied(job) => Ok(job.settings.validate()?),
            Self::Overfit(FixedJob { kernel, .. })
            | Self::Volcano(FixedJob { kernel, .. })
            | Self::Line(LineJob { kernel, .. }) => Ok(kernel.validate()?),
        }
    }

    /// Carries the run out; `run.json` comes last.
    ///
    /// # Errors
    /// If its data are missing or the work fails.
    pub fn run(&self, data: &DataFolder, watch: Watch<'_>) -> Result<Vec<Output>> {
        let mut clock = Stopwatch::start();
        let mut outputs = match self {
            Self::Mission(job) => job.run(data, watch, &mut clock)?,
            Self::Overfit(job) => overfit::run(job, data, watch, &mut clock)?,
            Self::Line(job) => job.run(data, watch, &mut clock)?,
            Self::Volcano(job) => volcano::run(job, data, watch, &mut clock)?,
            Self::Planners(job) => job.run(data, watch, &mut clock)?,
            Self::Varied(job) => job.run(data, watch, &mut clock)?,
        };
        outputs.push(self.record(clock));
        Ok(outputs)
    }

    /// `run.json`: the full specification, the version, seconds per part.
    fn record(&self, clock: Stopwatch) -> Output {
        #[derive(Serialize)]
        struct Record<'a> {
            spec: Specification<'a>,
            version: &'static str,
            seconds: BTreeMap<&'static str, f64>,
        }
        let record = Record {
            spec: self.specification(),
            version: env!("CARGO_PKG_VERSION"),
            seconds: clock.stop(),
        };
        let text = serde_json::to_string_pretty(&record).unwrap_or_default();
        Output::text("run.json", text + "\n")
    }
}

/// Seconds spent per part of a run.
#[derive(Debug)]
pub struct Stopwatch {
    started: Instant,
    last: Instant,
    parts: BTreeMap<&'static str, f64>,
}

impl Stopwatch {
    fn start() -> Self {
        let now = Instant::now();
        Self {
            started: now,
            last: now,
            parts: BTreeMap::new(),
        }
    }

    /// Counts the time since the last call towards `part`.
    pub fn lap(&mut self, part: &'static str) {
        let now = Instant::now();
        *self.parts.entry(part).or_default() += (now - self.last).as_secs_f64();
        self.last = now;
    }

    fn stop(mut self) -> BTreeMap<&'static str, f64> {
        let total = self.started.elapsed().as_secs_f64();
        self.parts.insert("total", total);
        for seconds in self.parts.values_mut() {
            *seconds = (*seconds * 1e3).round() / 1e3;
        }
        self.parts
    }
}

//! Which runs the paper's experiments consist of.
//!
//! | experiment | what |
//! |---|---|
//! | `tables` | strategies x kernels x terrains x seeds, 700 soundings |
//! | `overfit` | 2000 steps on fixed samples, judged on training set and test grid |
//! | `sensitivity` | the attentive kernel, one parameter at a time |
//! | `ablation` | the attentive kernel, one part at a time |
//! | `step`, `sine` | 1-D functions with sharp changes |
//! | `volcano` | Mount St. Helens from fixed samples |
//! | `field` | a rehearsal of the field experiment, on the built-in quarry lake |
//! | `planners` | not the paper's: planners against a lawnmower, the same boat in the same time |

mod document;
mod fixed;
mod job;
mod line;
mod mission;
mod overfit;
mod parts;
mod planners;
mod volcano;

pub use document::ExperimentDocument;
pub use fixed::FixedJob;
pub use job::{Job, Stopwatch, Watch};
pub use line::{
    ATTENTION_FILE, LINE_LENGTHSCALES, LINE_TEST, LINE_TRAIN, LineJob, attention_columns,
};
pub use mission::MissionJob;
pub(crate) use mission::field_extent;
pub use planners::{
    DECISIONS, JUDGED, LAWNMOWER, PLANNERS, PLANNERS_TERRAINS, PlannersJob, TIMES_S, TakeAway,
    WITHOUT, judge,
};

use crate::error::{LabError, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transect::settings::{KernelChoice, MissionSettings};

/// The paper's four terrains.
pub const TERRAINS: [&str; 4] = ["N17E073", "N43W080", "N45W123", "N47W124"];
/// The terrain of the volcano experiment.
pub const VOLCANO: &str = "helens";
/// The built-in terrain on which the field experiment is rehearsed.
pub const QUARRY: &str = "quarry";
/// The paper's strategies.
pub const STRATEGIES: [&str; 3] = ["random", "active", "myopic"];
/// The paper's kernels.
pub const KERNELS: [&str; 4] = ["rbf", "ak", "gibbs", "dkl"];
/// The paper's ablation, by the names kernels have here.
pub const ABLATION: [&str; 4] = ["ak", "ak-weight", "ak-mask", "ak-nnx2"];

/// What a profile's ablation compares, the whole first.
#[must_use]
pub fn ablation(profile: Profile) -> Vec<&'static str> {
    let parts = parts::PARTS.iter().map(|(name, _)| *name);
    match profile {
        Profile::Paper => ABLATION.to_vec(),
        Profile::Default => ABLATION.into_iter().chain(parts).collect(),
    }
}

/// Whose behaviour a run has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// The authors' program, seed for seed.
    Paper,
    /// Ours.
    Default,
}

impl Profile {
    /// Its name in paths and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Default => "default",
        }
    }

    /// What a mission is told under it.
    #[must_use]
    pub fn settings(self) -> MissionSettings {
        match self {
            Self::Paper => MissionSettings::paper(),
            Self::Default => MissionSettings::default(),
        }
    }
}

/// One of the paper's experiments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names are the documentation above")]
pub enum Experiment {
    Tables,
    Overfit,
    Sensitivity,
    Ablation,
    Step,
    Sine,
    Volcano,
    Field,
    Planners,
}

impl Experiment {
    /// The paper's, in its order.
    pub const ALL: [Self; 8] = [
        Self::Tables,
        Self::Sensitivity,
        Self::Ablation,
        Self::Overfit,
        Self::Step,
        Self::Sine,
        Self::Volcano,
        Self::Field,
    ];

    /// Its name in paths and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tables => "tables",
            Self::Overfit => "overfit",
            Self::Sensitivity => "sensitivity",
            Self::Ablation => "ablation",
            Self::Step => "step",
            Self::Sine => "sine",
            Self::Volcano => "volcano",
            Self::Field => "field",
            Self::Planners => "planners",
        }
    }

    /// The experiments called `name`; `all` means all.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<Vec<Self>> {
        if name == "all" {
            return Ok(Self::ALL.to_vec());
        }
        let found = Self::ALL
            .into_iter()
            .chain([Self::Planners])
            .find(|experiment| experiment.name() == name);
        found
            .map(|experiment| vec![experiment])
            .ok_or_else(|| LabError::unknown("experiment", name, &Self::names()))
    }

    /// What [`Experiment::named`] knows.
    pub(crate) fn names() -> Vec<&'static str> {
        let each = Self::ALL.iter().map(|experiment| experiment.name());
        each.chain([Self::Planners.name(), "all"]).collect()
    }
}

/// What the caller asked for; an empty list means the paper's choice.
#[derive(Debug, Clone)]
pub struct Selection {
    /// Whose behaviour.
    pub profile: Profile,
    /// Which terrains.
    pub terrains: Vec<String>,
    /// Which strategies.
    pub strategies: Vec<String>,
    /// Which kernels.
    pub kernels: Vec<String>,
    /// Which seeds.
    pub seeds: Vec<u64>,
    /// Soundings per run, or fixed samples.
    pub samples: Option<usize>,
    /// Training steps of the experiments on fixed samples.
    pub steps: Option<usize>,
}

impl Default for Selection {
    fn default() -> Self {
        Self {
            profile: Profile::Paper,
            terrains: Vec::new(),
            strategies: Vec::new(),
            kernels: Vec::new(),
            seeds: Vec::new(),
            samples: None,
            steps: None,
        }
    }
}

/// The chosen names, or the given ones if none were chosen.
fn or<'a>(chosen: &'a [String], given: &'a [&'a str]) -> Vec<&'a str> {
    match chosen {
        [] => given.to_vec(),
        chosen => chosen.iter().map(String::as_str).collect(),
    }
}

impl Selection {
    /// The jobs of an experiment.
    ///
    /// # Errors
    /// If a kernel or strategy is not known, or a number makes no sense.
    pub fn jobs(&self, experiment: Experiment) -> Result<Vec<Job>> {
        if self.samples == Some(0) || self.steps == Some(0) {
            return Err(LabError::Request(
                "--samples and --steps must be at least 1".into(),
            ));
        }
        let jobs = match experiment {
            Experiment::Tables => self.tables()?,
            Experiment::Overfit => self.overfit(),
            Experiment::Sensitivity => self.sensitivity(),
            Experiment::Ablation => self.ablation()?,
            Experiment::Step => self.line(Experiment::Step),
            Experiment::Sine => self.line(Experiment::Sine),
            Experiment::Volcano => self.volcano(),
            Experiment::Field => self.field()?,
            Experiment::Planners => self.planners(),
        };
        for job in &jobs {
            job.validate().map_err(LabError::into_request)?;
        }
        Ok(jobs)
    }

    fn seeds(&self, given: std::ops::Range<u64>) -> Vec<u64> {
        match &self.seeds[..] {
            [] => given.collect(),
            chosen => chosen.to_vec(),
        }
    }

    fn mission(
        &self,
        experiment: Experiment,
        terrain: &str,
        kernel: KernelChoice,
        label: &str,
    ) -> MissionJob {
        MissionJob {
            experiment,
            profile: self.profile,
            terrain: terrain.into(),
            strategy: "random".into(),
            label: label.into(),
            kernel,
            seed: 0,
            samples: self.samples.unwrap_or(700),
        }
    }

    /// The kernel of this name as the profile has it.
    fn kernel(&self, name: &str) -> KernelChoice {
        match self.profile {
            Profile::Paper => KernelChoice::paper(name),
            Profile::Default => KernelChoice::named(name),
        }
    }

    /// The kernel of a label: a part of the default profile that is taken away leaves the kernel's name as it is.
    fn labelled(&self, label: &str) -> Result<KernelChoice> {
        let parts = parts::PARTS.iter().map(|(name, _)| *name);
        let parts = parts.filter(|_| self.profile == Profile::Default);
        if parts.clone().any(|part| part == label) {
            return Ok(self.kernel("ak"));
        }
        let kernels = transect::settings::kernel_names().into_iter();
        let known: Vec<&str> = kernels.chain(parts).collect();
        match known.contains(&label) {
            true => Ok(self.kernel(label)),
            false => Err(LabError::unknown("kernel", label, &known)),
        }
    }

    fn tables(&self) -> Result<Vec<Job>> {
        let mut jobs = Vec::new();
        for strategy in or(&self.strategies, &STRATEGIES) {
            for terrain in or(&self.terrains, &TERRAINS) {
                for kernel in or(&self.kernels, &KERNELS) {
                    for seed in self.seeds(0..10) {
                        let choice = self.labelled(kernel)?;
                        let job = self.mission(Experiment::Tables, terrain, choice, kernel);
                        jobs.push(Job::Mission(MissionJob {
                            strategy: strategy.into(),
                            seed,
                            ..job
                        }));
                    }
                }
            }
        }
        Ok(jobs)
    }

    fn ablation(&self) -> Result<Vec<Job>> {
        let mut jobs = Vec::new();
        for terrain in or(&self.terrains, &TERRAINS) {
            for label in or(&self.kernels, &ablation(self.profile)) {
                for seed in self.seeds(0..10) {
                    let choice = self.labelled(label)?;
                    let job = self.mission(Experiment::Ablation, terrain, choice, label);
                    jobs.push(Job::Mission(MissionJob { seed, ..job }));
                }
            }
        }
        Ok(jobs)
    }

    /// The paper says 80 x 88 m and not how many samples: enough to see where they go.
    fn field(&self) -> Result<Vec<Job>> {
        const SAMPLES: usize = 400;
        let mut jobs = Vec::new();
        for terrain in or(&self.terrains, &[QUARRY]) {
            for label in or(&self.kernels, &["ak", "rbf"]) {
                for seed in self.seeds(0..1) {
                    let choice = self.labelled(label)?;
                    let job = self.mission(Experiment::Field, terrain, choice, label);
                    jobs.push(Job::Mission(MissionJob {
                        strategy: "myopic".into(),
                        seed,
                        samples: self.samples.unwrap_or(SAMPLES),
                        ..job
                    }));
                }
            }
        }
        Ok(jobs)
    }

    /// M, H, l_min and l_max, one at a time.
    fn sensitivity(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for terrain in or(&self.terrains, &TERRAINS) {
            for (label, choice) in sensitivity_kernels(&self.kernel("ak")) {
                for seed in self.seeds(0..10) {
                    let job =
                        self.mission(Experiment::Sensitivity, terrain, choice.clone(), &label);
                    jobs.push(Job::Mission(MissionJob { seed, ..job }));
                }
            }
        }
        jobs
    }

    fn overfit(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for terrain in or(&self.terrains, &[TERRAINS[0], VOLCANO]) {
            for kernel in or(&self.kernels, &KERNELS) {
                for seed in self.seeds(0..1) {
                    jobs.push(Job::Overfit(FixedJob {
                        profile: self.profile,
                        terrain: terrain.into(),
                        kernel: self.kernel(kernel),
                        seed,
                        samples: self.samples.unwrap_or(300),
                        steps: self.steps.unwrap_or(2000),
                    }));
                }
            }
        }
        jobs
    }

    fn line(&self, experiment: Experiment) -> Vec<Job> {
        let mut jobs = Vec::new();
        let given: &[&str] = match experiment {
            Experiment::Step => &[
                "rbf-wiggly",
                "rbf-smooth",
                "ak-weight",
                "ak",
                "gibbs",
                "dkl",
            ],
            _ => &["rbf", "ak-weight", "ak", "gibbs", "dkl"],
        };
        for label in or(&self.kernels, given) {
            let start = line::STARTS.iter().find(|(name, ..)| *name == label);
            let (kernel, noise) = match start {
                Some((_, lengthscale, noise)) => {
                    let rbf = self.kernel("rbf").with("lengthscale", *lengthscale);
                    (rbf, *noise)
                }
                None => (self.kernel(label), line::NOISE),
            };
            for seed in self.seeds(0..1) {
                jobs.push(Job::Line(LineJob {
                    experiment,
                    profile: self.profile,
                    label: label.into(),
                    kernel: kernel.clone(),
                    noise,
                    seed,
                    steps: self.steps.unwrap_or(1000),
                }));
            }
        }
        jobs
    }

    fn planners(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for time_s in TIMES_S {
            for terrain in or(&self.terrains, &PLANNERS_TERRAINS) {
                for planner in or(&self.strategies, &PLANNERS) {
                    for seed in self.seeds(0..10) {
                        jobs.push(Job::Planners(PlannersJob {
                            terrain: terrain.into(),
                            planner: planner.into(),
                            time_s,
                            seed,
                        }));
                    }
                }
            }
        }
        jobs
    }

    fn volcano(&self) -> Vec<Job> {
        let mut jobs = Vec::new();
        for terrain in or(&self.terrains, &[VOLCANO]) {
            for kernel in or(&self.kernels, &["rbf", "ak"]) {
                for seed in self.seeds(0..1) {
                    jobs.push(Job::Volcano(FixedJob {
                        profile: self.profile,
                        terrain: terrain.into(),
                        kernel: self.kernel(kernel),
                        seed,
                        samples: self.samples.unwrap_or(300),
                        steps: self.steps.unwrap_or(1000),
                    }));
                }
            }
        }
        jobs
    }
}

/// The paper's values of each parameter of `ak`, with the name each run gets.
#[must_use]
pub fn sensitivity_kernels(ak: &KernelChoice) -> Vec<(String, KernelChoice)> {
    let ak = || ak.clone();
    let mut kernels = Vec::new();
    for m in [2, 3, 5, 7, 11, 17] {
        kernels.push((format!("m-{m}"), ak().with("components", m)));
    }
    for h in [2, 5, 7, 11, 13, 17] {
        kernels.push((format!("h-{h}"), ak().with("hidden", h)));
    }
    for min in [0.005, 0.01, 0.05, 0.1, 0.15, 0.2] {
        kernels.push((format!("lmin-{min}"), ak().with("min_lengthscale", min)));
    }
    for max in [0.2, 0.3, 0.5, 0.7, 0.9, 1.1] {
        kernels.push((format!("lmax-{max}"), ak().with("max_lengthscale", max)));
    }
    kernels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_part_is_met_with_the_nearest() {
        let ablation = |profile, kernel: &str| {
            let selection = Selection {
                profile,
                kernels: vec![kernel.into()],
                ..Selection::default()
            };
            selection.jobs(Experiment::Ablation)
        };
        assert!(ablation(Profile::Default, "no-growth").is_ok());
        let refused = ablation(Profile::Default, "no-grwth").unwrap_err();
        let said = refused.to_string();
        assert!(said.contains("did you mean `no-growth`?"), "{said}");
        // The paper's profile has none of these parts.
        let refused = ablation(Profile::Paper, "no-growth").unwrap_err();
        assert!(!refused.to_string().contains("no-growth,"), "{refused}");
    }
}

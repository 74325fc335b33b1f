//! The experiment document: what `transect reproduce` is asked for, in a file.

use super::{Experiment, KERNELS, Profile, STRATEGIES, Selection, TERRAINS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The paper's seeds.
const SEEDS: [u64; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/// Which of the paper's experiments to run, with what, and where the results go.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ExperimentDocument {
    /// Which experiment. Left out in the document of a sweep.
    #[schemars(extend("enum" = Experiment::names()))]
    pub experiment: String,
    /// Whose behaviour: `paper` repeats the authors' program seed for seed, `default` is what `transect run` does.
    pub profile: Profile,
    /// Folder with the terrain files and the 1-D data sets (`demo1d`). Paths start from the folder of this document.
    pub data: PathBuf,
    /// Results folder. Runs that are finished there are not repeated.
    pub out: PathBuf,
    /// Terrains, by the names of their files without ending, or of built-in ones. The paper's when left out, which are
    /// others for `overfit` and `volcano`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(example = TERRAINS)]
    pub terrain: Vec<String>,
    /// Planners of `tables`. The paper's when left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(example = STRATEGIES)]
    pub strategy: Vec<String>,
    /// Kernels. The paper's when left out, which are others for `ablation` and `volcano`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(example = KERNELS)]
    pub kernel: Vec<String>,
    /// Seeds. The paper's when left out: 0 to 9, and 0 alone for experiments on fixed samples.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(example = SEEDS)]
    pub seeds: Vec<u64>,
    /// Soundings of a mission, 700 when left out; or fixed samples, 300.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = 700)]
    pub samples: Option<usize>,
    /// Training steps on fixed samples: 2000 for `overfit` when left out, 1000 for the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = 2000)]
    pub steps: Option<usize>,
    /// Runs side by side. As many as there are cores when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = 2)]
    pub jobs: Option<usize>,
}

impl Default for ExperimentDocument {
    fn default() -> Self {
        let Selection {
            profile,
            terrains,
            strategies,
            kernels,
            seeds,
            samples,
            steps,
        } = Selection::default();
        Self {
            experiment: Experiment::Tables.name().into(),
            profile,
            data: ".".into(),
            out: "results".into(),
            terrain: terrains,
            strategy: strategies,
            kernel: kernels,
            seeds,
            samples,
            steps,
            jobs: None,
        }
    }
}

impl ExperimentDocument {
    /// What stands above a document with every setting.
    pub const HEADING: &str = "An experiment for `transect reproduce`. What is left out has the value that stands here, or \
                               the paper's where\nthe line is a comment. Flags of the command line come first.";

    /// What runs this asks for.
    #[must_use]
    pub fn selection(&self) -> Selection {
        Selection {
            profile: self.profile,
            terrains: self.terrain.clone(),
            strategies: self.strategy.clone(),
            kernels: self.kernel.clone(),
            seeds: self.seeds.clone(),
            samples: self.samples,
            steps: self.steps,
        }
    }
}

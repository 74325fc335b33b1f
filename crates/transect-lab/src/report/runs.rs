//! Finished runs by name: which terrains, strategies and kernels there are, and which seeds of each.

use crate::error::Result;
use crate::experiment::{Experiment, KERNELS, Profile};
use crate::results::{METRICS, Results, Table};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// One finished run.
#[derive(Debug, Clone)]
pub(super) struct Run {
    /// The names between profile and seed, such as terrain, strategy and kernel.
    pub(super) names: Vec<String>,
    /// The seed.
    pub(super) seed: u64,
    /// Where its files are.
    pub(super) folder: PathBuf,
}

impl Run {
    /// Reads a table of metrics.
    pub(super) fn metrics(&self, file: &str) -> Result<Table> {
        Table::read(&self.folder.join(file), &METRICS)
    }

    /// The kernel, or the name it has in a sweep: the last of the names.
    pub(super) fn kernel(&self) -> &str {
        self.names.last().map_or("", String::as_str)
    }
}

/// The runs of an experiment whose paths have `depth` names, by names, then by seed.
pub(super) fn runs(
    results: &Results,
    experiment: Experiment,
    profile: Profile,
    depth: usize,
) -> Vec<Run> {
    let below = format!("{}/{}", experiment.name(), profile.name());
    let run = |path: String| {
        let parts: Vec<&str> = path.split('/').collect();
        let (last, names) = parts.get(2..)?.split_last()?;
        let seed = last.strip_prefix("seed")?.parse().ok()?;
        (names.len() == depth).then(|| Run {
            names: names.iter().map(|name| (*name).to_string()).collect(),
            seed,
            folder: results.folder(&path),
        })
    };
    let mut found: Vec<Run> = results
        .finished(&below)
        .into_iter()
        .filter_map(run)
        .collect();
    found.sort_by(|a, b| (&a.names, a.seed).cmp(&(&b.names, b.seed)));
    found
}

/// The runs by the name at `place`, in the order of `first`, then by alphabet.
pub(super) fn by_name<'a>(
    runs: &[&'a Run],
    place: usize,
    first: &[&str],
) -> Vec<(String, Vec<&'a Run>)> {
    let mut groups: BTreeMap<(usize, &str), Vec<&Run>> = BTreeMap::new();
    for run in runs {
        let name = run.names[place].as_str();
        let rank = first.iter().position(|n| *n == name).unwrap_or(first.len());
        groups.entry((rank, name)).or_default().push(run);
    }
    let owned = |((_, name), runs): ((usize, &str), Vec<&'a Run>)| (name.to_string(), runs);
    groups.into_iter().map(owned).collect()
}

/// The runs by kernel, in the paper's order.
pub(super) fn by_kernel<'a>(runs: &[&'a Run]) -> Vec<(String, Vec<&'a Run>)> {
    let place = runs
        .first()
        .map_or(0, |run| run.names.len().saturating_sub(1));
    by_name(runs, place, &KERNELS)
}

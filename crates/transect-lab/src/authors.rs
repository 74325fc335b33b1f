//! Our runs beside the authors' own: runs of their program whose metrics after every epoch are at hand, in `series/runs` of the data folder.
//! They say what a run that is cut short should have come to, which the paper's tables cannot.

use crate::data::DataFolder;
use crate::error::Result;
use crate::experiment::{Experiment, Profile};
use crate::results::{METRICS, Results, Table};
use std::fmt::Write;

/// A run of ours and the authors' of the same terrain, strategy, kernel and seed, after equally many soundings.
#[derive(Debug, Clone, PartialEq)]
pub struct Beside {
    /// Terrain, strategy, kernel and seed.
    pub run: String,
    /// Soundings.
    pub samples: usize,
    /// Metric, ours, theirs.
    pub metrics: Vec<(&'static str, f64, f64)>,
}

/// The runs of the paper's profile that the authors have too, each at the last number of soundings that both have.
///
/// # Errors
/// If a result or a series is damaged.
pub fn beside(results: &Results, data: &DataFolder) -> Result<Vec<Beside>> {
    let below = format!("{}/{}", Experiment::Tables.name(), Profile::Paper.name());
    let mut found = Vec::new();
    for run in results.finished(&below) {
        let parts: Vec<&str> = run.split('/').collect();
        let [_, _, terrain, strategy, kernel, seed] = parts[..] else {
            continue;
        };
        let name = format!("{terrain}_{strategy}_{kernel}_{seed}");
        let Some(series) = data.series(&format!("runs/{name}.csv")) else {
            continue;
        };
        let theirs = Table::read(&series, &METRICS)?;
        let ours = Table::read(&results.folder(&run).join("metrics.csv"), &METRICS)?;
        let at = |table: &Table, samples: f64| {
            table.column("samples").iter().position(|n| *n == samples)
        };
        let last = ours.column("samples").iter().enumerate().rev();
        let both = last
            .into_iter()
            .find_map(|(i, n)| Some((i, at(&theirs, *n)?, *n)));
        let Some((i, j, samples)) = both else {
            continue;
        };
        let metric = |name: &&'static str| (*name, ours.column(name)[i], theirs.column(name)[j]);
        found.push(Beside {
            run: format!("{strategy} {terrain} {kernel} {seed}"),
            samples: samples as usize,
            metrics: METRICS[1..].iter().map(metric).collect(),
        });
    }
    Ok(found)
}

/// Lines for a terminal; empty without runs.
#[must_use]
pub fn to_text(runs: &[Beside]) -> String {
    let mut text = String::new();
    if runs.is_empty() {
        return text;
    }
    text.push_str("\nbeside the authors' own runs, after equally many soundings: ours | theirs\n");
    for run in runs {
        let _ = write!(text, "{:32} {:>4} soundings", run.run, run.samples);
        for (metric, ours, theirs) in &run.metrics {
            let _ = write!(text, "  {} {ours:.4} | {theirs:.4}", metric.to_uppercase());
        }
        text.push('\n');
    }
    text
}

//! Variants of the attentive kernel: the summary of `ablation` and `sensitivity`.
//!
//! A number is a metric's mean along a run, over soundings, then the mean over terrains and seeds. Ablation is compared
//! with the whole kernel, sensitivity with the value nearest to the paper's choice, in pairs of runs with the same terrain
//! and seed.

use crate::error::Result;
use crate::experiment::{Experiment, Profile};
use crate::results::{METRICS, Results, Table};
use crate::tables::along_run;
use crate::vary::paired::interval;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The metrics of the paper's figures.
pub const VARIANT_METRICS: [&str; 3] = ["smse", "msll", "mae"];

/// What one variant came to.
#[derive(Debug, Clone, PartialEq)]
pub struct VariantRow {
    /// The variant, as its folder is called: `ak-mask`, `lmin-0.05`.
    pub variant: String,
    /// Runs that it and the yardstick have in common; all of its runs for the yardstick itself.
    pub runs: usize,
    /// Means in the order of [`VARIANT_METRICS`].
    pub means: [f64; 3],
    /// Differences to the yardstick and half of their 95 % intervals; none for the yardstick itself.
    pub apart: Option<[(f64, Option<f64>); 3]>,
}

/// Terrain and seed.
pub(crate) type Twin = (String, String);
/// The means along each run.
pub(crate) type Runs = BTreeMap<Twin, [f64; 3]>;

/// Runs of an experiment by variant, over one terrain or all.
fn runs(
    results: &Results,
    experiment: Experiment,
    profile: Profile,
) -> Result<BTreeMap<String, Runs>> {
    let below = format!("{}/{}", experiment.name(), profile.name());
    by_variant(results, results.finished(&below))
}

/// These runs by variant.
pub(crate) fn by_variant(
    results: &Results,
    finished: Vec<String>,
) -> Result<BTreeMap<String, Runs>> {
    let mut variants: BTreeMap<String, Runs> = BTreeMap::new();
    for run in finished {
        let parts: Vec<&str> = run.split('/').collect();
        let [_, _, terrain, variant, seed] = parts[..] else {
            continue;
        };
        let metrics = Table::read(&results.folder(&run).join("metrics.csv"), &METRICS)?;
        let along = |name: &str| along_run(metrics.column("samples"), metrics.column(name));
        let twin = (terrain.to_string(), seed.to_string());
        let means = VARIANT_METRICS.map(along);
        variants
            .entry(variant.into())
            .or_default()
            .insert(twin, means);
    }
    Ok(variants)
}

/// Means of one variant, and its differences to another in the runs that both have.
pub(crate) fn compare(variant: &Runs, yardstick: &Runs) -> Option<[(f64, Option<f64>); 3]> {
    let differences = |m: usize| {
        let pair = |(twin, means): (&Twin, &[f64; 3])| Some(means[m] - yardstick.get(twin)?[m]);
        variant.iter().filter_map(pair).collect::<Vec<f64>>()
    };
    let all = [0, 1, 2].map(differences);
    (!all[0].is_empty()).then(|| all.map(|d| interval(&d)))
}

/// The group of a variant, and the yardstick of that group: the whole kernel, or the paper's own value where it was run.
fn yardstick(variant: &str, experiment: Experiment) -> (&str, &'static str) {
    match experiment {
        Experiment::Ablation => ("", "ak"),
        _ => match variant.split('-').next().unwrap_or_default() {
            group @ "m" => (group, "m-11"),
            group @ "h" => (group, "h-11"),
            group @ "lmin" => (group, "lmin-0.01"),
            group => (group, "lmax-0.5"),
        },
    }
}

/// The rows of an experiment: variants in order, numbers by size.
///
/// # Errors
/// If a result on disk is damaged.
pub fn collect(
    results: &Results,
    experiment: Experiment,
    profile: Profile,
) -> Result<Vec<VariantRow>> {
    let variants = runs(results, experiment, profile)?;
    let mut rows = Vec::new();
    for (variant, own) in &variants {
        let (_, name) = yardstick(variant, experiment);
        let apart = (name != variant)
            .then(|| compare(own, variants.get(name)?))
            .flatten();
        let mean = |m: usize| own.values().map(|means| means[m]).sum::<f64>() / own.len() as f64;
        rows.push(VariantRow {
            variant: variant.clone(),
            runs: own.len(),
            means: [0, 1, 2].map(mean),
            apart,
        });
    }
    let place = |row: &VariantRow| {
        let (group, number) = row.variant.split_once('-').unwrap_or((&row.variant, ""));
        let order = ["m", "h", "lmin", "lmax"].iter().position(|g| *g == group);
        (
            order.unwrap_or(usize::MAX),
            number.parse::<f64>().unwrap_or(0.0),
        )
    };
    rows.sort_by(|a, b| {
        place(a)
            .partial_cmp(&place(b))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    Ok(rows)
}

/// The summary for a terminal; empty without rows.
#[must_use]
pub fn to_text(rows: &[VariantRow], experiment: Experiment) -> String {
    let mut text = String::new();
    if rows.is_empty() {
        return text;
    }
    let widest = rows
        .iter()
        .map(|r| r.variant.len())
        .max()
        .unwrap_or(0)
        .max(7);
    let _ = writeln!(
        text,
        "\n{}: means along runs, over terrains and seeds; differences in pairs, with 95 % intervals",
        experiment.name()
    );
    let heads = VARIANT_METRICS.map(|m| format!("{:>8} {:>19}", m.to_uppercase(), "difference"));
    let _ = writeln!(
        text,
        "{:widest$} {:>4} {}",
        "variant",
        "runs",
        heads.join(" ")
    );
    for row in rows {
        let _ = write!(text, "{:widest$} {:>4}", row.variant, row.runs);
        for m in 0..VARIANT_METRICS.len() {
            let apart = row.apart.map_or(String::new(), |apart| match apart[m] {
                (mean, Some(reach)) => format!("{mean:+.4} +- {reach:.4}"),
                (mean, None) => format!("{mean:+.4}"),
            });
            let _ = write!(text, " {:>8.4} {apart:>19}", row.means[m]);
        }
        text.push('\n');
    }
    let yardsticks = match experiment {
        Experiment::Ablation => "the whole kernel, ak",
        _ => "m-11, h-11, lmin-0.01 and lmax-0.5, which are the paper's choices or nearest to them",
    };
    let _ = writeln!(text, "differences are to {yardsticks}");
    text
}

/// The summary as CSV.
#[must_use]
pub fn to_csv(rows: &[VariantRow]) -> String {
    let columns = VARIANT_METRICS.map(|m| format!("{m},{m}_difference,{m}_low_95,{m}_high_95"));
    let mut text = format!("variant,runs,{}\n", columns.join(","));
    for row in rows {
        let _ = write!(text, "{},{}", row.variant, row.runs);
        for m in 0..VARIANT_METRICS.len() {
            let apart = row.apart.map_or(",,".to_string(), |apart| match apart[m] {
                (mean, Some(r)) => format!("{mean},{},{}", mean - r, mean + r),
                (mean, None) => format!("{mean},,"),
            });
            let _ = write!(text, ",{},{apart}", row.means[m]);
        }
        text.push('\n');
    }
    text
}

//! What the default profile gains over the paper's attentive kernel, cell by cell.
//!
//! Gains are `100 (1 - SMSE / paper's SMSE)` in percent and `paper's MSLL - MSLL` in nats, both of the means over
//! runs and seeds; coverage is of the map at the end of a run, on average over seeds.

use crate::error::Result;
use crate::experiment::{Experiment, Profile};
use crate::results::{COVERAGE, Results, Table};
use crate::tables::{Cell, Row, Spread};
use std::fmt::Write;

/// The gains in one cell of the tables.
#[derive(Debug, Clone, PartialEq)]
pub struct Gain {
    /// Which cell.
    pub cell: Cell,
    /// By how much SMSE is lower, in percent of the paper's.
    pub smse_percent: f64,
    /// By how much MSLL is lower, in nats.
    pub msll: f64,
    /// Shares of the truth inside 50 % and 95 % intervals at the end, where runs recorded them.
    pub coverage: Option<[f64; 2]>,
}

/// The gains of the rows that the paper has, over its attentive kernel.
///
/// # Errors
/// If a result on disk is damaged.
pub fn collect(results: &Results, rows: &[Row], profile: Profile) -> Result<Vec<Gain>> {
    let mut gains = Vec::new();
    for row in rows.iter().filter(|row| row.cell.kernel == "ak") {
        let Some(paper) = row.paper else { continue };
        gains.push(Gain {
            cell: row.cell.clone(),
            smse_percent: 100.0 * (1.0 - row.ours[0].mean / paper[0].mean),
            msll: paper[1].mean - row.ours[1].mean,
            coverage: coverage(results, &row.cell, profile)?,
        });
    }
    Ok(gains)
}

/// Coverage at the end of a cell's runs, on average over seeds.
fn coverage(results: &Results, cell: &Cell, profile: Profile) -> Result<Option<[f64; 2]>> {
    let (experiment, profile) = (Experiment::Tables.name(), profile.name());
    let below = format!(
        "{experiment}/{profile}/{}/{}/{}",
        cell.terrain, cell.strategy, cell.kernel
    );
    let mut ends: [Vec<f64>; 2] = Default::default();
    for run in results.finished(&below) {
        let path = results.folder(&run).join("coverage.csv");
        if path.exists() {
            let table = Table::read(&path, &COVERAGE)?;
            for (ends, column) in ends.iter_mut().zip(["coverage_50", "coverage_95"]) {
                ends.extend(table.column(column).last());
            }
        }
    }
    Ok((!ends[0].is_empty()).then(|| ends.map(|shares| Spread::of(&shares).mean)))
}

/// A table for people; empty without gains.
#[must_use]
pub fn to_text(gains: &[Gain]) -> String {
    if gains.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\nagainst the paper's attentive kernel\n{:9} {:9} {:>10} {:>10} {:>12} {:>12}\n",
        "strategy", "terrain", "SMSE gain", "MSLL gain", "in 50 %", "in 95 %"
    );
    for gain in gains {
        let share = |i: usize| match gain.coverage {
            Some(shares) => format!("{:.1} %", 100.0 * shares[i]),
            None => "-".into(),
        };
        let _ = writeln!(
            text,
            "{:9} {:9} {:>8.1} % {:>10.2} {:>12} {:>12}",
            gain.cell.strategy,
            gain.cell.terrain,
            gain.smse_percent,
            gain.msll,
            share(0),
            share(1)
        );
    }
    let smse: Vec<f64> = gains.iter().map(|gain| gain.smse_percent).collect();
    let msll: Vec<f64> = gains.iter().map(|gain| gain.msll).collect();
    let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
    let mean = |values: &[f64]| Spread::of(values).mean;
    for (name, smse, msll) in [
        ("on average", mean(&smse), mean(&msll)),
        ("at least", least(&smse), least(&msll)),
    ] {
        let _ = writeln!(text, "{name:19} {smse:>8.1} % {msll:>10.2}");
    }
    text
}

/// The same for programs.
#[must_use]
pub fn to_json(gains: &[Gain]) -> serde_json::Value {
    let gain = |gain: &Gain| {
        serde_json::json!({
            "strategy": gain.cell.strategy,
            "terrain": gain.cell.terrain,
            "smse_percent": gain.smse_percent,
            "msll": gain.msll,
            "coverage_50": gain.coverage.map(|shares| shares[0]),
            "coverage_95": gain.coverage.map(|shares| shares[1]),
        })
    };
    gains.iter().map(gain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::paper;

    #[test]
    fn gains_are_relative_to_the_papers_attentive_kernel() {
        let folder = tempfile::tempdir().unwrap();
        let results = Results::open(&folder.path().join("out")).unwrap();
        let cell = Cell {
            strategy: "active".into(),
            terrain: "N43W080".into(),
            kernel: "ak".into(),
        };
        // The paper has an SMSE of 0.051 and an MSLL of -1.72 there.
        let mut ours = paper()[&cell];
        (ours[0].mean, ours[1].mean) = (0.0408, -2.0);
        let row = Row {
            seeds: 10,
            samples: crate::tables::FULL_SAMPLES,
            ours,
            paper: paper().get(&cell).copied(),
            cell,
        };
        let run = "tables/default/N43W080/active/ak/seed3";
        let claim = results.claim(run).unwrap().unwrap();
        let mut coverage = Table::new(&COVERAGE);
        coverage.push(&[700.0, 0.5625, 0.875, 0.9375]);
        let outputs = [
            crate::results::Output::text("coverage.csv", coverage.to_csv()),
            crate::results::Output::text("run.json", "{}\n".into()),
        ];
        results.publish(run, &claim, &outputs).unwrap();
        let gains = collect(&results, &[row], Profile::Default).unwrap();
        assert!((gains[0].smse_percent - 20.0).abs() < 1e-9);
        assert!((gains[0].msll - 0.28).abs() < 1e-9);
        assert_eq!(gains[0].coverage, Some([0.5625, 0.9375]));
        let text = to_text(&gains);
        assert!(
            text.contains("56.2 %") && text.contains("at least"),
            "{text}"
        );
    }
}

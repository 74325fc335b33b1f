//! The comparison of planners at equal time: one row for each terrain, boat time and planner.

use crate::error::Result;
use crate::experiment::{DECISIONS, JUDGED, LAWNMOWER};
use crate::results::{Results, Table};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What runs that differ in their seeds alone gave, on average.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannerRow {
    /// The terrain's name.
    pub terrain: String,
    /// The planner's name.
    pub planner: String,
    /// Boat time, as its folder has it: `300s`.
    pub time: String,
    /// Runs.
    pub runs: usize,
    /// Standardised mean squared error of the map.
    pub smse: f64,
    /// Mean standardised log loss, nats.
    pub msll: f64,
    /// Root mean squared error, in the terrain's unit.
    pub rmse: f64,
    /// Share of the truth inside 95 % intervals.
    pub coverage_95: f64,
    /// The longest decision of all runs, s; none without decisions.
    pub longest_decision_s: Option<f64>,
    /// By how much SMSE is below the lawnmower's, in percent of it; none where there is no lawnmower.
    pub below_lawnmower: Option<f64>,
}

/// The rows of all finished runs, by terrain, time and planner.
///
/// # Errors
/// If a result on disk is damaged.
pub fn collect(results: &Results) -> Result<Vec<PlannerRow>> {
    let mut cells: BTreeMap<(String, String, String), Vec<String>> = BTreeMap::new();
    for run in results.finished("planners") {
        let parts: Vec<&str> = run.split('/').collect();
        if let [_, terrain, planner, time, _] = parts[..] {
            let cell = (terrain.to_string(), time.to_string(), planner.to_string());
            cells.entry(cell).or_default().push(run);
        }
    }
    let mut rows = Vec::new();
    for ((terrain, time, planner), runs) in cells {
        let mut sums = [0.0; 4];
        let mut longest: Option<f64> = None;
        for run in &runs {
            let folder = results.folder(run);
            let judged = Table::read(&folder.join("judged.csv"), &JUDGED)?;
            for (sum, column) in sums.iter_mut().zip(["smse", "msll", "rmse", "coverage_95"]) {
                *sum += judged.column(column).last().copied().unwrap_or(f64::NAN);
            }
            // A lawnmower decides nothing.
            let decisions = Table::read_any(&folder.join("decisions.csv"), &DECISIONS)?;
            for &seconds in decisions.column("seconds") {
                longest = Some(longest.map_or(seconds, |l| l.max(seconds)));
            }
        }
        let [smse, msll, rmse, coverage_95] = sums.map(|sum| sum / runs.len() as f64);
        rows.push(PlannerRow {
            terrain,
            planner,
            time,
            runs: runs.len(),
            smse,
            msll,
            rmse,
            coverage_95,
            longest_decision_s: longest,
            below_lawnmower: None,
        });
    }
    let yardsticks: Vec<PlannerRow> = (rows.iter().filter(|r| r.planner == LAWNMOWER))
        .cloned()
        .collect();
    for row in &mut rows {
        let yardstick = yardsticks
            .iter()
            .find(|y| y.terrain == row.terrain && y.time == row.time);
        row.below_lawnmower = yardstick
            .filter(|y| y.smse > 0.0 && row.planner != LAWNMOWER)
            .map(|y| 100.0 * (1.0 - row.smse / y.smse));
    }
    Ok(rows)
}

/// By how much a planner's SMSE is below the lawnmower's on average over its cells, in percent, for every planner compared.
#[must_use]
pub fn averages(rows: &[PlannerRow]) -> Vec<(String, f64)> {
    let mut each: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in rows {
        if let Some(below) = row.below_lawnmower {
            each.entry(&row.planner).or_default().push(below);
        }
    }
    let mean = |v: &Vec<f64>| v.iter().sum::<f64>() / v.len() as f64;
    each.iter()
        .map(|(name, v)| (name.to_string(), mean(v)))
        .collect()
}

/// The table for a terminal; empty without rows.
#[must_use]
pub fn to_text(rows: &[PlannerRow]) -> String {
    let mut text = String::new();
    if rows.is_empty() {
        return text;
    }
    let _ = writeln!(
        text,
        "{:12} {:>6} {:10} {:>4} {:>8} {:>7} {:>8} {:>8} {:>9} {:>10}",
        "terrain",
        "time",
        "planner",
        "runs",
        "SMSE",
        "MSLL",
        "RMSE",
        "in 95 %",
        "decision",
        "below mower"
    );
    for row in rows {
        let decision = row
            .longest_decision_s
            .map_or("-".into(), |s| format!("{s:.2} s"));
        let below = row
            .below_lawnmower
            .map_or("-".into(), |b| format!("{b:.1} %"));
        let _ = writeln!(
            text,
            "{:12} {:>6} {:10} {:>4} {:>8.4} {:>7.3} {:>8.3} {:>6.1} % {:>9} {:>10}",
            row.terrain,
            row.time,
            row.planner,
            row.runs,
            row.smse,
            row.msll,
            row.rmse,
            100.0 * row.coverage_95,
            decision,
            below
        );
    }
    for (planner, below) in averages(rows) {
        let _ = writeln!(
            text,
            "{planner}: SMSE {below:.1} % below the lawnmower's on average, in the same time"
        );
    }
    text
}

/// The table as CSV.
#[must_use]
pub fn to_csv(rows: &[PlannerRow]) -> String {
    let mut text =
        "terrain,time,planner,runs,smse,msll,rmse,coverage_95,longest_decision_s,below_lawnmower_percent\n".to_string();
    let number = |n: Option<f64>| n.map_or(String::new(), |n| n.to_string());
    for row in rows {
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{}",
            row.terrain,
            row.time,
            row.planner,
            row.runs,
            row.smse,
            row.msll,
            row.rmse,
            row.coverage_95,
            number(row.longest_decision_s),
            number(row.below_lawnmower)
        );
    }
    text
}

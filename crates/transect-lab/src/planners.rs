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
    /// Its standard deviation over seeds; 0 for one.
    pub smse_std: f64,
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
    /// How much longer a lawnmower needs for a map of the same SMSE, in percent; none where lawnmowers of two times do not tell.
    pub lawnmower_longer: Option<f64>,
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
        let mut each_smse: Vec<f64> = Vec::with_capacity(runs.len());
        let mut longest: Option<f64> = None;
        for run in &runs {
            let folder = results.folder(run);
            let judged = Table::read(&folder.join("judged.csv"), &JUDGED)?;
            for (sum, column) in sums.iter_mut().zip(["smse", "msll", "rmse", "coverage_95"]) {
                *sum += judged.column(column).last().copied().unwrap_or(f64::NAN);
            }
            each_smse.extend(judged.column("smse").last());
            // A lawnmower decides nothing.
            let decisions = Table::read_any(&folder.join("decisions.csv"), &DECISIONS)?;
            for &seconds in decisions.column("seconds") {
                longest = Some(longest.map_or(seconds, |l| l.max(seconds)));
            }
        }
        let [smse, msll, rmse, coverage_95] = sums.map(|sum| sum / runs.len() as f64);
        let squares: f64 = each_smse.iter().map(|s| (s - smse).powi(2)).sum();
        rows.push(PlannerRow {
            smse_std: (squares / (runs.len().max(2) - 1) as f64).sqrt(),
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
            lawnmower_longer: None,
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
        if row.planner != LAWNMOWER {
            row.lawnmower_longer = longer(row, &yardsticks);
        }
    }
    Ok(rows)
}

/// Seconds of boat time in the name of its folder.
pub(crate) fn seconds(time: &str) -> Option<f64> {
    time.strip_suffix('s')?.parse().ok()
}

/// How much longer a lawnmower needs for the SMSE of `row`, in percent, if its SMSE falls as a power of the time, as between its shortest and its longest.
fn longer(row: &PlannerRow, yardsticks: &[PlannerRow]) -> Option<f64> {
    let mut known: Vec<(f64, f64)> = (yardsticks.iter().filter(|y| y.terrain == row.terrain))
        .filter_map(|y| Some((seconds(&y.time)?.ln(), y.smse.ln())))
        .collect();
    known.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (first, last) = (known.first()?, known.last()?);
    let power = (last.1 - first.1) / (last.0 - first.0);
    let same = yardsticks
        .iter()
        .find(|y| y.terrain == row.terrain && y.time == row.time)?;
    let factor = ((row.smse.ln() - same.smse.ln()) / power).exp();
    (power < 0.0 && factor.is_finite()).then_some(100.0 * (factor - 1.0))
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
        "{:12} {:>6} {:18} {:>4} {:>8} {:>7} {:>8} {:>8} {:>9} {:>11} {:>12}",
        "terrain",
        "time",
        "planner",
        "runs",
        "SMSE",
        "MSLL",
        "RMSE",
        "in 95 %",
        "decision",
        "below mower",
        "mower longer"
    );
    for row in rows {
        let decision = row
            .longest_decision_s
            .map_or("-".into(), |s| format!("{s:.2} s"));
        let percent = |n: Option<f64>| n.map_or("-".into(), |n| format!("{n:.1} %"));
        let _ = writeln!(
            text,
            "{:12} {:>6} {:18} {:>4} {:>8.4} {:>7.3} {:>8.3} {:>6.1} % {:>9} {:>11} {:>12}",
            row.terrain,
            row.time,
            row.planner,
            row.runs,
            row.smse,
            row.msll,
            row.rmse,
            100.0 * row.coverage_95,
            decision,
            percent(row.below_lawnmower),
            percent(row.lawnmower_longer)
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
        "terrain,time,planner,runs,smse,smse_std,msll,rmse,coverage_95,longest_decision_s,below_lawnmower_percent,lawnmower_longer_percent\n".to_string();
    let number = |n: Option<f64>| n.map_or(String::new(), |n| n.to_string());
    for row in rows {
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{},{}",
            row.terrain,
            row.time,
            row.planner,
            row.runs,
            row.smse,
            row.smse_std,
            row.msll,
            row.rmse,
            row.coverage_95,
            number(row.longest_decision_s),
            number(row.below_lawnmower),
            number(row.lawnmower_longer)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(planner: &str, time: &str, smse: f64) -> PlannerRow {
        PlannerRow {
            terrain: "lake".into(),
            planner: planner.into(),
            time: time.into(),
            runs: 1,
            smse,
            smse_std: 0.0,
            msll: 0.0,
            rmse: 0.0,
            coverage_95: 0.95,
            longest_decision_s: None,
            below_lawnmower: None,
            lawnmower_longer: None,
        }
    }

    #[test]
    fn the_lawnmower_needs_longer_by_its_own_power_law() {
        // SMSE = 30 / time: 20 % less error takes 25 % longer.
        let mowers = [row(LAWNMOWER, "300s", 0.1), row(LAWNMOWER, "600s", 0.05)];
        let found = longer(&row("tour", "600s", 0.04), &mowers).unwrap();
        assert!((found - 25.0).abs() < 1e-9, "{found}");
        // One time does not tell how the error falls.
        assert_eq!(longer(&row("tour", "600s", 0.04), &mowers[1..]), None);
    }
}

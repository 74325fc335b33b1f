//! The paper's tables: ours beside theirs.
//!
//! An entry is the mean of a metric along a run, over the number of soundings, then mean and standard deviation over
//! seeds.

use crate::error::Result;
use crate::experiment::{Experiment, Profile};
use crate::results::{METRICS, Results, Table};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The metrics of a table, in the paper's order.
pub const TABLE_METRICS: [&str; 5] = ["smse", "msll", "nlpd", "rmse", "mae"];

/// Soundings of the paper's runs.
pub const FULL_SAMPLES: usize = 700;

const PAPER: &str = include_str!("../data/paper_tables.csv");

/// Mean and (population) standard deviation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub std: f64,
}

impl Spread {
    /// Of some values.
    #[must_use]
    pub fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n;
        Self {
            mean,
            std: variance.sqrt(),
        }
    }
}

/// What a row is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// The planner.
    pub strategy: String,
    /// The terrain.
    pub terrain: String,
    /// The kernel.
    pub kernel: String,
}

/// One row of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// What it is about.
    pub cell: Cell,
    /// Seeds it summarises.
    pub seeds: usize,
    /// Soundings of the shortest run.
    pub samples: usize,
    /// Ours, in the order of [`TABLE_METRICS`].
    pub ours: [Spread; 5],
    /// The paper's, where it has any and all runs are as long as the paper's: its numbers are averages along whole runs.
    pub paper: Option<[Spread; 5]>,
}

impl Row {
    /// How many of the paper's standard deviations ours is from the paper's mean.
    #[must_use]
    pub fn apart(&self, metric: usize) -> Option<f64> {
        let paper = self.paper?[metric];
        Some((self.ours[metric].mean - paper.mean) / paper.std)
    }
}

/// The order in which the paper lists strategies and kernels.
fn order(cell: &Cell) -> (usize, String, usize, String) {
    let place =
        |list: &[&str], name: &str| list.iter().position(|n| *n == name).unwrap_or(list.len());
    (
        place(&crate::experiment::STRATEGIES, &cell.strategy),
        cell.terrain.clone(),
        place(&crate::experiment::KERNELS, &cell.kernel),
        cell.kernel.clone(),
    )
}

/// The paper's rows.
#[must_use]
pub fn paper() -> BTreeMap<Cell, [Spread; 5]> {
    let row = |line: &str| -> Option<(Cell, [Spread; 5])> {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |i: usize| fields.get(i)?.parse::<f64>().ok();
        let mut spreads = [Spread {
            mean: 0.0,
            std: 0.0,
        }; 5];
        for (m, spread) in spreads.iter_mut().enumerate() {
            *spread = Spread {
                mean: number(3 + 2 * m)?,
                std: number(4 + 2 * m)?,
            };
        }
        let cell = Cell {
            strategy: fields[0].into(),
            terrain: fields[1].into(),
            kernel: fields[2].to_lowercase(),
        };
        Some((cell, spreads))
    };
    PAPER.lines().skip(1).filter_map(row).collect()
}

/// No run has more: a damaged file must not keep us busy for ever.
const MOST_SOUNDINGS: usize = 10_000_000;

/// The mean of a curve over the whole numbers of soundings from its first to its last point, straight between points.
///
/// A leg of several soundings is judged once, at its end, so that runs with short legs have more points where they
/// are short. Averaging over points would favour these; averaging over soundings gives the numbers of the
/// paper's third table.
pub(crate) fn along_run(soundings: &[f64], values: &[f64]) -> f64 {
    let (Some(first), Some(last)) = (soundings.first(), soundings.last()) else {
        return f64::NAN;
    };
    let mut segment = 0;
    let mut at = |n: f64| {
        while segment + 2 < soundings.len() && soundings[segment + 1] < n {
            segment += 1;
        }
        let next = (segment + 1).min(soundings.len() - 1);
        let width = soundings[next] - soundings[segment];
        match width > 0.0 {
            true => {
                let share = (n - soundings[segment]) / width;
                values[segment] + share * (values[next] - values[segment])
            }
            false => values[next],
        }
    };
    let count = ((last - first) as usize).min(MOST_SOUNDINGS) + 1;
    let sum: f64 = (0..count).map(|i| at(first + i as f64)).sum();
    sum / count as f64
}

/// The table of all finished runs of a profile.
///
/// # Errors
/// If a result on disk is damaged.
pub fn collect(results: &Results, profile: Profile) -> Result<Vec<Row>> {
    let below = format!("{}/{}", Experiment::Tables.name(), profile.name());
    let mut cells: BTreeMap<Cell, (usize, Vec<[f64; 5]>)> = BTreeMap::new();
    for run in results.finished(&below) {
        let parts: Vec<&str> = run.split('/').collect();
        let [_, _, terrain, strategy, kernel, _] = parts[..] else {
            continue;
        };
        let metrics = Table::read(&results.folder(&run).join("metrics.csv"), &METRICS)?;
        let soundings = metrics.column(METRICS[0]);
        let along = |name: &&str| along_run(soundings, metrics.column(name));
        let cell = Cell {
            strategy: strategy.into(),
            terrain: terrain.into(),
            kernel: kernel.into(),
        };
        let end = soundings.last().map_or(0, |last| *last as usize);
        let (shortest, runs) = cells.entry(cell).or_insert((end, Vec::new()));
        *shortest = end.min(*shortest);
        runs.push(TABLE_METRICS.each_ref().map(along));
    }
    let paper = paper();
    let row = |(cell, (samples, runs)): (Cell, (usize, Vec<[f64; 5]>))| {
        let spread = |m: usize| Spread::of(&runs.iter().map(|run| run[m]).collect::<Vec<_>>());
        Row {
            seeds: runs.len(),
            samples,
            ours: [0, 1, 2, 3, 4].map(spread),
            paper: paper
                .get(&cell)
                .copied()
                .filter(|_| samples >= FULL_SAMPLES),
            cell,
        }
    };
    let mut rows: Vec<Row> = cells.into_iter().map(row).collect();
    rows.sort_by_key(|row| order(&row.cell));
    Ok(rows)
}

/// `runs.csv`: every run of a profile by itself, averaged along its soundings.
///
/// # Errors
/// If a result on disk is damaged.
pub fn runs_csv(results: &Results, profile: Profile) -> Result<String> {
    let below = format!("{}/{}", Experiment::Tables.name(), profile.name());
    let mut text = format!(
        "strategy,terrain,kernel,seed,samples,{}\n",
        TABLE_METRICS.join(",")
    );
    for run in results.finished(&below) {
        let parts: Vec<&str> = run.split('/').collect();
        let [_, _, terrain, strategy, kernel, seed] = parts[..] else {
            continue;
        };
        let metrics = Table::read(&results.folder(&run).join("metrics.csv"), &METRICS)?;
        let soundings = metrics.column(METRICS[0]);
        let means =
            TABLE_METRICS.map(|name| along_run(soundings, metrics.column(name)).to_string());
        let seed = seed.trim_start_matches("seed");
        let samples = soundings.last().copied().unwrap_or(0.0);
        let _ = writeln!(
            text,
            "{strategy},{terrain},{kernel},{seed},{samples},{}",
            means.join(",")
        );
    }
    Ok(text)
}

/// `tables.csv`: the paper's columns.
#[must_use]
pub fn to_csv(rows: &[Row]) -> String {
    let columns = TABLE_METRICS.map(|m| format!("{m}_mean,{m}_std")).join(",");
    let mut text = format!("strategy,terrain,kernel,{columns}\n");
    for Row { cell, ours, .. } in rows {
        let numbers = ours.map(|s| format!("{},{}", s.mean, s.std)).join(",");
        let _ = writeln!(
            text,
            "{},{},{},{numbers}",
            cell.strategy, cell.terrain, cell.kernel
        );
    }
    text
}

/// Ours beside the paper's, for programs.
#[must_use]
pub fn to_json(rows: &[Row], profile: Profile) -> serde_json::Value {
    let spread = |s: &Spread| serde_json::json!({"mean": s.mean, "std": s.std});
    let row = |row: &Row| {
        let mut metrics = serde_json::Map::new();
        for (m, metric) in TABLE_METRICS.iter().enumerate() {
            let entry = serde_json::json!({
                "ours": spread(&row.ours[m]),
                "paper": row.paper.map(|paper| spread(&paper[m])),
                "apart": row.apart(m),
            });
            metrics.insert((*metric).into(), entry);
        }
        serde_json::json!({
            "strategy": row.cell.strategy,
            "terrain": row.cell.terrain,
            "kernel": row.cell.kernel,
            "seeds": row.seeds,
            "samples": row.samples,
            "metrics": metrics,
        })
    };
    let rows: Vec<_> = rows.iter().map(row).collect();
    serde_json::json!({"profile": profile.name(), "rows": rows})
}

/// Ours beside the paper's, for people.
#[must_use]
pub fn to_text(rows: &[Row]) -> String {
    let mut text = String::new();
    let widest = |name: fn(&Cell) -> &String, least: usize| {
        let lengths = rows.iter().map(|row| name(&row.cell).len());
        lengths.max().unwrap_or(0).max(least)
    };
    let (terrains, kernels) = (
        widest(|cell| &cell.terrain, 8),
        widest(|cell| &cell.kernel, 9),
    );
    let mut strategy = "";
    for row in rows {
        if row.cell.strategy != strategy {
            strategy = &row.cell.strategy;
            let _ = writeln!(
                text,
                "\n{strategy}: ours +- std over seeds | paper's +- std | apart, in the paper's std"
            );
            let heads = TABLE_METRICS.map(|m| format!("{:^33}", m.to_uppercase()));
            let _ = writeln!(
                text,
                "{:terrains$} {:kernels$} {:>5}  {}",
                "terrain",
                "kernel",
                "seeds",
                heads.join(" ")
            );
        }
        let _ = write!(
            text,
            "{:terrains$} {:kernels$} {:>5} ",
            row.cell.terrain, row.cell.kernel, row.seeds
        );
        for m in 0..TABLE_METRICS.len() {
            let ours = row.ours[m];
            let digits = if ours.mean.abs() >= 10.0 { 1 } else { 3 };
            let _ = write!(text, " {:7.digits$}+-{:<6.digits$}", ours.mean, ours.std);
            match (row.paper, row.apart(m)) {
                (Some(paper), Some(apart)) => {
                    let flag = if apart.abs() > 2.0 { "!" } else { " " };
                    let _ = write!(
                        text,
                        "|{:>6}+-{:<5}{apart:+5.1}{flag}",
                        paper[m].mean, paper[m].std
                    );
                }
                _ => text.push_str("|                   "),
            }
        }
        text.push('\n');
    }
    text.push_str(&summary(rows));
    text
}

/// The soundings of the shortest run that the paper's tables have, but longer; nothing if all are whole.
#[must_use]
pub fn cut_short(rows: &[Row]) -> Option<usize> {
    let paper = paper();
    let short = rows.iter().filter(|row| row.samples < FULL_SAMPLES);
    short
        .filter(|row| paper.contains_key(&row.cell))
        .map(|row| row.samples)
        .min()
}

/// How many numbers agree with the paper's.
#[must_use]
pub fn summary(rows: &[Row]) -> String {
    let mut distances = Vec::new();
    for row in rows {
        for (m, metric) in TABLE_METRICS.iter().enumerate() {
            if let Some(apart) = row.apart(m) {
                distances.push((apart.abs(), row, *metric));
            }
        }
    }
    let mut text = String::new();
    if let Some(samples) = cut_short(rows) {
        let _ = writeln!(
            text,
            "\nRuns that end at {samples} soundings are not compared: the paper's numbers are averages along {FULL_SAMPLES}."
        );
    }
    if distances.is_empty() {
        if text.is_empty() {
            text.push_str("\nNone of these runs is in the paper's tables.\n");
        }
        return text;
    }
    let beyond: Vec<_> = distances
        .iter()
        .filter(|(apart, ..)| *apart > 2.0)
        .collect();
    let _ = writeln!(
        text,
        "\n{} of {} numbers within two of the paper's standard deviations.",
        distances.len() - beyond.len(),
        distances.len()
    );
    for (apart, row, metric) in beyond {
        let Cell {
            strategy,
            terrain,
            kernel,
        } = &row.cell;
        let _ = writeln!(
            text,
            "  beyond: {strategy} {terrain} {kernel} {metric}: {apart:.1} apart"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_the_names_in_them() {
        let row = |kernel: &str| Row {
            cell: Cell {
                strategy: "random".into(),
                terrain: "three-lands".into(),
                kernel: kernel.into(),
            },
            seeds: 1,
            samples: FULL_SAMPLES,
            ours: [Spread {
                mean: 0.5,
                std: 0.1,
            }; TABLE_METRICS.len()],
            paper: None,
        };
        let text = to_text(&[row("ak"), row("no-planning-variance")]);
        let at: Vec<_> = text.lines().filter_map(|line| line.find("0.500")).collect();
        assert_eq!(at.len(), 2);
        assert_eq!(at[0], at[1], "{text}");
    }

    #[test]
    fn the_paper_has_240_numbers() {
        let paper = paper();
        assert_eq!(paper.len(), 48);
        let cell = Cell {
            strategy: "random".into(),
            terrain: "N17E073".into(),
            kernel: "ak".into(),
        };
        assert_eq!(
            paper[&cell][0],
            Spread {
                mean: 0.111,
                std: 0.004
            }
        );
        assert!(paper.values().flatten().all(|spread| spread.std > 0.0));
    }

    #[test]
    fn a_run_is_averaged_over_soundings_and_not_over_evaluations() {
        assert_eq!(along_run(&[50.0, 51.0, 52.0], &[3.0, 1.0, 2.0]), 2.0);
        // 0, 1, .. 10, then 10 again, ten times.
        let long_legs = along_run(&[50.0, 60.0, 70.0], &[0.0, 10.0, 10.0]);
        assert!((long_legs - (55.0 + 100.0) / 21.0).abs() < 1e-12);
        assert_eq!(along_run(&[50.0], &[4.0]), 4.0);
    }

    #[test]
    fn distances_are_in_the_papers_deviations() {
        let cell = Cell {
            strategy: "random".into(),
            terrain: "N17E073".into(),
            kernel: "ak".into(),
        };
        let paper = paper()[&cell];
        let mut ours = paper;
        ours[0].mean += 3.0 * paper[0].std;
        let row = Row {
            cell,
            seeds: 10,
            samples: FULL_SAMPLES,
            ours,
            paper: Some(paper),
        };
        assert!((row.apart(0).unwrap() - 3.0).abs() < 1e-9);
        assert_eq!(row.apart(1), Some(0.0));
        assert!(to_text(std::slice::from_ref(&row)).contains("4 of 5 numbers within two"));
        assert!(
            to_csv(&[row])
                .lines()
                .nth(1)
                .unwrap()
                .starts_with("random,N17E073,ak,0.12")
        );
    }
}

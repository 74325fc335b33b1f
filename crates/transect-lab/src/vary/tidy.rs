//! All runs of a sweep as one table: a row for every evaluation, a column for every setting that is varied.

use super::{FOLDER, SEED};
use crate::error::{LabError, Result};
use crate::results::{Results, Table};
use std::collections::BTreeMap;
use std::path::PathBuf;
use transect_io::parquet::{self, Column, Values};
use transect_survey::outcome::METRICS;

/// A finished run.
#[derive(Debug, Clone)]
pub struct VariedRun {
    /// The value of everything that is varied, by key.
    pub labels: BTreeMap<String, String>,
    /// The terrain, or what is varied of it.
    pub terrain: String,
    /// The seed.
    pub seed: u64,
    /// Its metrics, one row per evaluation.
    pub metrics: Table,
    /// Its folder.
    pub folder: PathBuf,
}

/// The finished runs of a sweep.
#[derive(Debug, Clone)]
pub struct SweepResults {
    /// Its name.
    pub name: String,
    /// What is varied, the seed aside, in the document's order.
    pub keys: Vec<String>,
    /// The runs, by their values, then by seed.
    pub runs: Vec<VariedRun>,
}

impl VariedRun {
    /// A metric in the last evaluation.
    #[must_use]
    pub fn last(&self, metric: &str) -> Option<f64> {
        self.metrics.column(metric).last().copied()
    }

    /// The values of `keys`, as one name.
    #[must_use]
    pub fn name(&self, keys: &[String]) -> String {
        let label = |key: &String| self.labels.get(key).cloned();
        let labels: Vec<String> = keys.iter().filter_map(label).collect();
        labels.join(" \u{b7} ")
    }

    /// The values of everything but `keys`, terrain and seed.
    pub(super) fn rest(&self, keys: &[String]) -> Vec<(String, String)> {
        let rest = self
            .labels
            .iter()
            .filter(|(key, _)| !keys.contains(key) && !is_terrain(key));
        rest.map(|(key, label)| (key.clone(), label.clone()))
            .collect()
    }
}

/// Whether a setting is about the terrain.
fn is_terrain(key: &str) -> bool {
    key == "terrain" || key.starts_with("terrain.")
}

impl SweepResults {
    /// What is compared unless somebody says otherwise: everything that is varied but the terrain.
    #[must_use]
    pub fn compared(&self) -> Vec<String> {
        let keys = self.keys.iter().filter(|key| !is_terrain(key));
        keys.cloned().collect()
    }

    /// The runs by the values of `keys`, in order of appearance.
    #[must_use]
    pub fn groups(&self, keys: &[String]) -> Vec<(String, Vec<&VariedRun>)> {
        let mut groups: Vec<(String, Vec<&VariedRun>)> = Vec::new();
        for run in &self.runs {
            let name = run.name(keys);
            match groups.iter_mut().find(|(known, _)| *known == name) {
                Some((_, runs)) => runs.push(run),
                None => groups.push((name, vec![run])),
            }
        }
        groups
    }

    /// The terrains, in order of appearance.
    #[must_use]
    pub fn terrains(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for run in &self.runs {
            if !names.contains(&run.terrain) {
                names.push(run.terrain.clone());
            }
        }
        names
    }

    /// The whole table.
    #[must_use]
    pub fn columns(&self) -> Vec<Column> {
        let mut columns = Vec::new();
        let repeat = |of: &dyn Fn(&VariedRun) -> String| -> Vec<String> {
            let rows = self.runs.iter().map(|run| vec![of(run); run.metrics.len()]);
            rows.flatten().collect()
        };
        for key in &self.keys {
            let texts = repeat(&|run| run.labels.get(key).cloned().unwrap_or_default());
            columns.push(Column::new(key, as_numbers(texts)));
        }
        if !self.keys.iter().any(|key| key == super::TERRAIN) {
            let terrains = repeat(&|run| run.terrain.clone());
            columns.push(Column::new("terrain", Values::Text(terrains)));
        }
        let seeds = repeat(&|run| run.seed.to_string());
        columns.push(Column::new(SEED, as_numbers(seeds)));
        for metric in METRICS {
            let values = self.runs.iter().flat_map(|run| run.metrics.column(metric));
            let values: Vec<f64> = values.copied().collect();
            columns.push(Column::new(
                metric,
                match metric {
                    "samples" => Values::Whole(values.iter().map(|v| *v as i64).collect()),
                    _ => Values::Real(values),
                },
            ));
        }
        columns
    }

    /// The table as CSV and as Parquet.
    #[must_use]
    pub fn files(&self) -> [(String, Vec<u8>); 2] {
        let columns = self.columns();
        let name = |ending: &str| format!("{FOLDER}-{}.{ending}", self.name);
        [
            (name("csv"), to_csv(&columns).into_bytes()),
            (name("parquet"), parquet::write(&columns)),
        ]
    }
}

/// A column of numbers if every text is one.
fn as_numbers(texts: Vec<String>) -> Values {
    let whole: Option<Vec<i64>> = texts.iter().map(|text| text.parse().ok()).collect();
    let real = || -> Option<Vec<f64>> { texts.iter().map(|text| text.parse().ok()).collect() };
    match whole {
        Some(whole) => Values::Whole(whole),
        None => real().map_or_else(|| Values::Text(texts.clone()), Values::Real),
    }
}

fn to_csv(columns: &[Column]) -> String {
    let names: Vec<String> = columns.iter().map(|c| quoted(c.name())).collect();
    let mut text = names.join(",") + "\n";
    for row in 0..columns.first().map_or(0, |c| c.values().len()) {
        let cell = |column: &Column| match column.values() {
            Values::Text(texts) => quoted(&texts[row]),
            Values::Whole(numbers) => numbers[row].to_string(),
            Values::Real(numbers) => numbers[row].to_string(),
        };
        let cells: Vec<String> = columns.iter().map(cell).collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// A field of a CSV file.
pub(super) fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.into(),
    }
}

/// The sweeps that a results folder has runs of.
///
/// # Errors
/// If a result on disk is damaged.
pub fn collect(results: &Results) -> Result<Vec<SweepResults>> {
    let mut sweeps: BTreeMap<String, SweepResults> = BTreeMap::new();
    for path in results.finished(FOLDER) {
        let Some(name) = path.split('/').nth(1) else {
            continue;
        };
        let folder = results.folder(&path);
        let spec = results.spec(&path)?;
        let corrupt = || LabError::Corrupt {
            path: folder.join("run.json"),
            line: None,
            reason: "it is not a record of a sweep's run".into(),
        };
        let varied = spec["varied"].as_array().ok_or_else(corrupt)?;
        let sweep = sweeps.entry(name.into()).or_insert_with(|| SweepResults {
            name: name.into(),
            keys: Vec::new(),
            runs: Vec::new(),
        });
        let mut labels = BTreeMap::new();
        for entry in varied {
            let word = |key: &str| entry[key].as_str().map(String::from).ok_or_else(corrupt);
            let (key, label) = (word("key")?, word("label")?);
            if key == SEED {
                continue;
            }
            if !sweep.keys.contains(&key) {
                sweep.keys.push(key.clone());
            }
            labels.insert(key, label);
        }
        let about: Vec<String> = labels
            .iter()
            .filter(|(key, _)| is_terrain(key))
            .map(|(_, l)| l.clone())
            .collect();
        let source = spec["place"]["terrain"]["source"].as_str().unwrap_or("");
        sweep.runs.push(VariedRun {
            terrain: if about.is_empty() {
                source.into()
            } else {
                about.join(" ")
            },
            seed: spec["settings"]["seed"].as_u64().ok_or_else(corrupt)?,
            labels,
            metrics: Table::read_any(&folder.join("metrics.csv"), &METRICS)?,
            folder,
        });
    }
    let mut sweeps: Vec<SweepResults> = sweeps.into_values().collect();
    for sweep in &mut sweeps {
        let keys = sweep.keys.clone();
        // Numbers by size, words by alphabet; whatever order the runs were done in, the table is the same.
        sweep.runs.sort_by(|a, b| {
            let differing = keys
                .iter()
                .map(|key| compare(a.labels.get(key), b.labels.get(key)));
            let first = differing.into_iter().find(|order| order.is_ne());
            first.unwrap_or(a.seed.cmp(&b.seed))
        });
    }
    Ok(sweeps)
}

fn compare(a: Option<&String>, b: Option<&String>) -> std::cmp::Ordering {
    let number = |text: Option<&String>| text.and_then(|t| t.parse::<f64>().ok());
    match (number(a), number(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        _ => a.cmp(&b),
    }
}

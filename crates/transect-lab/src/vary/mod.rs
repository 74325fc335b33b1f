//! Sweeps over anything: missions that differ in chosen settings.
//!
//! ```text
//!  [mission] + [vary] ──> one mission per combination ──> runs ──> one table, one row per evaluation
//! ```
//!
//! | module | what |
//! |---|---|
//! | `axis` | what is varied, and the values |
//! | `job` | one run: the mission that `transect run` would do |
//! | `tidy` | all runs as one table, CSV and Parquet |
//! | `paired` | differences between runs that share terrain and seed, with their intervals |

mod axis;
mod job;
mod label;
pub mod paired;
mod student;
pub mod tidy;

pub use axis::{Axis, CASE, Level, SEED, TERRAIN};
pub use job::{CPU, Varied, VariedJob};

use crate::experiment::{Job, Profile, Selection};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use toml::{Table, Value};
use transect::settings::{KernelChoice, MissionSettings};
use transect_survey::choice::SceneChoice;
use transect_survey::document::{DocumentError, Source};

/// Where sweeps are in a results folder.
pub const FOLDER: &str = "sweep";
/// More runs than this are a mistake in the document.
const MOST_RUNS: usize = 1_000_000;

/// The tables of a document that make it a sweep.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SweepTables {
    /// The sweep's name in the results folder; the document's when left out.
    pub name: Option<String>,
    /// Settings that all missions have.
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub mission: Table,
    /// Settings that are varied, with lists of values.
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub vary: Table,
}

impl SweepTables {
    /// What stands below a document with every setting.
    pub const EXAMPLE: &str = r#"
# A sweep over any setting of a mission, in place of `experiment`: every combination of the values in
# [vary] is a run. Keys are those of `transect init mission`; a list holds the values to take. The
# profile is `default` unless this document says otherwise.

# The sweep's name in the results folder; the document's when left out.
# name = "weights"

# Settings that all missions have.
# [mission]
# budget.time_s = 300.0
# terrain.extent = [-11.0, -11.0, 11.0, 11.0]
# area.rectangle = [-10.0, -10.0, 10.0, 10.0]

# Settings that are varied. `terrain.source` takes files of `data` by name, built-in terrains and paths;
# a table in a list takes the place of the whole table.
# [vary]
# planner.name = ["tour", "myopic"]
# planner.distance_weight = [0.25, 1.0]
# kernel = [{ name = "rbf" }, { name = "ak", components = 5 }]
# terrain.source = ["quarry", "crater"]
# seed = "0..9"

# Settings that go together.
# [[vary.case]]
# label = "lawnmower"
# planner.name = "lawnmower"
# pilot.share = 1.0
"#;
}

/// A sweep as its document describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Sweep {
    /// Its name in the results folder.
    pub name: String,
    axes: Vec<Axis>,
    source: Source,
}

impl Sweep {
    /// The keys of a document that choose what a sweep varies, and the settings they stand for.
    pub const SELECTED: [(&'static str, &'static str); 4] = [
        ("terrain", TERRAIN),
        ("strategy", "planner.name"),
        ("kernel", "kernel.name"),
        ("seeds", SEED),
    ];

    /// Whether its document varies this setting.
    #[must_use]
    pub fn varies(&self, key: &str) -> bool {
        self.axes.iter().any(|axis| axis.key == key)
    }

    /// What a document says, if it has a `[vary]` table; `stem` is the document's name.
    ///
    /// # Errors
    /// If the table is not one of lists.
    pub fn from_source(source: &Source, stem: &str) -> Result<Option<Self>, DocumentError> {
        if source.value("vary").is_none() {
            let alone = ["mission", "name"].into_iter();
            return match alone.into_iter().find(|key| source.value(key).is_some()) {
                Some(key) => Err(source.refuse(
                    key,
                    format!("`{key}` is for sweeps: there is no [vary] table"),
                )),
                None => Ok(None),
            };
        }
        if source.value("experiment").is_some() {
            let reason = "a document has an experiment of the paper or a [vary] table, not both";
            return Err(source.refuse("experiment", reason.into()));
        }
        let tables: SweepTables = source.part()?;
        let axes = Axis::in_table(&tables.vary).map_err(|(key, reason)| {
            source.refuse(&format!("vary.{key}"), format!("{key}: {reason}"))
        })?;
        Ok(Some(Self {
            name: label::for_folder(&tables.name.unwrap_or_else(|| stem.into())),
            axes,
            source: source.clone(),
        }))
    }

    /// Its runs. What was selected besides takes the place of what the document varies.
    ///
    /// # Errors
    /// If a mission cannot be: the error names the setting and where it stands.
    pub fn jobs(&self, selection: &Selection) -> Result<Vec<Job>, DocumentError> {
        let mut axes = self.axes.clone();
        let mut choose = |axis: Axis| {
            if axis.levels.is_empty() {
                return;
            }
            match axes.iter_mut().find(|a| a.key == axis.key) {
                Some(there) => *there = axis,
                None => axes.push(axis),
            }
        };
        choose(Axis::of(TERRAIN, selection.terrains.clone()));
        choose(Axis::of("planner.name", selection.strategies.clone()));
        choose(Axis::of("kernel.name", selection.kernels.clone()));
        choose(Axis::of(SEED, selection.seeds.iter().map(|s| *s as i64)));
        let runs = axes
            .iter()
            .try_fold(1_usize, |n, axis| n.checked_mul(axis.levels.len()));
        if runs.is_none_or(|n| n > MOST_RUNS) {
            let reason = format!("these lists make more than {MOST_RUNS} runs");
            return Err(self.source.refuse("vary", reason));
        }
        let mut combinations: Vec<Vec<(&str, &Level)>> = vec![Vec::new()];
        for axis in &axes {
            let mut longer = Vec::with_capacity(combinations.len() * axis.levels.len());
            for so_far in &combinations {
                for level in &axis.levels {
                    longer.push([&so_far[..], &[(&axis.key[..], level)]].concat());
                }
            }
            combinations = longer;
        }
        let job = |levels: Vec<(&str, &Level)>| self.job(&levels, selection);
        combinations.into_iter().map(job).collect()
    }

    fn job(&self, levels: &[(&str, &Level)], selection: &Selection) -> Result<Job, DocumentError> {
        let mut source = self.source.inner("mission");
        for (key, level) in levels {
            let place = self.source.place(&format!("vary.{key}"));
            match (*key, &level.value) {
                (CASE, Value::Table(settings)) => {
                    for (key, value) in leaves("", settings) {
                        source.put(&key, value, place.clone())?;
                    }
                }
                (key, value) => source.put(key, value.clone(), place)?,
            }
        }
        if let Some(samples) = selection.samples {
            let place = "--samples".to_string();
            source.put("budget.soundings", (samples as i64).into(), place)?;
        }
        if selection.profile == Profile::Paper {
            complete_as_paper(&mut source)?;
        }
        source.check_keys(&[
            Source::keys::<SceneChoice>(),
            Source::keys::<MissionSettings>(),
        ])?;
        let (place, settings): (SceneChoice, MissionSettings) = (source.part()?, source.part()?);
        settings
            .validate()
            .map_err(|error| source.refuse_setting(&error))?;
        let varied = levels.iter().map(|(key, level)| Varied {
            key: (*key).into(),
            label: level.label.clone(),
        });
        Ok(Job::Varied(Box::new(VariedJob {
            sweep: self.name.clone(),
            varied: varied.collect(),
            place,
            settings,
            source,
        })))
    }
}

/// What the paper's program does, wherever the document says nothing else.
fn complete_as_paper(source: &mut Source) -> Result<(), DocumentError> {
    let kernel = source.value("kernel.name").and_then(Value::as_str);
    let settings = MissionSettings {
        kernel: KernelChoice::paper(kernel.unwrap_or("ak")),
        ..MissionSettings::paper()
    };
    let table = Table::try_from(&settings)
        .map_err(|error| source.refuse("", format!("the paper's settings: {error}")))?;
    let has_budget = source.value("budget").is_some();
    for (key, value) in leaves("", &table) {
        // Any limit of the document's own takes the place of the paper's 700 soundings.
        let limited = has_budget && key.starts_with("budget.");
        if !limited && source.value(&key).is_none() {
            source.put(&key, value, "the paper's settings".into())?;
        }
    }
    Ok(())
}

/// The settings of a table with their whole keys.
fn leaves(above: &str, table: &Table) -> Vec<(String, Value)> {
    let leaf = |(key, value): (&String, &Value)| {
        let key = format!("{above}{key}");
        match value {
            Value::Table(inner) => leaves(&format!("{key}."), inner),
            other => vec![(key, other.clone())],
        }
    };
    table.iter().flat_map(leaf).collect()
}

//! Sweeps: any metric against soundings, distance, time or processor time, and paired differences.

use super::album::Album;
use super::bundle::{Bundle, Curve};
use super::words;
use crate::error::{LabError, Result};
use crate::results::Table;
use crate::vary::paired::{Difference, differences};
use crate::vary::tidy::{SweepResults, VariedRun};
use crate::vary::{CPU, FOLDER};
use std::str::FromStr;
use transect_plot::report::{Cell, Illustration, Section, Table as Shown};
use transect_plot::{Axis, Figure, Lines, Series, palette};
use transect_survey::outcome::METRICS;

const SIZE: [f64; 2] = [300.0, 210.0];
/// Places along a curve.
const PLACES: usize = 130;
/// More lines than this cannot be told apart.
const MOST_LINES: usize = 12;

/// What curves are drawn against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Against {
    /// Soundings taken.
    #[default]
    Soundings,
    /// Length of the way.
    Distance,
    /// Time under way.
    Time,
    /// Processor time, which differs from run to run.
    Cpu,
}

impl FromStr for Against {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        Ok(match text {
            "soundings" => Self::Soundings,
            "distance" => Self::Distance,
            "time" => Self::Time,
            "cpu" => Self::Cpu,
            _ => return Err("soundings, distance, time and cpu are possible".into()),
        })
    }
}

impl Against {
    fn axis(self) -> Axis {
        match self {
            Self::Soundings => Axis::new("Soundings"),
            Self::Distance => Axis::new("Distance").unit("m"),
            Self::Time => Axis::new("Time").unit("s"),
            Self::Cpu => Axis::new("Processor time").unit("s"),
        }
    }

    fn places(self, run: &VariedRun) -> Result<Vec<f64>> {
        Ok(match self {
            Self::Soundings => run.metrics.column("samples").to_vec(),
            Self::Distance => run.metrics.column("distance_m").to_vec(),
            Self::Time => run.metrics.column("time_s").to_vec(),
            Self::Cpu => Table::read_any(&run.folder.join("cpu.csv"), &CPU)?
                .column("cpu_s")
                .to_vec(),
        })
    }
}

/// How sweeps are shown.
#[derive(Debug, Clone, Default)]
pub struct SweepView {
    /// Which metrics; SMSE and MSLL when empty.
    pub metrics: Vec<String>,
    /// What they are drawn against.
    pub against: Against,
    /// The settings that are compared; all but the terrain when empty.
    pub by: Vec<String>,
    /// The group that others are compared with; the first when nothing is said.
    pub reference: Option<String>,
}

impl SweepView {
    fn metrics(&self) -> Result<Vec<String>> {
        let known: Vec<&str> = METRICS[1..].to_vec();
        if let Some(name) = self.metrics.iter().find(|m| !known.contains(&&m[..])) {
            return Err(LabError::unknown("metric", name, &known));
        }
        Ok(match &self.metrics[..] {
            [] => ["smse", "msll"].map(String::from).to_vec(),
            chosen => chosen.to_vec(),
        })
    }

    fn by(&self, sweep: &SweepResults) -> Result<Vec<String>> {
        let known: Vec<&str> = sweep.keys.iter().map(String::as_str).collect();
        if let Some(name) = self.by.iter().find(|key| !known.contains(&&key[..])) {
            return Err(LabError::unknown("setting", name, &known));
        }
        Ok(match &self.by[..] {
            [] => sweep.compared(),
            chosen => chosen.to_vec(),
        })
    }

    /// Paired differences of a sweep.
    ///
    /// # Errors
    /// If a metric, setting or group is not known.
    pub fn differences(&self, sweep: &SweepResults) -> Result<Vec<Difference>> {
        let (by, metrics) = (self.by(sweep)?, self.metrics()?);
        let reference = self.reference.as_deref();
        differences(sweep, &by, &metrics, reference).map_err(|names| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            LabError::unknown("reference", reference.unwrap_or_default(), &names)
        })
    }
}

/// A sweep's curves and its table.
pub(super) fn section(
    sweep: &SweepResults,
    view: &SweepView,
    album: &mut Album,
) -> Result<Section> {
    let (by, metrics) = (view.by(sweep)?, view.metrics()?);
    let groups = sweep.groups(&by);
    let terrains = sweep.terrains();
    let mut section = Section::new(format!("Sweep \u{b7} {}", sweep.name)).text(format!(
        "{} runs; {} compared. Lines are means over seeds, bands one standard deviation.",
        sweep.runs.len(),
        match by.is_empty() {
            true => "nothing".into(),
            false => words::listed(&by),
        }
    ));
    if groups.len() > MOST_LINES {
        section = section.warning(format!(
            "{} lines cannot be told apart: the first {MOST_LINES} are drawn. `transect report --by KEY` compares fewer.",
            groups.len()
        ));
    }
    for metric in &metrics {
        section = section.figure(figure(sweep, view, (metric, &by, &terrains), album)?);
    }
    let found = view.differences(sweep)?;
    if !found.is_empty() {
        section = section.table(table(&found));
    }
    Ok(section)
}

fn figure(
    sweep: &SweepResults,
    view: &SweepView,
    (metric, by, terrains): (&str, &[String], &[String]),
    album: &mut Album,
) -> Result<Illustration> {
    let title = format!("{}: {}", sweep.name, words::metric(metric));
    let mut figure = Figure::new(&title).columns(terrains.len().clamp(1, 4));
    let mut groups = sweep.groups(by);
    groups.truncate(MOST_LINES);
    for terrain in terrains {
        let label = Axis::new(words::metric(metric));
        let label = if metric == "smse" { label.log() } else { label };
        let mut lines = Lines::new(view.against.axis(), label)
            .size(SIZE[0], SIZE[1])
            .title(terrain);
        for (place, (name, runs)) in groups.iter().enumerate() {
            let mut curves = Vec::new();
            for run in runs
                .iter()
                .filter(|run| run.terrain == *terrain && !run.metrics.is_empty())
            {
                curves.push((view.against.places(run)?, run.metrics.column(metric)));
            }
            let curves: Vec<Curve<'_>> = curves.iter().map(|(x, y)| (&x[..], *y)).collect();
            let whole = view.against == Against::Soundings;
            let Some(bundle) = Bundle::along(&curves, PLACES, whole) else {
                continue;
            };
            let shown = if name.is_empty() { "all runs" } else { name };
            let line = Series::new(shown, &bundle.at, &bundle.mean)?.style(palette::series(place));
            lines = lines.series(match bundle.count {
                1 => line,
                _ => line.spread(&bundle.std)?,
            });
        }
        figure = figure.panel(lines);
    }
    let name = format!("{FOLDER}-{}-{metric}", sweep.name);
    let alt = format!("Line plots of {title} in {}.", words::listed(terrains));
    Ok(album.drawing(&name, &figure)?.alt(alt))
}

fn table(found: &[Difference]) -> Shown {
    let reference = &found[0].reference;
    let header = [
        "Metric",
        "Terrain",
        "Group",
        "Pairs",
        "Mean",
        "Reference",
        "Difference",
        "95 % interval",
    ];
    let table = Shown::new(header).caption(format!(
        "Against {reference}, in the last evaluation of each run: differences of pairs with the same terrain and seed, and Student's \
         interval of their mean. Marked where it leaves out zero; less is better."
    ));
    found.iter().fold(table, |table, d| {
        let judged = |cell: Cell| match d.is_clear() && !d.metric.starts_with("coverage") {
            true if d.difference < 0.0 => cell.better(),
            true => cell.worse(),
            false => cell,
        };
        let interval = d.reach.map_or("\u{2013}".into(), |r| {
            let [low, high] = [d.difference - r, d.difference + r].map(|v| words::signed(v, 4));
            format!("{low} to {high}")
        });
        table.row([
            Cell::text(words::metric(&d.metric)),
            Cell::text(d.terrain.as_deref().unwrap_or("all")),
            Cell::text(&d.group),
            Cell::number(d.pairs.to_string()),
            Cell::number(words::number(d.mean, 4)),
            Cell::number(words::number(d.reference_mean, 4)),
            judged(Cell::number(words::signed(d.difference, 4))),
            Cell::number(interval),
        ])
    })
}

//! Figures and one self-contained page, from results already on disk.
//!
//! | file | what it shows |
//! |---|---|
//! | `terrains` | the terrains, from above and in perspective; the pilot survey |
//! | `volcano` | Mount St. Helens from fixed samples |
//! | `lines` | functions of one variable, and the attention learnt on them |
//! | `missions` | for each strategy `comparison` (tables), `curves` and `snapshots` |
//! | `variants`, `trends` | sensitivity and ablation, as dots and against samples |
//! | `latex` | the tables for papers |
//! | `planners` | planners against a lawnmower at equal time |
//! | `sweeps` | sweeps over any setting, and paired differences |
//! | `field` | the field experiment, rehearsed |
//! | `overfit` | metrics against training steps |
//!
//! Whatever has no results is left out. Everything is read and drawn before anything is written, so a
//! damaged result leaves the last report as it was. The same results give the same bytes.

mod album;
mod bundle;
mod comparison;
mod curves;
mod field;
mod latex;
mod lines;
mod maps;
mod missions;
mod overfit;
mod planners;
mod runs;
mod snapshots;
mod sweeps;
mod terrains;
mod trends;
mod variants;
mod volcano;
mod words;

use self::album::Album;
pub use self::sweeps::{Against, SweepView};
use crate::claims::{self, Claim, Verdict};
use crate::data::DataFolder;
use crate::error::Result;
use crate::experiment::{Experiment, Profile};
use crate::results::Results;
use crate::tables;
use crate::vary::tidy;
use std::path::PathBuf;
use transect_plot::Report;
use transect_plot::report::{Cell, Section, Table};

const PAGE: &str = "report.html";

/// Writes `figures/*.svg`, `figures/*.png` and `report.html`; returns the page's path.
///
/// Pictures of the terrains need `data`; without it they are left out. Sweeps are shown as `view` says.
///
/// # Errors
/// If a result is damaged or a file cannot be written. Nothing is written if a result is damaged.
pub fn write(results: &Results, data: Option<&DataFolder>, view: &SweepView) -> Result<PathBuf> {
    let mut album = Album::default();
    let mut report = Report::new("The paper's experiments, done again");
    let mut intro = String::from(
        "Adaptive terrain surveys with Gaussian processes: a stationary kernel (RBF) beside the attentive kernel (AK), the Gibbs \
         kernel and deep kernel learning (DKL). SMSE is the mean squared error over the variance of the truth, so 1 is no better \
         than the mean; MSLL is the mean log loss against a trivial model, so below 0 is better than that.",
    );
    if let Some(section) = terrains::section(results, data, &mut album)? {
        report = report.section(section);
    }
    let (mut empty, mut tex) = (true, Vec::new());
    for profile in [Profile::Paper, Profile::Default] {
        let rows = tables::collect(results, profile)?;
        for section in chapter(results, (profile, &rows), data, &mut album)? {
            report = report.section(section);
            empty = false;
        }
        if !rows.is_empty() {
            let name = format!("tables-{}.tex", profile.name());
            tex.push((name, latex::tables(&rows)));
        }
        if let Some(text) = comparison::agreement(&rows) {
            intro.push_str(&format!("\n\n{}: {text}", words::profile(profile)));
        }
    }
    let judged = claims::judge(results, data)?;
    if let Some(section) = verdicts(&judged) {
        report = report.section(section);
    }
    if let Some(section) = planners::section(results, &mut album)? {
        report = report.section(section);
        empty = false;
    }
    for sweep in tidy::collect(results)? {
        report = report.section(sweeps::section(&sweep, view, &mut album)?);
        empty = false;
    }
    if empty {
        intro.push_str("\n\nThere are no finished runs yet.");
    }
    let page = report.intro(intro).to_html();
    album.write(results)?;
    for (name, text) in &tex {
        results.write(name, text.as_bytes())?;
    }
    results.write(PAGE, page.as_bytes())?;
    Ok(results.root().join(PAGE))
}

/// What the paper claims and what came of it; nothing if nothing could be judged.
fn verdicts(claims: &[Claim]) -> Option<Section> {
    if claims.iter().all(|claim| claim.verdict == Verdict::Open) {
        return None;
    }
    let table = Table::new(["About", "The paper claims", "Here it", "Numbers"]);
    let table = claims.iter().fold(table, |table, claim| {
        let word = Cell::text(claim.verdict.word());
        let word = match claim.verdict {
            Verdict::Holds => word.better(),
            Verdict::Fails => word.worse(),
            _ => word,
        };
        table.row([
            Cell::text(claim.about),
            Cell::text(claim.text),
            word,
            Cell::text(&claim.evidence),
        ])
    });
    let text = "Each claim of the paper's text is judged from the runs of the paper's profile that are here, by the rule that stands with its \
        numbers. What lacks runs is not judged.";
    Some(Section::new("Claims and verdicts").text(text).table(table))
}

/// The sections of a profile, in the paper's order.
fn chapter(
    results: &Results,
    (profile, rows): (Profile, &[tables::Row]),
    data: Option<&DataFolder>,
    album: &mut Album,
) -> Result<Vec<Section>> {
    let mut sections = Vec::new();
    sections.extend(volcano::section(results, profile, album)?);
    for experiment in [Experiment::Step, Experiment::Sine] {
        sections.extend(lines::section(results, experiment, profile, album)?);
    }
    sections.extend(missions::sections(results, (profile, rows), data, album)?);
    sections.extend(variants::sensitivity(results, profile, album)?);
    sections.extend(variants::ablation(results, profile, album)?);
    sections.extend(overfit::section(results, profile, album)?);
    sections.extend(field::section(results, profile, data, album)?);
    Ok(sections)
}

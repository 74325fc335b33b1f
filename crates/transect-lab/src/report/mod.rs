//! Figures and one self-contained page, from results already on disk.
//!
//! | file | what it shows |
//! |---|---|
//! | `terrains` | the terrains, from above and in perspective; the pilot survey |
//! | `volcano` | Mount St. Helens from fixed samples |
//! | `lines` | functions of one variable, and the attention learnt on them |
//! | `missions` | for each strategy `comparison` (tables), `curves` and `snapshots` |
//! | `variants` | sensitivity and ablation |
//! | `overfit` | metrics against training steps |
//!
//! Whatever has no results is left out. Everything is read and drawn before anything is written, so a
//! damaged result leaves the last report as it was. The same results give the same bytes.

mod album;
mod bundle;
mod comparison;
mod curves;
mod lines;
mod maps;
mod missions;
mod overfit;
mod runs;
mod snapshots;
mod terrains;
mod variants;
mod volcano;
mod words;

use self::album::Album;
use crate::data::DataFolder;
use crate::error::Result;
use crate::experiment::{Experiment, Profile};
use crate::results::Results;
use crate::tables;
use std::path::PathBuf;
use transect_plot::Report;
use transect_plot::report::Section;

const PAGE: &str = "report.html";

/// Writes `figures/*.svg`, `figures/*.png` and `report.html`; returns the page's path.
///
/// Pictures of the terrains need `data`; without it they are left out.
///
/// # Errors
/// If a result is damaged or a file cannot be written. Nothing is written if a result is damaged.
pub fn write(results: &Results, data: Option<&DataFolder>) -> Result<PathBuf> {
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
    let mut empty = true;
    for profile in [Profile::Paper, Profile::Default] {
        let rows = tables::collect(results, profile)?;
        for section in chapter(results, (profile, &rows), &mut album)? {
            report = report.section(section);
            empty = false;
        }
        if let Some(text) = comparison::agreement(&rows) {
            intro.push_str(&format!("\n\n{}: {text}", words::profile(profile)));
        }
    }
    if empty {
        intro.push_str("\n\nThere are no finished runs yet.");
    }
    let page = report.intro(intro).to_html();
    album.write(results)?;
    results.write(PAGE, page.as_bytes())?;
    Ok(results.root().join(PAGE))
}

/// The sections of a profile, in the paper's order.
fn chapter(
    results: &Results,
    (profile, rows): (Profile, &[tables::Row]),
    album: &mut Album,
) -> Result<Vec<Section>> {
    let mut sections = Vec::new();
    sections.extend(volcano::section(results, profile, album)?);
    for experiment in [Experiment::Step, Experiment::Sine] {
        sections.extend(lines::section(results, experiment, profile, album)?);
    }
    sections.extend(missions::sections(results, (profile, rows), album)?);
    sections.extend(variants::sensitivity(results, profile, album)?);
    sections.extend(variants::ablation(results, profile, album)?);
    sections.extend(overfit::section(results, profile, album)?);
    Ok(sections)
}

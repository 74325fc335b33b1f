//! A section per strategy: the table, the curves, the snapshots.

use super::album::Album;
use super::runs::{Run, by_name, runs};
use super::{comparison, curves, snapshots, words};
use crate::data::DataFolder;
use crate::error::Result;
use crate::experiment::{Experiment, Profile, STRATEGIES};
use crate::results::Results;
use crate::tables::Row;
use transect_plot::report::Section;

/// The sections of all strategies, in the paper's order.
pub(super) fn sections(
    results: &Results,
    (profile, rows): (Profile, &[Row]),
    data: Option<&DataFolder>,
    album: &mut Album,
) -> Result<Vec<Section>> {
    let runs = runs(results, Experiment::Tables, profile, 3);
    let runs: Vec<&Run> = runs.iter().collect();
    let mut sections = Vec::new();
    for (strategy, runs) in by_name(&runs, 1, &STRATEGIES) {
        let rows: Vec<&Row> = rows
            .iter()
            .filter(|r| r.cell.strategy == strategy)
            .collect();
        let mut section = Section::new(words::heading(profile, &words::strategy(&strategy)))
            .text(about(&strategy));
        if let Some(text) = comparison::reservation(&rows, profile) {
            section = section.warning(text);
        }
        section = section.text(comparison::LEGEND);
        for table in comparison::tables(&rows) {
            section = section.table(table);
        }
        if let (Profile::Default, Some(gains)) = (profile, comparison::gains(&rows)) {
            section = section.table(gains);
        }
        if let Some(picture) = curves::figure(&runs, (&strategy, profile), album)? {
            section = section.figure(picture);
        }
        for picture in snapshots::figures(&runs, (&strategy, profile), data, album)? {
            section = section.figure(picture);
        }
        sections.push(section);
    }
    Ok(sections)
}

fn about(strategy: &str) -> &'static str {
    match strategy {
        "random" => "Samples at random places: kernels differ only in what they make of them.",
        "active" => {
            "Each sample is taken where the model is least sure, wherever that is: a good model of its own uncertainty now pays in accuracy."
        }
        "myopic" => {
            "The robot drives to a place that is uncertain and near, and samples all the way: few decisions, so each counts. \
             Numbers are not comparable with those of random and active sampling."
        }
        _ => "",
    }
}

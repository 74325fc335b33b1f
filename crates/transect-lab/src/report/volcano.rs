//! Mount St. Helens from fixed samples: a stationary kernel beside the attentive one.

use super::album::Album;
use super::maps::{self, Shown, Snapshot, Units};
use super::runs::{by_kernel, by_name, runs};
use super::words;
use crate::error::Result;
use crate::experiment::{Experiment, Profile, VOLCANO};
use crate::results::Results;
use transect_plot::report::Section;

/// The side of the square is the unit of length.
const UNITS: Units = Units {
    place: "",
    height: words::RAW,
};

/// Truth, prediction, uncertainty and error for each kernel.
pub(super) fn section(
    results: &Results,
    profile: Profile,
    album: &mut Album,
) -> Result<Option<Section>> {
    let runs = runs(results, Experiment::Volcano, profile, 2);
    let runs: Vec<_> = runs.iter().collect();
    let mut section = None;
    for (terrain, runs) in by_name(&runs, 0, &[VOLCANO]) {
        let mut snapshots = Vec::new();
        for (kernel, runs) in by_kernel(&runs) {
            if let Some(run) = runs.first() {
                let label = words::kernel(&kernel);
                snapshots.push(Snapshot::read(label, &run.folder, "map.csv", None)?);
            }
        }
        let place = words::terrain(&terrain);
        let count = snapshots.first().map_or(0, Snapshot::count);
        let title = format!("{place} from {count} samples");
        let figure = maps::figure(title, &snapshots, Shown::Dots, UNITS)?;
        let caption = format!(
            "{place} from {count} samples at random; x and y in sides of the square. RBF blurs the crater and is unsure wherever \
             samples are sparse. AK should keep the rim sharp, and its uncertainty should be high around the crater and low on \
             the plain, like its error."
        );
        let alt = format!(
            "Maps of {place} for each kernel: the truth with the samples over it, the prediction, the uncertainty and the absolute error."
        );
        let name = format!("{}-volcano-{terrain}", profile.name());
        let picture = album.painting(&name, &figure)?.caption(caption).alt(alt);
        let so_far = section.unwrap_or_else(|| {
            Section::new(words::heading(profile, "A volcano from fixed samples"))
        });
        section = Some(so_far.figure(picture));
    }
    Ok(section)
}

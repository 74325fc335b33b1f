//! The field experiment, rehearsed on the quarry lake: an early map and the last one, with the way the boat took.

use super::album::Album;
use super::maps::{self, Shown, Snapshot, Units};
use super::runs::{by_kernel, runs};
use super::words;
use crate::data::DataFolder;
use crate::error::Result;
use crate::experiment::{Experiment, Profile, QUARRY, field_extent};
use crate::results::Results;
use transect_plot::report::Section;

const UNITS: Units = Units {
    place: "m",
    height: "m",
};

/// Two rows for each kernel: early and final.
pub(super) fn section(
    results: &Results,
    profile: Profile,
    data: Option<&DataFolder>,
    album: &mut Album,
) -> Result<Option<Section>> {
    let runs = runs(results, Experiment::Field, profile, 2);
    let runs: Vec<_> = runs.iter().filter(|run| run.names[0] == QUARRY).collect();
    let extent = field_extent()?;
    let ground = data.and_then(|data| data.terrain(QUARRY, extent).ok());
    let mut section = None;
    for (kernel, runs) in by_kernel(&runs) {
        let Some(run) = runs.first() else { continue };
        let mut snapshots = Vec::new();
        for (map, count) in maps::all_maps(&run.folder) {
            let row = if snapshots.is_empty() {
                "Early"
            } else {
                "Final"
            };
            let snapshot =
                Snapshot::read(row.into(), &run.folder, &map.to_string_lossy(), Some(count))?;
            snapshots.push(match &ground {
                Some(terrain) => snapshot.on(terrain)?,
                None => snapshot,
            });
        }
        if snapshots.is_empty() {
            continue;
        }
        let shown = words::kernel(&kernel);
        let title = format!("The quarry lake with {shown}: early and final map");
        let figure = maps::figure(title, &snapshots, Shown::Path, UNITS)?;
        let counts: Vec<String> = snapshots.iter().map(|s| s.count().to_string()).collect();
        let caption = format!(
            "After {} soundings with {shown}. With AK most soundings should lie where the bottom is rugged, and what is left of the uncertainty at \
             the edges of such places.",
            words::listed(&counts)
        );
        let alt = format!(
            "Maps of a quarry lake with {shown}, early and at the end: truth and way, prediction, uncertainty, error."
        );
        let name = format!("{}-field-{kernel}", profile.name());
        let picture = album.painting(&name, &figure)?.caption(caption).alt(alt);
        let so_far: Section = section.unwrap_or_else(|| {
            Section::new(words::heading(profile, "The field experiment, rehearsed")).text(
                "The paper's boat mapped a quarry lake of 80 x 88 m. Here it is rehearsed on a made-up one of that size, with the paper's speed (0.7 m/s) \
                 and goal radius (2 m).",
            )
        });
        section = Some(so_far.figure(picture));
    }
    Ok(section)
}

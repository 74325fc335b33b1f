//! Snapshots of missions part of the way: what each kernel believes, and how sure it is.

use super::album::Album;
use super::maps::{self, Shown, Snapshot, Units};
use super::runs::{Run, by_kernel, by_name};
use super::words;
use crate::data::DataFolder;
use crate::error::Result;
use crate::experiment::{Profile, TERRAINS};
use transect::geometry::Rect;
use transect_plot::report::Illustration;

/// Coordinates of the simulated missions are metres; the terrains have no unit.
const UNITS: Units = Units {
    place: "m",
    height: words::RAW,
};

/// What the paper shows of each strategy: a terrain, and one kernel or all of them.
const SHOWN: [(&str, &str, Option<&str>); 4] = [
    ("random", "N47W124", None),
    ("active", "N45W123", None),
    ("active", "N43W080", Some("ak")),
    ("myopic", "N17E073", None),
];

/// The snapshots of a strategy: the paper's, or of the first terrain there is.
pub(super) fn figures(
    runs: &[&Run],
    (strategy, profile): (&str, Profile),
    data: Option<&DataFolder>,
    album: &mut Album,
) -> Result<Vec<Illustration>> {
    let pictured: Vec<&Run> = runs
        .iter()
        .copied()
        .filter(|run| maps::find_map(&run.folder).is_some())
        .collect();
    let terrains = by_name(&pictured, 0, &TERRAINS);
    let wanted = SHOWN.iter().filter(|(s, ..)| *s == strategy);
    let mut chosen: Vec<(&str, Vec<&Run>)> = Vec::new();
    for (_, terrain, kernel) in wanted {
        let there = terrains.iter().find(|(name, _)| name == terrain);
        let runs = there.into_iter().flat_map(|(_, runs)| runs).copied();
        let runs: Vec<&Run> = runs
            .filter(|run| kernel.is_none_or(|kernel| run.kernel() == kernel))
            .collect();
        if !runs.is_empty() {
            chosen.push((*terrain, runs));
        }
    }
    if chosen.is_empty() {
        chosen.extend(
            terrains
                .first()
                .map(|(name, runs)| (name.as_str(), runs.clone())),
        );
    }
    chosen
        .into_iter()
        .map(|(terrain, runs)| figure(&runs, (strategy, terrain, profile), data, album))
        .collect()
}

fn figure(
    runs: &[&Run],
    (strategy, terrain, profile): (&str, &str, Profile),
    data: Option<&DataFolder>,
    album: &mut Album,
) -> Result<Illustration> {
    let extent = Rect::new(-11.0, 11.0, -11.0, 11.0)?;
    // A report can be made without the files: the truth is then as coarse as the map.
    let ground = data.and_then(|data| data.terrain(terrain, extent).ok());
    let mut snapshots = Vec::new();
    for (kernel, runs) in by_kernel(runs) {
        let first = runs
            .first()
            .and_then(|run| Some((run, maps::find_map(&run.folder)?)));
        if let Some((run, (map, count))) = first {
            let map = map.to_string_lossy();
            let snapshot = Snapshot::read(words::kernel(&kernel), &run.folder, &map, Some(count))?;
            snapshots.push(match &ground {
                Some(terrain) => snapshot.on(terrain)?,
                None => snapshot,
            });
        }
    }
    let shown = match strategy {
        "random" | "active" => Shown::Dots,
        _ => Shown::Path,
    };
    let counts: Vec<String> = snapshots.iter().map(|s| s.count().to_string()).collect();
    let same = counts.windows(2).all(|pair| pair[0] == pair[1]);
    let counts = match &counts[..] {
        [first, ..] if same => first.clone(),
        _ => words::listed(&counts),
    };
    let title = format!("{} in {terrain}: snapshots", words::strategy(strategy));
    let figure = maps::figure(title, &snapshots, shown, UNITS)?;
    let names: Vec<String> = snapshots.iter().map(|s| s.label.clone()).collect();
    let alt = format!(
        "Maps of {terrain} for {}: the truth with the samples over it, the prediction, the uncertainty and the absolute error.",
        words::listed(&names)
    );
    let caption = format!(
        "After {counts} samples. Predictions share one colour scale with the truth and errors another; each map of uncertainty has its own. {}",
        look(strategy, terrain)
    );
    let name = format!("{}-snapshots-{strategy}-{terrain}", profile.name());
    Ok(album.painting(&name, &figure)?.caption(caption).alt(alt))
}

/// What the paper says one sees.
fn look(strategy: &str, terrain: &str) -> &'static str {
    match (strategy, terrain) {
        ("random", "N47W124") => {
            "AK should keep detail that the others smooth away, and be least sure where the terrain is hard to model; RBF is \
             least sure where samples are sparse, and Gibbs and DKL put their doubt in the lower right."
        }
        ("active", "N45W123") => {
            "AK should sample the whole right side densely and show more detail in the lower right; Gibbs crowds the upper \
             right and leaves the left bare; DKL draws the river well but joins the two peaks in the upper right."
        }
        ("active", "N43W080") => {
            "AK should send its samples to the rough spots on the left and leave the lake and the smooth shores to a few."
        }
        ("myopic", "N17E073") => {
            "RBF's doubt follows the gaps between samples, so its path covers everything evenly. AK's doubt, and so its path, \
             should favour the rugged side; Gibbs and DKL crowd the upper right and miss errors at the bottom."
        }
        _ => {
            "A stationary kernel is least sure where samples are sparse; AK should be least sure where the terrain is rough, \
             which is where errors are."
        }
    }
}

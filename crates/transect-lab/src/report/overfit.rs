//! Over-fitting: metrics on the training set and on a test grid after every training step.

use super::album::Album;
use super::bundle::{Bundle, Curve};
use super::curves::series;
use super::runs::{Run, by_kernel, by_name, runs};
use super::words;
use crate::error::Result;
use crate::experiment::{Experiment, Profile, VOLCANO};
use crate::results::{Results, Table};
use transect_plot::report::Section;
use transect_plot::{Axis, Figure, Lines};

const PLACES: usize = 500;
const SIZE: [f64; 2] = [390.0, 200.0];

/// Train beside test, MSLL above SMSE, for each terrain.
pub(super) fn section(
    results: &Results,
    profile: Profile,
    album: &mut Album,
) -> Result<Option<Section>> {
    let runs = runs(results, Experiment::Overfit, profile, 2);
    let runs: Vec<_> = runs.iter().collect();
    let terrains = by_name(&runs, 0, &[VOLCANO]);
    if terrains.is_empty() {
        return Ok(None);
    }
    let mut section = Section::new(words::heading(profile, "Over-fitting")).text(
        "Many training steps on the same samples. A model over-fits when the left column keeps falling while the right one turns up.",
    );
    for (terrain, runs) in terrains {
        let place = words::terrain(&terrain);
        let mut figure = Figure::new(format!("Over-fitting in {place}")).columns(2);
        for metric in ["msll", "smse"] {
            for (file, title) in [("train.csv", "Training set"), ("test.csv", "Test grid")] {
                figure = figure.panel(panel(&runs, file, metric)?.title(title));
            }
        }
        let look = match terrain.as_str() {
            VOLCANO => "Here AK should stay level on the test grid, while Gibbs and DKL turn up.",
            "N17E073" => {
                "Here every non-stationary kernel should over-fit, AK among them; only RBF is safe."
            }
            _ => "",
        };
        let alt = format!(
            "Line plots of MSLL and SMSE against training steps in {place}, on the training set and on a test grid, one line per kernel."
        );
        let name = format!("{}-overfit-{terrain}", profile.name());
        let caption = format!("{place}, lower is better. {look}");
        section = section.figure(album.drawing(&name, &figure)?.caption(caption).alt(alt));
    }
    Ok(Some(section))
}

fn panel(runs: &[&Run], file: &str, metric: &str) -> Result<Lines> {
    let label = words::metric(metric);
    let axis = match metric {
        "smse" => Axis::new(label).log(),
        _ => Axis::new(label),
    };
    let mut lines = Lines::new("Training step", axis).size(SIZE[0], SIZE[1]);
    for (place, (kernel, runs)) in by_kernel(runs).iter().enumerate() {
        let tables: Vec<Table> = runs
            .iter()
            .map(|run| run.metrics(file))
            .collect::<Result<_>>()?;
        let longest = tables.iter().map(Table::len).max().unwrap_or(0);
        let steps: Vec<f64> = (1..=longest).map(|step| step as f64).collect();
        let curves: Vec<Curve<'_>> = tables
            .iter()
            .map(|table| (&steps[..table.len()], table.column(metric)))
            .collect();
        if let Some(bundle) = Bundle::of(&curves, PLACES) {
            lines = lines.series(series(kernel, place, &bundle)?);
        }
    }
    Ok(lines)
}

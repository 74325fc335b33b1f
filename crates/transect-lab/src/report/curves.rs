//! SMSE and MSLL against the number of samples: one column per terrain, one line per kernel.

use super::album::Album;
use super::bundle::{Bundle, Curve};
use super::runs::{Run, by_kernel, by_name};
use super::words;
use crate::error::Result;
use crate::experiment::{Profile, TERRAINS};
use crate::results::Table;
use transect_plot::report::Illustration;
use transect_plot::{Axis, Figure, Lines, Series};

/// Places along a curve: every fifth sample of the paper's 650 after the pilot survey.
const PLACES: usize = 130;
const SIZE: [f64; 2] = [250.0, 185.0];

/// The metric curves of a strategy.
pub(super) fn figure(
    runs: &[&Run],
    (strategy, profile): (&str, Profile),
    album: &mut Album,
) -> Result<Option<Illustration>> {
    let terrains = by_name(runs, 0, &TERRAINS);
    if terrains.is_empty() {
        return Ok(None);
    }
    let title = format!("{}: error against samples", words::strategy(strategy));
    let mut figure = Figure::new(title).columns(terrains.len());
    for metric in ["smse", "msll"] {
        for (terrain, runs) in &terrains {
            let title = if metric == "smse" { terrain } else { "" };
            figure = figure.panel(panel(runs, metric)?.title(title));
        }
    }
    let name = format!("{}-curves-{strategy}", profile.name());
    let names: Vec<String> = terrains.into_iter().map(|(name, _)| name).collect();
    let alt = format!(
        "Line plots of SMSE and MSLL against samples in {}, one line per kernel.",
        words::listed(&names)
    );
    let illustration = album.drawing(&name, &figure)?;
    Ok(Some(illustration.caption(caption(strategy)).alt(alt)))
}

/// One metric on one terrain.
fn panel(runs: &[&Run], metric: &str) -> Result<Lines> {
    let label = words::metric(metric);
    let axis = match metric {
        "smse" => Axis::new(label).log(),
        _ => Axis::new(label),
    };
    let mut lines = Lines::new("Samples", axis).size(SIZE[0], SIZE[1]);
    for (place, (kernel, runs)) in by_kernel(runs).iter().enumerate() {
        let tables: Vec<Table> = runs
            .iter()
            .map(|run| run.metrics("metrics.csv"))
            .collect::<Result<_>>()?;
        let curves: Vec<Curve<'_>> = tables
            .iter()
            .map(|table| (table.column("samples"), table.column(metric)))
            .collect();
        if let Some(bundle) = Bundle::of(&curves, PLACES) {
            lines = lines.series(series(kernel, place, &bundle)?);
        }
    }
    Ok(lines)
}

/// A kernel's line, with a band if there are several seeds.
pub(super) fn series(kernel: &str, place: usize, bundle: &Bundle) -> Result<Series> {
    let line = Series::new(words::kernel(kernel), &bundle.at, &bundle.mean)?;
    let line = line.style(words::style(kernel, place));
    Ok(match bundle.count {
        1 => line,
        _ => line.spread(&bundle.std)?,
    })
}

fn caption(strategy: &str) -> String {
    let look = match strategy {
        "random" => {
            "AK should lie lowest in both rows. In N43W080 the error curves lie on top of one another, because few random \
             samples hit its two rough spots; even there AK should stand out in MSLL, and Gibbs should beat RBF and DKL in it."
        }
        "active" => {
            "As with random samples AK should lie lowest. Its lead in error should be wider than there in N43W080, where \
             samples are now drawn to the rough spots, and narrower in N47W124."
        }
        "myopic" => {
            "AK's error should fall fastest, most clearly in N47W124; in MSLL all three non-stationary kernels should beat \
             RBF, AK first and Gibbs before DKL. A planner's epochs end at different sample counts: curves are interpolated."
        }
        _ => "Lower is better in both rows.",
    };
    format!(
        "Lines are means over seeds, bands one standard deviation either way; lower is better; the error axis is logarithmic. {look}"
    )
}

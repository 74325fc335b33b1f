//! Variants of the attentive kernel against the number of samples, as the paper prints them: SMSE, MSLL and MAE in rows, terrains in
//! columns, a line for every variant.

use super::album::Album;
use super::bundle::{Bundle, Curve};
use super::runs::{Run, by_name};
use super::words;
use crate::error::Result;
use crate::experiment::TERRAINS;
use crate::results::Table;
use crate::variants::VARIANT_METRICS;
use transect_plot::report::Illustration;
use transect_plot::{Axis, Figure, Lines, Series, palette};

const SIZE: [f64; 2] = [250.0, 170.0];
const PLACES: usize = 130;

/// The curves of the runs that `place` puts in order, each called by the name it gives.
pub(super) fn figure(
    runs: &[&Run],
    place: impl Fn(&Run) -> Option<(f64, String)>,
    (name, title): (&str, &str),
    album: &mut Album,
) -> Result<Option<Illustration>> {
    let mut order: Vec<(f64, String)> = Vec::new();
    for variant in runs.iter().filter_map(|run| place(run)) {
        if !order.contains(&variant) {
            order.push(variant);
        }
    }
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let chosen: Vec<&Run> = runs
        .iter()
        .copied()
        .filter(|run| place(run).is_some())
        .collect();
    let terrains = by_name(&chosen, 0, &TERRAINS);
    if terrains.is_empty() {
        return Ok(None);
    }
    let mut figure = Figure::new(title).columns(terrains.len());
    for metric in VARIANT_METRICS {
        for (terrain, runs) in &terrains {
            let label = Axis::new(words::metric(metric));
            let label = if metric == "smse" { label.log() } else { label };
            let mut lines = Lines::new("Samples", label).size(SIZE[0], SIZE[1]);
            lines = lines.title(if metric == VARIANT_METRICS[0] {
                terrain
            } else {
                ""
            });
            for (i, variant) in order.iter().enumerate() {
                let own = runs
                    .iter()
                    .filter(|run| place(run).as_ref() == Some(variant));
                let tables: Vec<Table> = own
                    .map(|run| run.metrics("metrics.csv"))
                    .collect::<Result<_>>()?;
                let curves: Vec<Curve<'_>> = tables
                    .iter()
                    .map(|table| (table.column("samples"), table.column(metric)))
                    .collect();
                if let Some(bundle) = Bundle::of(&curves, PLACES) {
                    let line = Series::new(&variant.1, &bundle.at, &bundle.mean)?;
                    let line = line.style(palette::series(i));
                    lines = lines.series(match bundle.count {
                        1 => line,
                        _ => line.spread(&bundle.std)?,
                    });
                }
            }
            figure = figure.panel(lines);
        }
    }
    let alt = format!("{title}: line plots of SMSE, MSLL and MAE against samples.");
    Ok(Some(album.drawing(name, &figure)?.alt(alt)))
}

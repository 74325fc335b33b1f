//! Variants of the attentive kernel: one parameter at a time, one part at a time.
//!
//! A dot is a metric's mean over a run's curve, then the mean over seeds; its bar is the standard
//! deviation over seeds.

use super::album::Album;
use super::runs::{Run, by_name, runs};
use super::{trends, words};
use crate::error::Result;
use crate::experiment::{self, ABLATION, Experiment, Profile, TERRAINS};
use crate::results::Results;
use crate::tables::Spread;
use transect_plot::report::{Cell, Illustration, Section, Table};
use transect_plot::{Axis, DotSeries, Dots, Figure, palette};

const SIZE: [f64; 2] = [400.0, 230.0];

/// A swept parameter: its name in paths, on the axis, and what the paper finds.
struct Parameter {
    prefix: &'static str,
    sign: &'static str,
    name: &'static str,
    log: bool,
    look: &'static str,
}

const PARAMETERS: [Parameter; 4] = [
    Parameter {
        prefix: "m",
        sign: "M",
        name: "Number of base kernels M",
        log: false,
        look: "More base kernels should help, less and less so: from about five on the dots should be level.",
    },
    Parameter {
        prefix: "h",
        sign: "H",
        name: "Hidden units H",
        log: false,
        look: "The dots should be level but for H = 2, where MSLL suffers: so small a network has too little to blend with.",
    },
    Parameter {
        prefix: "lmin",
        sign: "\u{2113} min",
        name: "Least length-scale (standardised)",
        log: true,
        look: "Smaller should be better, with nothing left to gain below 0.01.",
    },
    Parameter {
        prefix: "lmax",
        sign: "\u{2113} max",
        name: "Greatest length-scale (standardised)",
        log: false,
        look: "The dots should be level from 0.5 on, and worse at 0.2 and 0.3.",
    },
];

const CURVES: &str = "The same against the number of samples, as the paper prints it; bands are one standard deviation over seeds.";

/// A variant's position on the axis and its runs.
type Group<'a> = (f64, Vec<&'a Run>);

/// Sensitivity to M, H, and the least and greatest length-scale.
pub(super) fn sensitivity(
    results: &Results,
    profile: Profile,
    album: &mut Album,
) -> Result<Option<Section>> {
    let runs = runs(results, Experiment::Sensitivity, profile, 2);
    let mut section = None;
    for parameter in &PARAMETERS {
        let value = |run: &Run| -> Option<f64> {
            let (prefix, value) = run.kernel().split_once('-')?;
            (prefix == parameter.prefix).then(|| value.parse().ok())?
        };
        let axis = Axis::new(parameter.name);
        let axis = if parameter.log { axis.log() } else { axis };
        let title = format!("Sensitivity \u{b7} {}", parameter.name);
        let name = format!("{}-sensitivity-{}", profile.name(), parameter.prefix);
        if let Some(picture) = figure(&runs, value, (&name, &title, axis), album)? {
            let heading = || {
                Section::new(words::heading(profile, "Sensitivity")).text(
                    "The attentive kernel with random samples, one parameter changed at a time. Dots are means over curve and seeds, \
                     bars one standard deviation over seeds; lower is better.",
                )
            };
            let so_far = section
                .unwrap_or_else(heading)
                .figure(picture.caption(parameter.look));
            let all: Vec<&Run> = runs.iter().collect();
            let place = |run: &Run| value(run).map(|v| (v, format!("{} = {v}", parameter.sign)));
            let curves = trends::figure(&all, place, (&format!("{name}-curves"), &title), album)?;
            section = Some(match curves {
                Some(picture) => so_far.figure(picture.caption(CURVES)),
                None => so_far,
            });
        }
    }
    Ok(section)
}

/// The kernel without one of its parts, or with a network for each; the default profile without one of its own.
pub(super) fn ablation(
    results: &Results,
    profile: Profile,
    album: &mut Album,
) -> Result<Option<Section>> {
    let runs = runs(results, Experiment::Ablation, profile, 2);
    if runs.is_empty() {
        return Ok(None);
    }
    let text = "The attentive kernel with random samples, part by part. Dots are means over curve and seeds, bars one standard \
        deviation over seeds; lower is better.";
    let mut section = Section::new(words::heading(profile, "Ablation")).text(text);
    let known = |run: &Run| ABLATION.iter().position(|name| *name == run.kernel());
    let axis = Axis::names("", ["full", "weight", "mask", "NNx2"]);
    let name = format!("{}-ablation", profile.name());
    let value = |run: &Run| known(run).map(|place| place as f64);
    let title = "Ablation of the attentive kernel";
    if let Some(picture) = figure(&runs, value, (&name, title, axis), album)? {
        let caption = "Full: the attentive kernel. Weight: length-scale selection only. Mask: instance selection only. NNx2: a \
            network for each. Mask alone should be clearly worst; weight alone should come close to full, and a second network \
            should change little.";
        section = section.figure(picture.caption(caption));
    }
    let all: Vec<&Run> = runs.iter().collect();
    let place = |run: &Run| known(run).map(|place| (place as f64, words::kernel(run.kernel())));
    if let Some(picture) = trends::figure(&all, place, (&format!("{name}-curves"), title), album)? {
        section = section.figure(picture.caption(CURVES));
    }
    if profile == Profile::Default {
        section = section.table(parts(&runs)?);
    }
    Ok(Some(section))
}

/// SMSE and MSLL of every variant on every terrain.
fn parts(runs: &[Run]) -> Result<Table> {
    let all: Vec<&Run> = runs.iter().collect();
    let terrains = by_name(&all, 0, &TERRAINS);
    let columns = terrains
        .iter()
        .flat_map(|(name, _)| ["smse", "msll"].map(|m| format!("{name} {}", words::metric(m))));
    let mut table = Table::new(
        ["Variant".to_string(), "Seeds".to_string()]
            .into_iter()
            .chain(columns),
    );
    for (variant, runs) in by_name(&all, 1, &experiment::ablation(Profile::Default)) {
        let mut cells = vec![Cell::text(&variant)];
        let mut numbers = Vec::new();
        let mut seeds = 0;
        for (terrain, _) in &terrains {
            let here: Vec<&Run> = runs
                .iter()
                .filter(|run| run.names.first() == Some(terrain))
                .copied()
                .collect();
            seeds = seeds.max(here.len());
            for (metric, digits) in [("smse", 3), ("msll", 2)] {
                numbers.push(match here.is_empty() {
                    true => Cell::text(""),
                    false => Cell::number(words::number(over_seeds(&here, metric)?.mean, digits)),
                });
            }
        }
        cells.push(Cell::number(seeds.to_string()));
        table = table.row(cells.into_iter().chain(numbers));
    }
    Ok(table)
}

/// SMSE beside MSLL against the variants that `value` places on the axis.
fn figure(
    runs: &[Run],
    value: impl Fn(&Run) -> Option<f64>,
    (name, title, axis): (&str, &str, Axis),
    album: &mut Album,
) -> Result<Option<Illustration>> {
    let chosen: Vec<&Run> = runs.iter().filter(|run| value(run).is_some()).collect();
    let terrains = by_name(&chosen, 0, &TERRAINS);
    if terrains.is_empty() {
        return Ok(None);
    }
    let mut figure = Figure::new(title).columns(2);
    for metric in ["smse", "msll"] {
        let mut dots =
            Dots::new(axis.clone(), Axis::new(words::metric(metric))).size(SIZE[0], SIZE[1]);
        for (place, (terrain, runs)) in terrains.iter().enumerate() {
            let mut groups: Vec<Group<'_>> = by_name(runs, 1, &[])
                .into_iter()
                .filter_map(|(_, runs)| Some((value(runs.first()?)?, runs)))
                .collect();
            groups.sort_by(|a, b| a.0.total_cmp(&b.0));
            let at: Vec<f64> = groups.iter().map(|(at, _)| *at).collect();
            let spreads: Vec<Spread> = groups
                .iter()
                .map(|(_, runs)| over_seeds(runs, metric))
                .collect::<Result<_>>()?;
            let mean: Vec<f64> = spreads.iter().map(|s| s.mean).collect();
            let std: Vec<f64> = spreads.iter().map(|s| s.std).collect();
            let series = DotSeries::new(terrain.as_str(), &at, &mean, &std)?;
            dots = dots.series(series.style(palette::series(place)));
        }
        figure = figure.panel(dots);
    }
    let names: Vec<String> = terrains.into_iter().map(|(name, _)| name).collect();
    let alt = format!(
        "{title}: SMSE and MSLL with error bars in {}.",
        words::listed(&names)
    );
    Ok(Some(album.drawing(name, &figure)?.alt(alt)))
}

/// A metric's mean over the curve: its mean and deviation over seeds.
fn over_seeds(runs: &[&Run], metric: &str) -> Result<Spread> {
    let means: Vec<f64> = runs
        .iter()
        .map(|run| Ok(Spread::of(run.metrics("metrics.csv")?.column(metric)).mean))
        .collect::<Result<_>>()?;
    Ok(Spread::of(&means))
}

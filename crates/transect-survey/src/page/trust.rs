//! Can the error bars be believed?

use super::maps::capitalised;
use super::{Page, Survey};
use crate::error::Result;
use transect::metrics::Calibration;
use transect::mission::Ending;
use transect::surrogate::TRUSTWORTHY_COVERAGE;
use transect_plot::report::{Illustration, Section};
use transect_plot::{Bars, Figure};

/// A map that misses this share of the surface's variance is little better than its mean.
const TOO_POOR: f64 = 0.5;

/// The map's error bars against the truth, where that is known.
pub(super) fn against_truth(survey: &Survey<'_>, page: &Page<'_>) -> Option<Calibration> {
    let map = &survey.outcome.learnt.as_ref()?.map;
    map.calibration(&map.truth(page.terrain?, page.lookup))
}

/// The error bars of each reading, predicted from all others.
pub(super) fn left_out<'a>(survey: &Survey<'a>) -> Option<&'a Calibration> {
    survey.outcome.learnt.as_ref()?.left_out.as_ref()
}

/// What speaks against using a survey's map.
#[must_use]
pub fn warnings(survey: &Survey<'_>, page: &Page<'_>) -> Vec<String> {
    let name = survey.name;
    let mut warnings = Vec::new();
    let mut narrow = |of: &str, coverage: f64| {
        if coverage < TRUSTWORTHY_COVERAGE {
            warnings.push(format!(
                "Do not trust the error bars of the {name} survey: only {:.0} % of {of} lie inside bars that should \
                 hold 95 %.",
                100.0 * coverage
            ));
        }
    };
    match against_truth(survey, page) {
        Some(truth) => narrow("true values", truth.coverage_95),
        None => {
            if let Some(readings) = left_out(survey) {
                narrow("readings left out", readings.coverage_95);
            }
        }
    }
    if let Some(e) = survey.outcome.result().filter(|e| e.smse > TOO_POOR) {
        warnings.push(format!(
            "The map of the {name} survey misses {:.0} % of the surface's variance: it needs more soundings.",
            100.0 * e.smse
        ));
    }
    let (area, way_m) = (page.area.bounds(), survey.outcome.spent.distance_m);
    if way_m < area.width() + area.height() {
        warnings.push(format!(
            "The {name} survey drove {way_m:.0} m in an area of {:.0} x {:.0} m and saw little of it: give it more \
             soundings, fewer of them per second, or a faster boat.",
            area.width(),
            area.height()
        ));
    }
    let ending = survey.outcome.ending;
    if matches!(ending, Ending::NoReadings | Ending::NoProgress) {
        warnings.push(format!("The {name} survey ended early: {ending}."));
    }
    warnings
}

/// Histograms of where the truth, or else readings that were left out, lie in the predicted distributions.
pub(super) fn section(surveys: &[Survey<'_>], page: &Page<'_>) -> Result<Option<Section>> {
    let edges: Vec<f64> = (0..=10).map(|i| f64::from(i) / 10.0).collect();
    let mut pictures = Vec::new();
    for survey in surveys {
        let truth = against_truth(survey, page);
        let of = match truth {
            Some(_) => "the truth",
            None => "each reading, predicted from all others",
        };
        let Some(calibration) = truth.or_else(|| left_out(survey).cloned()) else {
            continue;
        };
        let total: u64 = calibration.pit_histogram.iter().sum();
        let density = |count: &u64| 10.0 * *count as f64 / total.max(1) as f64;
        let heights: Vec<f64> = calibration.pit_histogram.iter().map(density).collect();
        let bars = Bars::new("Predicted probability", "Density", &edges, &heights)?
            .reference(1.0, "Perfectly calibrated")
            .size(400.0, 240.0);
        let name = capitalised(survey.name);
        let tails = survey
            .outcome
            .learnt
            .as_ref()
            .map(|learnt| learnt.map.tails);
        let [half, most] = [0.5, 0.95].map(|p| tails.unwrap_or_default().half_width(p));
        pictures.push(
            Illustration::svg(&Figure::new("").panel(bars))
                .caption(format!(
                    "{name}: {of}. Expected within {half:.2} standard deviations: 50 %; within {most:.2}: 95 %."
                ))
                .alt(format!("{name}: {of}")),
        );
    }
    if pictures.is_empty() {
        return Ok(None);
    }
    let text = "Where the values lie in the distributions that were predicted for them. Flat is honest; high at both \
                ends means error bars that are too narrow, high in the middle too wide.";
    let section = Section::new("Can the error bars be believed?").text(text);
    Ok(Some(section.gallery(pictures)))
}

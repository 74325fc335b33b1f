//! Can the error bars be believed?

use super::maps::capitalised;
use super::{Page, Survey};
use transect::metrics::Calibration;
use transect::mission::Ending;
use transect::surrogate::TRUSTWORTHY_COVERAGE;
use transect_plot::page::CalibrationData;

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
    if survey.outcome.learnt.is_none() {
        warnings.push(format!(
            "There is no map of the {name} survey: {ending}, before there was a model."
        ));
        return warnings;
    }
    if matches!(ending, Ending::NoReadings | Ending::NoProgress) {
        warnings.push(format!("The {name} survey ended early: {ending}."));
    }
    warnings
}

/// Coverage of 95 % error bars above this: they are wider than they need to be.
const TOO_WIDE: f64 = 0.99;

/// Where the truth, or else readings that were left out, lie in the predicted distributions.
pub(super) fn calibration(surveys: &[Survey<'_>], page: &Page<'_>) -> Vec<CalibrationData> {
    let mut found = Vec::new();
    for survey in surveys {
        let truth = against_truth(survey, page);
        let of = match truth {
            Some(_) => "true values",
            None => "readings, each predicted from all others,",
        };
        let Some(calibration) = truth.or_else(|| left_out(survey).cloned()) else {
            continue;
        };
        let name = capitalised(survey.name);
        let learnt = survey.outcome.learnt.as_ref();
        let tails = learnt.map(|learnt| learnt.map.tails).unwrap_or_default();
        let (half, most) = (calibration.coverage_50, calibration.coverage_95);
        let verdict = if most < TRUSTWORTHY_COVERAGE {
            "The bars are too narrow: do not trust them."
        } else if most > TOO_WIDE {
            "The bars are wider than they need to be: the map is better than it claims."
        } else {
            "The bars can be believed."
        };
        found.push(CalibrationData {
            words: format!(
                "{name}: {:.1} % of {of} lie inside error bars that should hold 95 %, and {:.1} % inside those that should \
                 hold 50 %. {verdict}",
                100.0 * most,
                100.0 * half
            ),
            caption: format!(
                "{name}: where {of} lie in the distributions predicted for them. 50 % are expected within {:.2} standard \
                 deviations of the map, 95 % within {:.2}.",
                tails.half_width(0.5),
                tails.half_width(0.95)
            ),
            histogram: calibration.pit_histogram.to_vec(),
            name,
        });
    }
    found
}

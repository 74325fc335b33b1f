//! What was gained, in sentences.

use super::maps::capitalised;
use super::{Page, Survey};
use crate::outcome::Verdict;

/// The last verdict on a survey's map not later than a moment.
fn at<'a>(survey: &Survey<'a>, time_s: f64) -> Option<&'a Verdict> {
    let verdicts = survey.outcome.curve.iter();
    verdicts
        .take_while(|verdict| verdict.time_s <= time_s)
        .last()
}

/// What the surveys gained: the first one against the others after equal time, and against its own beginning.
pub(super) fn sentences(surveys: &[Survey<'_>], page: &Page<'_>) -> Vec<String> {
    let unit = &page.labels.unit;
    let mut sentences = Vec::new();
    let Some((first, others)) = surveys.split_first() else {
        return sentences;
    };
    for other in others {
        let ends = [first, other].map(|s| s.outcome.curve.last().map(|verdict| verdict.time_s));
        let [Some(mine), Some(theirs)] = ends else {
            continue;
        };
        let time_s = mine.min(theirs);
        if let [Some(a), Some(b)] = [at(first, time_s), at(other, time_s)] {
            let (a, b) = (a.evaluation.rmse, b.evaluation.rmse);
            let change = 100.0 * (a - b) / b;
            let words = if change.abs() < 0.5 {
                "the same".into()
            } else if change < 0.0 {
                format!("{:.0} % less", -change)
            } else {
                format!("{change:.0} % more")
            };
            sentences.push(format!(
                "After equal time, {time_s:.0} s, the map of the {} survey was off by {a:.2} {unit} (root mean square), \
                 that of the {} survey by {b:.2} {unit}: {words}.",
                first.name, other.name
            ));
        }
    }
    for survey in surveys {
        if let [Some(begin), Some(end)] =
            [survey.outcome.curve.first(), survey.outcome.curve.last()]
            && begin.time_s < end.time_s
        {
            sentences.push(format!(
                "{}: the error of the map went from {:.2} {unit}, when there first was one after {:.0} s, to {:.2} {unit} \
                 after {:.0} s.",
                capitalised(survey.name),
                begin.evaluation.rmse,
                begin.time_s,
                end.evaluation.rmse,
                end.time_s
            ));
        }
    }
    sentences
}

//! Tables.

use super::maps::capitalised;
use super::{Page, Survey, trust};
use transect_plot::page::{NumberRow, NumberTable};

const EXPLANATION: &str = "RMSE and MAE are errors of the map. SMSE is the share of the surface's variance that \
    the map misses. MSLL compares the map, error bars included, with a guess of the mean: below 0 is better than \
    guessing. Honest error bars of 95 % hold the truth in 95 % of all places.";

/// One line of the table: a name and the survey's number.
type Row = (&'static str, String);

/// What is known of a survey, in the order of interest.
fn rows(survey: &Survey<'_>, page: &Page<'_>) -> Vec<Row> {
    let outcome = survey.outcome;
    let unit = &page.labels.unit;
    let mut rows = vec![
        ("Soundings", outcome.spent.soundings.to_string()),
        ("Distance", format!("{:.1} m", outcome.spent.distance_m)),
        ("Time", format!("{:.0} s", outcome.spent.time_s)),
    ];
    if outcome.lost > 0 {
        rows.push(("Lost readings", outcome.lost.to_string()));
    }
    if let Some(e) = outcome.result() {
        rows.extend([
            ("RMSE", format!("{:.2} {unit}", e.rmse)),
            ("MAE", format!("{:.2} {unit}", e.mae)),
            ("SMSE", format!("{:.3}", e.smse)),
            ("MSLL", format!("{:.2}", e.msll)),
        ]);
    }
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    if let Some(truth) = trust::against_truth(survey, page) {
        rows.push(("Truth inside 95 % bars", percent(truth.coverage_95)));
        rows.push(("Truth inside 50 % bars", percent(truth.coverage_50)));
    }
    if let Some(left_out) = trust::left_out(survey) {
        rows.push(("Readings inside 95 % bars", percent(left_out.coverage_95)));
    }
    rows
}

/// The numbers of all surveys side by side. A number that a survey lacks is left empty.
fn side_by_side(surveys: &[Survey<'_>], page: &Page<'_>) -> Vec<(&'static str, Vec<String>)> {
    let columns: Vec<Vec<Row>> = surveys.iter().map(|s| rows(s, page)).collect();
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in columns.iter().flatten() {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let cell = |column: &Vec<Row>, name: &str| {
        let found = column.iter().find(|(other, _)| *other == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    };
    let line = |name: &'static str| {
        let cells = columns.iter().map(|column| cell(column, name));
        (name, cells.collect())
    };
    names.into_iter().map(line).collect()
}

pub(super) fn table(surveys: &[Survey<'_>], page: &Page<'_>) -> NumberTable {
    let row = |(name, cells): (&str, Vec<String>)| NumberRow {
        best: best(name, surveys),
        name: name.into(),
        cells,
    };
    let rows = side_by_side(surveys, page).into_iter().map(row);
    NumberTable {
        columns: surveys.iter().map(|s| capitalised(s.name)).collect(),
        rows: rows.collect(),
        explanation: EXPLANATION.into(),
    }
}

/// Which of several surveys has the least error of a kind.
fn best(name: &str, surveys: &[Survey<'_>]) -> Option<usize> {
    let error = |survey: &Survey<'_>| {
        let e = survey.outcome.result()?;
        Some(match name {
            "RMSE" => e.rmse,
            "MAE" => e.mae,
            "SMSE" => e.smse,
            "MSLL" => e.msll,
            _ => return None,
        })
    };
    let errors: Vec<f64> = surveys.iter().map(error).collect::<Option<_>>()?;
    let least = errors.iter().copied().reduce(f64::min)?;
    let best: Vec<usize> = (0..errors.len()).filter(|i| errors[*i] == least).collect();
    (errors.len() > 1 && best.len() == 1).then(|| best[0])
}

/// The numbers as lines of text.
#[must_use]
pub fn comparison_text(surveys: &[Survey<'_>], page: &Page<'_>) -> String {
    let mut text = format!("{:26}", "");
    for survey in surveys {
        text.push_str(&format!("{:>13}", survey.name));
    }
    text.push('\n');
    for (name, cells) in side_by_side(surveys, page) {
        text.push_str(&format!("{name:26}"));
        for cell in cells {
            text.push_str(&format!("{cell:>13}"));
        }
        text.push('\n');
    }
    text
}

/// What went wrong, each thing once, with how often.
pub(super) fn troubles(surveys: &[Survey<'_>]) -> Vec<String> {
    let mut found: Vec<(&str, usize)> = Vec::new();
    for trouble in surveys.iter().flat_map(|s| &s.outcome.troubles) {
        match found.iter_mut().find(|(text, _)| text == trouble) {
            Some((_, count)) => *count += 1,
            None => found.push((trouble, 1)),
        }
    }
    let line = |(text, count): &(&str, usize)| format!("{count} x {text}");
    found.iter().map(line).collect()
}

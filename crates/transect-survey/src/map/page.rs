//! The page of a map: the map itself, to move and ask, what was read and set aside, water by level, how far to trust it.

use super::{Drawn, MapOutcome};
use crate::error::Result;
use crate::page::{PROGRAM, crs_in_words, degrees};
use transect::surrogate::TRUSTWORTHY_COVERAGE;
use transect_io::Crs;
use transect_io::soundings::Quantity;
use transect_plot::Report;
use transect_plot::page::{GridData, MapData, SurveyData};
use transect_plot::report::{Cell, Section, Table};

pub(super) fn html(outcome: &MapOutcome, drawn: &Drawn<'_>) -> Result<String> {
    let log = &outcome.log;
    let quality = &outcome.map.quality;
    let name = outcome.files[0]
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let place = match (log.located.crs, log.located.centre) {
        (Crs::Local, _) => "metres of an unknown origin".to_string(),
        (crs, Some(centre)) => format!(
            "{crs}, around {:.5}° N, {:.5}° E",
            centre.lat_deg, centre.lon_deg
        ),
        (crs, None) => crs.to_string(),
    };
    let intro = format!(
        "{} soundings from {}; {}. Coordinates: {place}.",
        outcome.places,
        log.soundings.files.join(", "),
        log.soundings.quantity.convention()
    );
    let mut report = Report::new(format!("Map of {name}")).intro(intro);
    if quality.coverage_apart < TRUSTWORTHY_COVERAGE {
        report = report.warning(
            "The error bars do not fit the soundings: take the standard deviations with care.",
        );
    }
    report = report.explorer(&explorer(outcome, drawn))?;
    let maps = Section::new("How well soundings predict each other");
    report = report.section(maps.text(format!(
        "Each sounding is predicted by the others to {:.3} (root mean square); {:.1} % lie inside their 95 % intervals. The map \
         says its own error is {:.3}.",
        quality.rmse,
        100.0 * quality.coverage_95,
        outcome.map.expected_error()
    )));
    if let Some(section) = storage_section(outcome) {
        report = report.section(section);
    }
    report = report.section(trust_section(outcome));
    let mut done = Section::new("What was done to the soundings");
    let text = format!(
        "{} rows read, {} without a number, {} set aside ({}), {} repeated, {} averaged with another of the same place.",
        log.soundings.rows,
        log.soundings.gaps,
        log.flags.len(),
        log.reasons()
            .iter()
            .map(|(word, count)| format!("{count} {word}"))
            .collect::<Vec<_>>()
            .join(", "),
        outcome.repeated,
        outcome.averaged
    );
    done = done.text(text.replace(" ()", ""));
    if !log.notes.is_empty() {
        done = done.code(log.notes.join("\n"));
    }
    let files = outcome.files.iter();
    let files = files.filter_map(|f| Some((f.file_name()?.to_string_lossy().into_owned(), "")));
    let report = report.section(done);
    let report = report.section(Section::new("Files").links(files));
    Ok(report.footer(format!("Made by {PROGRAM}.")).to_html())
}

/// What the page's map shows.
fn explorer(outcome: &MapOutcome, drawn: &Drawn<'_>) -> MapData {
    let (map, log) = (drawn.map, &outcome.log);
    let extent = map.grid.extent;
    let corners = [extent.xmin(), extent.ymin(), extent.xmax(), extent.ymax()];
    let (quantity, unit) = match drawn.quantity {
        Quantity::Depth => ("Depth", "m"),
        Quantity::Elevation => ("Elevation", "m"),
        Quantity::Other if drawn.name.parse::<usize>().is_ok() => ("Value", ""),
        Quantity::Other => (drawn.name, ""),
    };
    let sounding = |i: usize| {
        let [x, y] = log.located.metres[i];
        [x, y, log.soundings.values[i]]
    };
    let kept = log.kept();
    let survey = SurveyData {
        name: "map".into(),
        grid: Some(GridData {
            columns: map.grid.columns,
            rows: map.grid.rows,
            extent: corners,
            mean: map.mean.clone(),
            std: map.std.clone(),
        }),
        soundings: (kept.iter().map(|i| sounding(*i)))
            .map(|[x, y, value]| [x, y, value, 0.0])
            .collect(),
        soundings_total: kept.len(),
        flagged: log.flags.iter().map(|flag| sounding(flag.index)).collect(),
        ..SurveyData::default()
    };
    MapData {
        bounds: corners,
        crs: crs_in_words(drawn.crs),
        degrees: degrees(drawn.crs, &extent),
        quantity: quantity.into(),
        unit: unit.into(),
        downward: drawn.quantity == Quantity::Depth,
        fence: drawn.area.map_or(Vec::new(), |area| area.rings.clone()),
        contour_step: outcome.interval,
        surveys: vec![survey],
        ..MapData::default()
    }
}

fn storage_section(outcome: &MapOutcome) -> Option<Section> {
    let storage = outcome.storage.as_ref()?;
    let depth = outcome.log.soundings.quantity == Quantity::Depth;
    let level = if depth {
        "Water lower by (m)"
    } else {
        "Water at (m)"
    };
    let mut table = Table::new([
        level,
        "Area (m²)",
        "95 % interval (m²)",
        "Volume (m³)",
        "95 % interval (m³)",
        "Mean depth (m)",
    ]);
    for row in &storage.rows {
        let [low, high] = row.volume_95;
        let [smallest, largest] = row.area_95;
        table = table.row([
            Cell::number(
                format!("{:.3}", row.level)
                    .trim_end_matches('0')
                    .trim_end_matches('.')
                    .to_string(),
            ),
            Cell::number(format!("{:.0}", row.area_m2)),
            Cell::number(format!("{smallest:.0} to {largest:.0}")),
            Cell::number(format!("{:.0}", row.volume_m3)),
            Cell::number(format!("{low:.0} to {high:.0}")),
            Cell::number(format!("{:.2}", row.mean_depth_m)),
        ]);
    }
    let text = "Expected values and 95 % intervals of surfaces drawn from the map's joint posterior: errors of neighbouring cells \
                go together. What is not mapped is not counted.";
    Some(Section::new("Water by level").text(text).table(table))
}

fn trust_section(outcome: &MapOutcome) -> Section {
    let mut section = Section::new("How far to trust it");
    let crossings = &outcome.crossings;
    section = section.text(match crossings.differences.len() {
        0 => "The track never crosses itself, so that nothing was measured twice.".to_string(),
        count => format!(
            "The track crosses itself {count} times: differences of {:.3} (root mean square), {:.3} at most in 95 % of them, \
             {:+.3} on average (later less earlier).",
            crossings.rms(),
            crossings.quantile(0.95),
            crossings.mean()
        ),
    });
    let (orders, reached) = &outcome.orders;
    if !orders.is_empty() {
        let mut table = Table::new([
            "IHO S-44 order",
            "Share of the map whose vertical uncertainty it allows",
        ]);
        for order in orders {
            table = table.row([
                Cell::text(order.name),
                Cell::number(format!("{:.1} %", 100.0 * order.share)),
            ]);
        }
        let text = match reached {
            Some(name) => format!("The vertical uncertainty is that of order {name} of IHO S-44 in at least 95 % of the map. Position, coverage and what must be found are not judged."),
            None => "The vertical uncertainty is more than any order of IHO S-44 allows in over 5 % of the map.".to_string(),
        };
        section = section.text(text).table(table);
    }
    section
}

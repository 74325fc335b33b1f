//! The page itself.

use super::data::{CalibrationData, MapData, PageData};
use crate::markup::{escape, script_safe};
use crate::report::{Cell, Illustration, Lead, Report, Section, Table};
use crate::{Axis, Bars, Figure, Lines, PlotError, Series};

const STYLE: &str = include_str!("web/page.css");
const CONTROLS: &str = include_str!("web/controls.html");
/// In the order in which they use each other.
const SCRIPT: &str = concat!(
    include_str!("web/numbers.js"),
    include_str!("web/field.js"),
    include_str!("web/chart.js"),
    include_str!("web/profile.js"),
    include_str!("web/explorer.js"),
);
/// Only what is served while a mission runs asks for anything.
const LIVE: &str = include_str!("web/live.js");
const START: &str = include_str!("web/start.js");
/// A live page hears from the server it came from, and from nobody else.
const LIVE_POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
                           connect-src 'self'; base-uri 'none'; form-action 'none'";
/// Nothing is fetched, whatever a page holds.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; \
                      base-uri 'none'; form-action 'none'";

impl PageData {
    /// The page as one file.
    ///
    /// # Errors
    /// If a grid has more or fewer values than cells, or a figure cannot be drawn.
    pub fn to_html(&self) -> Result<String, PlotError> {
        let mut report = Report::new(&self.title).intro(&self.intro);
        for warning in &self.warnings {
            report = report.warning(warning);
        }
        report = report.explorer(&self.map)?;
        for section in self.sections()? {
            report = report.section(section);
        }
        let made = match &self.date {
            Some(date) => format!("Made on {date} by {}.", self.program),
            None => format!("Made by {}.", self.program),
        };
        Ok(report.footer(made).to_html())
    }

    fn sections(&self) -> Result<Vec<Section>, PlotError> {
        let mut sections = Vec::new();
        if !self.numbers.rows.is_empty() || !self.gained.is_empty() {
            sections.push(self.results()?);
        }
        if !self.calibration.is_empty() {
            sections.push(trust(&self.calibration)?);
        }
        if !self.files.is_empty() {
            let links = self.files.iter().map(|file| (&file.name, &file.what));
            sections.push(Section::new("Files").links(links));
        }
        if !self.troubles.is_empty() {
            let text = "Each was dealt with on the way; the journal has them all.";
            let troubles = self.troubles.join("\n");
            sections.push(Section::new("Troubles").text(text).code(troubles));
        }
        if !self.settings.is_empty() {
            let section = Section::new("Settings");
            sections.push(section.folded("Every setting that was used", &self.settings));
        }
        Ok(sections)
    }

    fn results(&self) -> Result<Section, PlotError> {
        let mut section = Section::new("What was gained");
        for sentence in &self.gained {
            section = section.text(sentence);
        }
        let numbers = &self.numbers;
        let mut table =
            Table::new(std::iter::once("").chain(numbers.columns.iter().map(|c| &c[..])));
        for row in &numbers.rows {
            let cells = row.cells.iter().enumerate().map(|(i, cell)| {
                let number = Cell::number(cell);
                if row.best == Some(i) {
                    number.better()
                } else {
                    number
                }
            });
            table = table.row(std::iter::once(Cell::text(&row.name)).chain(cells));
        }
        section = section.table(table).text(&numbers.explanation);
        if self.curves.iter().any(|curve| curve.x.len() > 1) {
            let error = Axis::new("RMSE").unit(&self.map.unit);
            let mut lines =
                Lines::new(Axis::new("Time under way").unit("s"), error).size(560.0, 300.0);
            for curve in &self.curves {
                lines = lines.series(Series::new(&curve.name, &curve.x, &curve.y)?);
            }
            section = section.figure(
                Illustration::svg(&Figure::new("").panel(lines))
                    .caption("Error of the map against time under way")
                    .alt("Error curves"),
            );
        }
        Ok(section)
    }
}

impl MapData {
    /// The map as it stands before the sections of a report.
    pub(crate) fn lead(&self) -> Result<Lead, PlotError> {
        for survey in &self.surveys {
            if let Some(grid) = &survey.grid {
                grid.check()?;
            }
            for frame in &survey.frames {
                frame.check()?;
            }
        }
        let (map, notes) = self.clone().bounded();
        let json = serde_json::to_string(&map).map_err(|e| PlotError::Encode(e.to_string()))?;
        let notes: String = notes
            .iter()
            .map(|note| format!(" {}", escape(note)))
            .collect();
        let foot = format!(
            "<p class=\"notes\">Coordinates: {}. Uncertainty is one standard deviation of the surface itself.{notes}</p>\n",
            escape(&map.crs)
        );
        let live = if map.live { LIVE } else { "" };
        Ok(Lead {
            policy: if map.live { LIVE_POLICY } else { POLICY },
            style: STYLE,
            html: CONTROLS.replace("<!-- notes -->", &foot),
            scripts: format!(
                "<script type=\"application/json\" id=\"map-data\">{}</script>\n<script>\n\"use strict\";\n{SCRIPT}{live}{START}</script>\n",
                script_safe(&json)
            ),
        })
    }
}

/// Where values lie in the distributions that were predicted for them.
fn trust(calibration: &[CalibrationData]) -> Result<Section, PlotError> {
    let mut section = Section::new("Can the error bars be believed?");
    for data in calibration {
        section = section.text(&data.words);
    }
    let mut pictures = Vec::new();
    for data in calibration {
        let total: u64 = data.histogram.iter().sum();
        let bins = data.histogram.len().max(1) as f64;
        let edges: Vec<f64> = (0..=data.histogram.len())
            .map(|i| i as f64 / bins)
            .collect();
        let density = |count: &u64| bins * *count as f64 / total.max(1) as f64;
        let heights: Vec<f64> = data.histogram.iter().map(density).collect();
        let bars = Bars::new("Predicted probability", "Density", &edges, &heights)?
            .reference(1.0, "Perfectly calibrated")
            .size(400.0, 240.0);
        pictures.push(
            Illustration::svg(&Figure::new("").panel(bars))
                .caption(&data.caption)
                .alt(format!("{}: {}", data.name, data.caption)),
        );
    }
    let text = "Flat is honest; high at both ends means error bars that are too narrow, high in the middle too wide.";
    Ok(section.gallery(pictures).text(text))
}

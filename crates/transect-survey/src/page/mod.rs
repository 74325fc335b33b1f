//! The page of a mission folder.
//!
//! | file | what |
//! |---|---|
//! | `maps` | prediction, uncertainty, error, with path and fence; the truth |
//! | `numbers` | tables |
//! | `trust` | calibration, and warnings when it is bad |

mod maps;
mod numbers;
mod trust;

pub use maps::overview;
pub use numbers::comparison_text;
pub use trust::warnings;

use crate::choice::TerrainChoice;
use crate::error::Result;
use crate::outcome::Outcome;
use transect::geometry::Workspace;
use transect::terrain::{Lookup, Terrain};
use transect_plot::report::{Illustration, Section};
use transect_plot::{Axis, Figure, Lines, Report, Series};

/// What a page shows of one survey.
#[derive(Debug, Clone, Copy)]
pub struct Survey<'a> {
    /// Its name, in lower case.
    pub name: &'a str,
    /// What it came to.
    pub outcome: &'a Outcome,
}

/// What a page says beside its surveys.
#[derive(Debug, Clone)]
pub struct Page<'a> {
    /// The title.
    pub title: String,
    /// What this is, in a few sentences.
    pub intro: String,
    /// The surface, where it is known.
    pub terrain: Option<&'a Terrain>,
    /// How the surface is read between cells.
    pub lookup: Lookup,
    /// The area of the surveys.
    pub area: &'a Workspace,
    /// What the values are.
    pub labels: &'a TerrainChoice,
}

impl Page<'_> {
    /// The page of one survey, or of several to compare.
    ///
    /// # Errors
    /// If a figure cannot be drawn.
    pub fn to_html(&self, surveys: &[Survey<'_>]) -> Result<String> {
        let mut report = Report::new(&self.title).intro(&self.intro);
        for survey in surveys {
            for warning in trust::warnings(survey, self) {
                report = report.warning(warning);
            }
        }
        let mut numbers = Section::new("In numbers").table(numbers::table(surveys, self));
        // Where the truth is not known there is nothing of it to explain.
        if surveys.iter().any(|s| s.outcome.result().is_some()) {
            numbers = numbers.text(numbers::EXPLANATION);
        }
        report = report.section(numbers);
        report = report.section(maps::section(surveys, self)?);
        if surveys.iter().any(|s| s.outcome.curve.len() > 1) {
            report = report.section(self.learning(surveys)?);
        }
        if let Some(section) = trust::section(surveys, self)? {
            report = report.section(section);
        }
        if let Some(terrain) = self.terrain {
            report = report.section(maps::relief(terrain, self)?);
        }
        let troubles = numbers::troubles(surveys);
        if !troubles.is_empty() {
            let text = "Each was dealt with on the way; the journal has them all.";
            let section = Section::new("Troubles").text(text);
            report = report.section(section.code(troubles.join("\n")));
        }
        Ok(report.to_html())
    }

    fn learning(&self, surveys: &[Survey<'_>]) -> Result<Section> {
        let error = || Axis::new("RMSE").unit(&self.labels.unit);
        let mut lines = Lines::new(Axis::new("Soundings"), error()).size(520.0, 280.0);
        for survey in surveys {
            let curve = &survey.outcome.curve;
            let x: Vec<f64> = curve.iter().map(|e| e.samples as f64).collect();
            let y: Vec<f64> = curve.iter().map(|e| e.rmse).collect();
            lines = lines.series(Series::new(survey.name, &x, &y)?);
        }
        let figure = Figure::new("").panel(lines);
        Ok(Section::new("How the map got better").figure(
            Illustration::svg(&figure)
                .caption("Error of the map against soundings taken")
                .alt("Error curves"),
        ))
    }
}

//! The page of a mission folder.
//!
//! | file | what |
//! |---|---|
//! | `layers` | what the map shows: grids, soundings, way, fence |
//! | `numbers` | tables |
//! | `gains` | what was gained, in sentences |
//! | `trust` | calibration, and warnings when it is bad |
//! | `maps` | all maps in one picture |

mod gains;
mod layers;
mod maps;
mod numbers;
mod trust;

pub use layers::{crs_in_words, degrees, fence_of};
pub use maps::overview;
pub use numbers::comparison_text;
pub use trust::warnings;

use crate::choice::TerrainChoice;
use crate::error::Result;
use crate::outcome::Outcome;
use transect::geometry::Workspace;
use transect::terrain::{Lookup, Terrain};
use transect_io::Crs;
use transect_plot::page::{Curve, FileLink, PageData, SurveyData};

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
    /// What its coordinates mean.
    pub crs: Crs,
    /// What the values are.
    pub labels: &'a TerrainChoice,
    /// Greater values lie deeper.
    pub downward: bool,
    /// The settings used, as text.
    pub settings: String,
    /// Files beside the page.
    pub files: Vec<FileLink>,
    /// The day, as it is shown. Pages of the same mission and day have the same bytes.
    pub date: Option<String>,
}

/// This program and its version.
pub const PROGRAM: &str = concat!("transect ", env!("CARGO_PKG_VERSION"));

impl Page<'_> {
    /// What the page of one survey shows, or of several to compare.
    pub fn data(&self, surveys: &[Survey<'_>]) -> PageData {
        let curve = |survey: &Survey<'_>| {
            let verdicts = || survey.outcome.curve.iter();
            Curve {
                name: survey.name.into(),
                x: verdicts().map(|verdict| verdict.time_s).collect(),
                y: verdicts().map(|verdict| verdict.evaluation.rmse).collect(),
            }
        };
        let warnings = surveys.iter().flat_map(|survey| warnings(survey, self));
        PageData {
            title: self.title.clone(),
            intro: self.intro.clone(),
            warnings: warnings.collect(),
            map: layers::map(surveys, self),
            gained: gains::sentences(surveys, self),
            numbers: numbers::table(surveys, self),
            curves: surveys.iter().map(curve).collect(),
            calibration: trust::calibration(surveys, self),
            troubles: numbers::troubles(surveys),
            settings: self.settings.clone(),
            files: self.files.clone(),
            program: PROGRAM.into(),
            date: self.date.clone(),
        }
    }

    /// What can be shown before there is anything: the place.
    #[must_use]
    pub fn before(&self) -> PageData {
        let mut data = self.data(&[]);
        data.map.surveys.push(SurveyData::default());
        data
    }

    /// The page of one survey, or of several to compare.
    ///
    /// # Errors
    /// If a figure cannot be drawn.
    pub fn to_html(&self, surveys: &[Survey<'_>]) -> Result<String> {
        Ok(self.data(surveys).to_html()?)
    }
}

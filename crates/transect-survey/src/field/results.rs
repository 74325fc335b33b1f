//! What a voyage leaves behind: the folder that every mission has.

use std::path::PathBuf;

use crate::audience::PageData;
use crate::choice::TerrainChoice;
use crate::folder::Folder;
use crate::outcome::{Learnt, Outcome as Kept, Verdict, Witness};
use crate::page::{self, Page};
use crate::track::Passage;
use transect::Sounding;
use transect::budget::Spent;
use transect::geometry::Workspace;
use transect::metrics::Evaluation;
use transect::mission::{Ending, Evaluator};
use transect::surrogate::Surrogate;
use transect::terrain::Terrain;
use transect_io::Crs;
use transect_io::journal::Place;

use super::VoyageError;
use super::document::FieldDocument;
use super::logs::wall_clock;
use super::sail::Outcome;

/// How a voyage went, and where its results are.
#[derive(Debug)]
pub struct Results {
    /// How it went.
    pub outcome: Outcome,
    /// The verdict on the map, where the truth is known.
    pub evaluation: Option<Evaluation>,
    /// How long decisions took, in words; none when there were none.
    pub pace: Option<String>,
    /// The numbers as lines of text.
    pub text: String,
    /// What speaks against using the map.
    pub warnings: Vec<String>,
    /// The page; none when there is no map.
    pub page: Option<PathBuf>,
}

/// What was seen of a voyage.
pub(super) struct Taken<'a> {
    pub(super) document: &'a FieldDocument,
    pub(super) area: &'a Workspace,
    pub(super) bed: Option<&'a Terrain>,
    /// Soundings of before it was cut off.
    pub(super) past: Vec<Sounding>,
    pub(super) witness: Witness,
    /// The day that the page shows.
    pub(super) date: Option<String>,
}

impl Taken<'_> {
    /// What coordinates and values mean.
    pub(super) fn place(document: &FieldDocument, crs: Crs) -> Place {
        let labels = labels(document);
        Place {
            crs,
            quantity: labels.quantity,
            unit: labels.unit,
            downward: true,
        }
    }

    /// The page before there is anything to show.
    pub(super) fn page_before(
        document: &FieldDocument,
        (area, crs): (&Workspace, Crs),
        bed: Option<&Terrain>,
        date: Option<String>,
    ) -> Result<PageData, VoyageError> {
        let labels = labels(document);
        let page = Page {
            title: title(document),
            intro: format!(
                "The vehicle as it surveys, with the planner {} and the kernel {}.",
                document.planner.name, document.kernel.name
            ),
            terrain: bed,
            lookup: document.mission().sensor.lookup,
            area,
            crs,
            labels: &labels,
            downward: true,
            settings: document.to_text()?,
            files: Vec::new(),
            date,
        };
        Ok(page.before())
    }

    /// Writes everything but the journal. Soundings are written even if there can be no map.
    pub(super) fn write(
        self,
        mut outcome: Outcome,
        surrogate: Option<&mut dyn Surrogate>,
        evaluator: Option<&Evaluator>,
        (folder, crs): (&Folder, Crs),
    ) -> Result<Results, VoyageError> {
        let mut witness = self.witness;
        let mut learnt = None;
        if let Some(surrogate) = surrogate {
            let (known, readings) = (surrogate.posterior(), surrogate.readings());
            // Soundings of the way home came after the last verdict.
            let verdict = evaluator.and_then(|e| e.evaluate(&*known, readings).ok());
            let Spent {
                distance_m, time_s, ..
            } = outcome.spent;
            let verdict = verdict.map(|(evaluation, _)| Verdict {
                time_s,
                distance_m,
                evaluation,
            });
            witness.curve.extend(verdict);
            match Learnt::of(surrogate, self.area) {
                Ok(known) => learnt = Some(known),
                Err(error) => witness.troubles.push(format!("there is no map: {error}")),
            }
        }
        if let Some(failure) = &outcome.failure {
            let text = format!("the mission could not go on, the fallback survey did: {failure}");
            witness.troubles.push(text);
        }
        let passage = |sounding: &Sounding| Passage {
            position: sounding.position,
            time_s: sounding.time_s,
        };
        let way_home = outcome.late.iter().map(passage);
        witness.track.path.extend(way_home);
        let way_before = self.past.iter().map(passage);
        witness.track.path.splice(0..0, way_before);
        outcome.soundings.splice(0..0, self.past);
        outcome.spent.soundings = outcome.soundings.len() as u64;

        let kept = Kept::from_parts(
            outcome.ending.unwrap_or(Ending::CalledHome),
            outcome.spent,
            outcome.soundings.clone(),
            witness,
            learnt,
        );
        folder.write_outcome("", &kept, crs)?;
        let labels = labels(self.document);
        let page = Page {
            title: title(self.document),
            intro: intro(self.document, &outcome, self.bed.is_some()),
            terrain: self.bed,
            lookup: self.document.mission().sensor.lookup,
            area: self.area,
            crs,
            labels: &labels,
            downward: true,
            settings: self.document.to_text()?,
            files: folder.files("", &kept),
            date: self.date,
        };
        let survey = page::Survey {
            name: &self.document.planner.name,
            outcome: &kept,
        };
        let html = page.to_html(&[survey])?;
        folder.write("report.html", html.as_bytes())?;
        Ok(Results {
            evaluation: kept.result().cloned(),
            pace: kept.pace.text(),
            text: page::comparison_text(&[survey], &page),
            warnings: page::warnings(&survey, &page),
            page: kept.learnt.is_some().then(|| folder.path("report.html")),
            outcome,
        })
    }
}

fn labels(document: &FieldDocument) -> TerrainChoice {
    TerrainChoice {
        quantity: "Depth".into(),
        ..document.terrain.clone()
    }
}

fn title(document: &FieldDocument) -> String {
    let file = document.area.file.as_deref();
    let place = file.and_then(|file| file.file_stem());
    let place = place.map(|name| name.to_string_lossy().into_owned());
    format!(
        "A survey of {}",
        place.unwrap_or(document.terrain.source.clone())
    )
}

fn intro(document: &FieldDocument, outcome: &Outcome, rehearsal: bool) -> String {
    let boat = match rehearsal {
        true => "A rehearsal with a boat on the bench, over a bed that it did not know",
        false => "A survey on the water",
    };
    let reason = match outcome.home_reason {
        Some(reason) => format!(" It came home because {reason}."),
        None => String::new(),
    };
    let error = match outcome.knowledge {
        Some(known) => format!(
            " The error to expect of the map is {:.2} m.",
            known.expected_error_m
        ),
        None => String::new(),
    };
    // Time on the bench is not that of the clock on the wall, and equal rehearsals leave equal pages.
    let ended = match rehearsal {
        true => String::new(),
        false => format!(" It ended at {}.", wall_clock()),
    };
    format!(
        "{boat}, with the planner {} and the kernel {}, seed {}. {}.{reason}{error} Depths are below the reference \
         level, as in the map and the soundings.{ended}",
        document.planner.name,
        document.kernel.name,
        document.seed,
        sentence(&outcome.conclusion.to_string()),
    )
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

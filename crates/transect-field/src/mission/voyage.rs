//! A mission in a folder: begun, or taken up where it was cut off.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};

use transect::mission::Mission;
use transect::planner::{Context, Pilot, Plan, Planner};
use transect::settings::Travel;
use transect_io::IoError;
use transect_io::atomic::{self, Existing};
use transect_io::journal::JournalWriter;

use super::coverage::{Coverage, Knowledge};
use super::deck::OwnThread;
use super::document::FieldDocument;
use super::folder;
use super::logs::{LogFile, SharedJournal};
use super::past::{JOURNAL, Past};
use super::sail::{Outcome, sail};
use super::survey::Survey;
use super::world::FieldWorld;
use crate::clock::Clock;
use crate::skipper::{Before, Logbook, Skipper, Status};
use crate::{FieldError, GeoPosition};

/// A grid of so many places along each side is asked how well it is known.
const COVERAGE_CELLS: (usize, usize) = (40, 40);

/// What a screen may look at.
#[derive(Clone)]
pub struct View {
    /// How things stand; kept up to date.
    pub status: Arc<Mutex<Status>>,
    /// How well the area is known.
    pub knowledge: Arc<Mutex<Option<Knowledge>>>,
}

/// All that is needed to set out.
pub struct Voyage {
    /// What the mission is told.
    pub document: FieldDocument,
    /// Where.
    pub survey: Survey,
    /// Where the vehicle comes home to.
    pub home: GeoPosition,
    /// Where results go.
    pub folder: PathBuf,
    /// Continue what is in the folder.
    pub resume: bool,
    /// What time is.
    pub clock: Clock,
    /// The operator's: one calls the vehicle home, two stop it.
    pub interrupts: Arc<AtomicUsize>,
}

impl Voyage {
    /// Sets out, surveys, comes home, and leaves a folder of results. `watch` gets what a screen may look at.
    ///
    /// # Errors
    /// When the folder is taken, a device can never be reached, or results cannot be written.
    pub fn sail(
        mut self,
        logbook: Box<dyn Logbook>,
        watch: impl FnOnce(View),
    ) -> Result<Outcome, FieldError> {
        let past = self.open_folder()?;
        let guard = self.survey.guard(self.document.fence.margin_m, self.home)?;
        let workspace = guard.fence().safe().clone();
        let journal = JournalWriter::create(&self.folder.join(JOURNAL))?;
        let mut journal = SharedJournal::new(journal);
        let log = LogFile::append(&self.folder.join("field.log"))?;
        let logbooks: Vec<Box<dyn Logbook>> =
            vec![Box::new(journal.clone()), Box::new(log), logbook];
        let skipper = Skipper::new(
            self.document.crew(Box::new(logbooks))?,
            self.survey.plane,
            guard,
            self.document.limits(),
            self.document.fallback,
            Before { spent: past.spent },
            Arc::clone(&self.interrupts),
        )?;
        let start = skipper.whereabouts();
        let deck = OwnThread::start(skipper, self.clock.clone());
        let view = View {
            status: deck.status(),
            knowledge: Arc::default(),
        };
        watch(view.clone());

        // Soundings of before count; the mission only counts its own.
        if let Some(limit) = &mut self.document.budget.soundings {
            *limit = limit.saturating_sub(past.spent.soundings).max(1);
        }
        let settings = self.document.mission();
        let pilot = Remaining::new(&workspace, &self.document, past.soundings.len())?;
        let coverage = Coverage::new(&workspace, COVERAGE_CELLS, self.document.stop)?;
        let mut mission = Mission::new(FieldWorld::new(deck, start), workspace.clone(), settings)?
            .with_prior(past.soundings.clone())?
            .with_pilot(Box::new(pilot));
        let mut outcome = sail(&mut mission, &coverage, &mut journal, &mut |knowledge| {
            *view
                .knowledge
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner) = knowledge;
        });
        outcome.soundings.splice(0..0, past.soundings);
        outcome.spent.soundings = outcome.soundings.len() as u64;

        folder::write_soundings(&self.folder, &outcome.soundings)?;
        folder::write_track(&self.folder, &outcome.soundings, &self.survey.plane)?;
        if let Some(model) = mission.model_mut() {
            folder::write_map(&self.folder, model, &workspace, self.survey.plane.crs())?;
        }
        journal.finish()?;
        Ok(outcome)
    }

    /// Makes the folder and writes the document into it, or takes up what is there.
    fn open_folder(&self) -> Result<Past, FieldError> {
        let folder: &Path = &self.folder;
        std::fs::create_dir_all(folder).map_err(IoError::system(folder))?;
        if !self.resume && folder.join(JOURNAL).exists() {
            return Err(FieldError::FolderTaken {
                path: folder.to_owned(),
            });
        }
        let document = folder.join("mission.toml");
        // One that was killed early may not have come to it.
        if !self.resume || !document.exists() {
            let text = toml::to_string(&self.document).map_err(|error| IoError::Content {
                path: document.clone(),
                reason: error.to_string(),
            })?;
            atomic::write(&document, text.as_bytes(), Existing::Replace)?;
        }
        let past = Past::of(folder)?;
        Past::put_away(folder)?;
        Ok(past)
    }
}

/// The pilot survey, less what a mission that was cut off has done of it.
#[derive(Debug)]
struct Remaining {
    pilot: Pilot,
    skip: bool,
}

impl Remaining {
    fn new(
        workspace: &transect::geometry::Workspace,
        document: &FieldDocument,
        known: usize,
    ) -> Result<Self, FieldError> {
        let points = document.pilot.soundings;
        Ok(Self {
            pilot: Pilot::new(workspace, points, Travel::Drive)?,
            // On average a leg of the pilot survey brings a few soundings: so many are enough to begin with.
            skip: known >= 2 * points,
        })
    }
}

impl Planner for Remaining {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, transect::Error> {
        match self.skip {
            true => Ok(None),
            false => self.pilot.plan(context),
        }
    }
}

//! A mission in a folder: begun, or taken up where it was cut off.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::audience::{Audience, Both};
use crate::folder::{Folder, failed_writing};
use crate::outcome::Witness;
use transect::geometry::{Position, Workspace};
use transect::gp::{Compute, Threads};
use transect::mission::{Evaluator, Event, Mission, Whereabouts};
use transect::terrain::Terrain;
use transect_io::journal::Truth;

use super::VoyageError;
use super::coverage::{Coverage, Knowledge};
use super::deck::{Deck, OwnThread, SameThread};
use super::document::FieldDocument;
use super::logs::{Home, LogFile, SharedJournal};
use super::past::Past;
use super::results::{Results, Taken};
use super::sail::sail;
use super::survey::Survey;
use super::world::FieldWorld;
use transect_field::GeoPosition;
use transect_field::bench::BenchBoat;
use transect_field::clock::Clock;
use transect_field::skipper::{Before, Logbook, Operator, Skipper, Status};

/// The name of the log.
const LOG: &str = "field.log";
/// What the model may keep instead of computing it again: companion computers are small, and a mission with 2,000
/// soundings is to stay under 300 MB.
const CACHE_BYTES: usize = 32 << 20;
/// A bench boat whose time passes by hand moves in steps of this, s.
const BOAT_STEP_S: f64 = 0.05;

/// What a screen may look at.
#[derive(Clone)]
pub struct View {
    /// How things stand; kept up to date.
    pub status: Arc<Mutex<Status>>,
    /// How well the area is known.
    pub knowledge: Arc<Mutex<Option<Knowledge>>>,
    /// What the mission was told.
    pub document: FieldDocument,
    /// The log file beside it.
    pub log: PathBuf,
}

/// How time passes.
pub enum Pace {
    /// By itself, whatever the mission is busy with.
    Clock(Clock),
    /// As fast as this machine can, with this boat; it stands still while the mission thinks. The same document then
    /// gives the same mission.
    Bench(Box<BenchBoat>),
}

/// What to do with a folder that holds a mission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// Leave it alone: the folder must be empty.
    Anew,
    /// Write over it.
    Over,
    /// Continue it.
    Resume,
}

/// All that is needed to set out.
pub struct Voyage {
    /// What the mission is told.
    pub document: FieldDocument,
    /// The same with the addresses of a bench boat, in rehearsals.
    pub devices: Option<FieldDocument>,
    /// Where.
    pub survey: Survey,
    /// The bed of the lake, where it is known: in rehearsals.
    pub bed: Option<Arc<Terrain>>,
    /// Where the vehicle comes home to.
    pub home: GeoPosition,
    /// Where results go.
    pub folder: PathBuf,
    /// What to do with what is there.
    pub begin: Begin,
    /// How time passes.
    pub pace: Pace,
    /// The day that the page shows.
    pub date: Option<String>,
    /// Who looks on.
    pub audience: Box<dyn Audience>,
    /// Whom the vehicle is to obey.
    pub operator: Operator,
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
    ) -> Result<Results, VoyageError> {
        let guard = self.survey.guard(&self.document, self.home)?;
        let area = guard.fence().safe().clone();
        let whole = Workspace::from(guard.fence().area().clone());
        let home = guard.homeward().home();
        let crs = self.survey.plane.crs();
        let place = Taken::place(&self.document, crs);
        // What cannot be watched as was asked is said before anything is written, let alone sent.
        let bed = self.bed.as_deref();
        let page = Taken::page_before(&self.document, (&whole, crs), bed, self.date.clone())?;
        self.audience.begin(&page)?;
        let (folder, past) = self.open_folder()?;
        let mut journal = folder.journal()?;
        journal.begin_at(&place).map_err(failed_writing)?;
        let journal = SharedJournal::new(journal);
        journal.put(0.0, &Home { place: self.home });
        let log = LogFile::append(&folder.path(LOG)).map_err(failed_writing)?;
        let logbooks: Vec<Box<dyn Logbook>> =
            vec![Box::new(journal.clone()), Box::new(log), logbook];
        let devices = self.devices.as_ref().unwrap_or(&self.document);
        let mut skipper = Skipper::new(
            devices.crew(Box::new(logbooks))?,
            self.survey.plane,
            guard,
            self.document.limits(),
            self.document.fallback,
            Before {
                spent: past.spent,
                cut_off: past.journals > 0,
            },
            self.operator,
        )?;
        skipper.announce_home(self.home);
        let start = skipper.whereabouts();
        let aboard = Aboard {
            document: self.document,
            bed: self.bed,
            plane: self.survey.plane,
            home,
            area,
            whole,
            folder,
            past,
            journal,
            start,
            date: self.date,
            audience: self.audience,
        };
        match self.pace {
            Pace::Clock(clock) => {
                let deck = OwnThread::start(skipper, clock);
                let status = deck.status();
                aboard.survey(deck, status, watch)
            }
            Pace::Bench(mut boat) => {
                let deck = SameThread::new(skipper, Clock::by_hand(), move |now_s| {
                    boat.step(now_s - BOAT_STEP_S);
                    boat.step(now_s);
                });
                let status = deck.status();
                aboard.survey(deck, status, watch)
            }
        }
    }

    /// Makes the folder and writes the document into it, or takes up what is there.
    fn open_folder(&self) -> Result<(Folder, Past), VoyageError> {
        let path = &self.folder;
        if self.begin == Begin::Anew && path.join(Folder::JOURNAL).exists() {
            return Err(VoyageError::FolderTaken { path: path.clone() });
        }
        let folder = Folder::create(path, self.begin != Begin::Anew)?;
        if self.begin == Begin::Over {
            Past::forget(path)?;
        }
        // One that was killed early may not have come to it.
        if self.begin != Begin::Resume || !folder.path("mission.toml").exists() {
            folder.write("mission.toml", self.document.to_text()?.as_bytes())?;
        }
        let past = Past::of(path)?;
        Past::put_away(path)?;
        Ok((folder, past))
    }
}

/// A voyage that has begun.
struct Aboard {
    document: FieldDocument,
    bed: Option<Arc<Terrain>>,
    plane: transect_field::skipper::Plane,
    /// Where it ends.
    home: Position,
    /// Where it is surveyed, less the margin.
    area: Workspace,
    /// All of it, which is mapped.
    whole: Workspace,
    folder: Folder,
    past: Past,
    journal: SharedJournal,
    start: Whereabouts,
    date: Option<String>,
    audience: Box<dyn Audience>,
}

impl Aboard {
    fn survey<D: Deck>(
        mut self,
        deck: D,
        status: Arc<Mutex<Status>>,
        watch: impl FnOnce(View),
    ) -> Result<Results, VoyageError> {
        let knowledge = Arc::new(Mutex::new(None));
        watch(View {
            status,
            knowledge: Arc::clone(&knowledge),
            document: self.document.clone(),
            log: self.folder.path(LOG),
        });
        let mut settings = self.document.mission_from(self.home);
        // Soundings of before count; the mission only counts its own.
        if let Some(limit) = &mut settings.budget.soundings {
            *limit = limit.saturating_sub(self.past.spent.soundings).max(1);
        }
        let coverage = Coverage::new(&self.area, self.document.stop)?;
        let world = FieldWorld::new(deck, self.start);
        let mut mission = Mission::new(world, self.area.clone(), settings.clone())?
            .with_prior(self.past.soundings.clone())?
            .with_compute(Compute {
                cache_bytes: CACHE_BYTES,
                ..Compute::with_threads(Threads::All)
            });
        let mut evaluator = None;
        if let Some(bed) = &self.bed {
            let (grid, lookup) = (settings.evaluation, settings.sensor.lookup);
            let truth = |at| bed.value(at, lookup);
            let judge = Evaluator::on_grid(&self.area, grid.columns, grid.rows, truth)?;
            self.journal
                .put(0.0, &Truth::of(bed, &self.area, &settings));
            mission = mission.with_evaluator(judge.clone());
            evaluator = Some(judge);
        }
        let (mut witness, mut journal) = (Witness::of(&self.whole), self.journal.clone());
        let mut all = Both(&mut journal, &mut *self.audience);
        let mut seen = |event: &Event<'_>| witness.with(&mut all, event);
        let outcome = sail(&mut mission, &coverage, &mut seen, &mut |known| {
            *knowledge.lock().unwrap_or_else(PoisonError::into_inner) = known;
        });
        let taken = Taken {
            document: &self.document,
            area: &self.whole,
            bed: self.bed.as_deref(),
            past: self.past.soundings,
            witness,
            date: self.date,
        };
        let results = taken.write(
            outcome,
            mission.surrogate_mut(),
            evaluator.as_ref(),
            (&self.folder, self.plane.crs()),
        );
        // Whatever else cannot be written, the journal is ended.
        let ended = self.journal.finish();
        let results = results?;
        ended.map_err(failed_writing)?;
        Ok(results)
    }
}

//! One simulated mission, from its document to its folder.

use crate::audience::{Audience, Both};
use crate::beside::{Beside, beside};
use crate::document::Source;
use crate::error::{Result, SurveyError};
use crate::folder::{Folder, failed_writing};
use crate::mission::MissionDocument;
use crate::outcome::Outcome;
use crate::page::{Page, Survey};
use crate::scene::Scene;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use transect::gp::{Compute, Threads};
use transect::mission::{Mission, SimulatedWorld};
use transect_io::journal::{Place, Truth};

/// A mission that was run and written.
#[derive(Debug)]
pub struct Finished {
    /// What it came to.
    pub outcome: Outcome,
    /// Its numbers as lines of text.
    pub text: String,
    /// What speaks against using its map.
    pub warnings: Vec<String>,
    /// Its page.
    pub page: PathBuf,
    /// What the lawnmower beside it came to, if one was asked for.
    pub beside: Option<Beside>,
}

/// A mission that is ready to go.
#[derive(Debug)]
pub struct Prepared {
    /// Everything it was told.
    pub document: MissionDocument,
    /// Where it takes place.
    pub scene: Scene,
}

impl Prepared {
    /// Reads and checks a document and the files that it names.
    ///
    /// # Errors
    /// If any of it is wrong.
    pub fn from_source(source: &Source) -> Result<Self> {
        let document = MissionDocument::from_source(source)?;
        let scene = Scene::open(&document.place, source)?;
        let prepared = Self { document, scene };
        // What does not fit together is found before anything is written.
        prepared
            .mission()
            .map_err(|error| source.refuse("area", error.to_string()))?;
        Ok(prepared)
    }

    /// The mission, simulated with all cores.
    ///
    /// # Errors
    /// If the area has no terrain.
    pub fn mission(&self) -> std::result::Result<Mission<SimulatedWorld>, transect::Error> {
        let Scene {
            terrain,
            area,
            prior,
            ..
        } = &self.scene;
        let settings = self.document.settings.clone();
        let mission = Mission::simulated(Arc::clone(terrain), area.clone(), settings)?;
        let mission = mission.with_compute(Compute::with_threads(Threads::All));
        mission.with_prior(prior.clone())
    }

    /// Runs the mission; `audience` looks on, `watch` hears how much of the budget is spent.
    ///
    /// # Errors
    /// If the engine gives up.
    pub fn run(&self, audience: &mut dyn Audience, watch: &mut dyn FnMut(f64)) -> Result<Outcome> {
        Outcome::of(&mut self.mission()?, audience, watch)
    }

    /// Runs the mission and keeps everything but the page in a folder. `audience` looks on.
    ///
    /// # Errors
    /// If something cannot be written.
    pub fn run_into(
        &self,
        folder: &Folder,
        audience: &mut dyn Audience,
        watch: &mut dyn FnMut(f64),
    ) -> Result<Outcome> {
        let toml = self.document.to_text()?;
        folder.write("mission.toml", toml.as_bytes())?;
        let mut journal = folder.journal()?;
        let Scene { terrain, area, .. } = &self.scene;
        let truth = Truth::of(terrain, area, &self.document.settings);
        journal.begin_at(&self.place()).map_err(failed_writing)?;
        journal.write(0.0, &truth).map_err(failed_writing)?;
        let outcome = self.run(&mut Both(&mut journal, audience), watch)?;
        journal.finish().map_err(failed_writing)?;
        folder.write_outcome("", &outcome, self.scene.crs)?;
        Ok(outcome)
    }

    /// What its coordinates and values mean.
    fn place(&self) -> Place {
        let labels = &self.document.place.terrain;
        Place {
            crs: self.scene.crs,
            quantity: labels.quantity.clone(),
            unit: labels.unit.clone(),
            downward: false,
        }
    }

    /// The page of this mission, made on a day.
    ///
    /// # Errors
    /// If a setting does not fit into a document.
    pub fn page(&self, title: String, intro: String, date: Option<String>) -> Result<Page<'_>> {
        Ok(Page {
            title,
            intro,
            terrain: Some(&self.scene.terrain),
            lookup: self.document.settings.sensor.lookup,
            area: &self.scene.area,
            crs: self.scene.crs,
            labels: &self.document.place.terrain,
            downward: false,
            settings: self.document.to_text()?,
            files: Vec::new(),
            date,
        })
    }
}

/// Runs the mission of a document into the folder `out`; writes over what is there if `force`. `date` is the day that the
/// page shows; `audience` looks on. With a lawnmower, the same boat drives parallel lines in the same time, for comparison.
///
/// # Errors
/// If the document is wrong, or the folder cannot be written to.
pub fn run(
    source: &Source,
    out: &Path,
    force: bool,
    with_lawnmower: bool,
    date: Option<String>,
    audience: &mut dyn Audience,
    watch: &mut dyn FnMut(f64),
) -> Result<Finished> {
    let prepared = Prepared::from_source(source)?;
    let settings = &prepared.document.settings;
    let surveyed = Path::new(&prepared.document.place.terrain.source);
    let surveyed = surveyed.file_stem().unwrap_or_default().to_string_lossy();
    let title = format!("A survey of {surveyed}");
    let intro = format!(
        "A simulated boat maps a terrain that it does not know, with the planner {} and the kernel {}, seed {}.",
        settings.planner.name, settings.kernel.name, settings.seed
    );
    let mut page = prepared.page(title, intro, date)?;
    // What cannot be watched as was asked is said before anything is written.
    audience.begin(&page.before())?;
    let folder = Folder::create(out, force)?;
    let outcome = prepared.run_into(&folder, audience, watch)?;
    page.intro += &format!(" It stopped because {}.", outcome.ending);
    page.files = folder.files("", &outcome);
    let beside = if with_lawnmower && outcome.learnt.is_some() {
        Some(beside(&prepared, &outcome, watch)?)
    } else {
        None
    };
    let mut surveys = vec![Survey {
        name: &settings.planner.name,
        outcome: &outcome,
    }];
    let mut words = String::new();
    if let Some(beside) = &beside {
        folder.write_outcome("lawnmower-", &beside.outcome, prepared.scene.crs)?;
        page.files
            .extend(folder.files("lawnmower-", &beside.outcome));
        surveys.push(Survey {
            name: "lawnmower",
            outcome: &beside.outcome,
        });
        words = beside.words.clone().unwrap_or_default();
        page.intro +=
            &format!(" Beside it the same boat drives parallel lines in the same time. {words}");
        words.push('\n');
    }
    folder.write("report.html", page.to_html(&surveys)?.as_bytes())?;
    if outcome.learnt.is_none() {
        return Err(SurveyError::NoModel(outcome.ending));
    }
    Ok(Finished {
        text: crate::page::comparison_text(&surveys, &page) + &words,
        warnings: crate::page::warnings(&surveys[0], &page),
        page: folder.path("report.html"),
        outcome,
        beside,
    })
}

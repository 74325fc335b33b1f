//! A live page of a mission that another program runs, or that has ended: from its journal.

use super::{Address, Inbox, Live, News};
use crate::error::{Result, SurveyError};
use crate::folder::Folder;
use crate::page;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use transect::geometry::Workspace;
use transect_io::journal::{Begun, Entry, Place, Tail};
use transect_io::{Crs, IoError};
use transect_plot::page::{MapData, PageData};

/// A journal that grows is looked at this often.
const BEAT: Duration = Duration::from_millis(200);

/// A mission to watch.
#[derive(Debug, Clone)]
pub struct Watch {
    /// Its folder, or its journal.
    pub recording: PathBuf,
    /// Where the page is to be had.
    pub address: Address,
    /// Seconds of the mission that pass in a real one. As they come, if nothing is said.
    pub speed: Option<f64>,
}

impl Watch {
    /// Serves until the program ends. `waiting` hears of a journal that is not there yet; `announce` gets the link.
    ///
    /// # Errors
    /// If the journal is none, or the address cannot be had.
    pub fn run(
        &self,
        waiting: &mut dyn FnMut(&Path),
        announce: &mut dyn FnMut(&str),
    ) -> Result<()> {
        let path = match self.recording.extension() {
            Some(ending) if ending == "mcap" => self.recording.clone(),
            _ => self.recording.join(Folder::JOURNAL),
        };
        if !path.exists() {
            if !self.recording.is_dir() {
                return Err(SurveyError::Request(format!(
                    "{} is not there: give the folder of a mission, or its journal",
                    self.recording.display()
                )));
            }
            waiting(&path);
        }
        while !path.exists() {
            std::thread::sleep(BEAT);
        }
        let mut tail = Tail::open(&path)?;
        let (mut entries, page) = beginning(&mut tail, &path)?;
        let inbox = Inbox::default();
        let live = Live::start(&self.address, &page, inbox.clone(), None)?;
        announce(live.link());
        let started = Instant::now();
        loop {
            for entry in entries.drain(..) {
                if let Some(speed) = self.speed {
                    let due = Duration::from_secs_f64((entry.time_s / speed).clamp(0.0, 1e9));
                    std::thread::sleep(due.saturating_sub(started.elapsed()));
                }
                inbox.put(News::Entry(entry));
            }
            std::thread::sleep(BEAT);
            entries = tail.news()?;
        }
    }
}

/// Waits until a journal says how its mission began.
fn beginning(tail: &mut Tail, path: &Path) -> Result<(Vec<Entry>, PageData)> {
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        entries.extend(tail.news()?);
        let begun = entries.iter().find_map(Entry::read::<Begun>);
        let refuse = |reason| IoError::Content {
            path: path.to_owned(),
            reason,
        };
        if let Some(begun) = begun {
            let begun = begun.map_err(refuse)?;
            let place = entries.iter().find_map(Entry::read::<Place>);
            let place = place.transpose().map_err(refuse)?;
            return Ok((entries, page_of(path, &begun, place.as_ref())));
        }
        if tail.is_complete() {
            let reason = "it does not say how the mission began: there is nothing to watch".into();
            return Err(refuse(reason).into());
        }
        std::thread::sleep(BEAT);
    }
}

fn page_of(path: &Path, begun: &Begun, place: Option<&Place>) -> PageData {
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
    let area: &Workspace = &begun.workspace;
    let bounds = area.bounds();
    let crs = place.map_or(Crs::Local, |place| place.crs);
    let usual = MapData::default();
    PageData {
        title: format!("The mission in {}", folder.to_string_lossy()),
        intro: format!(
            "Planner {}, kernel {}, seed {}, as its journal tells it.",
            begun.settings.planner.name, begun.settings.kernel.name, begun.settings.seed
        ),
        map: MapData {
            bounds: [bounds.xmin(), bounds.ymin(), bounds.xmax(), bounds.ymax()],
            crs: page::crs_in_words(crs),
            degrees: page::degrees(crs, &bounds),
            quantity: place.map_or(usual.quantity.clone(), |place| place.quantity.clone()),
            unit: place.map_or(String::new(), |place| place.unit.clone()),
            downward: place.is_some_and(|place| place.downward),
            fence: page::fence_of(area),
            surveys: vec![transect_plot::page::SurveyData::default()],
            ..usual
        },
        program: page::PROGRAM.into(),
        ..PageData::default()
    }
}

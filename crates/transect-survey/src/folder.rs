//! The mission folder: what is kept of a mission.
//!
//! ```text
//! report.html       one page: a map to move and ask, numbers, calibration
//! map.tif           GeoTIFF: band 1 mean, band 2 standard deviation; CRS where known
//! map.png           the same to look at
//! contours.geojson  contour lines of the map
//! soundings.csv     x,y,value,time_s
//! metrics.csv       how good the map was after each leg, where the truth is known
//! track.geojson     path and waypoints
//! journal.mcap      everything that happened, for replay
//! mission.toml      the exact settings used
//! model.json        the trained model
//! ```

use crate::error::{Result, SurveyError};
use crate::outcome::{Outcome, metrics_csv};
use std::fs;
use std::path::{Path, PathBuf};
use transect_io::Crs;
use transect_io::atomic::{self, Existing};
use transect_io::journal::JournalWriter;
use transect_plot::page::FileLink;

/// A folder that a mission is written to.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The name of the journal in it.
    pub const JOURNAL: &'static str = "journal.mcap";

    /// An empty folder at `path`, or any folder if `force`.
    ///
    /// # Errors
    /// If there is something in it already, or it cannot be made.
    pub fn create(path: &Path, force: bool) -> Result<Self> {
        if !force
            && path
                .read_dir()
                .is_ok_and(|mut files| files.next().is_some())
        {
            return Err(SurveyError::Request(format!(
                "{} is not empty; choose another --out, or --force to write into it",
                path.display()
            )));
        }
        if path.exists() && !path.is_dir() {
            return Err(SurveyError::Request(format!(
                "{} is a file; choose another --out",
                path.display()
            )));
        }
        fs::create_dir_all(path).map_err(SurveyError::writing(path))?;
        Ok(Self { path: path.into() })
    }

    /// Where a file of it is.
    pub fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Begins the journal.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn journal(&self) -> Result<JournalWriter> {
        let path = self.path(Self::JOURNAL);
        JournalWriter::create(&path).map_err(failed_writing)
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, contents: &[u8]) -> Result<()> {
        atomic::write(&self.path(name), contents, Existing::Replace).map_err(failed_writing)
    }

    /// The files of a mission, for its page. `prefix` goes before the names, as in [`Folder::write_outcome`].
    #[must_use]
    pub fn files(&self, prefix: &str, outcome: &Outcome) -> Vec<FileLink> {
        let all = [
            ("map.tif", "GeoTIFF: band 1 mean, band 2 standard deviation"),
            (
                "map.png",
                "the map and its standard deviations as a picture",
            ),
            ("contours.geojson", "contour lines of the map"),
            ("soundings.csv", "every sounding: x, y, value, time"),
            ("metrics.csv", "how good the map was after each leg"),
            ("track.geojson", "the way, and where the boat was sent"),
            (Self::JOURNAL, "everything that happened, for replay"),
            ("mission.toml", "the exact settings"),
            ("model.json", "the trained model"),
        ];
        let there = all.into_iter().filter(|(name, _)| {
            let needs_a_model =
                ["map.tif", "map.png", "contours.geojson", "model.json"].contains(name);
            // What is beside the first mission has a journal of its own only there.
            (outcome.learnt.is_some() || !needs_a_model)
                && (!outcome.curve.is_empty() || *name != "metrics.csv")
                && (prefix.is_empty() || *name != Self::JOURNAL)
        });
        there
            .map(|(name, what)| FileLink {
                name: format!("{prefix}{name}"),
                what: what.into(),
            })
            .collect()
    }

    /// Writes what a mission came to: soundings, track, map and model. `prefix` goes before the names.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_outcome(&self, prefix: &str, outcome: &Outcome, crs: Crs) -> Result<()> {
        let write = |name: &str, contents: &[u8]| self.write(&format!("{prefix}{name}"), contents);
        write("soundings.csv", outcome.soundings_csv().as_bytes())?;
        if !outcome.curve.is_empty() {
            write("metrics.csv", metrics_csv(&outcome.curve).as_bytes())?;
        }
        write("track.geojson", outcome.track.to_geojson(crs).as_bytes())?;
        if let Some(learnt) = &outcome.learnt {
            write("map.tif", &learnt.map.to_geotiff(crs)?)?;
            write("map.png", &learnt.map.to_png()?)?;
            write("contours.geojson", learnt.map.to_contours(crs)?.as_bytes())?;
            write("model.json", learnt.model.as_bytes())?;
        }
        Ok(())
    }
}

/// What cannot be written is not the request's fault.
pub fn failed_writing(error: transect_io::IoError) -> SurveyError {
    match error {
        transect_io::IoError::System { path, source } => SurveyError::Writing { path, source },
        other => SurveyError::File(other),
    }
}

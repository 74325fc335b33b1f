//! What is left of a mission that was cut off.

use std::path::{Path, PathBuf};

use crate::folder::Folder;
use transect::Sounding;
use transect::budget::Spent;
use transect_io::IoError;
use transect_io::journal::{Entries, Message};

use super::logs::{Home, Kept};
use transect_field::GeoPosition;

/// What missions in a folder have kept before they were cut off.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Past {
    /// Soundings, in order.
    pub soundings: Vec<Sounding>,
    /// What they took.
    pub spent: Spent,
    /// Where they come home to.
    pub home: Option<GeoPosition>,
    /// Journals they were read from.
    pub journals: usize,
}

impl Past {
    /// Reads the journals of a folder, oldest first, also those that were cut off.
    ///
    /// # Errors
    /// If a journal cannot be read.
    pub fn of(folder: &Path) -> Result<Self, IoError> {
        let mut past = Self::default();
        for path in journals(folder) {
            let content = IoError::content(&path);
            let mut entries = Entries::open(&path)?.about(&[Home::TOPIC, Kept::TOPIC]);
            for entry in entries.by_ref() {
                if let Some(home) = entry.read::<Home>() {
                    past.home = Some(home.map_err(&content)?.place);
                }
                if let Some(kept) = entry.read::<Kept>() {
                    let Kept {
                        sounding,
                        distance_m,
                    } = kept.map_err(&content)?;
                    past.spent.distance_m = past.spent.distance_m.max(distance_m);
                    past.spent.time_s = past.spent.time_s.max(sounding.time_s);
                    past.soundings.push(sounding);
                }
            }
            if let Some(error) = entries.failure() {
                return Err(IoError::system(&path)(error));
            }
            past.journals += 1;
        }
        past.spent.soundings = past.soundings.len() as u64;
        Ok(past)
    }

    /// Removes the journals of a folder.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn forget(folder: &Path) -> Result<(), IoError> {
        for path in journals(folder) {
            std::fs::remove_file(&path).map_err(IoError::system(&path))?;
        }
        Ok(())
    }

    /// Gives the last journal a number, so that a new one can begin.
    ///
    /// # Errors
    /// If the file cannot be renamed.
    pub fn put_away(folder: &Path) -> Result<(), IoError> {
        let last = folder.join(Folder::JOURNAL);
        if last.exists() {
            let free = (1..)
                .map(|part| numbered(folder, part))
                .find(|path| !path.exists());
            if let Some(free) = free {
                std::fs::rename(&last, free).map_err(IoError::system(&last))?;
            }
        }
        Ok(())
    }
}

fn numbered(folder: &Path, part: usize) -> PathBuf {
    folder.join(format!("journal-{part}.mcap"))
}

/// Numbered parts first, then the last one.
fn journals(folder: &Path) -> Vec<PathBuf> {
    let parts = (1..)
        .map(|part| numbered(folder, part))
        .take_while(|path| path.exists());
    // A program that was killed while it began a journal leaves one that is empty.
    let begun = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|file| file.len() > 8);
    parts
        .chain([folder.join(Folder::JOURNAL)])
        .filter(begun)
        .collect()
}

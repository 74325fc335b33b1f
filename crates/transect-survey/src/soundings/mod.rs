//! From logs to soundings that can be used: read, corrected, placed in metres, the bad ones set aside.
//!
//! ```text
//!  files ──> transect_io::soundings ──> corrections ──> coordinates ──> flags ──> map, next, clean.csv
//! ```
//!
//! | file | what |
//! |---|---|
//! | `corrections` | sound speed, draught, water level, latency |
//! | `coordinates` | metres, and what the coordinates really are |
//! | `clean` | bad pings along a track |
//! | `exclude` | polygons and rows that the user takes out |
//! | `flags` | what is set aside, and why |
//! | `write` | clean.csv, and the flagged ones beside it |

mod clean;
mod coordinates;
mod corrections;
mod exclude;
mod flags;
mod write;

pub use clean::spikes;
pub use coordinates::{Located, Places};
pub use corrections::{Corrections, Level, USUAL_SPEED_MPS};
pub use exclude::Exclusion;
pub use flags::{Flag, Reason};
pub use write::{csv, flagged_csv};

use crate::error::{Result, SurveyError};
use std::path::PathBuf;
use transect_io::soundings::{Clock, Columns, Quantity, Soundings, read_all};
use transect_io::{Crs, IoError};

/// Loggers write at least this often, s.
const LOGGED_S: f64 = 60.0;
/// A file is a track if its soundings are taken in steps this small, as a share of its diagonal.
const TRACK_STEP: f64 = 0.02;

/// Logs, and what to do with them.
#[derive(Debug, Clone, Default)]
pub struct LogRequest {
    /// Files, and folders of files.
    pub files: Vec<PathBuf>,
    /// Their columns, where they are not to be recognised.
    pub columns: Columns,
    /// What the coordinates are; of degrees, the system in metres to use.
    pub crs: Option<Crs>,
    /// What has to be put right.
    pub corrections: Corrections,
    /// What the values are to be, depth or elevation; without it, they stay what they are.
    pub convert_to: Option<Quantity>,
    /// The least and the most that is possible, as in what comes out.
    pub limits: [Option<f64>; 2],
    /// What the user takes out.
    pub exclusions: Vec<Exclusion>,
    /// Keeps what is suspicious.
    pub keep_all: bool,
}

/// Soundings that can be used, beside those that cannot.
#[derive(Debug, Clone)]
pub struct Log {
    /// All of them, corrected.
    pub soundings: Soundings,
    /// Where they are.
    pub located: Located,
    /// Those set aside, by index.
    pub flags: Vec<Flag>,
    /// What was found out and done, in words.
    pub notes: Vec<String>,
}

impl LogRequest {
    /// Reads, corrects, places and cleans.
    ///
    /// # Errors
    /// If a file cannot be read, or its coordinates or times are not what they are said to be.
    pub fn prepare(&self) -> Result<Log> {
        let mut soundings = read_all(&self.files, &self.columns)?;
        let path = self.files.first().cloned().unwrap_or_default();
        let refuse = |reason: String| SurveyError::from(IoError::content(&path)(reason));
        let mut notes = soundings.notes.clone();
        let is_depth = soundings.quantity == Quantity::Depth;
        let is_lost = |value: &f64| is_depth && *value == 0.0;
        let lost: Vec<bool> = soundings.values.iter().map(is_lost).collect();
        notes.extend(self.corrections.apply(&mut soundings).map_err(refuse)?);
        if let Some(note) = convert(&mut soundings, self.convert_to).map_err(refuse)? {
            notes.push(note);
        }
        let places = Places {
            coordinates: &soundings.places,
            named_degrees: soundings.geographic,
            given: self.crs,
        };
        let located = places.locate().map_err(refuse)?;
        notes.extend(located.notes.iter().cloned());
        let mut log = Log {
            flags: located.flags.clone(),
            soundings,
            located,
            notes,
        };
        log.flag_limits(self.limits);
        for exclusion in &self.exclusions {
            exclusion.apply(&mut log)?;
        }
        if !self.keep_all {
            log.flag_lost(&lost);
            log.flag_spikes();
        }
        log.flags.sort_by_key(|flag| flag.index);
        if log.kept().is_empty() {
            return Err(refuse(format!(
                "all of its {} soundings are set aside",
                log.soundings.values.len()
            )));
        }
        Ok(log)
    }
}

/// Turns depths into heights or back.
fn convert(
    soundings: &mut Soundings,
    wanted: Option<Quantity>,
) -> std::result::Result<Option<String>, String> {
    let Some(wanted) = wanted.filter(|wanted| *wanted != soundings.quantity) else {
        return Ok(None);
    };
    if Quantity::Other == soundings.quantity || Quantity::Other == wanted {
        return Err(format!(
            "`{}` is neither depth nor height by its name; say what it is with --quantity",
            soundings.names[2]
        ));
    }
    for value in &mut soundings.values {
        *value = -*value;
    }
    soundings.quantity = wanted;
    Ok(Some(format!("converted to {}", wanted.convention())))
}

impl Log {
    /// Which soundings are used.
    #[must_use]
    pub fn kept(&self) -> Vec<usize> {
        let mut kept = vec![true; self.soundings.values.len()];
        for flag in &self.flags {
            kept[flag.index] = false;
        }
        (0..kept.len()).filter(|index| kept[*index]).collect()
    }

    /// How many were set aside for each kind of reason, in words.
    #[must_use]
    pub fn reasons(&self) -> Vec<(&'static str, usize)> {
        let mut counts: Vec<(&'static str, usize)> = Vec::new();
        for flag in &self.flags {
            match counts
                .iter_mut()
                .find(|(word, _)| *word == flag.reason.word())
            {
                Some((_, count)) => *count += 1,
                None => counts.push((flag.reason.word(), 1)),
            }
        }
        counts
    }

    /// Sets soundings aside that are not yet.
    pub fn flag(&mut self, indices: impl IntoIterator<Item = usize>, reason: Reason) {
        let mut known = vec![false; self.soundings.values.len()];
        for flag in &self.flags {
            known[flag.index] = true;
        }
        let new = indices.into_iter().filter(|index| !known[*index]);
        self.flags.extend(new.map(|index| Flag { index, reason }));
    }

    fn flag_limits(&mut self, [low, high]: [Option<f64>; 2]) {
        let beyond = |value: &f64| {
            low.is_some_and(|low| *value < low) || high.is_some_and(|high| *value > high)
        };
        let values = self.soundings.values.iter().enumerate();
        let indices: Vec<usize> = values
            .filter(|(_, value)| beyond(value))
            .map(|(i, _)| i)
            .collect();
        self.flag(indices, Reason::OutOfRange);
    }

    /// A sonar that loses the bottom says zero. Zeros by hand, along a shore say, come without a running clock.
    fn flag_lost(&mut self, lost: &[bool]) {
        if self.is_logged() {
            let indices: Vec<usize> = (0..lost.len()).filter(|index| lost[*index]).collect();
            self.flag(indices, Reason::NoBottom);
        }
    }

    /// Whether times go on from sounding to sounding as a logger's do.
    fn is_logged(&self) -> bool {
        let times = &self.soundings.times;
        let goes_on = |pair: &[f64]| pair[1] > pair[0] && pair[1] - pair[0] < LOGGED_S;
        let steps = times.windows(2).filter(|pair| goes_on(pair)).count();
        self.soundings.clock != Clock::None && 2 * steps > times.len()
    }

    fn flag_spikes(&mut self) {
        if self.soundings.quantity == Quantity::Other {
            return;
        }
        let kept = self.kept();
        let sources = &self.soundings.sources;
        let mut found = Vec::new();
        for track in kept.chunk_by(|a, b| sources[*a] == sources[*b]) {
            if !self.is_track(track) {
                continue;
            }
            let values: Vec<f64> = track
                .iter()
                .map(|index| self.soundings.values[*index])
                .collect();
            let metres: Vec<[f64; 2]> = track
                .iter()
                .map(|index| self.located.metres[*index])
                .collect();
            found.extend(spikes(&values, &metres).into_iter().map(|flag| Flag {
                index: track[flag.index],
                ..flag
            }));
        }
        self.flags.extend(found);
    }

    /// Whether soundings follow each other along a way, rather than being scattered.
    fn is_track(&self, indices: &[usize]) -> bool {
        let places = &self.located.metres;
        let distance = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        let mut steps: Vec<f64> = indices
            .windows(2)
            .map(|pair| distance(places[pair[0]], places[pair[1]]))
            .collect();
        if steps.is_empty() {
            return false;
        }
        let half = steps.len() / 2;
        let (_, median, _) = steps.select_nth_unstable_by(half, f64::total_cmp);
        let range = |axis: usize| {
            let all = indices.iter().map(|index| places[*index][axis]);
            all.fold([f64::MAX, f64::MIN], |[low, high], v| {
                [low.min(v), high.max(v)]
            })
        };
        let ([west, east], [south, north]) = (range(0), range(1));
        *median < TRACK_STEP * distance([west, south], [east, north])
    }
}

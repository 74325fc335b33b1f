//! Soundings from logs: places, values and times, from any file that a boat comes home with.
//!
//! | file | how it is taken |
//! |---|---|
//! | text | one sounding per line: see below |
//! | NMEA 0183 | depths placed between the fixes around them: DPT, DBS, DBT, DBK with GGA, RMC, GLL, GNS |
//! | GPX | points with a depth in their extensions |
//! | gzip, xz, zip | what is inside |
//!
//! Text:
//!
//! | what | how it is taken |
//! |---|---|
//! | separator | semicolon, tab, comma or runs of spaces, whichever the first line has (in this order) |
//! | decimal comma | understood where the comma does not separate |
//! | header | recognised by its names, see [`Columns`]; a `#` line right above the numbers counts as one; without one, the first three columns are x, y and value |
//! | angles | degrees, `52° 20' 34.77"` and its kin, or `ddmm.mmmm` where all numbers fit and degrees do not |
//! | dates and times | in one column, two, or six (year to second) |
//! | units | metres unless the value's name ends in ft, cm or fathoms: converted |
//! | `#` lines, blank lines, a byte order mark, LF, CR LF, CR, UTF-8, Latin-1 | understood or passed over |
//! | empty cells, `NaN`, `NA`, `null`, `-` | gaps: the row is skipped and counted |
//! | anything else that is not a number | an error with line and column |
//!
//! Files are read as streams: only the soundings are kept in memory, and of more than four million every other, every
//! fourth and so on, which is said.
//!
//! ```
//! use transect_io::soundings::{Columns, parse};
//! let soundings = parse(b"Lon [deg];Lat [deg];Depth (m)\n7,5;47,6;12,25\n7,6;47,6;\n", &Columns::default())?;
//! assert!(soundings.geographic);
//! assert_eq!((soundings.places[0], soundings.values[0]), ([7.5, 47.6], 12.25));
//! assert_eq!((soundings.rows, soundings.gaps), (2, 1));
//! # Ok::<(), String>(())
//! ```

mod cell;
mod clock;
mod columns;
mod gpx;
mod levels;
mod lines;
mod merge;
mod nmea;
mod table;
mod units;

pub use clock::{Clock, DAY_S, DateOrder, iso8601};
pub(crate) use columns::BY_FLAG;
pub use columns::Columns;
pub use levels::{LevelTable, time_words};
pub use merge::Merged;
pub use units::{Quantity, Unit};

use crate::error::IoError;
use crate::packed;
use lines::Lines;
use std::fs::{self, File};
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use table::Refusal;

/// Soundings kept in memory: of more, every other one.
const MOST_SOUNDINGS: usize = 1 << 22;
/// Files in a folder, and folders in folders.
const MOST_FILES: usize = 10_000;
/// What is looked at to tell what a file is, bytes.
const START: usize = 1 << 16;

/// Readings as files have them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Soundings {
    /// Where, as (x, y) or (longitude, latitude).
    pub places: Vec<[f64; 2]>,
    /// What was measured there; depths and heights in metres.
    pub values: Vec<f64>,
    /// When, s, by [`Soundings::clock`]; NaN where nobody knows.
    pub times: Vec<f64>,
    /// Which line of its file each is (of GPX, which point), from 1.
    pub lines: Vec<u32>,
    /// Which of [`Soundings::files`] each is from.
    pub sources: Vec<u16>,
    /// The files, in the order they were read.
    pub files: Vec<String>,
    /// What the times count from.
    pub clock: Clock,
    /// What the values are.
    pub quantity: Quantity,
    /// Names of the columns of x, y and value.
    pub names: [String; 3],
    /// Whether the places are longitudes and latitudes, as far as names and spelling tell.
    pub geographic: bool,
    /// Rows of data, gaps included.
    pub rows: usize,
    /// Rows skipped because a number was missing.
    pub gaps: usize,
    /// What was converted or left out on the way, in words.
    pub notes: Vec<String>,
    /// Every so many soundings are kept.
    stride: usize,
    /// Soundings offered so far.
    offered: usize,
}

/// One reading on its way in.
struct Record {
    place: [f64; 2],
    value: f64,
    time: f64,
    line: u64,
}

impl Soundings {
    fn named(names: [String; 3], geographic: bool) -> Self {
        Self {
            names,
            geographic,
            ..Self::default()
        }
    }

    fn push(&mut self, record: Record) {
        let stride = self.stride.max(1);
        self.offered += 1;
        if !(self.offered - 1).is_multiple_of(stride) {
            return;
        }
        if self.values.len() == MOST_SOUNDINGS {
            self.keep_every_other();
            self.stride = 2 * stride;
        }
        self.places.push(record.place);
        self.values.push(record.value);
        self.times.push(record.time);
        self.lines
            .push(u32::try_from(record.line).unwrap_or(u32::MAX));
        self.sources.push(0);
    }

    fn keep_every_other(&mut self) {
        let mut even = false;
        self.retain(|_, _| {
            even = !even;
            even
        });
    }

    /// Keeps the soundings for which `keep` (called with their index) is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&Self, usize) -> bool) {
        let kept: Vec<bool> = (0..self.values.len()).map(|i| keep(self, i)).collect();
        fn filter<T>(items: &mut Vec<T>, kept: &[bool]) {
            let mut flags = kept.iter();
            items.retain(|_| flags.next().is_some_and(|keep| *keep));
        }
        filter(&mut self.places, &kept);
        filter(&mut self.values, &kept);
        filter(&mut self.times, &kept);
        filter(&mut self.lines, &kept);
        filter(&mut self.sources, &kept);
    }

    /// Adds the soundings of another file.
    ///
    /// # Errors
    /// If these are other quantities, or one file has degrees and the other has not.
    fn add(&mut self, mut other: Self) -> Result<(), String> {
        if self.values.is_empty() {
            *self = other;
            return Ok(());
        }
        // A file without a header says neither what its places nor what its values are: it is like the others.
        if self.geographic != other.geographic
            && self.could_be_degrees()
            && other.could_be_degrees()
        {
            (self.geographic, other.geographic) = (true, true);
        }
        let unnamed =
            |one: &Self| one.quantity == Quantity::Other && one.names[2].parse::<usize>().is_ok();
        if unnamed(&other) {
            other.quantity = self.quantity;
        } else if unnamed(self) {
            self.quantity = other.quantity;
        }
        if self.geographic != other.geographic {
            return Err(
                "its places are not of the same kind as those of the files before it: one has degrees, the other \
                 has not; convert one with `transect soundings`"
                    .into(),
            );
        }
        if self.quantity != other.quantity {
            return Err(format!(
                "its values are not of the same kind as those of the files before it: {} there, {} here; say what \
                 they are with --quantity, or convert one with `transect soundings --as`",
                self.quantity.convention(),
                other.quantity.convention()
            ));
        }
        let first = self.files.len() as u16;
        self.places.extend(other.places);
        self.values.extend(other.values);
        self.times.extend(other.times);
        self.lines.extend(other.lines);
        self.sources
            .extend(other.sources.iter().map(|source| source + first));
        self.files.extend(other.files);
        self.rows += other.rows;
        self.gaps += other.gaps;
        for note in other.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        if self.clock != other.clock {
            self.notes
                .push("not all files have times of one kind: none are used".into());
            self.clock = Clock::None;
        }
        while self.values.len() > MOST_SOUNDINGS {
            self.keep_every_other();
            self.stride = 2 * self.stride.max(1);
        }
        Ok(())
    }

    fn could_be_degrees(&self) -> bool {
        self.places
            .iter()
            .all(|[x, y]| x.abs() <= 360.0 && y.abs() <= 90.0)
    }

    /// Where a sounding comes from, for people: `survey.log, line 12`.
    #[must_use]
    pub fn origin(&self, index: usize) -> String {
        let file = self
            .sources
            .get(index)
            .and_then(|s| self.files.get(usize::from(*s)));
        let line = self.lines.get(index).copied().unwrap_or_default();
        format!("{}, line {line}", file.map_or("", String::as_str))
    }
}

/// Reads soundings from a file.
///
/// # Errors
/// If the file cannot be read, has no such columns, or a cell is not a number.
pub fn read(path: &Path, columns: &Columns) -> Result<Soundings, IoError> {
    read_all(&[path.to_owned()], columns)
}

/// Reads soundings from files, and from the logs in folders, in this order.
///
/// # Errors
/// If one cannot be read, or they do not fit together.
pub fn read_all(paths: &[PathBuf], columns: &Columns) -> Result<Soundings, IoError> {
    let mut all = Soundings::default();
    let mut passed_over = Vec::new();
    for LogFile { path, named } in files_of(paths)? {
        let kind = fs::metadata(&path).map_err(IoError::system(&path))?;
        // Opening a pipe would wait for whoever writes to it.
        if !kind.is_file() {
            return Err(IoError::content(&path)("it is not a file".into()));
        }
        let mut file = File::open(&path).map_err(IoError::system(&path))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let read = read_packed(&mut file, &name, columns);
        match read.and_then(|found| all.add(found)) {
            Ok(()) => {}
            // Beside logs, folders hold tables of other things.
            Err(reason) if !named => passed_over.push(format!("{name} passed over: {reason}")),
            Err(reason) => {
                let reason = meant_for(&path).map_or(reason, String::from);
                return Err(IoError::content(&path)(reason));
            }
        }
        // One log stays below this by itself; many together must, too.
        while all.values.len() > MOST_SOUNDINGS {
            all.keep_every_other();
            all.stride = 2 * all.stride.max(1);
        }
    }
    if let (Some(first), true) = (paths.first(), all.values.is_empty()) {
        let reason = passed_over
            .first()
            .map_or("it holds no readings", String::as_str);
        return Err(IoError::content(first)(reason.into()));
    }
    all.notes.extend(passed_over);
    if all.stride > 1 {
        all.notes.push(format!(
            "more than {MOST_SOUNDINGS} soundings: one of every {} was kept",
            all.stride
        ));
    }
    Ok(all)
}

/// What a file that is no log is good for.
fn meant_for(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_ascii_lowercase();
    match ending.to_str()? {
        "shp" | "gpkg" | "kml" | "geojson" => {
            return Some("it is an outline, not a log: give it with --area");
        }
        "shx" | "dbf" | "prj" => {
            return Some("it belongs to a Shapefile: give the .shp beside it with --area");
        }
        _ => {}
    }
    let mut lines = Lines::new(BufReader::new(File::open(path).ok()?));
    let first = lines.next().ok()??;
    let columns = first.split([';', '\t', ',']).count();
    let is_table = columns == 2 && LevelTable::read(path, Unit::Metre).is_ok();
    is_table.then_some("it is a table of water levels, not a log: give it with --level")
}

/// A file to read.
struct LogFile {
    path: PathBuf,
    /// By the user, rather than found in a folder.
    named: bool,
}

/// The files to read: those named, and the logs in folders, by name.
fn files_of(paths: &[PathBuf]) -> Result<Vec<LogFile>, IoError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(LogFile {
                path: path.clone(),
                named: true,
            });
            continue;
        }
        let mut open = vec![path.clone()];
        let mut found = Vec::new();
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder).map_err(IoError::system(&folder))? {
                let inside = entry.map_err(IoError::system(&folder))?.path();
                let name = inside.file_name().unwrap_or_default().to_string_lossy();
                if inside.is_dir() && !inside.is_symlink() {
                    open.push(inside);
                } else if packed::is_log(&name) && !name.starts_with('.') {
                    found.push(inside);
                }
                if found.len() + open.len() > MOST_FILES {
                    let reason = format!("it holds more than {MOST_FILES} files");
                    return Err(IoError::content(path)(reason));
                }
            }
        }
        if found.is_empty() {
            let reason = format!(
                "no file in this folder is a log; those ending with {} are looked for, packed or not",
                packed::LOG_ENDINGS.join(", ")
            );
            return Err(IoError::content(path)(reason));
        }
        found.sort();
        files.extend(found.into_iter().map(|path| LogFile { path, named: false }));
    }
    Ok(files)
}

/// Reads soundings from the bytes of a file, packed or not.
///
/// # Errors
/// What is wrong, and in which line and column.
pub fn parse(bytes: &[u8], columns: &Columns) -> Result<Soundings, String> {
    read_packed(&mut Cursor::new(bytes), "", columns)
}

fn read_packed(
    file: &mut (impl Read + Seek),
    name: &str,
    columns: &Columns,
) -> Result<Soundings, String> {
    let mut attempt = |order: DateOrder| {
        let mut all = Soundings::default();
        let mut other_order = false;
        file.rewind().map_err(|error| error.to_string())?;
        let outcome = packed::unpack(&mut *file, &mut |inside, reader| {
            let at = |reason: String| match inside.is_empty() {
                true => reason,
                false => format!("{inside}: {reason}"),
            };
            match read_stream(reader, columns, order) {
                Ok(mut found) => {
                    found.files = vec![
                        [name, inside]
                            .into_iter()
                            .filter(|n| !n.is_empty())
                            .collect::<Vec<_>>()
                            .join("/"),
                    ];
                    all.add(found).map_err(at)
                }
                Err(Refusal::Reason(reason)) => Err(at(reason)),
                Err(Refusal::OtherOrder) => {
                    other_order = true;
                    Err(at(
                        "its dates are neither month/day/year nor day/month/year".into(),
                    ))
                }
            }
        });
        Ok::<_, String>((outcome.map(|()| all), other_order))
    };
    match attempt(DateOrder::MonthFirst)? {
        (_, true) => attempt(DateOrder::DayFirst)?.0,
        (outcome, false) => outcome,
    }
}

/// Reads what is inside a file, whatever it is.
fn read_stream(
    reader: &mut dyn Read,
    columns: &Columns,
    order: DateOrder,
) -> Result<Soundings, Refusal> {
    let mut start = vec![0; START];
    let count = packed::fill(reader, &mut start).map_err(|error| error.to_string())?;
    start.truncate(count);
    let text = String::from_utf8_lossy(&start).into_owned();
    let stream = BufReader::with_capacity(START, Cursor::new(start).chain(reader));
    if gpx::is_gpx(&text) {
        return Ok(gpx::read(stream, columns)?);
    }
    let mut lines = Lines::new(stream);
    if nmea::is_log(&text) {
        return Ok(nmea::read(&mut lines, &text, columns.value.as_deref())?);
    }
    table::read(&mut lines, columns, order)
}

#[cfg(test)]
mod tests;

//! Soundings from text: one reading per line, of places and values.
//!
//! | what | how it is taken |
//! |---|---|
//! | separator | semicolon, tab, comma or runs of spaces, whichever the first line has (in this order) |
//! | decimal comma | understood where the comma does not separate |
//! | header | recognised by its names, see [`Columns`]; a `#` line right above the numbers counts as one; without one, the first three columns are x, y and value |
//! | `#` lines, blank lines, a byte order mark, CR LF | passed over |
//! | empty cells, `NaN`, `NA`, `null`, `-` | gaps: the row is skipped and counted |
//! | anything else that is not a number | an error with line and column |
//!
//! ```
//! use transect_io::soundings::{Columns, parse};
//! let soundings = parse(b"Lon [deg];Lat [deg];Depth (m)\n7,5;47,6;12,25\n7,6;47,6;\n", &Columns::default())?;
//! assert!(soundings.geographic);
//! assert_eq!((soundings.places[0], soundings.values[0]), ([7.5, 47.6], 12.25));
//! assert_eq!((soundings.rows, soundings.gaps), (2, 1));
//! # Ok::<(), String>(())
//! ```

mod columns;
mod dialect;
mod merge;

pub use columns::Columns;
pub use merge::Merged;

use crate::bounded;
use crate::error::IoError;
use columns::Chosen;
use dialect::Dialect;
use std::path::Path;

/// Larger files are refused: they would not leave room for a map.
const MOST_BYTES: u64 = 128 << 20;
/// So are files with more readings.
const MOST_ROWS: usize = 1 << 22;
/// And rows with more columns: a quotation mark that is never closed makes one of many lines.
const MOST_COLUMNS: usize = 10_000;
/// What stands for a missing number.
const GAPS: [&str; 8] = ["", "nan", "na", "n/a", "null", "none", "-", "*"];

/// Readings as a file has them.
#[derive(Debug, Clone, PartialEq)]
pub struct Soundings {
    /// Where, as (x, y) or (longitude, latitude).
    pub places: Vec<[f64; 2]>,
    /// What was measured there.
    pub values: Vec<f64>,
    /// Names of the columns of x, y and value.
    pub names: [String; 3],
    /// Whether the columns' names say longitude and latitude.
    pub geographic: bool,
    /// Rows of data, gaps included.
    pub rows: usize,
    /// Rows skipped because a number was missing.
    pub gaps: usize,
}

/// Reads soundings from a file.
///
/// # Errors
/// If the file cannot be read, is too large, has no such columns, or a cell is not a number.
pub fn read(path: &Path, columns: &Columns) -> Result<Soundings, IoError> {
    let bytes = bounded::read(path, MOST_BYTES)?;
    parse(&bytes, columns).map_err(IoError::content(path))
}

/// Reads soundings from the bytes of a file.
///
/// # Errors
/// What is wrong, and in which line and column.
pub fn parse(bytes: &[u8], columns: &Columns) -> Result<Soundings, String> {
    if bytes.len() as u64 > MOST_BYTES {
        return Err(format!(
            "it is text of more than {} MiB, the most that is read: keep every other line, or make a grid a GeoTIFF",
            MOST_BYTES >> 20
        ));
    }
    let (dialect, text) = Dialect::of(bytes)?;
    let mut reader = dialect.reader(&text);
    let mut record = csv::ByteRecord::new();
    let mut next = |record: &mut csv::ByteRecord| {
        let more = reader.read_byte_record(record);
        more.map_err(|error| format!("it cannot be split into cells: {error}"))
    };
    if !next(&mut record)? {
        return Err("it holds no readings".into());
    }
    if record.len() > MOST_COLUMNS {
        return Err(format!(
            "its first row has {} columns, more than any file of soundings",
            record.len()
        ));
    }
    let first: Vec<String> = record.iter().map(cell_text).collect();
    let numeric = first.iter().all(|cell| Cell::of(cell, dialect).is_ok());
    let above = dialect.comment_above(&text, line_start(&record, &text).0);
    let chosen = match (numeric, above) {
        (false, _) => Chosen::by_names(&first, columns)?,
        (true, Some(names)) if names.len() == first.len() => {
            Chosen::by_names(&names, columns).or_else(|_| Chosen::first_three(&first, columns))?
        }
        (true, _) => Chosen::first_three(&first, columns)?,
    };
    let mut found = Soundings {
        places: Vec::new(),
        values: Vec::new(),
        geographic: chosen.geographic(),
        names: chosen.names,
        rows: 0,
        gaps: 0,
    };
    let mut more = numeric || next(&mut record)?;
    while more {
        let mut numbers = [None; 3];
        for (k, number) in numbers.iter_mut().enumerate() {
            let text_of_cell = record.get(chosen.indices[k]).map(cell_text);
            let cell = Cell::of(text_of_cell.as_deref().unwrap_or_default(), dialect);
            *number = cell.map_err(|got| {
                let (_, line) = line_start(&record, &text);
                format!(
                    "line {line}, column `{}`: `{got}` is not a number; leave a cell empty where \
                     nothing was measured",
                    found.names[k]
                )
            })?;
        }
        found.rows += 1;
        if found.rows > MOST_ROWS {
            return Err(format!(
                "it has more than {MOST_ROWS} rows, the most that are read: keep every other line, or make a grid a GeoTIFF"
            ));
        }
        match numbers {
            [Some(x), Some(y), Some(value)] => {
                found.places.push([x, y]);
                found.values.push(value);
            }
            _ => found.gaps += 1,
        }
        more = next(&mut record)?;
    }
    if found.values.is_empty() {
        let [x, y, value] = &found.names;
        return Err(format!(
            "none of its {} rows has numbers in all of the columns `{x}`, `{y}` and `{value}`",
            found.rows
        ));
    }
    Ok(found)
}

/// A cell as text, whatever its encoding.
fn cell_text(cell: &[u8]) -> String {
    String::from_utf8_lossy(cell).trim().to_string()
}

/// A number or a gap.
struct Cell;

impl Cell {
    /// The number in a cell, or none for a gap.
    ///
    /// # Errors
    /// The text, shortened, if it is neither.
    fn of(text: &str, dialect: Dialect) -> Result<Option<f64>, String> {
        if GAPS.contains(&text.to_ascii_lowercase().as_str()) {
            return Ok(None);
        }
        let number = match dialect.decimal_comma() && !text.contains('.') {
            true => text.replacen(',', ".", 1).parse::<f64>(),
            false => text.parse(),
        };
        match number {
            Ok(number) if number.is_finite() => Ok(Some(number)),
            Ok(number) if number.is_nan() => Ok(None),
            _ => Err(text.chars().take(40).collect()),
        }
    }
}

/// Byte and line (from 1) at which a record really starts: the reader's own count is taken before
/// it passes over comments and blank lines.
fn line_start(record: &csv::ByteRecord, text: &[u8]) -> (usize, u64) {
    let (mut at, mut line) = record
        .position()
        .map_or((0, 1), |p| (p.byte() as usize, p.line()));
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let end = rest.iter().position(|b| *b == b'\n');
        let this = &rest[..end.unwrap_or(rest.len())];
        let empty = this.iter().all(|b| *b == b'\r');
        if !(empty || this.starts_with(b"#")) || end.is_none() {
            break;
        }
        at += this.len() + 1;
        line += 1;
    }
    (at, line)
}

#[cfg(test)]
mod tests;

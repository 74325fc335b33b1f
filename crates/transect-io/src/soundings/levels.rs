//! Water levels over time: a table by date, by date and time, or by time of day.

use super::cell::{number, split};
use super::clock::{Clock, DAY_S, DateOrder, Moment, iso8601, moment};
use super::lines::Lines;
use super::units::Unit;
use crate::error::IoError;
use crate::packed;
use std::fs::File;
use std::io::{BufReader, Cursor};
use std::path::Path;

/// Rows of a table; a year of minutes is half a million.
const MOST_ROWS: usize = 1 << 21;

/// Levels at moments, in between by straight lines.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelTable {
    /// [`Clock::Dated`] or [`Clock::TimeOfDay`].
    pub clock: Clock,
    /// Moments, s, and levels, m; in order of time.
    rows: Vec<[f64; 2]>,
}

impl LevelTable {
    /// Reads a table of times and levels, packed or not: columns in this order, with or without a header.
    ///
    /// # Errors
    /// If the file cannot be read, or does not hold two rows with a time and a level.
    pub fn read(path: &Path, unit: Unit) -> Result<Self, IoError> {
        let file = File::open(path).map_err(IoError::system(path))?;
        let mut table = None;
        let read = packed::unpack(BufReader::new(file), &mut |_, reader| {
            let mut text = Lines::new(BufReader::new(reader));
            table = Some(Self::from_lines(&mut text, unit)?);
            Ok(())
        });
        read.map_err(IoError::content(path))?;
        table.ok_or_else(|| IoError::content(path)("it holds no table".into()))
    }

    /// Reads a table from its bytes.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn parse(bytes: &[u8], unit: Unit) -> Result<Self, String> {
        Self::from_lines(&mut Lines::new(Cursor::new(bytes)), unit)
    }

    fn from_lines<R: std::io::BufRead>(lines: &mut Lines<R>, unit: Unit) -> Result<Self, String> {
        let mut rows: Vec<[f64; 2]> = Vec::new();
        let mut clock = Clock::None;
        while let Some(line) = lines.next()? {
            let line = line.trim().to_string();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let separator = [';', '\t', ',']
                .into_iter()
                .find(|s| line.contains(*s))
                .unwrap_or(' ');
            let cells = split(&line, separator);
            let Some((at, level)) = row(&cells, separator != ',') else {
                if rows.is_empty() {
                    continue;
                }
                return Err(format!(
                    "line {}: `{}` is no time with a level behind it",
                    lines.number(),
                    line.chars().take(60).collect::<String>()
                ));
            };
            if clock != Clock::None && clock != at.clock {
                return Err(format!(
                    "line {}: some rows have dates and others have not",
                    lines.number()
                ));
            }
            clock = at.clock;
            rows.push([at.seconds, level * unit.in_metres()]);
            if rows.len() > MOST_ROWS {
                return Err(format!("it has more than {MOST_ROWS} rows"));
            }
        }
        if rows.len() < 2 {
            return Err("it has fewer than two rows with a time (09:39, 2021-08-26 09:39, 26.08.2021) and a level".into());
        }
        rows.sort_by(|a, b| a[0].total_cmp(&b[0]));
        rows.dedup_by(|later, earlier| later[0] == earlier[0]);
        Ok(Self { clock, rows })
    }

    /// The level at a moment of the table's clock, m; none outside the table by more than its longest step.
    #[must_use]
    pub fn at(&self, seconds: f64) -> Option<f64> {
        let seconds = match self.clock {
            Clock::TimeOfDay => seconds.rem_euclid(DAY_S),
            _ => seconds,
        };
        let [first, last] = self.range();
        let slack = self.longest_step();
        if !(first - slack..=last + slack).contains(&seconds) {
            return None;
        }
        let next = self.rows.partition_point(|row| row[0] < seconds);
        let (Some(b), Some(a)) = (self.rows.get(next), self.rows.get(next.wrapping_sub(1))) else {
            return self
                .rows
                .get(next.min(self.rows.len() - 1))
                .map(|row| row[1]);
        };
        let share = (seconds - a[0]) / (b[0] - a[0]);
        Some(a[1] + share * (b[1] - a[1]))
    }

    fn longest_step(&self) -> f64 {
        self.rows
            .windows(2)
            .map(|pair| pair[1][0] - pair[0][0])
            .fold(0.0, f64::max)
    }

    /// First and last moment, s.
    #[must_use]
    pub fn range(&self) -> [f64; 2] {
        let ends = [self.rows.first(), self.rows.last()];
        ends.map(|row| row.map_or(f64::NAN, |row| row[0]))
    }

    /// From when to when, for people.
    #[must_use]
    pub fn period(&self) -> String {
        let words = self.range().map(|seconds| time_words(self.clock, seconds));
        format!("{} to {}", words[0], words[1])
    }
}

/// A moment for people.
#[must_use]
pub fn time_words(clock: Clock, seconds: f64) -> String {
    match clock {
        Clock::Dated => iso8601(seconds),
        Clock::TimeOfDay => iso8601(seconds.rem_euclid(DAY_S))[11..19].to_string(),
        Clock::Elapsed | Clock::None => format!("{seconds} s"),
    }
}

/// The time and the level of a row: cells that are a date, a time or both, and the first number behind them.
fn row(cells: &[String], decimal_comma: bool) -> Option<(Moment, f64)> {
    let read = |cell: &String| {
        if cell.parse::<f64>().is_ok_and(|number| number < 1e9) {
            return None;
        }
        // Tables of levels come from gauges, which write the day first.
        moment(cell, DateOrder::DayFirst).ok().flatten()
    };
    let first = cells.iter().position(|cell| read(cell).is_some())?;
    let mut at = read(&cells[first])?;
    let mut rest = &cells[first + 1..];
    if let Some(time) = rest.first().and_then(read)
        && at.clock == Clock::Dated
        && time.clock == Clock::TimeOfDay
    {
        at.seconds += time.seconds;
        rest = &rest[1..];
    }
    let level = rest
        .iter()
        .find_map(|cell| number(cell, decimal_comma).ok().flatten())?;
    Some((at, level))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_lie_on_lines_between_the_rows() {
        let tide =
            LevelTable::parse(b"\"09:00\",\"1.0\"\r\n\"10:00\",\"3.0\"", Unit::Metre).unwrap();
        assert_eq!(tide.at(9.5 * 3600.0), Some(2.0));
        // Of any day.
        assert_eq!(tide.at(DAY_S * 18_865.0 + 9.25 * 3600.0), Some(1.5));
        assert_eq!(
            (tide.at(10.5 * 3600.0), tide.at(12.0 * 3600.0)),
            (Some(3.0), None)
        );
        assert_eq!(tide.period(), "09:00:00 to 10:00:00");
    }

    #[test]
    fn dates_alone_and_with_times() {
        let days = LevelTable::parse(
            b"\xef\xbb\xbfdate;waterlevel\n16.01.2025;0,762\n18.01.2025;0,764\n",
            Unit::Metre,
        )
        .unwrap();
        // 2025-01-17T00:00:00Z by `date`.
        assert!((days.at(1_737_072_000.0).unwrap() - 0.763).abs() < 1e-12);
        let both =
            LevelTable::parse(b"2025-01-16 12:00 1\n2025-01-16 13:00 2\n", Unit::Foot).unwrap();
        assert!((both.at(1_737_030_600.0).unwrap() - 1.5 * 0.3048).abs() < 1e-12);
        for (text, part) in [
            ("a,b\n1,2\n", "fewer than two rows"),
            ("09:00,1\n2025-01-16,2\n", "some rows have dates"),
            ("09:00,1\n10:00,x\n", "line 2: `10:00,x`"),
        ] {
            let message = LevelTable::parse(text.as_bytes(), Unit::Metre).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }
}

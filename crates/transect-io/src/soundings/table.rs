//! Text with one sounding per line.

use super::cell::{angle, degrees_and_minutes, number, split};
use super::clock::{Clock, DAY_S, DateOrder, OtherOrder, days_since_1970, moment};
use super::columns::{self, Chosen, Columns, TimeColumns};
use super::lines::Lines;
use super::units::{Quantity, Unit};
use super::{Record, Soundings};
use std::io::BufRead;

/// More columns than this are refused: no file of soundings has them.
const MOST_COLUMNS: usize = 10_000;

/// Why a table cannot be read.
pub(super) enum Refusal {
    /// Its dates are in the other order: it must be read again.
    OtherOrder,
    /// What is wrong.
    Reason(String),
}

impl From<String> for Refusal {
    fn from(reason: String) -> Self {
        Self::Reason(reason)
    }
}

impl From<OtherOrder> for Refusal {
    fn from(_: OtherOrder) -> Self {
        Self::OtherOrder
    }
}

/// What separates cells: a sign, or any number of spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Dialect(char);

impl Dialect {
    fn of(line: &str) -> Self {
        let signs = [';', '\t', ','];
        Self(signs.into_iter().find(|s| line.contains(*s)).unwrap_or(' '))
    }

    /// Whether a comma may be a decimal point.
    fn decimal_comma(self) -> bool {
        self.0 != ','
    }

    fn cells(self, line: &str) -> Vec<String> {
        if self.0 == ' ' {
            return line.split_whitespace().map(String::from).collect();
        }
        split(line, self.0)
    }
}

/// Reads a table whose dates are written in `order`.
pub(super) fn read<R: BufRead>(
    lines: &mut Lines<R>,
    wanted: &Columns,
    order: DateOrder,
) -> Result<Soundings, Refusal> {
    let mut comment: Option<String> = None;
    let first = loop {
        let Some(line) = lines.next()? else {
            return Err(Refusal::Reason("it holds no readings".into()));
        };
        let line = line.trim();
        if let Some(words) = line.strip_prefix('#') {
            comment = Some(words.trim().to_string());
        } else if !line.is_empty() {
            break line.to_string();
        } else {
            comment = None;
        }
    };
    let dialect = Dialect::of(&first);
    let first = dialect.cells(&first);
    if first.len() > MOST_COLUMNS {
        let count = first.len();
        let reason = format!("its first row has {count} columns, more than any file of soundings");
        return Err(Refusal::Reason(reason));
    }
    let is_header = looks_like_header(&first, dialect, wanted);
    let above = comment.map(|line| dialect.cells(&line));
    let chosen = match above.filter(|names| names.len() == first.len()) {
        _ if is_header => Chosen::by_names(&first, wanted)?,
        Some(names) => {
            Chosen::by_names(&names, wanted).or_else(|_| Chosen::first_three(&first, wanted))?
        }
        None => {
            let chosen = Chosen::first_three(&first, wanted)?;
            require_numbers(&first, &chosen, dialect)?;
            chosen
        }
    };
    let mut table = Table::new(chosen, wanted, dialect, order);
    if !is_header {
        table.take(&first, lines.number())?;
    }
    while let Some(line) = lines.next()? {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let cells = dialect.cells(line);
        table.take(&cells, lines.number())?;
    }
    Ok(table.finish()?)
}

/// A row is a header if it names places or columns that are wanted, or if most of its cells are words.
fn looks_like_header(row: &[String], dialect: Dialect, wanted: &Columns) -> bool {
    let named = [&wanted.x, &wanted.y, &wanted.value].into_iter().flatten();
    let is_word = |name: &&String| name.parse::<usize>().is_err() && row.contains(name);
    if columns::is_header(row) || named.clone().any(|name| is_word(&name)) {
        return true;
    }
    let is_datum = |cell: &&String| {
        number(cell, dialect.decimal_comma()).is_ok()
            || angle(cell).is_some()
            || !matches!(moment(cell, DateOrder::MonthFirst), Ok(None))
    };
    let data = row.iter().filter(is_datum).count();
    2 * data < row.len()
}

/// Without a header, whoever does not number the columns means the first three.
fn require_numbers(row: &[String], chosen: &Chosen, dialect: Dialect) -> Result<(), String> {
    let wrong = chosen.indices.into_iter().find(|index| {
        let cell = row.get(*index).map_or("", String::as_str);
        number(cell, dialect.decimal_comma()).is_err() && angle(cell).is_none()
    });
    match wrong {
        None => Ok(()),
        Some(index) => Err(format!(
            "it has no header, and column {} holds `{}`: say by number which columns are x, y and the value, for \
             example --x 5 --y 4 --value 3; its first row is {}",
            index + 1,
            row[index],
            columns::listed(row)
        )),
    }
}

/// A table while it is read.
struct Table {
    chosen: Chosen,
    dialect: Dialect,
    order: DateOrder,
    geographic: bool,
    factor: f64,
    found: Soundings,
    /// Rows whose time could not be read.
    untimed: usize,
    /// Rows that a column of hemispheres turned to the south or west.
    turned: usize,
    /// Whether latitudes beyond 90 can all be degrees and minutes (which have decimals), and whether there are any.
    minutes: [bool; 2],
    negative: usize,
}

impl Table {
    fn new(chosen: Chosen, wanted: &Columns, dialect: Dialect, order: DateOrder) -> Self {
        let unit = wanted.unit.or_else(|| Unit::of_name(&chosen.names[2]));
        let quantity = wanted.quantity.unwrap_or_else(|| chosen.quantity());
        let mut found = Soundings::named(chosen.names.clone(), chosen.geographic());
        found.quantity = quantity;
        if let Some(unit) = unit.filter(|unit| *unit != Unit::Metre) {
            found.notes.push(format!(
                "{} in {unit}: converted to metres",
                chosen.names[2]
            ));
        }
        Self {
            geographic: chosen.geographic(),
            factor: unit.map_or(1.0, Unit::in_metres),
            chosen,
            dialect,
            order,
            found,
            untimed: 0,
            turned: 0,
            minutes: [true, false],
            negative: 0,
        }
    }

    fn take(&mut self, cells: &[String], line: u64) -> Result<(), Refusal> {
        let mut numbers = [None; 3];
        for (k, value) in numbers.iter_mut().enumerate() {
            let cell = cells.get(self.chosen.indices[k]).map_or("", String::as_str);
            let found = number(cell, self.dialect.decimal_comma());
            *value = match found {
                Ok(found) => found,
                Err(_) if k < 2 && angle(cell).is_some() => {
                    self.found.geographic = true;
                    angle(cell)
                }
                Err(got) => {
                    return Err(Refusal::Reason(format!(
                        "line {line}, column `{}`: `{got}` is not a number; leave a cell empty where \
                         nothing was measured",
                        self.chosen.names[k]
                    )));
                }
            };
        }
        self.found.rows += 1;
        let [Some(mut x), Some(mut y), Some(value)] = numbers else {
            self.found.gaps += 1;
            return Ok(());
        };
        if self.geographic {
            self.turn(cells, &mut x, &mut y);
            self.minutes[0] &= y.abs() <= 9000.0
                && x.abs() <= 18_000.0
                && (x.fract() != 0.0 || y.fract() != 0.0)
                && degrees_and_minutes(y).is_some()
                && degrees_and_minutes(x).is_some();
            self.minutes[1] |= y.abs() > 90.0;
        }
        self.negative += usize::from(value < 0.0);
        let time = self.time(cells)?;
        self.found.push(Record {
            place: [x, y],
            value: value * self.factor,
            time,
            line,
        });
        Ok(())
    }

    /// Takes the hemisphere from a column of its own.
    fn turn(&mut self, cells: &[String], x: &mut f64, y: &mut f64) {
        for column in &self.chosen.hemispheres {
            let number = match cells.get(*column).map(String::as_str) {
                Some("S" | "s") => &mut *y,
                Some("W" | "w") => &mut *x,
                _ => continue,
            };
            if *number > 0.0 {
                *number = -*number;
                self.turned += 1;
            }
        }
    }

    fn time(&mut self, cells: &[String]) -> Result<f64, OtherOrder> {
        let cell = |index: &usize| cells.get(*index).map_or("", String::as_str);
        let found = match &self.chosen.time {
            TimeColumns::None => return Ok(f64::NAN),
            TimeColumns::One(index) => moment(cell(index), self.order)?,
            TimeColumns::Two(date, time) => {
                let day = moment(cell(date), self.order)?;
                let time = moment(cell(time), self.order)?;
                match (day, time) {
                    (Some(day), Some(time)) if time.clock == Clock::TimeOfDay => {
                        Some(super::clock::Moment {
                            clock: day.clock,
                            seconds: day.seconds + time.seconds,
                        })
                    }
                    (_, time) => time,
                }
            }
            TimeColumns::Pieces(pieces) => {
                let numbers: Option<Vec<f64>> =
                    pieces.iter().map(|i| cell(i).parse().ok()).collect();
                numbers.and_then(|n| {
                    let days = days_since_1970(n[0] as i64, n[1] as i64, n[2] as i64)?;
                    let seconds = days as f64 * DAY_S + n[3] * 3600.0 + n[4] * 60.0 + n[5];
                    Some(super::clock::Moment {
                        clock: Clock::Dated,
                        seconds,
                    })
                })
            }
        };
        let clock = self.found.clock;
        match found {
            Some(moment) if clock == Clock::None || clock == moment.clock => {
                self.found.clock = moment.clock;
                Ok(moment.seconds)
            }
            _ => {
                self.untimed += 1;
                Ok(f64::NAN)
            }
        }
    }

    fn finish(mut self) -> Result<Soundings, String> {
        let found = &mut self.found;
        if found.values.is_empty() {
            let [x, y, value] = &found.names;
            return Err(format!(
                "none of its {} rows has numbers in all of the columns `{x}`, `{y}` and `{value}`",
                found.rows
            ));
        }
        if self.minutes == [true, true] {
            for place in &mut found.places {
                *place = place.map(|number| degrees_and_minutes(number).unwrap_or(number));
            }
            found.notes.push(format!(
                "`{}` and `{}` hold degrees and minutes (ddmm.mmmm): converted to degrees",
                found.names[0], found.names[1]
            ));
        }
        if self.turned > 0 {
            found.notes.push(format!(
                "{} numbers made negative by a column of S or W",
                self.turned
            ));
        }
        if self.untimed > 0 {
            found.notes.push(format!(
                "{} rows have no time that can be read",
                self.untimed
            ));
        }
        if self.order == DateOrder::DayFirst {
            found.notes.push("dates are day/month/year".into());
        }
        if found.quantity == Quantity::Depth && 2 * self.negative > found.values.len() {
            for value in &mut found.values {
                *value = -*value;
            }
            found.notes.push(format!(
                "`{}` is negative in most rows: taken for heights below the water, depths are their opposite",
                found.names[2]
            ));
        }
        Ok(self.found)
    }
}

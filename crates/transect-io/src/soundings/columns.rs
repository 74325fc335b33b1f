//! Which columns hold x, y, the value and the time.

use super::units::{Quantity, Unit};

/// Names of columns given by the user; those left out are recognised.
///
/// Recognised are, whatever their case and behind units in brackets or suffixes such as `_m`:
/// longitude and latitude (`lon`, `long`, `lng`, `lonDegree`), easting and northing (`east`, `e`, ...), x and y; and of
/// values, in this order: `value`, `z`, depth, elevation, height, altitude and their short forms. Where x and y
/// are recognised and only one other column is left, it is the value. A column may also be named by its number, from 1 on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Columns {
    /// Column of x or longitude.
    pub x: Option<String>,
    /// Column of y or latitude.
    pub y: Option<String>,
    /// Column of the value; in GPX, the element.
    pub value: Option<String>,
    /// Column of the time.
    pub time: Option<String>,
    /// Unit of the value, where its name does not say.
    pub unit: Option<Unit>,
    /// What the value is, where its name does not say.
    pub quantity: Option<Quantity>,
}

/// Pairs of place names, the most telling first; those of the first row are degrees.
const PLACES: [(&[&str], &[&str]); 3] = [
    (&["lon", "longitude", "long", "lng"], &["lat", "latitude"]),
    (
        &["easting", "east", "eastings", "e", "utm_e", "utm_easting"],
        &[
            "northing",
            "north",
            "northings",
            "n",
            "utm_n",
            "utm_northing",
        ],
    ),
    (
        &["x", "utm_x", "x_utm", "coord_x", "x_coord"],
        &["y", "utm_y", "y_utm", "coord_y", "y_coord"],
    ),
];
const VALUES: [&str; 19] = [
    "value",
    "z",
    "depth",
    "elevation",
    "elev",
    "height",
    "altitude",
    "alt",
    "bathymetry",
    "bathy",
    "depths",
    "water_depth",
    "sounding",
    "soundings",
    "measurement",
    "reading",
    "level",
    "values",
    "tiefe",
];
const TIMES: [&str; 9] = [
    "datetime",
    "date_time",
    "timestamp",
    "time",
    "utc",
    "utc_time",
    "time_utc",
    "gps_time",
    "time_s",
];
const DATES: [&str; 4] = ["date", "datum", "date_utc", "gps_date"];
/// A date in pieces.
const PIECES: [&str; 6] = ["year", "month", "day", "hour", "minute", "second"];
/// Columns that number rows.
const NUMBERS: [&str; 7] = ["id", "record", "fid", "index", "row", "no", "pt_id"];
/// Words that make a column of N, S, E or W.
const HEMISPHERES: [&str; 6] = ["direction", "dir", "hemisphere", "ns", "ew", "ref"];
/// Units that people append to names.
const SUFFIXES: [&str; 12] = [
    "_m", "_metres", "_meters", "_degrees", "_degree", "_deg", "_dd", "_wgs84", "_ft", "_feet",
    "_cm", "_fathoms",
];

/// Where the time of a row is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum TimeColumns {
    /// Nowhere.
    #[default]
    None,
    /// In one cell.
    One(usize),
    /// A date, and the time of that day.
    Two(usize, usize),
    /// Year, month, day, hour, minute, second.
    Pieces([usize; 6]),
}

/// The columns in use.
#[derive(Debug, PartialEq)]
pub(super) struct Chosen {
    /// Of x, y and value.
    pub(super) indices: [usize; 3],
    /// As the file has them.
    pub(super) names: [String; 3],
    pub(super) time: TimeColumns,
    /// Columns of N, S, E and W.
    pub(super) hemispheres: Vec<usize>,
}

impl Chosen {
    /// Chooses by a header.
    ///
    /// # Errors
    /// If a column that was named is not there, or none is recognised.
    pub(super) fn by_names(header: &[String], wanted: &Columns) -> Result<Self, String> {
        let plain: Vec<String> = header.iter().map(|name| plain(name)).collect();
        let among = |names: &[&str]| {
            let mut known = names.iter();
            known.find_map(|name| plain.iter().position(|column| column == name))
        };
        let pairs = PLACES.iter().map(|(x, y)| (among(x), among(y)));
        let pair = pairs.clone().find(|(x, y)| x.is_some() && y.is_some());
        let x = match &wanted.x {
            Some(name) => named(header, name)?,
            None => pair
                .and_then(|(x, _)| x)
                .or_else(|| pairs.clone().find_map(|(x, _)| x))
                .ok_or_else(|| unrecognised(header, "x"))?,
        };
        let y = match &wanted.y {
            Some(name) => named(header, name)?,
            None => pair
                .and_then(|(_, y)| y)
                .or_else(|| pairs.clone().find_map(|(_, y)| y))
                .ok_or_else(|| unrecognised(header, "y"))?,
        };
        let others = || (0..header.len()).filter(|index| ![x, y].contains(index));
        let value = match &wanted.value {
            Some(name) => named(header, name)?,
            None => best_value(&plain, others())
                .or_else(|| {
                    only(others().filter(|index| !NUMBERS.contains(&plain[*index].as_str())))
                })
                .ok_or_else(|| unrecognised(header, "value"))?,
        };
        let time = match &wanted.time {
            Some(name) => TimeColumns::One(named(header, name)?),
            None => match (
                among(&DATES),
                among(&TIMES),
                PIECES.map(|name| among(&[name])),
            ) {
                (_, _, [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f)]) => {
                    TimeColumns::Pieces([a, b, c, d, e, f])
                }
                (Some(date), Some(time), _) => TimeColumns::Two(date, time),
                (Some(one), None, _) | (None, Some(one), _) if one != value => {
                    TimeColumns::One(one)
                }
                _ => TimeColumns::None,
            },
        };
        let is_hemisphere = |index: &usize| {
            let mut words = plain[*index].split('_');
            words.any(|word| HEMISPHERES.contains(&word))
        };
        let name = |index: usize| header.get(index).cloned().unwrap_or_default();
        Ok(Self {
            indices: [x, y, value],
            names: [x, y, value].map(name),
            time,
            hemispheres: others().filter(is_hemisphere).collect(),
        })
    }

    /// Without a header: the first three columns, or those numbered (from 1) by the user.
    ///
    /// # Errors
    /// If there are not as many.
    pub(super) fn first_three(first_row: &[String], wanted: &Columns) -> Result<Self, String> {
        let count = first_row.len();
        let numbered = |name: &Option<String>, default: usize| match name {
            None => Ok(default),
            Some(name) => by_number(name, count).ok_or_else(|| {
                format!(
                    "it has no header, so there is no column `{name}`; name columns by their \
                     number, 1 to {count}: its first row is {}",
                    listed(first_row)
                )
            }),
        };
        let indices = [
            numbered(&wanted.x, 0)?,
            numbered(&wanted.y, 1)?,
            numbered(&wanted.value, 2)?,
        ];
        if indices.iter().any(|index| *index >= count) {
            return Err(format!(
                "its first row has {count} columns; three are needed: x, y and value"
            ));
        }
        let time = match &wanted.time {
            Some(name) => TimeColumns::One(numbered(&Some(name.clone()), 0)?),
            None => by_content(first_row, &indices),
        };
        Ok(Self {
            names: indices.map(|index| (index + 1).to_string()),
            indices,
            time,
            hemispheres: Vec::new(),
        })
    }

    /// Whether the names of x and y mean longitude and latitude.
    pub(super) fn geographic(&self) -> bool {
        let [x, y, _] = &self.names;
        let mean =
            |name: &str, known: &[&str]| words(name).iter().any(|w| known.contains(&w.as_str()));
        mean(x, PLACES[0].0) && mean(y, PLACES[0].1)
    }

    /// What the name of the value says it is.
    pub(super) fn quantity(&self) -> Quantity {
        Quantity::of_words(&words(&self.names[2]))
    }
}

/// Whether a row names places: then it is a header, whatever else is in it.
pub(super) fn is_header(row: &[String]) -> bool {
    let plain: Vec<String> = row.iter().map(|name| plain(name)).collect();
    let among = |names: &[&str]| plain.iter().any(|column| names.contains(&column.as_str()));
    PLACES.iter().any(|(x, y)| among(x) && among(y))
}

/// The time of a file without names: a cell that is a date, with the time of day beside it or in it.
fn by_content(row: &[String], taken: &[usize; 3]) -> TimeColumns {
    use super::clock::{Clock, DateOrder, moment};
    let clock = |index: usize| {
        let cell = row.get(index).filter(|cell| cell.parse::<f64>().is_err())?;
        let found =
            moment(cell, DateOrder::MonthFirst).or_else(|_| moment(cell, DateOrder::DayFirst));
        Some(found.ok()??.clock)
    };
    let free = || (0..row.len()).filter(|index| !taken.contains(index));
    let date = free().find(|index| clock(*index) == Some(Clock::Dated));
    let time = free().find(|index| clock(*index) == Some(Clock::TimeOfDay));
    match (date, time) {
        (Some(date), Some(time)) => TimeColumns::Two(date, time),
        (Some(one), None) | (None, Some(one)) => TimeColumns::One(one),
        (None, None) => TimeColumns::None,
    }
}

/// A depth that is called so comes before a `z`, which may be the height of the antenna beside it.
fn best_value(plain: &[String], others: impl Iterator<Item = usize> + Clone) -> Option<usize> {
    let with = |name: &&str| others.clone().find(|index| plain[*index] == **name);
    let depths = ["depth", "water_depth", "depths", "tiefe"];
    let first = ["value"];
    first
        .iter()
        .find_map(&with)
        .or_else(|| depths.iter().find_map(&with))
        .or_else(|| VALUES.iter().find_map(with))
}

/// The words of a name in lower case, `lonDegree` split in two; what is in brackets is a unit.
pub(super) fn words(name: &str) -> Vec<String> {
    let name = name.trim_matches(['"', '\'', ' ', '\u{feff}']);
    let name = name.split(['(', '[', '{']).next().unwrap_or_default();
    let mut spaced = String::new();
    let mut lower = false;
    for letter in name.chars() {
        if lower && letter.is_uppercase() {
            spaced.push(' ');
        }
        lower = letter.is_lowercase();
        spaced.push(letter);
    }
    spaced
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// A name without case, brackets and units.
pub(super) fn plain(name: &str) -> String {
    let name = words(name).join("_");
    let bare = SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix));
    bare.unwrap_or(&name).to_string()
}

/// The column a user named: exactly, or else whatever its case, or else by its number.
fn named(header: &[String], name: &str) -> Result<usize, String> {
    let exact = header.iter().position(|column| column == name);
    let alike = || {
        let mut columns = header.iter();
        columns.position(|column| column.eq_ignore_ascii_case(name))
    };
    let found = exact
        .or_else(alike)
        .or_else(|| by_number(name, header.len()));
    found.ok_or_else(|| {
        format!(
            "it has no column `{name}`; its columns are {}",
            listed(header)
        )
    })
}

fn by_number(name: &str, count: usize) -> Option<usize> {
    let number: usize = name.parse().ok()?;
    (1..=count).contains(&number).then(|| number - 1)
}

/// The one there is, if there is just one.
fn only(mut indices: impl Iterator<Item = usize>) -> Option<usize> {
    indices.next().filter(|_| indices.next().is_none())
}

/// What follows is for commands with flags for columns.
pub(crate) const BY_FLAG: &str = ", or name it with --";

fn unrecognised(header: &[String], what: &str) -> String {
    format!(
        "no column is recognised as {what}; its columns are {}: call one `{what}`{BY_FLAG}{what}",
        listed(header)
    )
}

pub(super) fn listed(header: &[String]) -> String {
    let shown: Vec<String> = header
        .iter()
        .take(20)
        .map(|name| format!("`{}`", name.chars().take(40).collect::<String>()))
        .collect();
    shown.join(", ")
}

//! Which columns hold x, y and the value.

/// Names of columns given by the user; those left out are recognised.
///
/// Recognised are, whatever their case and behind units in brackets or suffixes such as `_m`:
/// longitude and latitude (`lon`, `long`, `lng`), easting and northing (`east`, `e`, ...), x and y; and of
/// values, in this order: `value`, `z`, depth, elevation, height, altitude and their short forms. Where x and y
/// are recognised and only one other column is left, it is the value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Columns {
    /// Column of x or longitude.
    pub x: Option<String>,
    /// Column of y or latitude.
    pub y: Option<String>,
    /// Column of the value.
    pub value: Option<String>,
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
const VALUES: [&str; 18] = [
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
];
/// Units that people append to names.
const SUFFIXES: [&str; 9] = [
    "_m", "_metres", "_meters", "_deg", "_degrees", "_dd", "_wgs84", "_ft", "_feet",
];

/// The columns in use.
#[derive(Debug, PartialEq)]
pub(super) struct Chosen {
    /// Of x, y and value.
    pub(super) indices: [usize; 3],
    /// As the file has them.
    pub(super) names: [String; 3],
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
        let value = match &wanted.value {
            Some(name) => named(header, name)?,
            None => among(&VALUES)
                .filter(|value| ![x, y].contains(value))
                .or_else(|| only_other(header.len(), x, y))
                .ok_or_else(|| unrecognised(header, "value"))?,
        };
        let name = |index: usize| header.get(index).cloned().unwrap_or_default();
        Ok(Self {
            indices: [x, y, value],
            names: [x, y, value].map(name),
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
            Some(name) => match name.parse::<usize>() {
                Ok(number) if (1..=count).contains(&number) => Ok(number - 1),
                _ => Err(format!(
                    "it has no header, so there is no column `{name}`; name columns by their \
                     number, 1 to {count}"
                )),
            },
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
        Ok(Self {
            names: indices.map(|index| (index + 1).to_string()),
            indices,
        })
    }

    /// Whether the names of x and y mean longitude and latitude.
    pub(super) fn geographic(&self) -> bool {
        let [x, y, _] = &self.names;
        let starts = |name: &str, starts: &[&str]| {
            let name = plain(name);
            let word = name.split('_').next().unwrap_or_default();
            starts.contains(&word)
        };
        starts(x, PLACES[0].0) && starts(y, PLACES[0].1)
    }
}

/// A name without case, brackets and units.
fn plain(name: &str) -> String {
    let name = name.trim_matches(['"', '\'', ' ', '\u{feff}']);
    let name = name.split(['(', '[', '{', '/']).next().unwrap_or_default();
    let words: Vec<String> = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let name = words.join("_");
    let bare = SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix));
    bare.unwrap_or(&name).to_string()
}

/// The column a user named: exactly, or else whatever its case.
fn named(header: &[String], name: &str) -> Result<usize, String> {
    let exact = header.iter().position(|column| column == name);
    let alike = || {
        let mut columns = header.iter();
        columns.position(|column| column.eq_ignore_ascii_case(name))
    };
    exact.or_else(alike).ok_or_else(|| {
        format!(
            "it has no column `{name}`; its columns are {}",
            listed(header)
        )
    })
}

/// The one column besides x and y, if there is just one.
fn only_other(count: usize, x: usize, y: usize) -> Option<usize> {
    let mut others = (0..count).filter(|index| ![x, y].contains(index));
    others.next().filter(|_| others.next().is_none())
}

fn unrecognised(header: &[String], what: &str) -> String {
    format!(
        "no column is recognised as {what}; its columns are {}: call one `{what}`, or name it with --{what}",
        listed(header)
    )
}

fn listed(header: &[String]) -> String {
    let shown: Vec<String> = header
        .iter()
        .take(20)
        .map(|name| format!("`{}`", name.chars().take(40).collect::<String>()))
        .collect();
    shown.join(", ")
}

//! What a value means: depth or height, in which unit.
//!
//! One convention everywhere: depths count downwards from the water, heights upwards, both in metres, and every file
//! that is written says which (`depth_m`, `elevation_m`).

use std::fmt;
use std::str::FromStr;

/// A unit of length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unit {
    /// Metres.
    #[default]
    Metre,
    /// Centimetres.
    Centimetre,
    /// International feet, 0.3048 m.
    Foot,
    /// Fathoms of six feet.
    Fathom,
}

impl Unit {
    /// How long it is, m.
    #[must_use]
    pub fn in_metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Centimetre => 0.01,
            Self::Foot => 0.3048,
            Self::Fathom => 1.8288,
        }
    }

    /// The unit behind a column's name, such as `Depth (ft)`, `depth_m` or `Tiefe [cm]`.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let words = name.split(|c: char| !c.is_alphanumeric());
        let last = words.filter(|word| !word.is_empty()).next_back()?;
        if last.len() == name.trim().len() {
            return None;
        }
        last.parse().ok()
    }
}

impl FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text.to_ascii_lowercase().as_str() {
            "m" | "metre" | "metres" | "meter" | "meters" => Self::Metre,
            "cm" | "centimetre" | "centimetres" | "centimeters" => Self::Centimetre,
            "ft" | "feet" | "foot" => Self::Foot,
            "fathom" | "fathoms" | "fm" | "ftm" => Self::Fathom,
            _ => {
                return Err(format!(
                    "`{text}` is no unit known here; m, cm, ft and fathoms are"
                ));
            }
        })
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Metre => "m",
            Self::Centimetre => "cm",
            Self::Foot => "ft",
            Self::Fathom => "fathoms",
        })
    }
}

/// What was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Quantity {
    /// Depth below the water, positive downwards.
    Depth,
    /// Height of the ground, positive upwards.
    Elevation,
    /// Something else, rainfall say.
    #[default]
    Other,
}

/// Words in names of columns that mean depth, and those that mean height.
const DEPTHS: [&str; 10] = [
    "depth",
    "depths",
    "sounding",
    "soundings",
    "dpt",
    "dbt",
    "tiefe",
    "profondeur",
    "profundidad",
    "dep",
];
const HEIGHTS: [&str; 10] = [
    "elevation",
    "elev",
    "height",
    "altitude",
    "alt",
    "bathymetry",
    "bathy",
    "z",
    "hoehe",
    "topography",
];

impl Quantity {
    /// What a column's name says; its words are in lower case.
    pub(super) fn of_words(words: &[String]) -> Self {
        let any = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        if any(&DEPTHS) {
            Self::Depth
        } else if any(&HEIGHTS) {
            Self::Elevation
        } else {
            Self::Other
        }
    }

    /// How files and pictures call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Depth => "Depth",
            Self::Elevation => "Elevation",
            Self::Other => "Value",
        }
    }

    /// The column in files that this program writes: it carries the unit and, with the name, the direction.
    #[must_use]
    pub fn column(self) -> &'static str {
        match self {
            Self::Depth => "depth_m",
            Self::Elevation => "elevation_m",
            Self::Other => "value",
        }
    }

    /// The convention in words.
    #[must_use]
    pub fn convention(self) -> &'static str {
        match self {
            Self::Depth => "depth in metres, positive downwards",
            Self::Elevation => "elevation in metres, positive upwards",
            Self::Other => "values as measured",
        }
    }
}

impl FromStr for Quantity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_ascii_lowercase().as_str() {
            "depth" => Ok(Self::Depth),
            "elevation" | "height" => Ok(Self::Elevation),
            "other" | "value" => Ok(Self::Other),
            _ => Err(format!("`{text}` is not one of depth, elevation and other")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read_from_names() {
        for (name, unit) in [
            ("Depth (ft)", Some(Unit::Foot)),
            ("depth_m", Some(Unit::Metre)),
            ("Depth [fathoms]", Some(Unit::Fathom)),
            ("Tiefe [cm]", Some(Unit::Centimetre)),
            ("depth", None),
            ("m", None),
        ] {
            assert_eq!(Unit::of_name(name), unit, "{name}");
        }
        assert!("leagues".parse::<Unit>().unwrap_err().contains("`leagues`"));
    }
}

//! Grids as text: three columns x, y and height, or the heights alone, row by row from the north.
//!
//! Points are read as [soundings](crate::soundings) are: `lon` and `lat` among the columns' names make the places longitudes
//! and latitudes, otherwise they are metres. They may come in any order and leave out cells, but must lie on a regular
//! grid. Heights alone have more than three columns and no names.

use crate::crs::Crs;
use crate::raster::{MOST_CELLS, Placement, Raster, checked_cells};
use crate::soundings::{self, BY_FLAG, Columns, Soundings};

/// How far a point may lie from its place on the grid, in cells: written coordinates are rounded.
const SLACK_CELLS: f64 = 0.1;
/// A grid has at least one point for this many cells; what is sparser is scattered.
const CELLS_PER_POINT: usize = 100;

/// The grid in a text.
pub(super) fn decode(text: &str) -> Result<Raster, String> {
    let first = rows_of(text)
        .next()
        .map(|(_, line)| line)
        .ok_or("it is empty")?;
    let numbers = words(first)
        .filter(|word| word.parse::<f64>().is_ok())
        .count();
    match numbers > 3 && numbers == words(first).count() {
        true => heights(text),
        false => {
            let parsed = soundings::parse(text.as_bytes(), &Columns::default());
            points(&parsed.map_err(without_flags)?)
        }
    }
}

/// The same reason for somebody who has no flags to name columns with.
fn without_flags(reason: String) -> String {
    match reason.find(BY_FLAG) {
        Some(at) => format!("it is no grid of heights: {}", &reason[..at]),
        None => reason,
    }
}

/// Lines with content, counted from 1.
fn rows_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    let numbered = lines.map(|(number, line)| (number + 1, line.trim()));
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split([',', ';', ' ', '\t'])
        .filter(|word| !word.is_empty())
}

fn heights(text: &str) -> Result<Raster, String> {
    let mut values = Vec::new();
    let (mut columns, mut rows) = (0, 0);
    for (number, line) in rows_of(text) {
        let before = values.len();
        for (column, word) in words(line).enumerate() {
            if values.len() == MOST_CELLS {
                return Err(format!(
                    "line {number}: it has more than {MOST_CELLS} heights; crop it or make its cells larger"
                ));
            }
            values.push(word.parse::<f64>().map_err(|_| {
                format!(
                    "line {number}, column {}: `{word}` is not a number",
                    column + 1
                )
            })?);
        }
        let here = values.len() - before;
        if rows > 0 && here != columns {
            return Err(format!(
                "line {number}: it has {here} columns, those before have {columns}"
            ));
        }
        (columns, rows) = (here, rows + 1);
    }
    checked_cells(rows, columns)?;
    Raster::new(values, rows, columns, Placement::unknown(rows), Crs::Local)
        .map_err(|error| error.to_string())
}

fn points(soundings: &Soundings) -> Result<Raster, String> {
    if soundings.values.len() < soundings.rows - soundings.gaps {
        return Err(format!(
            "it has {} points, more than are read from text; make the grid a GeoTIFF",
            soundings.rows
        ));
    }
    let places = &over_the_date_line(soundings);
    let x = Axis::of(places.iter().map(|place| place[0]), "x")?;
    let y = Axis::of(places.iter().map(|place| place[1]), "y")?;
    let cells = checked_cells(y.count, x.count)?;
    if cells / CELLS_PER_POINT > places.len() {
        return Err(format!(
            "its {} points do not lie on a grid; `transect map` makes a map from soundings",
            places.len()
        ));
    }
    let mut values = vec![f64::NAN; cells];
    for ([at_x, at_y], height) in places.iter().zip(&soundings.values) {
        let (column, row) = (x.index(*at_x, "x")?, y.count - 1 - y.index(*at_y, "y")?);
        values[row * x.count + column] = *height;
    }
    let placement = Placement {
        west: x.first - x.step / 2.0,
        north: y.first + (y.count as f64 - 0.5) * y.step,
        cell_width: x.step,
        cell_height: y.step,
    };
    let crs = if soundings.geographic {
        Crs::WGS84
    } else {
        Crs::Local
    };
    Raster::new(values, y.count, x.count, placement, crs).map_err(|error| error.to_string())
}

/// Places whose longitudes do not jump at the date line: they go on beyond 180.
fn over_the_date_line(soundings: &Soundings) -> Vec<[f64; 2]> {
    let mut places = soundings.places.clone();
    let lons = || soundings.places.iter().map(|place| place[0]);
    let wide = lons().fold(f64::MIN, f64::max) - lons().fold(f64::MAX, f64::min);
    if soundings.geographic && wide > 180.0 {
        for place in &mut places {
            place[0] = place[0].rem_euclid(360.0);
        }
    }
    places
}

/// Evenly spaced coordinates.
struct Axis {
    first: f64,
    step: f64,
    count: usize,
}

impl Axis {
    fn of(coordinates: impl Iterator<Item = f64>, name: &str) -> Result<Self, String> {
        let mut sorted: Vec<f64> = coordinates.collect();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.dedup();
        let (Some(first), Some(last)) = (sorted.first().copied(), sorted.last().copied()) else {
            return Err("it has no points".into());
        };
        let span = last - first;
        // Rounded coordinates of one column differ a little; those differences are not steps.
        let gaps = sorted.windows(2).map(|pair| pair[1] - pair[0]);
        let step = gaps
            .filter(|gap| *gap > span * 1e-6)
            .fold(f64::INFINITY, f64::min);
        if !step.is_finite() {
            return Err(format!(
                "all points have {name} {first}; a grid has at least two rows and two columns"
            ));
        }
        let steps = (span / step).round();
        Ok(Self {
            first,
            step: span / steps,
            count: steps as usize + 1,
        })
    }

    fn index(&self, coordinate: f64, name: &str) -> Result<usize, String> {
        let place = (coordinate - self.first) / self.step;
        if (place - place.round()).abs() > SLACK_CELLS {
            return Err(format!(
                "{name} {coordinate} is not on the grid of step {} from {}; `transect map` makes a map from soundings",
                self.step, self.first
            ));
        }
        Ok((place.round() as usize).min(self.count - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_in_any_order_find_their_cells() {
        let raster = decode("x y z\n10 200 1\n30 100 6\n20 200 2\n10 100 4\n30 200 3\n").unwrap();
        assert_eq!((raster.rows(), raster.columns()), (2, 3));
        assert_eq!(raster.values()[..4], [1.0, 2.0, 3.0, 4.0]);
        assert!(raster.at(1, 1).is_nan());
        assert_eq!(raster.placement().centre(1, 2), (30.0, 100.0));
        assert_eq!(raster.crs(), Crs::Local);
    }

    #[test]
    fn names_tell_order_and_meaning() {
        let raster =
            decode("height,lat,lon\n5,17.0,73.0\n6,17.0,73.5\n7,17.5,73.0\n8,17.5,73.5\n").unwrap();
        assert_eq!(raster.crs(), Crs::WGS84);
        assert_eq!(raster.values(), [7.0, 8.0, 5.0, 6.0]);
    }

    #[test]
    fn the_date_line_is_no_border() {
        let raster =
            decode("lon,lat,z\n179.9,5,1\n-180,5,2\n-179.9,5,3\n179.9,6,4\n180,6,5\n-179.9,6,6\n")
                .unwrap();
        assert_eq!(raster.values(), [4.0, 5.0, 6.0, 1.0, 2.0, 3.0]);
        assert!((raster.placement().west - 179.85).abs() < 1e-9);
    }

    #[test]
    fn heights_alone_begin_in_the_north() {
        let raster = decode("# made by hand\n1;2;3;4\n5;6;nan;8\n").unwrap();
        assert_eq!(raster.values()[..6], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert!(raster.at(1, 2).is_nan());
        assert_eq!(raster.placement().centre(1, 0), (0.5, 0.5));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        for (text, part) in [
            ("", "empty"),
            ("x,y,z\n1,2,deep\n", "line 2, column `z`: `deep`"),
            ("1 2 3 4\n1 2\n", "line 2: it has 2 columns"),
            ("1 2 3 4\n1 2 x 4\n", "line 2, column 3: `x`"),
            ("0 0 1\n1 0 1\n0 1 1\n1.4 1 1\n5 0 1\n", "not on the grid"),
            ("0 0 1\n0 1 1\n", "all points have x 0"),
            ("0 0 1\n1e5 1e5 1\n1 1 1\n", "100001 x 100001 cells"),
        ] {
            let message = decode(text).unwrap_err();
            assert!(message.contains(part), "{text:?}: {message}");
        }
    }
}

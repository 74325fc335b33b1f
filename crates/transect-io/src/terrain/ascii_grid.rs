//! ESRI ASCII grids: a header of `key value` lines, then numbers row by row from the north.
//!
//! ```text
//! ncols 3
//! nrows 2
//! xllcorner 500000      (or xllcenter: of the south-western cell)
//! yllcorner 4000000     (or yllcenter)
//! cellsize 10           (or dx and dy)
//! NODATA_value -9999    (may be left out)
//! 1 2 3
//! 4 5 -9999
//! ```

use crate::crs::Crs;
use crate::raster::{Placement, Raster, checked_cells};

/// What marks cells without data in a file that does not say.
const USUAL_NO_DATA: f64 = -9999.0;

#[derive(Default)]
struct Header {
    columns: Option<f64>,
    rows: Option<f64>,
    left: Option<f64>,
    bottom: Option<f64>,
    /// The coordinates above are those of the cell's centre.
    left_centre: bool,
    bottom_centre: bool,
    width: Option<f64>,
    height: Option<f64>,
    no_data: Option<f64>,
}

/// Whether a text begins as such a grid does.
pub(super) fn is_one(text: &str) -> bool {
    let start = text.trim_start().get(..5).unwrap_or_default();
    ["ncols", "nrows"]
        .iter()
        .any(|key| start.eq_ignore_ascii_case(key))
}

/// The grid in a text. The file does not tell its coordinate system.
pub(super) fn decode(text: &str, crs: Crs) -> Result<Raster, String> {
    let mut header = Header::default();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((number, line)) = lines.peek() {
        let mut words = line.split_whitespace();
        let Some(key) = words.next() else {
            lines.next();
            continue;
        };
        if !key.starts_with(|c: char| c.is_ascii_alphabetic()) || key.eq_ignore_ascii_case("nan") {
            break;
        }
        let value = words.next().and_then(|word| word.parse::<f64>().ok());
        let value =
            value.ok_or_else(|| format!("line {}: `{key}` has no number behind it", number + 1))?;
        header.set(key, value, number + 1)?;
        lines.next();
    }
    let size = |value: Option<f64>, key: &str| match value {
        Some(n) if n >= 1.0 && n.fract() == 0.0 && n < 1e9 => Ok(n as usize),
        Some(n) => Err(format!(
            "its header has {key} {n}; a whole number from 1 on is right"
        )),
        None => Err(format!("its header has no {key}")),
    };
    let (rows, columns) = (size(header.rows, "nrows")?, size(header.columns, "ncols")?);
    let cells = checked_cells(rows, columns)?;
    let placement = header.placement(rows)?;
    let no_data = header.no_data.unwrap_or(USUAL_NO_DATA);
    // A number and the space behind it take two bytes: no more is set aside than the file can hold.
    let mut values = Vec::with_capacity(cells.min(text.len() / 2 + 1));
    for (number, line) in lines {
        for (column, word) in line.split_whitespace().enumerate() {
            let value: f64 = word.parse().map_err(|_| {
                format!(
                    "line {}, column {}: `{word}` is not a number",
                    number + 1,
                    column + 1
                )
            })?;
            if values.len() == cells {
                return Err(format!(
                    "line {}: there are more than the {rows} x {columns} numbers of its header",
                    number + 1
                ));
            }
            values.push(if value == no_data { f64::NAN } else { value });
        }
    }
    if values.len() < cells {
        return Err(format!(
            "it is cut off: {} of {cells} numbers are there",
            values.len()
        ));
    }
    Raster::new(values, rows, columns, placement, crs).map_err(|error| error.to_string())
}

impl Header {
    fn set(&mut self, key: &str, value: f64, line: usize) -> Result<(), String> {
        let key = key.to_ascii_lowercase();
        match key.as_str() {
            "ncols" => self.columns = Some(value),
            "nrows" => self.rows = Some(value),
            "xllcorner" | "xllcenter" => {
                self.left = Some(value);
                self.left_centre = key == "xllcenter";
            }
            "yllcorner" | "yllcenter" => {
                self.bottom = Some(value);
                self.bottom_centre = key == "yllcenter";
            }
            "cellsize" => (self.width, self.height) = (Some(value), Some(value)),
            "dx" => self.width = Some(value),
            "dy" => self.height = Some(value),
            "nodata_value" => self.no_data = Some(value),
            _ => return Err(format!("line {line}: `{key}` is no key of an ASCII grid")),
        }
        Ok(())
    }

    fn placement(&self, rows: usize) -> Result<Placement, String> {
        let number =
            |value: Option<f64>, key: &str| value.ok_or_else(|| format!("its header has no {key}"));
        let (left, bottom) = (
            number(self.left, "xllcorner")?,
            number(self.bottom, "yllcorner")?,
        );
        let (width, height) = (
            number(self.width, "cellsize")?,
            number(self.height, "cellsize")?,
        );
        let half = |centre: bool, side: f64| if centre { side / 2.0 } else { 0.0 };
        Ok(Placement {
            west: left - half(self.left_centre, width),
            north: bottom - half(self.bottom_centre, height) + rows as f64 * height,
            cell_width: width,
            cell_height: height,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GRID: &str = "NCOLS 3\nnrows 2\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\nNODATA_value -1\n1 2 3\n4 5 -1\n";

    #[test]
    fn rows_come_from_the_north() {
        let raster = decode(GRID, Crs::Local).unwrap();
        assert_eq!((raster.rows(), raster.columns()), (2, 3));
        assert_eq!(raster.at(1, 0), 4.0);
        assert!(raster.at(1, 2).is_nan());
        assert_eq!(raster.placement().centre(1, 0), (500_005.0, 4_000_005.0));
        let centred = GRID.replace("corner", "center");
        let raster = decode(&centred, Crs::Local).unwrap();
        assert_eq!(raster.placement().centre(1, 0), (500_000.0, 4_000_000.0));
        let oblong = GRID.replace("cellsize 10", "dx 10\ndy 20");
        let raster = decode(&oblong, Crs::Local).unwrap();
        assert_eq!(raster.placement().centre(0, 0), (500_005.0, 4_000_030.0));
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        for (from, to, part) in [
            ("4 5 -1", "4 five -1", "line 8, column 2: `five`"),
            ("4 5 -1", "4 5", "5 of 6"),
            ("4 5 -1", "4 5 6 7", "line 8"),
            ("nrows 2", "nrows 2.5", "nrows 2.5"),
            ("nrows 2", "nrows", "`nrows`"),
            ("nrows 2", "nrows 900000000", "cells"),
            ("cellsize 10", "cellsise 10", "`cellsise`"),
            ("cellsize 10", "cellsize 0", "extent"),
            ("xllcorner 500000\n", "", "xllcorner"),
        ] {
            let message = decode(&GRID.replace(from, to), Crs::Local).unwrap_err();
            assert!(message.contains(part), "{to}: {message}");
        }
    }
}

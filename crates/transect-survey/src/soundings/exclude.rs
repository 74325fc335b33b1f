//! What the user takes out: polygons, rows, or a file of rows.

use super::{Log, Reason};
use crate::error::{Result, SurveyError};
use std::path::PathBuf;
use std::str::FromStr;
use transect_io::IoError;
use transect_io::area::Regions;

/// Endings of files with polygons.
const POLYGONS: [&str; 6] = ["geojson", "json", "kml", "gpkg", "shp", "plan"];

/// What is taken out.
#[derive(Debug, Clone, PartialEq)]
pub enum Exclusion {
    /// Everything inside the polygons of a file.
    Polygons(PathBuf),
    /// The lines of the log from the first to the last of each pair.
    Lines(Vec<[u32; 2]>),
    /// The rows of a file that `transect soundings` wrote, by source and line.
    Rows(PathBuf),
}

/// `pond.geojson`, `120-150,300`, or `clean.flagged.csv`.
impl FromStr for Exclusion {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let pairs: Option<Vec<[u32; 2]>> = text
            .split(',')
            .map(|part| {
                let (first, last) = part.split_once('-').unwrap_or((part, part));
                Some([first.trim().parse().ok()?, last.trim().parse().ok()?])
            })
            .collect();
        if let Some(pairs) = pairs {
            return Ok(Self::Lines(pairs));
        }
        let path = PathBuf::from(text);
        let ending = path
            .extension()
            .unwrap_or_default()
            .to_string_lossy()
            .to_ascii_lowercase();
        match ending.as_str() {
            ending if POLYGONS.contains(&ending) => Ok(Self::Polygons(path)),
            "csv" => Ok(Self::Rows(path)),
            _ => Err(format!(
                "`{text}` is neither lines (120-150,300), nor a file of polygons ({}), nor a .csv with columns \
                 source and line",
                POLYGONS.join(", ")
            )),
        }
    }
}

impl Exclusion {
    /// Sets aside what is taken out.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub(super) fn apply(&self, log: &mut Log) -> Result<()> {
        let soundings = &log.soundings;
        let all = 0..soundings.values.len();
        let excluded: Vec<usize> = match self {
            Self::Polygons(path) => {
                let regions = Regions::read(path)?
                    .place(log.located.crs)
                    .map_err(IoError::content(path))?;
                let inside = |index: &usize| regions.contains(log.located.metres[*index]);
                all.filter(inside).collect()
            }
            Self::Lines(pairs) => {
                if soundings.files.len() > 1 {
                    return Err(SurveyError::Request(
                        "--exclude with lines means those of one file, and there are several; a .csv with columns source \
                         and line says which"
                            .into(),
                    ));
                }
                let among = |line: u32| {
                    pairs
                        .iter()
                        .any(|[first, last]| (*first..=*last).contains(&line))
                };
                all.filter(|index| among(soundings.lines[*index])).collect()
            }
            Self::Rows(path) => {
                let rows = rows(path)?;
                all.filter(|index| {
                    let file = &soundings.files[usize::from(soundings.sources[*index])];
                    rows.contains(&(file.clone(), soundings.lines[*index]))
                })
                .collect()
            }
        };
        log.notes
            .push(format!("{} soundings excluded", excluded.len()));
        log.flag(excluded, Reason::Excluded);
        Ok(())
    }
}

/// Source and line of each row.
fn rows(path: &std::path::Path) -> Result<std::collections::HashSet<(String, u32)>> {
    let text = std::fs::read_to_string(path).map_err(IoError::system(path))?;
    let mut lines = text
        .lines()
        .map(|line| line.split(',').map(str::trim).collect::<Vec<_>>());
    let header = lines.next().unwrap_or_default();
    let column = |name: &str| {
        header.iter().position(|cell| *cell == name).ok_or_else(|| {
            SurveyError::from(IoError::content(path)(format!(
                "it has no column `{name}`; source and line of each row are needed, as `transect soundings` writes them"
            )))
        })
    };
    let (source, line) = (column("source")?, column("line")?);
    let row = |cells: Vec<&str>| {
        Some((
            (*cells.get(source)?).to_string(),
            cells.get(line)?.parse().ok()?,
        ))
    };
    Ok(lines.filter_map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_polygons_and_rows_are_told_apart() {
        assert_eq!("5, 7-9".parse(), Ok(Exclusion::Lines(vec![[5, 5], [7, 9]])));
        assert_eq!("a/b.SHP".parse(), Ok(Exclusion::Polygons("a/b.SHP".into())));
        assert_eq!("bad.csv".parse(), Ok(Exclusion::Rows("bad.csv".into())));
        assert!(
            "bad.txt"
                .parse::<Exclusion>()
                .unwrap_err()
                .contains("`bad.txt`")
        );
    }
}

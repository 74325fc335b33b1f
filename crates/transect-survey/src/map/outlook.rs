//! What making a map will take, known before it begins.

use crate::error::{Result, SurveyError};
use transect::Error;
use transect::geometry::Rect;
use transect::map::{MapGrid, MapSettings, grid_of};

/// Bytes of the program itself, of a sounding from its log to the map's report, and of a cell. An upper bound: 105,569 soundings and 150,000 cells, for which it
/// says 215 MB, were seen to take 135 MB.
const PROGRAM_BYTES: f64 = 60e6;
const SOUNDING_BYTES: f64 = 900.0;
const CELL_BYTES: f64 = 400.0;
/// Matrices of the size of the soundings that an exact model of one kernel has at a time.
const MATRICES: f64 = 6.0;

/// What a map will take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outlook {
    /// Soundings it is made from.
    pub soundings: usize,
    /// Cells from south to north.
    pub rows: usize,
    /// Cells from west to east.
    pub columns: usize,
    /// The most memory that the program will have at a time, about.
    pub bytes: u64,
}

impl Outlook {
    /// Of a map of soundings at `places`, or of an area within `bounds`.
    ///
    /// # Errors
    /// If there is no grid for them.
    pub fn of(
        places: &[[f64; 2]],
        bounds: Option<Rect>,
        settings: &MapSettings,
    ) -> std::result::Result<Self, Error> {
        let MapGrid { rows, columns, .. } = grid_of(places, bounds, settings)?;
        let (soundings, cells) = (places.len() as f64, (rows * columns) as f64);
        let mut bytes = PROGRAM_BYTES + SOUNDING_BYTES * soundings + CELL_BYTES * cells;
        if settings.is_exact(places.len(), rows * columns) {
            bytes += MATRICES * 8.0 * soundings * soundings * settings.kernels.len() as f64;
        }
        Ok(Self {
            soundings: places.len(),
            rows,
            columns,
            bytes: bytes as u64,
        })
    }

    /// Refuses what does not fit into the memory that is free, where the system says how much that is.
    ///
    /// # Errors
    /// If it does not fit.
    pub fn require(&self, free_bytes: Option<u64>) -> Result<()> {
        match free_bytes {
            Some(free) if free < self.bytes => Err(SurveyError::Request(format!(
                "{self}, and {:.1} GB are free: choose larger cells (--cell), map a part of the area, or thin the soundings",
                free as f64 / 1e9
            ))),
            _ => Ok(()),
        }
    }
}

impl std::fmt::Display for Outlook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            soundings,
            rows,
            columns,
            bytes,
        } = self;
        write!(
            f,
            "a map of {soundings} soundings with {rows} x {columns} cells takes up to about {:.1} GB of memory",
            *bytes as f64 / 1e9
        )
    }
}

/// Memory that this process may still have: the least of what the machine, its control group and its own limits leave. None where nothing of
/// that is told.
pub(super) fn free_bytes() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let number = |text: &str| text.split_whitespace().find_map(|word| word.parse().ok());
    let line = |text: String, name: &str| -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        number(line)
    };
    let machine = read("/proc/meminfo").and_then(|text| line(text, "MemAvailable:"));
    let machine = machine.map(|kilobytes| kilobytes.saturating_mul(1024));
    let limit = read("/proc/self/limits").and_then(|text| line(text, "Max address space"));
    let group = read("/sys/fs/cgroup/memory.max").and_then(|text| number(&text));
    [machine, limit, group].into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_refused_with_what_to_do() {
        let places: Vec<[f64; 2]> = (0..100)
            .map(|i| [f64::from(i % 10), f64::from(i / 10)])
            .collect();
        let of = |cell_m| {
            let settings = MapSettings {
                cell_m: Some(cell_m),
                ..MapSettings::default()
            };
            Outlook::of(&places, None, &settings).unwrap()
        };
        let (coarse, fine) = (of(1.0), of(0.01));
        assert_eq!((fine.rows, fine.columns), (900, 900));
        assert!(fine.bytes > coarse.bytes + 800_000 * CELL_BYTES as u64);
        assert!(coarse.require(None).is_ok() && coarse.require(Some(coarse.bytes)).is_ok());
        let refusal = fine.require(Some(100_000_000)).unwrap_err().to_string();
        for part in ["900 x 900", "0.1 GB are free", "--cell"] {
            assert!(refusal.contains(part), "{refusal}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn some_memory_is_free() {
        assert!(free_bytes().is_some_and(|bytes| bytes > 1 << 20));
    }
}

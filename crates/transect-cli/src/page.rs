//! What commands that leave a page have in common: the day it shows, and opening it.

use chrono::DateTime;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// A moment that stands for now, seconds since 1970, where results must not depend on the day: see
/// <https://reproducible-builds.org/specs/source-date-epoch/>.
const FIXED: &str = "SOURCE_DATE_EPOCH";

/// Today's date in UTC, or that of `SOURCE_DATE_EPOCH`.
pub(crate) fn today() -> Option<String> {
    let fixed = std::env::var(FIXED).ok().and_then(|text| text.parse().ok());
    let seconds = fixed.or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        i64::try_from(now.as_secs()).ok()
    })?;
    let moment = DateTime::from_timestamp(seconds, 0)?;
    Some(moment.date_naive().to_string())
}

/// Shows a page in the browser. Where there is none, the page is still on disk: that is said, and is no failure.
pub(crate) fn open(page: &Path) {
    if let Err(error) = open::that_detached(page) {
        eprintln!(
            "no browser could be started ({error}); open {} yourself",
            page.display()
        );
    }
}

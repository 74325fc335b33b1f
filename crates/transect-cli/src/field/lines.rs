//! Plain lines, where there is no terminal.

use std::io::Write;
use transect_field::skipper::{Entry, Logbook};

/// Soundings between two lines about them.
const SOUNDINGS_PER_LINE: usize = 100;

/// A line on stderr for everything that an operator would want to read.
#[derive(Debug, Default)]
pub(super) struct Lines {
    soundings: usize,
}

/// A line on stderr. One that cannot be written, to a terminal that is gone, must not end a mission.
pub(super) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

impl Logbook for Lines {
    fn entry(&mut self, time_s: f64, entry: &Entry) {
        if let Entry::Sounding { .. } = entry {
            self.soundings += 1;
            if self.soundings.is_multiple_of(SOUNDINGS_PER_LINE) {
                say(&format!("{time_s:8.1} {} soundings", self.soundings));
            }
        } else if !entry.is_routine() {
            say(&format!("{time_s:8.1} {entry}"));
        }
    }
}

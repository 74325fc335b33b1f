//! Plain lines, where there is no terminal.

use transect_field::skipper::{Entry, Logbook};

/// Soundings between two lines about them.
const SOUNDINGS_PER_LINE: usize = 100;

/// A line on stderr for everything that an operator would want to read.
#[derive(Debug, Default)]
pub(super) struct Lines {
    soundings: usize,
}

impl Logbook for Lines {
    fn entry(&mut self, time_s: f64, entry: &Entry) {
        if let Entry::Sounding { .. } = entry {
            self.soundings += 1;
            if self.soundings.is_multiple_of(SOUNDINGS_PER_LINE) {
                eprintln!("{time_s:8.1} {} soundings", self.soundings);
            }
        } else if !entry.is_routine() {
            eprintln!("{time_s:8.1} {entry}");
        }
    }
}

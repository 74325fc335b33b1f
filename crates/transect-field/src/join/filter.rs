//! What is believed of a reading, by itself and beside those before it.

use std::collections::VecDeque;

use super::{Rejection, SoundingSettings};
use crate::GeoPosition;
use crate::sonar::DepthReading;

/// Readings whose median the next one is compared with.
const WINDOW: usize = 5;
/// Fewer say nothing yet.
const ENOUGH: usize = 3;
/// Older readings were taken somewhere else, s.
const MEMORY_S: f64 = 20.0;
/// A sonar that repeats itself is stuck only if the boat moved this far meanwhile, m.
const STUCK_WAY_M: f64 = 3.0;

/// Looks at readings in the order of their times.
#[derive(Debug, Default)]
pub(super) struct Filter {
    /// Time and range of the last credible readings, spikes included: after a true step they are the majority soon.
    recent: VecDeque<(f64, f64)>,
    run: Option<Run>,
}

/// Equal readings in a row.
#[derive(Debug, Clone, Copy)]
struct Run {
    said_m: f64,
    readings: usize,
    since: GeoPosition,
}

impl Filter {
    /// By itself: sure enough, in range, near those before.
    pub(super) fn check(
        &mut self,
        reading: &DepthReading,
        settings: &SoundingSettings,
    ) -> Result<(), Rejection> {
        if let Some(confidence) = reading.confidence
            && (confidence.is_nan() || confidence < settings.min_confidence)
        {
            return Err(Rejection::Confidence { confidence });
        }
        let range_m = settings.range_m(reading.depth_m);
        if !(settings.min_range_m..=settings.max_range_m).contains(&range_m) {
            return Err(Rejection::Range { range_m });
        }
        self.recent
            .retain(|&(time_s, _)| reading.time_s - time_s <= MEMORY_S);
        let by_m = self.median().map_or(0.0, |median| (range_m - median).abs());
        self.recent.push_back((reading.time_s, range_m));
        if self.recent.len() > WINDOW {
            self.recent.pop_front();
        }
        match by_m > settings.max_jump_m {
            true => Err(Rejection::Jump { by_m }),
            false => Ok(()),
        }
    }

    /// Beside the boat's way: a sonar that repeats itself over three metres is stuck.
    pub(super) fn check_run(
        &mut self,
        reading: &DepthReading,
        at: GeoPosition,
        settings: &SoundingSettings,
    ) -> Result<(), Rejection> {
        let run = match self.run {
            Some(run) if run.said_m == reading.depth_m => Run {
                readings: run.readings + 1,
                ..run
            },
            _ => Run {
                said_m: reading.depth_m,
                readings: 1,
                since: at,
            },
        };
        self.run = Some(run);
        let moved = run.since.distance_m(at) > STUCK_WAY_M;
        match run.readings >= settings.stuck_after_readings && moved {
            true => Err(Rejection::Stuck {
                readings: run.readings,
            }),
            false => Ok(()),
        }
    }

    fn median(&self) -> Option<f64> {
        let mut ranges: Vec<f64> = self.recent.iter().map(|&(_, range_m)| range_m).collect();
        ranges.sort_by(f64::total_cmp);
        let middle = ranges.get(ranges.len() / 2).copied();
        middle.filter(|_| ranges.len() >= ENOUGH)
    }
}

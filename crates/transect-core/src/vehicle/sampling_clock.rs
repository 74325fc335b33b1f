//! When readings are due.

use serde::{Deserialize, Serialize};

/// How readings are timed against control steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SamplingClock {
    /// Reading k is due at the first control step at or after k sampling periods.
    #[default]
    Exact,
    /// As the paper's program: control periods are added up until the sum exceeds the sampling period,
    /// then the sum restarts at 0. At 1 Hz and 10 Hz control this is every 1.1 s, because ten times 0.1
    /// adds up to a little less than 1.
    Paper,
}

/// Counts control steps and says when a reading is due.
#[derive(Debug, Clone)]
pub(super) struct SamplingTimer {
    clock: SamplingClock,
    control_rate_hz: f64,
    sampling_rate_hz: f64,
    steps: u64,
    readings: u64,
    paper_sum_s: f64,
}

impl SamplingTimer {
    pub(super) fn new(clock: SamplingClock, control_rate_hz: f64, sampling_rate_hz: f64) -> Self {
        Self {
            clock,
            control_rate_hz,
            sampling_rate_hz,
            steps: 0,
            readings: 0,
            paper_sum_s: 0.0,
        }
    }

    /// One control step has passed: is a reading due?
    pub(super) fn tick(&mut self) -> bool {
        self.steps += 1;
        let due = match self.clock {
            SamplingClock::Exact => {
                // steps / control rate >= (readings + 1) / sampling rate, with room for rounding.
                let elapsed = self.steps as f64 * self.sampling_rate_hz;
                let needed = (self.readings + 1) as f64 * self.control_rate_hz;
                elapsed >= needed * (1.0 - 1e-12)
            }
            SamplingClock::Paper => {
                self.paper_sum_s += 1.0 / self.control_rate_hz;
                self.paper_sum_s > 1.0 / self.sampling_rate_hz
            }
        };
        if due {
            self.readings += 1;
            self.paper_sum_s = 0.0;
        }
        due
    }

    pub(super) fn elapsed_s(&self) -> f64 {
        self.steps as f64 / self.control_rate_hz
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due_steps(clock: SamplingClock, control: f64, sampling: f64, steps: u64) -> Vec<u64> {
        let mut timer = SamplingTimer::new(clock, control, sampling);
        (1..=steps).filter(|_| timer.tick()).collect()
    }

    #[test]
    fn exact_readings_never_drift() {
        let every_second = due_steps(SamplingClock::Exact, 10.0, 1.0, 100_000);
        assert!(
            every_second
                .iter()
                .copied()
                .eq((1..=10_000).map(|k| 10 * k))
        );
        let every_tenth = due_steps(SamplingClock::Exact, 0.3, 0.1, 9_000);
        assert!(every_tenth.iter().copied().eq((1..=3_000).map(|k| 3 * k)));
        // 3 Hz at 10 Hz control: 10/3, 20/3, 30/3 steps, rounded up.
        let thirds = due_steps(SamplingClock::Exact, 10.0, 3.0, 20);
        assert_eq!(thirds, [4, 7, 10, 14, 17, 20]);
    }

    #[test]
    fn the_papers_clock_waits_eleven_steps() {
        let due = due_steps(SamplingClock::Paper, 10.0, 1.0, 110);
        assert!(due.iter().copied().eq((1..=10).map(|k| 11 * k)));
    }
}

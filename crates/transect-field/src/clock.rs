//! What time is: real, or so many times faster, or moved by hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A clock that never goes backwards, and that threads can share.
///
/// ```
/// use transect_field::clock::Clock;
/// let clock = Clock::by_hand();
/// let same = clock.clone();
/// clock.sleep(1.5);
/// assert_eq!(same.now_s(), 1.5);
/// ```
#[derive(Debug, Clone)]
pub struct Clock(Kind);

#[derive(Debug, Clone)]
enum Kind {
    /// `factor` seconds for every real one since `start`.
    Running { start: Instant, factor: f64 },
    /// Microseconds since the beginning.
    ByHand(Arc<AtomicU64>),
}

impl Clock {
    /// Real time, from now.
    pub fn real() -> Self {
        Self::faster(1.0)
    }

    /// `factor` seconds for every real second, from now. A factor that is not above zero counts as one.
    pub fn faster(factor: f64) -> Self {
        let sane = factor.is_finite() && factor > 0.0;
        Self(Kind::Running {
            start: Instant::now(),
            factor: if sane { factor } else { 1.0 },
        })
    }

    /// Time that passes only in [`Clock::sleep`]: rehearsals as fast as the machine can.
    pub fn by_hand() -> Self {
        Self(Kind::ByHand(Arc::new(AtomicU64::new(0))))
    }

    /// Seconds since the clock was made.
    pub fn now_s(&self) -> f64 {
        match &self.0 {
            Kind::Running { start, factor } => start.elapsed().as_secs_f64() * factor,
            Kind::ByHand(us) => us.load(Ordering::SeqCst) as f64 * 1e-6,
        }
    }

    /// Lets `seconds` of this clock pass. No time passes for a number that is not above zero.
    pub fn sleep(&self, seconds: f64) {
        let seconds = if seconds > 0.0 { seconds } else { 0.0 };
        match &self.0 {
            Kind::Running { factor, .. } => {
                // An hour at a time is longer than anybody waits here.
                std::thread::sleep(Duration::from_secs_f64((seconds / factor).min(3600.0)));
            }
            Kind::ByHand(us) => {
                us.fetch_add((seconds * 1e6).round() as u64, Ordering::SeqCst);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;
    use std::time::Instant;

    #[test]
    fn a_fast_clock_runs_faster_than_the_wall() {
        let before = Instant::now();
        let clock = Clock::faster(50.0);
        let after = Instant::now();
        clock.sleep(1.0);
        let least_s = after.elapsed().as_secs_f64();
        let fast_s = clock.now_s();
        let most_s = before.elapsed().as_secs_f64();
        assert!(fast_s >= 1.0, "{fast_s}");
        assert!(
            (50.0 * least_s..=50.0 * most_s).contains(&fast_s),
            "{fast_s}"
        );
    }
}

//! How long to wait before trying again.

/// Half a second, then twice as long each time, up to eight seconds.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    failures: u32,
}

impl Backoff {
    const FIRST_S: f64 = 0.5;
    const DOUBLINGS: u32 = 4;

    /// The wait after one more failure, s.
    pub(super) fn next_s(&mut self) -> f64 {
        let wait_s = Self::FIRST_S * f64::from(1_u32 << self.failures.min(Self::DOUBLINGS));
        self.failures = self.failures.saturating_add(1);
        wait_s
    }

    /// It works again.
    pub(super) fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::Backoff;

    #[test]
    fn waits_double_up_to_eight_seconds() {
        let mut backoff = Backoff::default();
        let waits: Vec<f64> = (0..7).map(|_| backoff.next_s()).collect();
        assert_eq!(waits, [0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0]);
        backoff.reset();
        assert_eq!(backoff.next_s(), 0.5);
    }
}

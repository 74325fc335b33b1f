//! One place at a time, sent once.
//!
//! A boat that gets the same place every second starts its approach every second, overshoots and hunts.
//! A place is sent again only when the autopilot has not taken it up: it reports another target, or it
//! reports none and the boat gets no closer.

use crate::GeoPosition;

/// A reported target this close is ours: it went through 1e-7 degrees and 32-bit metres, m.
const SAME_PLACE_M: f64 = 1.0;
/// The autopilot may take so long to take up a place, s; twice as long after each further attempt, three times: one that
/// goes round obstacles reports places of its own, and must not be bothered.
const TAKE_UP_S: f64 = 3.0;
/// A boat that has arrived keeps the place where it could stop, and reports that: within this distance it needs no reminder, m.
/// Nor is an autopilot believed that calls a place reached from further away.
pub(super) const STOPPING_M: f64 = 10.0;
/// What is said so soon after a place was sent first may be about the one before, s.
const CROSSING_S: f64 = 0.5;
/// A report is news for this long, s.
const REPORT_HOLDS_S: f64 = 5.0;
/// A boat under way comes closer by this much ...
const PROGRESS_M: f64 = 1.0;
/// ... within this time, s. Turning round takes a while.
const PROGRESS_S: f64 = 12.0;

/// The place to go to, and what became of it.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) place: GeoPosition,
    pub(super) arrived: bool,
    /// It is where the boat was when it was told to hold.
    pub(super) staying: bool,
    sent_s: Option<f64>,
    attempts: u32,
    /// The closest so far, and when.
    closest: Option<(f64, f64)>,
    /// The last report of the autopilot's own target: when, and how far from ours, m.
    report: Option<(f64, f64)>,
}

impl Target {
    /// A place to go to.
    pub(super) fn go_to(place: GeoPosition) -> Self {
        Self {
            place,
            arrived: false,
            staying: false,
            sent_s: None,
            attempts: 0,
            closest: None,
            report: None,
        }
    }

    /// The place where the boat is: reached already.
    pub(super) fn stay_at(place: GeoPosition) -> Self {
        Self {
            arrived: true,
            staying: true,
            ..Self::go_to(place)
        }
    }

    /// The autopilot has forgotten it.
    pub(super) fn forgotten(&mut self) {
        *self = Self {
            arrived: self.arrived,
            staying: self.staying,
            ..Self::go_to(self.place)
        };
    }

    /// The autopilot says that it is there, `distance_m` away. Tells whether that is news, and to be believed.
    pub(super) fn called_reached(&mut self, now_s: f64, distance_m: f64) -> bool {
        let sent = |sent_s: f64| self.attempts > 1 || now_s - sent_s > CROSSING_S;
        let news = self.sent_s.is_some_and(sent) && !self.arrived && distance_m <= STOPPING_M;
        self.arrived |= news;
        news
    }

    /// The autopilot tells where it is heading.
    pub(super) fn reported(&mut self, now_s: f64, place: GeoPosition) {
        self.report = Some((now_s, self.place.distance_m(place)));
    }

    /// Whether the place must be sent now; gives the number of the attempt.
    pub(super) fn poll(&mut self, now_s: f64, distance_m: f64) -> Option<u32> {
        let closest_m = self
            .closest
            .map_or(f64::INFINITY, |(_, closest_m)| closest_m);
        if distance_m < closest_m - PROGRESS_M {
            self.closest = Some((now_s, distance_m));
        }
        let take_up_s = TAKE_UP_S * f64::from(1_u32 << self.attempts.saturating_sub(1).min(3));
        let due = match self.sent_s {
            None => true,
            Some(sent_s) if now_s - sent_s < take_up_s => false,
            Some(sent_s) => match self.report {
                Some((said_s, off_m)) if said_s > sent_s && now_s - said_s < REPORT_HOLDS_S => {
                    off_m
                        > if self.arrived {
                            STOPPING_M
                        } else {
                            SAME_PLACE_M
                        }
                }
                _ => {
                    let since_s = self.closest.map_or(sent_s, |(at_s, _)| at_s.max(sent_s));
                    !self.arrived && now_s - since_s > PROGRESS_S
                }
            },
        };
        due.then(|| {
            self.sent_s = Some(now_s);
            self.attempts += 1;
            self.attempts
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Target;
    use crate::GeoPosition;

    const PLACE: GeoPosition = GeoPosition::new(36.6, -84.2);

    /// Times at which a place is sent over a minute, for a boat whose distance and reports are given.
    fn sent(
        distance_m: impl Fn(f64) -> f64,
        report: impl Fn(f64) -> Option<GeoPosition>,
    ) -> Vec<f64> {
        let mut target = Target::go_to(PLACE);
        let mut times = Vec::new();
        for tick in 0..600 {
            let now_s = f64::from(tick) * 0.1;
            if let Some(place) = report(now_s) {
                target.reported(now_s, place);
            }
            if target.poll(now_s, distance_m(now_s)).is_some() {
                times.push(now_s);
            }
        }
        times
    }

    #[test]
    fn a_place_that_is_taken_up_is_sent_once() {
        assert_eq!(sent(|t| 60.0 - t, |_| None), [0.0]);
        assert_eq!(sent(|_| 60.0, |_| Some(PLACE)), [0.0]);
    }

    #[test]
    fn an_autopilot_with_a_mind_of_its_own_is_asked_ever_more_rarely() {
        let round = PLACE.moved(5.0, 0.0);
        let times = sent(|t| 60.0 - t, |_| Some(round));
        let pauses: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_eq!(pauses.len(), 4, "{times:?}");
        for (pause_s, wanted_s) in pauses.iter().zip([3.0, 6.0, 12.0, 24.0]) {
            assert!((pause_s - wanted_s).abs() < 0.15, "{times:?}");
        }
    }

    #[test]
    fn a_boat_that_stopped_near_its_place_is_left_alone() {
        let mut target = Target::go_to(PLACE);
        assert_eq!(target.poll(0.0, 20.0), Some(1));
        assert!(!target.called_reached(0.2, 20.0), "the place before");
        assert!(!target.called_reached(5.0, 12.0), "too far away");
        assert!(target.called_reached(10.0, 3.0));
        assert!(!target.called_reached(10.1, 3.0), "no news");
        // One that was close from the start is reached at once, and said to be so again.
        let mut close = Target::go_to(PLACE);
        assert_eq!(close.poll(0.0, 3.0), Some(1));
        assert!(!close.called_reached(0.1, 3.0));
        close.reported(3.9, PLACE.moved(3.0, 0.0));
        assert_eq!(close.poll(4.0, 3.0), Some(2));
        assert!(close.called_reached(4.1, 3.0));
        let mut sent_after = |stopped_m: f64| {
            (100..400).any(|tick| {
                let now_s = 0.1 * f64::from(tick);
                target.reported(now_s, PLACE.moved(stopped_m, 0.0));
                target.poll(now_s, stopped_m).is_some()
            })
        };
        assert!(!sent_after(4.0));
        assert!(sent_after(15.0), "it drifted away");
    }

    #[test]
    fn a_place_that_is_not_taken_up_is_sent_again() {
        let elsewhere = PLACE.moved(10.0, 0.0);
        // The first message got lost: the autopilot still reports the place before.
        let times = sent(|_| 60.0, |t| Some(if t < 3.5 { elsewhere } else { PLACE }));
        assert_eq!(times, [0.0, 3.0]);
        // No reports, no motion.
        let times = sent(|_| 60.0, |_| None);
        let pauses: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(
            pauses.len() == 3 && pauses.iter().all(|pause_s| *pause_s > 12.0),
            "{times:?}"
        );
    }
}

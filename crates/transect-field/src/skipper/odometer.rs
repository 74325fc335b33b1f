//! How far the vehicle has come, how fast, and on how much battery.

use transect::budget::{Budget, Spent};
use transect::fence::{Battery, Endurance, Reserve};
use transect::geometry::Position;
use transect::vehicle::Pose;

/// A receiver at rest wanders; only this much is a move, m.
const LEAST_MOVE_M: f64 = 0.3;
/// Consumption is believed after this much battery, %, and this way, m.
const MEASURED_PERCENT: f64 = 2.0;
const MEASURED_M: f64 = 50.0;
/// Speed made good is averaged over about this time under way, s.
const AVERAGED_S: f64 = 60.0;
/// A vehicle is never taken to be slower than this share of its speed; a current that strong stops it.
const SLOWEST: f64 = 0.25;

/// The current is felt over this time on a steady course, s, ...
const FELT_OVER_S: f64 = 3.0;
/// ... which it is this long after a leg began, s, ...
const STEADY_AFTER_S: f64 = 5.0;
/// ... while the bow turns by less than this, rad. Averaged over about this time, s.
const STEADY_RAD: f64 = 0.2;
const FELT_AVERAGED_S: f64 = 20.0;

/// Measures the way from position to position.
#[derive(Debug, Clone)]
pub(super) struct Odometer {
    travelled_m: f64,
    at: Option<Position>,
    /// Speed made good under way, m/s.
    speed_mps: f64,
    full_speed_mps: f64,
    battery_at_start: Option<f64>,
    travelled_at_start_m: f64,
    percent_per_m: Option<f64>,
    /// What carries the vehicle, m/s: its way over ground less its full speed along the bow. A vehicle that is slower than
    /// it should be feels a current from ahead.
    current: Position,
    steady_from_s: f64,
    felt: Option<(f64, Pose)>,
}

impl Odometer {
    /// A vehicle of this speed that has already come `travelled_m`.
    pub(super) fn new(full_speed_mps: f64, travelled_m: f64, percent_per_m: Option<f64>) -> Self {
        Self {
            travelled_m,
            at: None,
            speed_mps: full_speed_mps,
            full_speed_mps,
            battery_at_start: None,
            travelled_at_start_m: travelled_m,
            percent_per_m,
            current: Position::default(),
            steady_from_s: f64::INFINITY,
            felt: None,
        }
    }

    /// A leg begins.
    pub(super) fn set_out(&mut self, now_s: f64) {
        self.steady_from_s = now_s + STEADY_AFTER_S;
        self.felt = None;
    }

    /// The vehicle is driving like this now, on a leg.
    pub(super) fn feel(&mut self, now_s: f64, pose: Pose) {
        if now_s < self.steady_from_s {
            return;
        }
        let Some((before_s, before)) = self.felt else {
            self.felt = Some((now_s, pose));
            return;
        };
        let seconds = now_s - before_s;
        if seconds < FELT_OVER_S {
            return;
        }
        self.felt = Some((now_s, pose));
        let turned = (pose.heading_rad - before.heading_rad).sin().abs();
        if turned > STEADY_RAD {
            return;
        }
        let (sin, cos) = pose.heading_rad.sin_cos();
        let now = Position::new(
            (pose.position.x - before.position.x) / seconds - self.full_speed_mps * cos,
            (pose.position.y - before.position.y) / seconds - self.full_speed_mps * sin,
        );
        let share = (seconds / FELT_AVERAGED_S).min(1.0);
        self.current = self.current.towards(now, share);
    }

    /// The vehicle is here now; what lies between is counted.
    pub(super) fn moved_to(&mut self, here: Position) {
        let Some(before) = self.at else {
            self.at = Some(here);
            return;
        };
        let step_m = before.distance_to(here);
        if step_m >= LEAST_MOVE_M {
            self.travelled_m += step_m;
            self.at = Some(here);
        }
    }

    /// `made_good_m` in `seconds` of driving.
    pub(super) fn drove(&mut self, made_good_m: f64, seconds: f64) {
        if seconds > 0.0 {
            let share = (seconds / AVERAGED_S).min(1.0);
            let speed = made_good_m.max(0.0) / seconds;
            self.speed_mps += share * (speed - self.speed_mps);
        }
    }

    /// The battery's charge, %.
    pub(super) fn battery_is(&mut self, percent: f64) {
        let start = *self.battery_at_start.get_or_insert(percent);
        let (used, way_m) = (
            start - percent,
            self.travelled_m - self.travelled_at_start_m,
        );
        if used >= MEASURED_PERCENT && way_m >= MEASURED_M {
            self.percent_per_m = Some(used / way_m);
        }
    }

    /// Length of the way, m.
    pub(super) fn travelled_m(&self) -> f64 {
        self.travelled_m
    }

    /// What the vehicle can still do.
    pub(super) fn endurance(
        &self,
        budget: Budget,
        spent: Spent,
        battery_percent: Option<f64>,
        reserve: Reserve,
    ) -> Endurance {
        let least_mps = SLOWEST * self.full_speed_mps;
        Endurance {
            budget,
            spent,
            // The way home may lead against what carries it now.
            speed_mps: (self.full_speed_mps - self.current.distance_to(Position::default()))
                .min(self.speed_mps)
                .clamp(least_mps, self.full_speed_mps),
            battery: battery_percent
                .zip(self.percent_per_m)
                .map(|(percent, percent_per_m)| Battery {
                    percent,
                    percent_per_m,
                }),
            reserve,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wandering_receiver_does_not_travel() {
        let mut odometer = Odometer::new(1.0, 0.0, None);
        for i in 0..1000 {
            odometer.moved_to(Position::new(0.1 * f64::from(i % 3), 0.0));
        }
        assert_eq!(odometer.travelled_m(), 0.0);
        for i in 0..=100 {
            odometer.moved_to(Position::new(f64::from(i), 0.0));
        }
        assert!((odometer.travelled_m() - 100.0).abs() < 0.5);
    }

    #[test]
    fn a_current_is_felt_on_a_steady_course() {
        // North at 0.7 m/s through water that runs east at 0.3 m/s: against it, 0.4 m/s are left.
        let mut odometer = Odometer::new(0.7, 0.0, None);
        odometer.set_out(0.0);
        for tick in 0..900 {
            let now_s = 0.1 * f64::from(tick);
            odometer.feel(
                now_s,
                Pose {
                    position: Position::new(0.3 * now_s, 0.7 * now_s),
                    heading_rad: std::f64::consts::FRAC_PI_2,
                },
            );
        }
        let endurance = odometer.endurance(
            Budget::of_soundings(1),
            Spent::default(),
            None,
            Reserve::default(),
        );
        assert!((endurance.speed_mps - 0.4).abs() < 0.01, "{endurance:?}");
    }

    #[test]
    fn consumption_is_measured_under_way() {
        let mut odometer = Odometer::new(1.0, 0.0, None);
        odometer.battery_is(90.0);
        for i in 0..=200 {
            odometer.moved_to(Position::new(f64::from(i), 0.0));
        }
        odometer.battery_is(80.0);
        let reserve = Reserve {
            detour: 0.0,
            battery_percent: 20.0,
            ..Reserve::default()
        };
        let endurance = odometer.endurance(
            Budget::of_soundings(1),
            Spent::default(),
            Some(80.0),
            reserve,
        );
        // 10 % took 200 m: 60 % take 1200 m.
        assert!((endurance.reach_m() - 1200.0).abs() < 1e-6);
    }
}

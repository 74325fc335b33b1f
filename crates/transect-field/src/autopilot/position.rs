//! Whether a vehicle's position can be trusted.

use mavlink::dialects::ardupilotmega::{
    EKF_STATUS_REPORT_DATA, EkfStatusFlags, GLOBAL_POSITION_INT_DATA, GPS_RAW_INT_DATA, GpsFixType,
};

use super::{AutopilotSettings, PositionTrouble};
use crate::{Fix, GeoPosition};

/// A receiver's or estimator's word is forgotten after this time, s.
const WORD_HOLDS_S: f64 = 10.0;
/// Noise of a position that is no jump, m.
const JUMP_SLACK_M: f64 = 3.0;
/// After a jump back to where it came from, or to where it was carried without a fix, so long before the position is trusted, s.
const SETTLING_S: f64 = 3.0;
/// After a jump to somewhere else, so long before that place is believed, s: jumps mostly end where they began.
const BELIEVING_S: f64 = 30.0;
/// A boat without a fix may have been carried so fast, m/s: the place at which it finds itself again is then no surprise.
const CARRIED_MPS: f64 = 0.5;
/// A moving boat's position may repeat itself for so long, s.
const FROZEN_MOVING_S: f64 = 5.0;
/// A boat that should move, but says that it does not, may repeat itself for so long, s. Longer than it takes to send a
/// lost target again.
const FROZEN_DRIVING_S: f64 = 30.0;
/// A receiver at work does not repeat itself for so long, s.
const ALIVE_S: f64 = 1.5;
/// Below this a boat may be drifting, m/s.
const MOVING_MPS: f64 = 0.3;

/// A word with the time it was said.
type Dated<T> = Option<(f64, T)>;

/// Collects what the vehicle says about its position.
#[derive(Debug, Default)]
pub(super) struct PositionWatch {
    receiver_has_fix: Dated<bool>,
    estimator_is_well: Dated<bool>,
    fix: Option<Fix>,
    /// When the place last changed.
    changed_s: f64,
    /// When a report last differed from the one before.
    differed_s: Option<f64>,
    jump: Option<Jump>,
    /// When receiver or estimator last began and ceased to be without a position.
    lost: Option<(f64, f64)>,
}

/// Where a position that jumps is, seen from where it should be.
#[derive(Debug, Clone, Copy)]
struct Jump {
    north_m: f64,
    east_m: f64,
    distrusted_until_s: f64,
}

impl PositionWatch {
    pub(super) fn receiver(&mut self, now_s: f64, raw: &GPS_RAW_INT_DATA) {
        let has_fix = raw.fix_type as u32 >= GpsFixType::GPS_FIX_TYPE_3D_FIX as u32;
        self.receiver_has_fix = Some((now_s, has_fix));
        self.note_loss(now_s, !has_fix);
    }

    pub(super) fn estimator(&mut self, now_s: f64, report: &EKF_STATUS_REPORT_DATA) {
        let needed = EkfStatusFlags::EKF_ATTITUDE
            | EkfStatusFlags::EKF_VELOCITY_HORIZ
            | EkfStatusFlags::EKF_POS_HORIZ_ABS;
        let bad = EkfStatusFlags::EKF_CONST_POS_MODE
            | EkfStatusFlags::EKF_UNINITIALIZED
            | EkfStatusFlags::EKF_GPS_GLITCHING;
        let well = report.flags.contains(needed) && !report.flags.intersects(bad);
        self.estimator_is_well = Some((now_s, well));
        self.note_loss(now_s, !well);
    }

    fn note_loss(&mut self, now_s: f64, lost: bool) {
        if lost {
            let before = self.lost.filter(|lost| now_s - lost.1 < WORD_HOLDS_S);
            self.lost = Some((before.map_or(now_s, |lost| lost.0), now_s));
        }
    }

    /// Takes a position report; gives the fix if it holds a place at all.
    pub(super) fn report(
        &mut self,
        now_s: f64,
        report: &GLOBAL_POSITION_INT_DATA,
        settings: &AutopilotSettings,
    ) -> Option<Fix> {
        let position = GeoPosition::new(f64::from(report.lat) * 1e-7, f64::from(report.lon) * 1e-7);
        if !position.is_plausible() {
            return None;
        }
        let speed_mps = f64::from(report.vx).hypot(f64::from(report.vy)) * 0.01;
        let fix = Fix {
            time_s: now_s,
            position,
            // u16::MAX means unknown.
            heading_deg: (report.hdg < 36_000).then(|| f64::from(report.hdg) * 0.01),
            speed_mps: Some(speed_mps),
        };
        match self.fix {
            None => self.changed_s = now_s,
            Some(before) => {
                let (north_m, east_m) = before.position.offset_to(position);
                let reach_m = settings.max_speed_mps * (now_s - before.time_s) + JUMP_SLACK_M;
                if north_m.hypot(east_m) > reach_m {
                    self.jumped(now_s, north_m, east_m);
                }
                if before.position != position {
                    self.changed_s = now_s;
                    self.differed_s = Some(now_s);
                }
            }
        }
        self.fix = Some(fix);
        Some(fix)
    }

    fn jumped(&mut self, now_s: f64, north_m: f64, east_m: f64) {
        let before = self.jump.filter(|jump| now_s < jump.distrusted_until_s);
        let north_m = north_m + before.map_or(0.0, |jump| jump.north_m);
        let east_m = east_m + before.map_or(0.0, |jump| jump.east_m);
        let lost = self.lost.filter(|lost| now_s - lost.1 < WORD_HOLDS_S);
        let carried_m = lost.map_or(0.0, |lost| CARRIED_MPS * (now_s - lost.0));
        let is_back = north_m.hypot(east_m) < 2.0 * JUMP_SLACK_M + carried_m;
        self.jump = Some(Jump {
            north_m,
            east_m,
            distrusted_until_s: now_s + if is_back { SETTLING_S } else { BELIEVING_S },
        });
    }

    /// Reports differ from one to the next, as those of a receiver at work do even at rest.
    pub(super) fn is_alive(&self, now_s: f64) -> bool {
        self.differed_s
            .is_some_and(|differed_s| now_s - differed_s < ALIVE_S)
    }

    pub(super) fn fix(&self) -> Option<Fix> {
        self.fix
    }

    /// What is wrong with the position, worst first. `driving`: the boat should be moving.
    pub(super) fn trouble(
        &self,
        now_s: f64,
        driving: bool,
        settings: &AutopilotSettings,
    ) -> Option<PositionTrouble> {
        let Some(fix) = self.fix else {
            return Some(PositionTrouble::None);
        };
        let said = |word: Dated<bool>| {
            let recent = word.filter(|(said_s, _)| now_s - said_s < WORD_HOLDS_S);
            recent.map(|(_, good)| good)
        };
        let (receiver, estimator) = (said(self.receiver_has_fix), said(self.estimator_is_well));
        let unchanged_s = now_s - self.changed_s;
        let moving = fix.speed_mps.is_some_and(|speed| speed > MOVING_MPS);
        let frozen =
            moving && unchanged_s > FROZEN_MOVING_S || driving && unchanged_s > FROZEN_DRIVING_S;
        if receiver == Some(false) {
            Some(PositionTrouble::NoFix)
        } else if estimator == Some(false) {
            Some(PositionTrouble::Estimator)
        } else if now_s - fix.time_s > settings.position_timeout_s {
            // Silence says nothing about the receiver.
            Some(PositionTrouble::Stale)
        } else if receiver.is_none() || estimator.is_none() {
            Some(PositionTrouble::NoWord)
        } else if self
            .jump
            .is_some_and(|jump| now_s < jump.distrusted_until_s)
        {
            Some(PositionTrouble::Jumped)
        } else if frozen {
            Some(PositionTrouble::Frozen)
        } else {
            None
        }
    }

    /// The boat was told to move just now: it has not been standing still against orders so far.
    pub(super) fn sent_off(&mut self, now_s: f64) {
        if self
            .fix
            .is_some_and(|fix| fix.speed_mps.is_none_or(|s| s <= MOVING_MPS))
        {
            self.changed_s = now_s;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seconds after a jump of `north_m` until the position is trusted again, the receiver having been without a fix for `lost_s` before it.
    fn distrusted_s(north_m: f64, lost_s: usize) -> f64 {
        let settings = AutopilotSettings::default();
        let mut watch = PositionWatch::default();
        let mut raw = GPS_RAW_INT_DATA::DEFAULT;
        let report = |tick: usize, north_m: f64| GLOBAL_POSITION_INT_DATA {
            lat: 366_000_000 + (north_m * 89.9) as i32 + (tick % 2) as i32,
            lon: -842_000_000,
            ..GLOBAL_POSITION_INT_DATA::DEFAULT
        };
        let well = EKF_STATUS_REPORT_DATA {
            flags: EkfStatusFlags::EKF_ATTITUDE
                | EkfStatusFlags::EKF_VELOCITY_HORIZ
                | EkfStatusFlags::EKF_POS_HORIZ_ABS,
            ..EKF_STATUS_REPORT_DATA::DEFAULT
        };
        let (jump_at, mut trusted_s) = (100, f64::NAN);
        for tick in 0..200 {
            let now_s = tick as f64;
            raw.fix_type = match (jump_at - lost_s..jump_at).contains(&tick) {
                true => GpsFixType::GPS_FIX_TYPE_NO_FIX,
                false => GpsFixType::GPS_FIX_TYPE_3D_FIX,
            };
            watch.receiver(now_s, &raw);
            watch.estimator(now_s, &well);
            let north_m = if tick < jump_at { 0.0 } else { north_m };
            watch.report(now_s, &report(tick, north_m), &settings);
            let good = watch.trouble(now_s, false, &settings).is_none();
            if tick >= jump_at && good && trusted_s.is_nan() {
                trusted_s = now_s - jump_at as f64;
            }
        }
        trusted_s
    }

    #[test]
    fn a_place_that_was_reached_without_a_fix_is_believed_sooner_than_a_jump() {
        assert_eq!(distrusted_s(0.0, 0), 0.0);
        assert_eq!(distrusted_s(18.0, 0), BELIEVING_S);
        assert_eq!(distrusted_s(18.0, 34), SETTLING_S);
        // So far nothing has carried it.
        assert_eq!(distrusted_s(60.0, 34), BELIEVING_S);
    }
}

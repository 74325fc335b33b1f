//! What was promised, and whether it was kept.

use transect_field::GeoPosition;
use transect_field::autopilot::{Mode, Parting};
use transect_field::bench::{BenchBoat, BenchRecord, Fault, FaultKind, Heard};
use transect_field::skipper::{Conclusion, Why};
use transect_survey::field::Outcome;

use super::Scenario;
use super::aboard::Entries;
use super::dice::plane;

/// Noise of the receiver, and what a turn needs: the true boat may be this far from where it believes to be, m.
const TRACKING_M: f64 = 1.0;
/// A boat that is paused has come to rest after this time, s.
const RESTS_AFTER_S: f64 = 15.0;

/// What went wrong with what was promised.
#[derive(Debug, Default, Clone)]
pub struct Verdict {
    pub legs: usize,
    pub soundings: usize,
    pub outside: Vec<String>,
    pub not_home: Vec<String>,
    pub panics: Vec<String>,
    pub recoveries: usize,
    /// The boat was left with a wrong last word, or taken from somebody else.
    pub disobeyed: Vec<String>,
    /// What was new about it.
    pub trials: Vec<&'static str>,
    pub conclusion: Option<Conclusion>,
}

impl Verdict {
    /// Everything that went wrong.
    pub fn wrong(&self) -> impl Iterator<Item = &String> {
        let Self {
            outside,
            not_home,
            disobeyed,
            panics,
            ..
        } = self;
        outside
            .iter()
            .chain(not_home)
            .chain(disobeyed)
            .chain(panics)
    }
}

impl Scenario {
    pub(super) fn cut_at(&self, now_s: f64) -> bool {
        self.faults
            .iter()
            .any(|fault| fault.kind == FaultKind::LinkLost && fault.active(now_s))
    }

    /// The boat is left as it should be, and was never taken from anybody.
    pub(super) fn judge_last_word(
        &self,
        outcome: &Outcome,
        ended_s: f64,
        record: &BenchRecord,
        verdict: &mut Verdict,
    ) {
        let mut wrong = |text: String| {
            verdict.disobeyed.push(format!(
                "seed {}: {:?} at {ended_s:.0} s: {text}; interrupts {:?}; {:?}; heard {:?}",
                self.seed,
                outcome.conclusion,
                self.interrupts,
                self.faults,
                record.heard.iter().rev().take(6).collect::<Vec<_>>()
            ));
        };
        if !record.overruled().is_empty() {
            wrong(format!("overruled {:?}", record.overruled()));
        }
        let foreign = record
            .heard
            .iter()
            .rev()
            .find_map(|(_, heard)| match heard {
                Heard::Operator(Mode::GUIDED) => Some(false),
                Heard::Operator(_) | Heard::Failsafe(_) => Some(true),
                _ => None,
            });
        // During a silence nothing can be said; it had begun when the boat did not confirm.
        let mute = (0..300).any(|tenth| self.cut_at(ended_s - 0.1 * f64::from(tenth)));
        let foreign = foreign == Some(true);
        let left = (record.mode, record.armed);
        let untouched = record
            .heard
            .iter()
            .all(|(_, heard)| *heard != Heard::Mode(Mode::GUIDED));
        let right = match outcome.conclusion {
            _ if foreign || mute => true,
            Conclusion::TakenOver if self.halted_and_cut_off() => true,
            Conclusion::Home => match self.at_home {
                Parting::Disarm => left == (Mode::HOLD, false),
                Parting::Hold => left == (Mode::HOLD, true) || left == (Mode::HOLD, false),
                Parting::Loiter => left == (Mode::LOITER, true) || left == (Mode::HOLD, false),
            },
            Conclusion::Stopped | Conclusion::NotReady => left == (Mode::HOLD, false),
            Conclusion::TakenOver | Conclusion::Unconfirmed | Conclusion::LinkGone => false,
        };
        if !right && !untouched {
            wrong(format!("left in {left:?}"));
        }
        let carried_mps = self.current.0.hypot(self.current.1);
        let free = record.mode != Mode::LOITER && !foreign && !mute && !untouched;
        if free && record.speed_mps > carried_mps + 0.1 {
            wrong(format!("under way at {:.2} m/s", record.speed_mps));
        }
    }

    pub(super) fn judge(
        &self,
        outcome: &Outcome,
        entries: &Entries,
        boat: &BenchBoat,
        track: &[(f64, GeoPosition)],
    ) -> Verdict {
        let mut verdict = Verdict {
            trials: self.trials(),
            soundings: outcome.soundings.len(),
            conclusion: Some(outcome.conclusion),
            ..Verdict::default()
        };
        let metres = |place| plane().metres(place).unwrap();
        for (from, goal, why) in entries.legs() {
            verdict.legs += 1;
            if why == Why::Recovery {
                verdict.recoveries += 1;
                continue;
            }
            let kept_m = self.margin_m.min(self.lake.clearance(from)) - 1e-3;
            let closest_m = (0..=100)
                .map(|i| {
                    self.lake
                        .clearance(from.towards(goal, f64::from(i) / 100.0))
                })
                .fold(f64::INFINITY, f64::min);
            if closest_m < kept_m || closest_m < 0.0 {
                verdict.outside.push(format!(
                    "seed {}: leg {from} to {goal} comes to {closest_m}",
                    self.seed
                ));
            }
        }
        let record = boat.record();
        for (at_s, target) in &record.targets {
            if self.lake.clearance(metres(*target)) < 0.0 {
                verdict
                    .outside
                    .push(format!("seed {}: target at {at_s:.0} s", self.seed));
            }
        }
        let jumps = self
            .faults
            .iter()
            .any(|f| matches!(f.kind, FaultKind::PositionJump(_)));
        // A current carries a boat away that is not allowed to drive.
        let drifts = self.current != (0.0, 0.0);
        let halted_s = self.faults.iter().map(|fault| fault.at_s);
        let halted_s = halted_s.chain(self.interrupts.get(1).copied());
        let halted_s = halted_s.fold(f64::INFINITY, f64::min);
        let strayed = track
            .iter()
            .filter(|(at_s, _)| !drifts || *at_s < halted_s)
            .filter(|(_, at)| self.lake.clearance(metres(*at)) < 0.0)
            .count();
        // A boat whose receiver lies goes where the receiver says.
        if strayed > 0 && !jumps {
            verdict
                .outside
                .push(format!("seed {}: outside for {strayed} ticks", self.seed));
        }
        self.judge_pause(entries.homeward_s(), track, &mut verdict);
        self.judge_return(outcome, &record, &mut verdict);
        verdict
    }

    /// A boat that is told to wait stays where it came to rest, until it is on its way home.
    fn judge_pause(
        &self,
        homeward_s: Option<f64>,
        track: &[(f64, GeoPosition)],
        verdict: &mut Verdict,
    ) {
        let Some((at_s, for_s)) = self.pause else {
            return;
        };
        let until_s = (at_s + for_s).min(homeward_s.unwrap_or(f64::INFINITY));
        let (begun, faulty) = (
            at_s + RESTS_AFTER_S,
            self.faults.iter().any(|fault| fault.at_s < until_s),
        );
        let mut waiting = track
            .iter()
            .filter(|(now_s, _)| (begun..until_s).contains(now_s));
        let Some((_, first)) = waiting.next().filter(|_| !faulty) else {
            return;
        };
        let furthest_m = waiting
            .map(|(_, place)| place.distance_m(*first))
            .fold(0.0, f64::max);
        if furthest_m > self.waypoint_radius_m.max(2.0) + 2.0 * TRACKING_M {
            verdict.disobeyed.push(format!(
                "seed {}: {furthest_m:.1} m while paused from {at_s:.0} to {until_s:.0} s; current {:?}",
                self.seed, self.current
            ));
        }
    }

    /// The boat was stopped for want of a position, and cut off: nobody knows whose choice the stop is then, and nobody gives
    /// the boat back here.
    fn halted_and_cut_off(&self) -> bool {
        let position = |f: &Fault| {
            matches!(
                f.kind,
                FaultKind::NoGpsFix | FaultKind::GpsFrozen | FaultKind::PositionJump(_)
            )
        };
        let has = |wanted: &dyn Fn(&Fault) -> bool| self.faults.iter().any(wanted);
        has(&position) && has(&|f| f.kind == FaultKind::LinkLost)
    }

    /// How long operators have the boat, s.
    fn held_by_operator_s(&self) -> f64 {
        let held = |fault: &Fault| {
            matches!(fault.kind, FaultKind::OperatorMode(_))
                .then_some(fault.for_s)
                .flatten()
        };
        self.faults.iter().filter_map(held).sum()
    }

    /// What is new about it.
    pub(super) fn trials(&self) -> Vec<&'static str> {
        let silence = |f: &Fault| f.kind == FaultKind::LinkLost;
        let during = |f: &Fault| {
            let begun = self.faults.iter().any(|g| silence(g) && g.active(f.at_s));
            matches!(f.kind, FaultKind::OperatorMode(_)) && begun
        };
        let is = [
            ("operator during silence", self.faults.iter().any(during)),
            ("current", self.current != (0.0, 0.0)),
            ("one interrupt", self.interrupts.len() == 1),
            ("two interrupts", self.interrupts.len() == 2),
            ("pause", self.pause.is_some()),
            ("taken up far from home", self.start != self.home),
            ("failsafe", self.failsafe_after_s.is_some()),
        ];
        is.into_iter().filter(|is| is.1).map(|is| is.0).collect()
    }

    fn judge_return(&self, outcome: &Outcome, record: &BenchRecord, verdict: &mut Verdict) {
        let (ended, way_m) = (plane().metres(record.position).unwrap(), record.distance_m);
        let failsafe = |heard: &(f64, Heard)| matches!(heard.1, Heard::Failsafe(_));
        let stopped = self.interrupts.len() > 1;
        let excused = match outcome.conclusion {
            Conclusion::Home => false,
            Conclusion::LinkGone => self.lasts_for_good(|kind| kind == FaultKind::LinkLost),
            Conclusion::NotReady => self.lasts_for_good(|kind| kind == FaultKind::ArmingRefused),
            Conclusion::TakenOver => {
                self.lasts_for_good(|kind| matches!(kind, FaultKind::OperatorMode(_)))
                    || record.heard.iter().any(failsafe)
                    || stopped
                    || self.halted_and_cut_off()
            }
            Conclusion::Stopped => stopped,
            Conclusion::Unconfirmed => stopped,
        };
        if excused {
            return;
        }
        let away_m = ended.distance_to(self.home);
        let spent = outcome.spent;
        // What a current does to a boat that somebody else holds counts as way, and the way back from there too.
        let adrift_m = 2.0 * self.current.0.hypot(self.current.1) * self.held_by_operator_s();
        let over_way = self
            .budget
            .distance_m
            .is_some_and(|most| way_m > most + adrift_m);
        let over_time = self.budget.time_s.is_some_and(|most| spent.time_s > most);
        let radius_m = self.waypoint_radius_m.ceil().max(2.0);
        // It keeps its place by driving back, and is carried while it comes to rest without motors.
        let carried_m = match self.current.0.hypot(self.current.1) {
            0.0 => 0.0,
            mps => 2.0 + 15.0 * mps,
        };
        let near_m = radius_m + TRACKING_M + self.coast_s + carried_m;
        let home = outcome.conclusion == Conclusion::Home && away_m < near_m;
        if !home || over_way || over_time {
            verdict.not_home.push(format!(
                "seed {}: {:?}, {away_m:.1} m of {near_m:.1} from home after {way_m:.0} m and {:.0} s of {:?}; {:?}; current {:?}, \
                 left to {:?}, radius {:.1}; heard {:?}",
                self.seed,
                outcome.conclusion,
                spent.time_s,
                self.budget,
                self.faults,
                self.current,
                self.at_home,
                self.waypoint_radius_m,
                record.heard.iter().rev().take(6).collect::<Vec<_>>()
            ));
        }
    }
}

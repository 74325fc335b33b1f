//! Where the vehicle goes.

use transect::fence::Refusal;
use transect::geometry::Position;
use transect::mission::LegState;

use super::fallback::{SAME_PLACE_M, really_reached};
use super::{Conclusion, Doing, Entry, HomeReason, Leg, Phase, Skipper, Why};
use super::{Report, Silence, Want};
use crate::GeoPosition;
use crate::autopilot::{Farewell, Mode, Parting};

/// A vehicle in place for want of a plan asks again after this time, s.
const HOLD_S: f64 = 5.0;
/// A vehicle confirms how it is left within this time, s: it comes to rest first.
const PART_WITHIN_S: f64 = 25.0;
/// A vehicle that is there is heard within this time, s: it speaks once a second.
const HEARD_WITHIN_S: f64 = 5.0;
/// A vehicle at home is at rest below this speed, m/s ...
const AT_REST_MPS: f64 = 0.2;
/// ... or after this time, s: one that keeps its place in a current is never quite.
const REST_WITHIN_S: f64 = 15.0;
/// One that is carried farther from home than this meanwhile, as without a position, goes back, m.
const CARRIED_AWAY_M: f64 = 5.0;
/// After so many plans in a row that there is too little left for, the mission is over.
const PLANS_TOO_FAR: u32 = 3;
/// There and back is at least so many times the radius within which a place counts as reached.
const SHORTEST_OUTING: f64 = 4.0;
/// A vehicle slows down this much before it arrives, m.
const STEADY_BEFORE_M: f64 = 3.0;
/// A vehicle that wind has put outside the fence by no more than this brings itself back, m.
const RECOVERED_M: f64 = 15.0;

impl Skipper {
    /// Sees to it that the vehicle has something to do.
    pub(super) fn decide(&mut self) {
        let phase = self.crew.helm.state().phase;
        if let Doing::Parting { since_s, then } = self.doing {
            return self.take_leave(since_s, then);
        }
        let setting_out = self.started_s.is_none();
        if setting_out && self.is_paused() {
            // Nobody loses patience with a vehicle that is kept waiting.
            self.first_poll_s = Some(self.now_s);
        }
        self.watch_patience(phase);
        match phase {
            Phase::Standby if setting_out && self.is_paused() => {}
            Phase::Standby => self.crew.helm.engage(),
            Phase::Ready => self.command(),
            Phase::NoLink | Phase::Paused { .. } | Phase::NoPosition { .. } => {}
            Phase::Engaging | Phase::Returning => {}
        }
    }

    /// The vehicle was told how it is left: says whether it is so.
    fn take_leave(&mut self, since_s: f64, then: Conclusion) {
        let state = self.crew.helm.state();
        let (armed, mode) = (state.armed, state.mode);
        let waited_s = self.now_s - since_s;
        // A mission that was cut off has left its vehicle under way: that is stopped as if it had been ours all along.
        let left = self.before.cut_off && self.started_s.is_none();
        match state.farewell {
            _ if mode.is_none() && left && waited_s <= HEARD_WITHIN_S => {}
            _ if mode.is_none() => {
                self.note("no vehicle was heard: nothing was told to it");
                self.conclude(match then {
                    Conclusion::Stopped if left => Conclusion::Unconfirmed,
                    then => then,
                });
            }
            Some(Farewell::Done) if left && armed && mode == Some(Mode::GUIDED) => {
                self.crew.helm.engage();
                self.crew.helm.release(Parting::Disarm);
            }
            Some(Farewell::Declined) => {
                self.note("somebody else has the vehicle: it is left as it is");
                self.conclude(match then {
                    Conclusion::Stopped => Conclusion::TakenOver,
                    then => then,
                });
            }
            Some(Farewell::Underway) if waited_s <= PART_WITHIN_S => {}
            Some(Farewell::Underway) => {
                self.note(format!(
                    "the vehicle did not confirm within {PART_WITHIN_S:.0} s what it was told: it may still be under way"
                ));
                self.conclude(match then {
                    Conclusion::Stopped => Conclusion::Unconfirmed,
                    then => then,
                });
            }
            Some(Farewell::Done) | None => {
                let armed = if armed { "armed" } else { "disarmed" };
                let mode = mode.map_or_else(String::new, |mode| format!(", in {mode}"));
                self.note(format!("the vehicle is stopped and {armed}{mode}"));
                self.conclude(then);
            }
        }
    }

    /// Gives up what lasts too long.
    fn watch_patience(&mut self, phase: Phase) {
        let now_s = self.now_s;
        let since = |flag: bool, from: &mut Option<f64>| match flag {
            true => now_s - *from.get_or_insert(now_s),
            false => {
                *from = None;
                0.0
            }
        };
        let lost_s = since(phase == Phase::NoLink, &mut self.lost_from_s);
        let paused_s = since(
            matches!(phase, Phase::Paused { .. }),
            &mut self.paused_from_s,
        );
        let waited_s = now_s - self.first_poll_s.unwrap_or(now_s);
        if self.started_s.is_none() && waited_s > self.settings.ready_within_s {
            if !self.refusal.is_empty() {
                self.note(format!(
                    "the vehicle never became ready: {}",
                    self.refusal.clone()
                ));
            }
            self.recall(HomeReason::MissionOver);
            self.part(Parting::Disarm, Conclusion::NotReady);
        } else if self.started_s.is_some() && lost_s > self.settings.link_gone_s {
            self.give_up(Conclusion::LinkGone);
        } else if paused_s > self.settings.taken_over_s {
            self.give_up(Conclusion::TakenOver);
        }
    }

    /// The vehicle is out of reach.
    fn give_up(&mut self, conclusion: Conclusion) {
        self.recall(HomeReason::MissionOver);
        self.conclude(conclusion);
    }

    /// The vehicle listens.
    fn command(&mut self) {
        let Some(here) = self.here.map(|pose| pose.position) else {
            return;
        };
        if self.started_s.is_none() {
            self.started_s = Some(self.now_s);
            self.tell(Report::Ready);
            self.doing = Doing::Idle {
                since_s: self.now_s,
            };
        }
        if let Some(percent) = self.crew.helm.state().battery_percent {
            self.odometer.battery_is(f64::from(percent));
        }
        if self.homeward.is_none() && self.guard.must_turn_back(here, self.reach_m()) {
            self.come_home(self.first_to_end());
        }
        if self.is_to_wait() {
            return self.wait(here);
        }
        if std::mem::take(&mut self.interrupted) {
            self.take_up_again(here);
        }
        match self.doing {
            Doing::Idle { since_s } => self.without_orders(here, since_s),
            Doing::Leg(leg) => self.under_way(here, leg),
            Doing::Holding { until_s } if self.homeward.is_some() || self.now_s >= until_s => {
                self.leg_over(LegState::Stuck);
            }
            Doing::Resting { since_s } => self.rest(here, since_s),
            Doing::Holding { .. } | Doing::Parting { .. } | Doing::Over(_) => {}
        }
    }

    /// The vehicle stays in place: while the operator wants that, or while the sonar is silent, if so set; not on the way home.
    fn is_to_wait(&self) -> bool {
        let silent = self.silent && self.settings.without_sonar == Silence::Hold;
        self.started_s.is_some() && self.homeward.is_none() && (self.paused || silent)
    }

    /// Stays in place. What was to be done is taken up again afterwards.
    fn wait(&mut self, here: Position) {
        if !self.interrupted {
            self.interrupted = true;
            self.crew.helm.hold();
            if !self.paused {
                self.note("holding until the sonar speaks again");
            }
        } else if self.crew.helm.state().target.is_none()
            && self.guard.fence().area().contains(here)
            && let Some(place) = self.plane.degrees(here)
        {
            // Its motors were stopped for want of a position. It has one again, and must not drift.
            self.crew.helm.go_to(place);
        }
    }

    /// Goes on with what was interrupted, if that is still allowed from here.
    fn take_up_again(&mut self, here: Position) {
        let Doing::Leg(leg) = self.doing else {
            return;
        };
        let allowed = match leg.why {
            Why::Home | Why::Recovery => self.guard.stays_inside(here, leg.goal),
            Why::Planned | Why::Fallback => self.guard.check(here, leg.goal, self.reach_m()),
        };
        match allowed {
            Ok(()) => self.head_for(here, leg.goal, leg.why),
            Err(refusal) => {
                self.refuse(leg.goal, refusal);
                self.leg_over(LegState::Stuck);
            }
        }
    }

    fn under_way(&mut self, here: Position, mut leg: Leg) {
        self.watch_boundary(here);
        if let Some(pose) = self.here
            && here.distance_to(leg.goal) > self.goal_radius_m() + STEADY_BEFORE_M
        {
            self.odometer.feel(self.now_s, pose);
        }
        if self.pass(here, leg) {
            return;
        }
        let away_m = here.distance_to(leg.goal);
        if away_m < leg.closest_m - 0.5 {
            self.odometer
                .drove(leg.closest_m - away_m, self.now_s - leg.closer_at_s);
            (leg.closest_m, leg.closer_at_s) = (away_m, self.now_s);
            self.doing = Doing::Leg(leg);
        } else if self.now_s - leg.closer_at_s > self.settings.stuck_after_s {
            let text = format!(
                "no closer to {} for {:.0} s",
                leg.target,
                self.now_s - leg.closer_at_s
            );
            self.note(text);
            self.odometer.drove(0.0, self.now_s - leg.closer_at_s);
            self.leg_over(LegState::Stuck);
        }
    }

    fn without_orders(&mut self, here: Position, since_s: f64) {
        if self.homeward.is_some() {
            return self.next_leg_home(here);
        }
        if self.now_s - since_s >= self.settings.plan_within_s {
            self.note(format!("no plan for {:.0} s", self.now_s - since_s));
            self.do_without_plan(here);
        }
    }

    /// What counts as reached is nothing to send a vehicle to.
    pub(super) fn goal_radius_m(&self) -> f64 {
        self.crew.helm.state().goal_radius_m
    }

    pub(super) fn refuse(&mut self, goal: Position, refusal: Refusal) {
        let reason = refusal.to_string();
        let place = self.plane.degrees(goal);
        self.write(Entry::Refused {
            goal,
            place,
            reason,
        });
    }

    /// The fallback survey, or staying in place.
    pub(super) fn do_without_plan(&mut self, here: Position) {
        if !self.guard.fence().area().contains(here) {
            return self.recover(here);
        }
        let (reach_m, radius_m) = (self.reach_m(), self.goal_radius_m());
        let next = match self.settings.without_plan {
            Want::Lawnmower => self.fallback.next(&self.guard, here, reach_m, radius_m),
            Want::Hold => None,
        };
        match next {
            Some(goal) => self.head_for(here, goal, Why::Fallback),
            None if self.nothing_affordable(here) => self.come_home(self.first_to_end()),
            None => {
                self.crew.helm.hold();
                self.note("holding in place");
                self.doing = Doing::Holding {
                    until_s: self.now_s + HOLD_S,
                };
            }
        }
    }

    /// Nothing that is worth the way can be reached with what is left.
    fn nothing_affordable(&self, here: Position) -> bool {
        let home_m = self.guard.homeward().length_m(here).unwrap_or(0.0);
        let spare_m = self.reach_m() - home_m;
        self.too_far >= PLANS_TOO_FAR
            || self.too_far > 0
                && (self.settings.without_plan == Want::Lawnmower
                    || spare_m < SHORTEST_OUTING * self.goal_radius_m())
    }

    fn next_leg_home(&mut self, here: Position) {
        let (home, radius_m) = (self.guard.homeward().home(), self.goal_radius_m());
        let there =
            here.distance_to(home) <= radius_m && self.guard.stays_inside(here, home).is_ok();
        if let Some(target) = self.plane.degrees(home).filter(|_| there) {
            self.crew.helm.go_to(target);
            self.doing = Doing::Resting {
                since_s: self.now_s,
            };
            return;
        }
        let way = self.guard.homeward().way(here).unwrap_or_default();
        let allowed = |corner: &&Position| self.guard.stays_inside(here, **corner).is_ok();
        // A corner within the radius counts as reached: the next one is the goal, where that is in sight. Home is to be arrived at.
        let ahead = |corner: &&Position| {
            here.distance_to(**corner) > radius_m || home.distance_to(**corner) < SAME_PLACE_M
        };
        let next = way.iter().filter(ahead).find(allowed);
        let near = || way.first().filter(allowed);
        match (next, near()) {
            (Some(corner), _) => self.head_for(here, *corner, Why::Home),
            (None, Some(corner)) => {
                let beyond = really_reached(&self.guard, here, *corner, radius_m);
                self.head_for(here, beyond, Why::Home);
            }
            (None, None) => self.recover(here),
        }
    }

    /// Waits at home until the vehicle is at rest, then leaves it as set. Its autopilot keeps it there meanwhile.
    fn rest(&mut self, here: Position, since_s: f64) {
        let away_m = here.distance_to(self.guard.homeward().home());
        if away_m > CARRIED_AWAY_M.max(self.goal_radius_m()) {
            self.note(format!("carried {away_m:.0} m away from home: going back"));
            return self.next_leg_home(here);
        }
        let fix = self.crew.helm.state().fix;
        let speed_mps = fix.and_then(|fix| fix.speed_mps);
        let at_rest = speed_mps.is_some_and(|speed| speed < AT_REST_MPS);
        if at_rest || self.now_s - since_s > REST_WITHIN_S {
            let at_home = self.limits.at_home;
            self.note(match at_home {
                Parting::Disarm => "home and at rest: disarming",
                Parting::Hold => "home and at rest: hold mode, armed",
                Parting::Loiter => "home and at rest: loiter mode, armed",
            });
            self.part(at_home, Conclusion::Home);
        }
    }

    /// Back inside, if it is not far; otherwise this is for the operator.
    fn recover(&mut self, here: Position) {
        let goal = self.guard.fence().safe().nearest(here);
        if here.distance_to(goal) <= RECOVERED_M + self.guard.fence().margin_m() {
            self.head_for(here, goal, Why::Recovery);
        } else {
            self.crew.helm.hold();
            let away_m = here.distance_to(goal);
            self.note(format!(
                "{away_m:.0} m outside the fence: holding; drive the vehicle back inside by hand"
            ));
            self.doing = Doing::Holding {
                until_s: self.now_s + HOLD_S,
            };
        }
    }

    pub(super) fn head_for(&mut self, from: Position, goal: Position, why: Why) {
        let Some(target) = self.plane.degrees(goal) else {
            self.note(format!("{goal:.1} is not on the map"));
            return self.leg_over(LegState::Stuck);
        };
        self.watch_boundary_from(from);
        self.odometer.set_out(self.now_s);
        if self.is_to_wait() {
            self.interrupted = true;
        } else {
            self.crew.helm.go_to(target);
        }
        self.write(Entry::Leg {
            from,
            goal,
            place: target,
            why,
        });
        self.doing = Doing::Leg(Leg {
            goal,
            target,
            why,
            closest_m: from.distance_to(goal),
            closer_at_s: self.now_s,
        });
    }

    pub(super) fn arrived(&mut self, target: GeoPosition) {
        if let Doing::Leg(leg) = self.doing
            && leg.target.distance_m(target) < SAME_PLACE_M
        {
            if self.next_of_path(leg.goal) {
                return;
            }
            self.leg_over(LegState::Arrived);
            let home = self.guard.homeward().home();
            if leg.why == Why::Home && leg.goal.distance_to(home) < SAME_PLACE_M {
                self.doing = Doing::Resting {
                    since_s: self.now_s,
                };
            }
        }
    }
}

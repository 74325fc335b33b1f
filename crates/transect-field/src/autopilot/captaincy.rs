//! Who commands the vehicle, and what is asked for to get or return the command.
//!
//! ```text
//!  engage: guided mode ──> arming ──> in command ──(mode left, or disarmed)──> taken over
//!                                        ^                                        │
//!                                        └────────(guided and armed again)────────┘
//!  halt: hold mode             return: RTL mode
//!  release: hold mode ──> still ──> disarming       or hold or loiter mode, armed
//! ```
//!
//! What somebody else changes is never changed back: the operator's radio wins. A mode is ours if it was there when the
//! command was asked for, or if it was asked for just before it was seen; every other one is somebody else's, however long
//! nothing was heard before it. Guided mode alone is an invitation, whoever chose it.

use mavlink::dialects::ardupilotmega::{MavCmd, MavResult};

use super::command::Command;
use super::request::{Due, Request};
use super::{Farewell, HelmEvent, Mode, Parting, Takeover};

/// A mode that was asked for is taken up within this time, s; later it is somebody else's.
const TAKEN_UP_WITHIN_S: f64 = 5.0;
/// A mode that was granted shows in the heartbeats by then, s.
const GRANT_SHOWS_S: f64 = 2.5;
/// A vehicle slower than this is still, m/s.
const STILL_MPS: f64 = 0.2;
/// One that is not still after this time without motors drifts, and will not be, s.
const STILL_WITHIN_S: f64 = 10.0;
/// Stopping is asked for this often, s.
const STOP_RETRY_S: f64 = 1.0;

/// What the mission wants of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Wish {
    #[default]
    Nothing,
    Guided,
    /// Stopped, motors still armed, while no position can be trusted to hold.
    Halt,
    Return,
    Release(Parting),
}

/// The command of the vehicle.
#[derive(Debug, Default)]
pub(super) struct Captaincy {
    wish: Wish,
    /// The mode it is in by our will, or was in when we were asked to take the command.
    known: Option<Mode>,
    /// Modes that were asked for and not seen yet, with the times, oldest first.
    asked: Vec<(f64, Mode)>,
    /// The mode that the vehicle last said it would take, and when, until it is seen.
    granted: Option<(f64, Mode)>,
    /// It was ours once.
    had: bool,
    /// It was armed since it is wished.
    armed_seen: bool,
    in_command: bool,
    taken_over: Option<Takeover>,
    request: Option<Request>,
    /// Since when it is stopped, s.
    stopped_s: Option<f64>,
    loiter_refused: bool,
    farewell: Option<Farewell>,
    /// The mode in which it was left with its motors armed: whoever then says stop means the motors.
    left_armed_in: Option<Mode>,
}

/// The vehicle as it shows itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub(super) mode: Mode,
    pub(super) armed: bool,
    /// It was heard just now; what is older may have changed since.
    pub(super) fresh: bool,
    /// It can do what it would be asked for now.
    pub(super) can_be_asked: bool,
    /// Speed over ground, m/s, where that is known.
    pub(super) speed_mps: Option<f64>,
}

impl Captaincy {
    pub(super) fn wish(&mut self, wish: Wish) {
        if wish == self.wish {
            return;
        }
        let left_armed_in = (self.left_armed_in.take())
            .filter(|_| self.wish == Wish::Nothing && wish == Wish::Release(Parting::Disarm));
        self.farewell = match wish {
            Wish::Release(_) if left_armed_in.is_some() => Some(Farewell::Underway),
            Wish::Release(_) if self.wish == Wish::Nothing => Some(Farewell::Done),
            // The operator who has the command does not want it taken, nor disarmed under way.
            Wish::Release(_) if self.taken_over.is_some() => Some(Farewell::Declined),
            Wish::Release(_) => Some(Farewell::Underway),
            _ => None,
        };
        if self.wish == Wish::Nothing {
            (self.known, self.had) = (left_armed_in, left_armed_in.is_some());
            self.asked.clear();
        }
        self.wish = match self.farewell {
            None | Some(Farewell::Underway) => wish,
            Some(Farewell::Done | Farewell::Declined) => Wish::Nothing,
        };
        self.in_command = false;
        self.request = None;
        self.granted = None;
        self.stopped_s = None;
        self.loiter_refused = false;
    }

    pub(super) fn wished(&self) -> Wish {
        self.wish
    }

    pub(super) fn taken_over(&self) -> Option<Takeover> {
        self.taken_over
    }

    /// How far a release has come.
    pub(super) fn farewell(&self) -> Option<Farewell> {
        self.farewell
    }

    /// Guided, armed, and ours.
    pub(super) fn in_command(&self) -> bool {
        self.in_command && self.taken_over.is_none() && self.wish == Wish::Guided
    }

    /// Stopped because it was wished.
    pub(super) fn halted(&self) -> bool {
        self.is_ours_in(Wish::Halt, Mode::HOLD)
    }

    pub(super) fn returning(&self) -> bool {
        self.is_ours_in(Wish::Return, Mode::RTL)
    }

    fn is_ours_in(&self, wish: Wish, mode: Mode) -> bool {
        self.wish == wish && self.known == Some(mode) && self.taken_over.is_none()
    }

    /// The vehicle is heard again after a silence. Whatever it does now but obey in guided mode, somebody else may have chosen:
    /// hold mode, too, even if it was ours before.
    pub(super) fn after_silence(&mut self) {
        self.asked.clear();
        self.granted = None;
        if self.had {
            self.known = Some(Mode::GUIDED);
        }
    }

    pub(super) fn answered(&mut self, now_s: f64, command: MavCmd, result: MavResult) {
        if let Some(request) = &mut self.request
            && request.command().command == command
        {
            request.answered(now_s, result);
            let accepted = result == MavResult::MAV_RESULT_ACCEPTED;
            if accepted && command == MavCmd::MAV_CMD_DO_SET_MODE {
                self.granted = self.asked.last().map(|(_, mode)| (now_s, *mode));
            }
        }
    }

    pub(super) fn heard(&mut self, text: &str) {
        if let Some(request) = &mut self.request {
            request.heard(text);
        }
    }

    /// Compares what is seen with what is wished. Gives the command that is due.
    pub(super) fn poll(
        &mut self,
        now_s: f64,
        retry_s: f64,
        seen: Seen,
        events: &mut Vec<HelmEvent>,
    ) -> Option<(Command, u8)> {
        let wanted_mode = match self.wish {
            Wish::Nothing => return None,
            Wish::Guided => Mode::GUIDED,
            Wish::Return => Mode::RTL,
            Wish::Release(Parting::Loiter) if !self.loiter_refused => Mode::LOITER,
            Wish::Halt | Wish::Release(_) => Mode::HOLD,
        };
        if self.taken_over.is_some() {
            // One that was never armed is given back by the mode alone.
            if seen.mode != Mode::GUIDED || self.armed_seen && !seen.armed {
                return None;
            }
            self.taken_over = None;
            self.known = Some(seen.mode);
            events.push(HelmEvent::GivenBack);
        }
        if let Some(by) = self.takeover(now_s, seen, wanted_mode) {
            self.taken_over = Some(by);
            self.request = None;
            self.asked.clear();
            events.push(HelmEvent::TakenOver { by });
            if matches!(self.wish, Wish::Release(_)) {
                self.farewell = Some(Farewell::Declined);
                self.wish = Wish::Nothing;
            }
            return None;
        }
        self.known = Some(seen.mode);
        self.had |= seen.mode == wanted_mode;
        self.armed_seen |= seen.armed;
        // Whose mode it is in was noted all the same: later that cannot be told any more.
        if !seen.can_be_asked {
            return None;
        }

        let leaving = matches!(self.wish, Wish::Release(_));
        // Another mode may be on its way to a vehicle that is left: it must not come after the last word.
        let under_way = self.asked.iter().any(|(_, mode)| *mode != wanted_mode);
        let wanted = if seen.mode != wanted_mode || leaving && under_way {
            Some(Command::mode(wanted_mode))
        } else {
            match self.wish {
                Wish::Guided if !seen.armed => Some(Command::arm(true)),
                Wish::Release(Parting::Disarm) if seen.armed => {
                    if !self.is_still(now_s, seen) {
                        return None;
                    }
                    Some(Command::arm(false))
                }
                _ => None,
            }
        };
        let Some(command) = wanted else {
            self.fulfilled(events);
            return None;
        };
        // What is not fresh may have been somebody else's choice in between. Stopping alone does not wait.
        if !seen.fresh && !leaving {
            return None;
        }
        if self.request.as_ref().map(Request::command) != Some(command) {
            self.request = Some(Request::new(command));
        }
        let retry_s = if leaving {
            retry_s.min(STOP_RETRY_S)
        } else {
            retry_s
        };
        match self.request.as_mut()?.poll(now_s, retry_s) {
            Due::Nothing => None,
            Due::Send(command, repeats) => {
                if command.command == MavCmd::MAV_CMD_DO_SET_MODE {
                    self.asked.push((now_s, wanted_mode));
                }
                Some((command, repeats))
            }
            Due::Tell(attempt, reason) => {
                events.push(if command.command == MavCmd::MAV_CMD_DO_SET_MODE {
                    let mode = wanted_mode;
                    // Silence is no refusal: the answer may have got lost.
                    let refused =
                        !reason.starts_with("no answer") && !reason.starts_with("accepted");
                    self.loiter_refused |= mode == Mode::LOITER && refused;
                    HelmEvent::ModeRefused { mode, reason }
                } else if leaving {
                    HelmEvent::DisarmingRefused { reason }
                } else {
                    HelmEvent::ArmingRefused { attempt, reason }
                });
                None
            }
        }
    }

    /// Somebody else's choice, if that is what is seen.
    fn takeover(&mut self, now_s: f64, seen: Seen, wanted_mode: Mode) -> Option<Takeover> {
        self.asked
            .retain(|(asked_s, _)| now_s - asked_s < TAKEN_UP_WITHIN_S);
        let answer = self.asked.iter().position(|(_, mode)| *mode == seen.mode);
        let as_before = self.known.is_none_or(|known| known == seen.mode);
        let leaving = matches!(self.wish, Wish::Release(_)) && seen.mode == wanted_mode;
        // A vehicle that was never ours is asked for whatever its operator did last.
        let ours = as_before || seen.mode == Mode::GUIDED || leaving || !self.had;
        match answer {
            Some(index) if !as_before => drop(self.asked.drain(..=index)),
            _ if !ours => return Some(Takeover::Mode(seen.mode)),
            _ => {}
        }
        // What it said that it would take, it has not been in for long: somebody was quicker than its next heartbeat.
        match self.granted {
            Some((_, mode)) if mode == seen.mode => self.granted = None,
            Some((at_s, _)) if seen.fresh && now_s - at_s > GRANT_SHOWS_S => {
                self.granted = None;
                return Some(Takeover::Mode(seen.mode));
            }
            _ => {}
        }
        let disarmed = self.armed_seen && !seen.armed && self.wish == Wish::Guided;
        disarmed.then_some(Takeover::Disarmed)
    }

    /// The vehicle has stopped, or had enough time to.
    fn is_still(&mut self, now_s: f64, seen: Seen) -> bool {
        let stopped_s = now_s - *self.stopped_s.get_or_insert(now_s);
        seen.speed_mps.is_some_and(|speed| speed < STILL_MPS) || stopped_s >= STILL_WITHIN_S
    }

    /// The vehicle is as wished.
    fn fulfilled(&mut self, events: &mut Vec<HelmEvent>) {
        self.request = None;
        match self.wish {
            Wish::Guided if !self.in_command => {
                self.in_command = true;
                events.push(HelmEvent::InCommand);
            }
            Wish::Release(parting) => {
                *self = Self {
                    farewell: Some(Farewell::Done),
                    left_armed_in: self.known.filter(|_| parting != Parting::Disarm),
                    ..Self::default()
                };
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Captaincy, Command, Farewell, HelmEvent, Mode, Parting, Seen, Takeover, Wish};

    fn heard(mode: Mode, armed: bool) -> Seen {
        Seen {
            mode,
            armed,
            fresh: true,
            can_be_asked: true,
            speed_mps: Some(0.0),
        }
    }

    /// What is sent and told for each thing that is seen, a second apart.
    fn history(
        captaincy: &mut Captaincy,
        seen: &[(Mode, bool)],
    ) -> Vec<(Option<Command>, Vec<HelmEvent>)> {
        let each = |(second, &(mode, armed)): (usize, &(Mode, bool))| {
            let mut events = Vec::new();
            let due = captaincy.poll(second as f64, 5.0, heard(mode, armed), &mut events);
            (due.map(|(command, _)| command), events)
        };
        seen.iter().enumerate().map(each).collect()
    }

    #[test]
    fn a_boat_that_was_disarmed_is_not_armed_again() {
        let mut captaincy = Captaincy::default();
        captaincy.wish(Wish::Guided);
        let guided = Mode::GUIDED;
        let seen = [
            (Mode::MANUAL, false),
            (guided, false),
            (guided, true),
            (guided, false),
            (guided, false),
            (guided, true),
        ];
        let by = Takeover::Disarmed;
        assert_eq!(
            history(&mut captaincy, &seen),
            [
                (Some(Command::mode(guided)), vec![]),
                (Some(Command::arm(true)), vec![]),
                (None, vec![HelmEvent::InCommand]),
                (None, vec![HelmEvent::TakenOver { by }]),
                (None, vec![]),
                (None, vec![HelmEvent::GivenBack]),
            ]
        );
        assert!(captaincy.in_command());
    }

    #[test]
    fn a_mode_that_is_still_on_its_way_is_not_the_last_word() {
        let mut captaincy = Captaincy::default();
        captaincy.wish(Wish::Guided);
        let hold = Mode::HOLD;
        let told = history(&mut captaincy, &[(hold, false)]);
        assert_eq!(told, [(Some(Command::mode(Mode::GUIDED)), vec![])]);
        // What is seen is older than what was asked.
        captaincy.wish(Wish::Release(Parting::Disarm));
        let guided = (Mode::GUIDED, false);
        let told = history(&mut captaincy, &[(hold, false), guided, guided, guided]);
        assert_eq!(told[0].0, Some(Command::mode(hold)));
        let sent: Vec<Command> = told.iter().filter_map(|(command, _)| *command).collect();
        assert!(sent.len() > 1 && sent.iter().all(|c| *c == Command::mode(hold)));
        assert_eq!(captaincy.farewell(), Some(Farewell::Underway));
        history(&mut captaincy, &[(hold, false); 8]);
        assert_eq!(captaincy.farewell(), Some(Farewell::Done));
    }

    #[test]
    fn a_boat_that_was_left_armed_is_disarmed_when_told_to_stop() {
        let hold = Mode::HOLD;
        let left = || {
            let mut captaincy = Captaincy::default();
            captaincy.wish(Wish::Guided);
            history(&mut captaincy, &[(Mode::GUIDED, true)]);
            captaincy.wish(Wish::Release(Parting::Hold));
            history(&mut captaincy, &[(Mode::GUIDED, true), (hold, true)]);
            assert_eq!(captaincy.farewell(), Some(Farewell::Done));
            captaincy.wish(Wish::Release(Parting::Disarm));
            captaincy
        };
        let mut captaincy = left();
        let told = history(&mut captaincy, &[(hold, true), (hold, false)]);
        assert_eq!(told[0].0, Some(Command::arm(false)));
        assert_eq!(captaincy.farewell(), Some(Farewell::Done));
        // Unless somebody else has taken it meanwhile.
        let mut captaincy = left();
        let told = history(&mut captaincy, &[(Mode::MANUAL, true)]);
        assert_eq!(told[0].0, None);
        assert_eq!(captaincy.farewell(), Some(Farewell::Declined));
    }

    #[test]
    fn a_boat_that_was_left_armed_and_guided_is_taken_as_it_is() {
        let mut captaincy = Captaincy::default();
        captaincy.wish(Wish::Guided);
        let told = history(&mut captaincy, &[(Mode::GUIDED, true)]);
        assert_eq!(told, [(None, vec![HelmEvent::InCommand])]);
    }
}

//! Who commands the vehicle, and what is asked for to get or return the command.
//!
//! ```text
//!  engage: guided mode ──> arming ──> in command ──(mode left, or disarmed)──> taken over
//!                                        ^                                        │
//!                                        └────────(guided and armed again)────────┘
//!  halt: hold mode             return: RTL mode            release: hold mode ──> disarming
//! ```
//!
//! What somebody else changes is never changed back: the operator's radio wins.

use mavlink::dialects::ardupilotmega::{MavCmd, MavResult};

use super::command::Command;
use super::request::{Due, Request};
use super::{HelmEvent, Mode, Takeover};

/// What the mission wants of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Wish {
    #[default]
    Nothing,
    Guided,
    /// Stopped, motors still armed, while no position can be trusted to hold.
    Halt,
    Return,
    Release,
}

/// The command of the vehicle.
#[derive(Debug, Default)]
pub(super) struct Captaincy {
    wish: Wish,
    /// The mode that is wished was seen since it is wished.
    mode_seen: bool,
    /// It was armed since it is wished.
    armed_seen: bool,
    in_command: bool,
    taken_over: Option<Takeover>,
    request: Option<Request>,
}

/// The vehicle as its heartbeat shows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub(super) mode: Mode,
    pub(super) armed: bool,
}

impl Captaincy {
    pub(super) fn wish(&mut self, wish: Wish) {
        if wish == self.wish {
            return;
        }
        // The operator who has the command does not want it taken, nor disarmed under way.
        let released_already = wish == Wish::Release && self.taken_over.is_some();
        self.wish = if released_already {
            Wish::Nothing
        } else {
            wish
        };
        self.in_command = false;
        self.mode_seen = false;
        self.request = None;
    }

    pub(super) fn wished(&self) -> Wish {
        self.wish
    }

    pub(super) fn taken_over(&self) -> Option<Takeover> {
        self.taken_over
    }

    /// Guided, armed, and ours.
    pub(super) fn in_command(&self) -> bool {
        self.in_command && self.taken_over.is_none() && self.wish == Wish::Guided
    }

    /// Stopped because it was wished.
    pub(super) fn halted(&self) -> bool {
        self.wish == Wish::Halt && self.mode_seen && self.taken_over.is_none()
    }

    pub(super) fn returning(&self) -> bool {
        self.wish == Wish::Return && self.mode_seen && self.taken_over.is_none()
    }

    pub(super) fn answered(&mut self, now_s: f64, command: MavCmd, result: MavResult) {
        if let Some(request) = &mut self.request
            && request.command().command == command
        {
            request.answered(now_s, result);
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
            Wish::Halt | Wish::Release => Mode::HOLD,
        };
        if self.taken_over.is_some() {
            let back = seen.armed && (seen.mode == Mode::GUIDED || seen.mode == wanted_mode);
            if !back {
                return None;
            }
            self.taken_over = None;
            self.armed_seen = true;
            events.push(HelmEvent::GivenBack);
        }
        let by = if self.mode_seen && seen.mode != wanted_mode {
            Some(Takeover::Mode(seen.mode))
        } else if self.armed_seen && !seen.armed && self.wish == Wish::Guided {
            Some(Takeover::Disarmed)
        } else {
            None
        };
        if let Some(by) = by {
            self.taken_over = Some(by);
            self.mode_seen = false;
            self.request = None;
            events.push(HelmEvent::TakenOver { by });
            return None;
        }
        self.mode_seen |= seen.mode == wanted_mode;
        self.armed_seen |= seen.armed;

        let wanted = if seen.mode != wanted_mode {
            Some(Command::mode(wanted_mode))
        } else {
            match self.wish {
                Wish::Guided if !seen.armed => Some(Command::arm(true)),
                Wish::Release if seen.armed => Some(Command::arm(false)),
                _ => None,
            }
        };
        let Some(command) = wanted else {
            self.fulfilled(events);
            return None;
        };
        if self.request.as_ref().map(Request::command) != Some(command) {
            self.request = Some(Request::new(command));
        }
        match self.request.as_mut()?.poll(now_s, retry_s) {
            Due::Nothing => None,
            Due::Send(command, repeats) => Some((command, repeats)),
            Due::Tell(attempt, reason) => {
                events.push(if command.command == MavCmd::MAV_CMD_DO_SET_MODE {
                    let mode = wanted_mode;
                    HelmEvent::ModeRefused { mode, reason }
                } else if self.wish == Wish::Release {
                    HelmEvent::DisarmingRefused { reason }
                } else {
                    HelmEvent::ArmingRefused { attempt, reason }
                });
                None
            }
        }
    }

    /// The vehicle is as wished.
    fn fulfilled(&mut self, events: &mut Vec<HelmEvent>) {
        self.request = None;
        match self.wish {
            Wish::Guided if !self.in_command => {
                self.in_command = true;
                events.push(HelmEvent::InCommand);
            }
            Wish::Release => *self = Self::default(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Captaincy, Command, HelmEvent, Mode, Seen, Takeover, Wish};

    /// What is sent and told for each thing that is seen, a second apart.
    fn history(
        captaincy: &mut Captaincy,
        seen: &[(Mode, bool)],
    ) -> Vec<(Option<Command>, Vec<HelmEvent>)> {
        let each = |(second, &(mode, armed)): (usize, &(Mode, bool))| {
            let mut events = Vec::new();
            let due = captaincy.poll(second as f64, 5.0, Seen { mode, armed }, &mut events);
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
    fn a_boat_that_was_left_armed_and_guided_is_taken_as_it_is() {
        let mut captaincy = Captaincy::default();
        captaincy.wish(Wish::Guided);
        let told = history(&mut captaincy, &[(Mode::GUIDED, true)]);
        assert_eq!(told, [(None, vec![HelmEvent::InCommand])]);
    }
}

//! One thing asked of the autopilot until it is so: a mode, or arming.
//!
//! The reason of a refusal comes as text, before or after the refusal itself; both are waited for and told
//! together.

use mavlink::dialects::ardupilotmega::MavResult;

use super::command::{Command, words};

/// Reasons may follow a refusal within this time, s.
const REASONS_FOLLOW_S: f64 = 1.0;
/// No more reasons than this are told.
const MOST_REASONS: usize = 8;

/// Something asked for again and again.
#[derive(Debug)]
pub(super) struct Request {
    command: Command,
    attempts: u32,
    asked_s: f64,
    answer: Option<(f64, MavResult)>,
    reasons: Vec<String>,
    told: bool,
}

/// What a request wants done now.
#[derive(Debug, PartialEq)]
pub(super) enum Due {
    /// Nothing.
    Nothing,
    /// Send the command; it was sent so often before.
    Send(Command, u8),
    /// Tell that it was refused: the attempt and the reason.
    Tell(u32, String),
}

impl Request {
    pub(super) fn new(command: Command) -> Self {
        Self {
            command,
            attempts: 0,
            asked_s: 0.0,
            answer: None,
            reasons: Vec::new(),
            told: false,
        }
    }

    pub(super) fn command(&self) -> Command {
        self.command
    }

    pub(super) fn answered(&mut self, now_s: f64, result: MavResult) {
        if self.attempts > 0 && result != MavResult::MAV_RESULT_IN_PROGRESS {
            self.answer = Some((now_s, result));
        }
    }

    pub(super) fn heard(&mut self, text: &str) {
        let new = !self.reasons.iter().any(|reason| reason == text);
        if self.attempts > 0 && new && self.reasons.len() < MOST_REASONS {
            self.reasons.push(text.to_owned());
        }
    }

    pub(super) fn poll(&mut self, now_s: f64, retry_s: f64) -> Due {
        let refused = match self.answer {
            Some((_, MavResult::MAV_RESULT_ACCEPTED)) => None,
            Some((at_s, result)) if now_s - at_s >= REASONS_FOLLOW_S => Some(words(result)),
            _ => None,
        };
        if let Some(result) = refused
            && !self.told
        {
            self.told = true;
            return Due::Tell(self.attempts, self.reason(result));
        }
        if self.attempts > 0 && now_s - self.asked_s < retry_s {
            return Due::Nothing;
        }
        if self.attempts > 0 && !self.told {
            self.told = true;
            let result = self.answer.map_or("no answer", |(_, result)| words(result));
            return Due::Tell(self.attempts, self.reason(result));
        }
        let repeats = u8::try_from(self.attempts).unwrap_or(u8::MAX);
        self.attempts += 1;
        self.asked_s = now_s;
        self.answer = None;
        self.reasons.clear();
        self.told = false;
        Due::Send(self.command, repeats)
    }

    fn reason(&self, result: &str) -> String {
        match self.reasons.is_empty() {
            true => result.to_owned(),
            false => format!("{result}: {}", self.reasons.join("; ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Due, Request};
    use crate::autopilot::command::Command;
    use mavlink::dialects::ardupilotmega::MavResult;

    #[test]
    fn a_refusal_is_told_with_the_reasons_around_it_and_asked_again() {
        let arm = Command::arm(true);
        let mut request = Request::new(arm);
        assert_eq!(request.poll(10.0, 5.0), Due::Send(arm, 0));
        request.heard("Arm: GPS not ready");
        request.answered(10.2, MavResult::MAV_RESULT_FAILED);
        request.heard("Arm: no rangefinder data");
        assert_eq!(request.poll(10.5, 5.0), Due::Nothing);
        let said = "failed: Arm: GPS not ready; Arm: no rangefinder data".to_owned();
        assert_eq!(request.poll(11.2, 5.0), Due::Tell(1, said));
        assert_eq!(request.poll(14.9, 5.0), Due::Nothing);
        assert_eq!(request.poll(15.0, 5.0), Due::Send(arm, 1));
    }

    #[test]
    fn silence_is_told_too() {
        let mut request = Request::new(Command::arm(true));
        request.poll(0.0, 5.0);
        assert_eq!(request.poll(5.0, 5.0), Due::Tell(1, "no answer".to_owned()));
    }
}

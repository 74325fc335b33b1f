//! Asks the autopilot for the messages that a mission needs, at the rates it needs.

use mavlink::MessageData;
use mavlink::dialects::ardupilotmega::{
    BATTERY_STATUS_DATA, DISTANCE_SENSOR_DATA, EKF_STATUS_REPORT_DATA, GLOBAL_POSITION_INT_DATA,
    GPS_RAW_INT_DATA, HOME_POSITION_DATA, MavCmd, POSITION_TARGET_GLOBAL_INT_DATA, SYS_STATUS_DATA,
    WATER_DEPTH_DATA,
};

use super::command::Command;

/// Message ids with their intervals, s. Fixes come five times a second, so that a sounding's place between two of them is good to
/// centimetres.
const WANTED: [(u32, f64); 9] = [
    (GLOBAL_POSITION_INT_DATA::ID, 0.2),
    (GPS_RAW_INT_DATA::ID, 1.0),
    (EKF_STATUS_REPORT_DATA::ID, 1.0),
    (SYS_STATUS_DATA::ID, 1.0),
    (BATTERY_STATUS_DATA::ID, 2.0),
    (POSITION_TARGET_GLOBAL_INT_DATA::ID, 1.0),
    (HOME_POSITION_DATA::ID, 5.0),
    (WATER_DEPTH_DATA::ID, 0.5),
    (DISTANCE_SENSOR_DATA::ID, 0.5),
];
/// How long an answer may take, s.
const ANSWER_S: f64 = 1.0;
/// Requests for one message before the next one is asked for.
const TRIES: u32 = 3;

/// Asks for one message at a time: all answers look the same.
#[derive(Debug, Default)]
pub(super) struct Streams {
    next: usize,
    tries: u32,
    asked_s: Option<f64>,
}

impl Streams {
    /// Asks for everything again.
    pub(super) fn restart(&mut self) {
        *self = Self::default();
    }

    /// The autopilot answered, whatever it answered: a message it does not know is not asked for again.
    pub(super) fn answered(&mut self) {
        if self.asked_s.take().is_some() {
            self.next += 1;
            self.tries = 0;
        }
    }

    /// The request that is due, if any.
    pub(super) fn poll(&mut self, now_s: f64) -> Option<Command> {
        if self.asked_s.is_some_and(|at_s| now_s - at_s < ANSWER_S) {
            return None;
        }
        if self.tries == TRIES {
            self.next += 1;
            self.tries = 0;
        }
        let &(id, interval_s) = WANTED.get(self.next)?;
        self.tries += 1;
        self.asked_s = Some(now_s);
        Some(Command {
            command: MavCmd::MAV_CMD_SET_MESSAGE_INTERVAL,
            param1: id as f32,
            param2: (interval_s * 1e6) as f32,
            param3: 0.0,
        })
    }
}

//! Commands, and what an autopilot answers to them.

use mavlink::dialects::ardupilotmega::{
    COMMAND_LONG_DATA, MavCmd, MavMessage, MavModeFlag, MavResult,
};

use super::Mode;

/// A command with its first three parameters; the others are zero in all of ours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Command {
    pub(super) command: MavCmd,
    pub(super) param1: f32,
    pub(super) param2: f32,
    pub(super) param3: f32,
}

/// SPEED_TYPE_GROUNDSPEED.
const OVER_GROUND: f32 = 1.0;
/// The throttle of a change of speed stays as it is.
const SAME_THROTTLE: f32 = -1.0;

impl Command {
    pub(super) fn mode(mode: Mode) -> Self {
        Self {
            command: MavCmd::MAV_CMD_DO_SET_MODE,
            param1: f32::from(MavModeFlag::MAV_MODE_FLAG_CUSTOM_MODE_ENABLED.bits()),
            param2: mode.0 as f32,
            param3: 0.0,
        }
    }

    pub(super) fn arm(armed: bool) -> Self {
        Self {
            command: MavCmd::MAV_CMD_COMPONENT_ARM_DISARM,
            param1: if armed { 1.0 } else { 0.0 },
            param2: 0.0,
            param3: 0.0,
        }
    }

    pub(super) fn speed(speed_mps: f64) -> Self {
        Self {
            command: MavCmd::MAV_CMD_DO_CHANGE_SPEED,
            param1: OVER_GROUND,
            param2: speed_mps as f32,
            param3: SAME_THROTTLE,
        }
    }

    pub(super) fn message(
        self,
        target_system: u8,
        target_component: u8,
        repeats: u8,
    ) -> MavMessage {
        MavMessage::COMMAND_LONG(COMMAND_LONG_DATA {
            param1: self.param1,
            param2: self.param2,
            param3: self.param3,
            command: self.command,
            target_system,
            target_component,
            confirmation: repeats,
            ..COMMAND_LONG_DATA::DEFAULT
        })
    }
}

/// An answer in words.
pub(super) fn words(result: MavResult) -> &'static str {
    match result {
        MavResult::MAV_RESULT_ACCEPTED => "accepted",
        MavResult::MAV_RESULT_TEMPORARILY_REJECTED => "not now",
        MavResult::MAV_RESULT_DENIED => "denied",
        MavResult::MAV_RESULT_UNSUPPORTED => "not supported",
        MavResult::MAV_RESULT_FAILED => "failed",
        MavResult::MAV_RESULT_IN_PROGRESS => "in progress",
        MavResult::MAV_RESULT_CANCELLED => "cancelled",
        MavResult::MAV_RESULT_NOT_IN_CONTROL => "another station is in control",
        _ => "not in this form",
    }
}

//! What happened to the vehicle.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Mode, PositionTrouble, Takeover};
use crate::{Fix, GeoPosition};

/// What happened. Its `Display` is the sentence for the operator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum HelmEvent {
    /// A vehicle was heard for the first time.
    Connected {
        /// Its system id.
        system_id: u8,
    },
    /// Nothing was heard for too long.
    LinkLost {
        /// Silence so far, s.
        silent_s: f64,
    },
    /// The vehicle is heard again.
    LinkRegained {
        /// How long it was silent, s.
        silent_s: f64,
    },
    /// Someone else speaks on this line; it is not listened to. Told once for each.
    StrangerIgnored {
        /// The stranger's system id.
        system_id: u8,
        /// The vehicle's.
        vehicle_id: u8,
    },
    /// A position report. Not necessarily a healthy one: see [`HelmEvent::PositionLost`].
    Fix(Fix),
    /// The position cannot be trusted.
    PositionLost {
        /// Why.
        trouble: PositionTrouble,
    },
    /// The position can be trusted (again).
    PositionGood,
    /// The mode changed, by whomever.
    ModeChanged {
        /// The new one.
        mode: Mode,
    },
    /// The autopilot would not change its mode.
    ModeRefused {
        /// The mode asked for.
        mode: Mode,
        /// Its answer and what it said.
        reason: String,
    },
    /// It is armed.
    Armed,
    /// It is disarmed.
    Disarmed,
    /// The autopilot would not arm. It will be asked again.
    ArmingRefused {
        /// How often it was asked.
        attempt: u32,
        /// Its answer and what it said.
        reason: String,
    },
    /// The autopilot would not disarm. It will be asked again.
    DisarmingRefused {
        /// Its answer and what it said.
        reason: String,
    },
    /// Guided and armed: places are accepted from now on.
    InCommand,
    /// Somebody or something else took over. Nothing is sent until guided mode comes back.
    TakenOver {
        /// What it was seen by.
        by: Takeover,
    },
    /// Guided mode came back; the mission goes on.
    GivenBack,
    /// A place was sent.
    TargetSent {
        /// The place.
        target: GeoPosition,
        /// 1 for the first time; more when the autopilot had not taken it up.
        attempt: u32,
    },
    /// Within the goal radius of the place it was sent to. Told once for each.
    Arrived {
        /// The place.
        target: GeoPosition,
    },
    /// The autopilot counts places as reached further away than we do, and stops there; told once.
    StopsShort {
        /// How far from its place it stopped, m.
        radius_m: f64,
    },
    /// The autopilot would not take a speed; told once.
    SpeedRefused {
        /// The speed, m/s.
        speed_mps: f64,
        /// Its answer.
        reason: String,
    },
    /// The autopilot started again: its clock went back.
    Rebooted,
    /// The autopilot said something.
    Said {
        /// 0 emergency, 1 alert, 2 critical, 3 error, 4 warning, 5 notice, 6 information, 7 debug.
        severity: u8,
        /// Its words.
        text: String,
    },
}

impl fmt::Display for HelmEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connected { system_id } => write!(f, "vehicle {system_id} is there"),
            Self::LinkLost { silent_s } => {
                write!(f, "link lost: nothing heard for {silent_s:.0} s")
            }
            Self::LinkRegained { silent_s } => write!(f, "link is back after {silent_s:.0} s"),
            Self::StrangerIgnored {
                system_id,
                vehicle_id,
            } => write!(
                f,
                "messages of system {system_id} are ignored: the vehicle is system {vehicle_id}"
            ),
            Self::Fix(fix) => write!(f, "at {}", fix.position),
            Self::PositionLost { trouble } => write!(f, "position not usable: {trouble}"),
            Self::PositionGood => write!(f, "position is good"),
            Self::ModeChanged { mode } => write!(f, "mode is {mode}"),
            Self::ModeRefused { mode, reason } => write!(f, "mode {mode} refused: {reason}"),
            Self::Armed => write!(f, "armed"),
            Self::Disarmed => write!(f, "disarmed"),
            Self::ArmingRefused { attempt, reason } => {
                write!(f, "arming refused (attempt {attempt}): {reason}")
            }
            Self::DisarmingRefused { reason } => write!(f, "disarming refused: {reason}"),
            Self::InCommand => write!(f, "in command: guided and armed"),
            Self::TakenOver { by } => write!(f, "paused: {by}; guided and armed goes on"),
            Self::GivenBack => write!(f, "guided again: going on"),
            Self::TargetSent { target, attempt: 1 } => write!(f, "sent to {target}"),
            Self::TargetSent { target, attempt } => {
                write!(
                    f,
                    "sent to {target} again (attempt {attempt}): it was not taken up"
                )
            }
            Self::Arrived { target } => write!(f, "arrived at {target}"),
            Self::StopsShort { radius_m } => write!(
                f,
                "the autopilot stops {radius_m:.1} m before its places, and that will do: its own radius (WP_RADIUS) is larger \
                 than vehicle.goal_radius_m"
            ),
            Self::SpeedRefused { speed_mps, reason } => write!(
                f,
                "the autopilot does not take a speed of {speed_mps} m/s from here ({reason}): set it there (WP_SPEED)"
            ),
            Self::Rebooted => write!(f, "the autopilot started again"),
            Self::Said { text, .. } => write!(f, "autopilot: {text}"),
        }
    }
}

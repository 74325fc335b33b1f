//! How things stand with the vehicle.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Fix, GeoPosition};

/// How things stand, as of the last poll.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HelmState {
    /// What can be asked of it now.
    pub phase: Phase,
    /// The vehicle's system id, once heard.
    pub system_id: Option<u8>,
    /// How its link stands, in words.
    pub link: String,
    /// Seconds since it was last heard.
    pub link_age_s: Option<f64>,
    /// The last position report, trusted or not.
    pub fix: Option<Fix>,
    /// Why the position cannot be trusted; `None` when it can.
    pub position_trouble: Option<PositionTrouble>,
    /// The mode it is in.
    pub mode: Option<Mode>,
    /// Its motors may turn.
    pub armed: bool,
    /// What is left of the battery, 0 to 100; some boards do not know.
    pub battery_percent: Option<u8>,
    /// The autopilot's own home.
    pub home: Option<GeoPosition>,
    /// Where it was sent.
    pub target: Option<GeoPosition>,
    /// How far that is from the last position report, m.
    pub target_distance_m: Option<f64>,
    /// Places count as reached within this distance, m: ours, or the autopilot's own if that was larger at the last arrival.
    pub goal_radius_m: f64,
    /// How far a [`Helm::release`](super::Helm::release) has come; none when it was not asked for.
    pub farewell: Option<Farewell>,
}

/// How a vehicle is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Parting {
    /// Stopped, then disarmed: wind and current may take it.
    #[default]
    Disarm,
    /// In hold mode, armed: motors off, wind and current may take it, and its operator can drive at once.
    Hold,
    /// In loiter mode, armed: keeps its place with its motors. One that cannot is left in hold mode.
    Loiter,
}

/// How far leaving a vehicle has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Farewell {
    /// It was told, and has not confirmed yet.
    Underway,
    /// It is as it was told to be; or it was never ours, and nothing needed to be told.
    Done,
    /// Somebody else has it: it was not told anything.
    Declined,
}

/// What can be asked of the vehicle now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "phase", rename_all = "kebab-case")]
pub enum Phase {
    /// Never heard, or not for too long.
    #[default]
    NoLink,
    /// Somebody else has the command; nothing is sent.
    Paused {
        /// What it was seen by.
        by: Takeover,
    },
    /// Heard, but its position cannot be trusted.
    NoPosition {
        /// Why.
        trouble: PositionTrouble,
    },
    /// Heard, with a good position; [`Helm::engage`](super::Helm::engage) was not called.
    Standby,
    /// Guided mode or arming is being asked for.
    Engaging,
    /// Guided and armed: goes where it is sent.
    Ready,
    /// Returning by its own means.
    Returning,
}

/// Why a position cannot be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PositionTrouble {
    /// No position report yet, or only 0/0.
    None,
    /// The receiver has no three-dimensional fix.
    NoFix,
    /// The autopilot's estimator has no absolute position, or says that the receiver errs.
    Estimator,
    /// The last report is too old.
    Stale,
    /// Neither receiver nor estimator has said how it is, or not for a while.
    NoWord,
    /// Reports repeat one place while the boat moves, or should.
    Frozen,
    /// The place changed faster than a boat can.
    Jumped,
}

impl fmt::Display for PositionTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "no position reported yet",
            Self::NoFix => "the GPS has no 3D fix",
            Self::Estimator => "the autopilot's estimator has no absolute position",
            Self::Stale => "the vehicle has not reported its position lately",
            Self::NoWord => "the autopilot does not say whether it has a fix",
            Self::Frozen => "the position is frozen while the boat should move",
            Self::Jumped => "the position jumped",
        })
    }
}

/// What a takeover was seen by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Takeover {
    /// The vehicle left the mode we asked for: the operator's radio, or a failsafe.
    Mode(Mode),
    /// It was disarmed.
    Disarmed,
}

impl fmt::Display for Takeover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mode(mode) => write!(f, "the operator or a failsafe chose {mode}"),
            Self::Disarmed => write!(f, "the vehicle was disarmed"),
        }
    }
}

/// A mode of ArduPilot's rovers and boats, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Mode(pub u32);

impl Mode {
    /// The operator drives.
    pub const MANUAL: Self = Self(0);
    /// Stopped.
    pub const HOLD: Self = Self(4);
    /// Keeps its place, motors running.
    pub const LOITER: Self = Self(5);
    /// Returns to its home.
    pub const RTL: Self = Self(11);
    /// Goes where it is sent.
    pub const GUIDED: Self = Self(15);
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.0 {
            0 => "MANUAL",
            1 => "ACRO",
            3 => "STEERING",
            4 => "HOLD",
            5 => "LOITER",
            6 => "FOLLOW",
            7 => "SIMPLE",
            8 => "DOCK",
            9 => "CIRCLE",
            10 => "AUTO",
            11 => "RTL",
            12 => "SMART_RTL",
            15 => "GUIDED",
            16 => "INITIALISING",
            other => return write!(f, "mode {other}"),
        };
        f.write_str(name)
    }
}

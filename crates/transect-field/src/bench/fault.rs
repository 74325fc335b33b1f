//! What can go wrong, as data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::autopilot::Mode;

/// Something that goes wrong for a while.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// From when, s on the boat's clock.
    pub at_s: f64,
    /// For how long, s; without it, for good.
    #[serde(default)]
    pub for_s: Option<f64>,
    /// What.
    pub kind: FaultKind,
}

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// Nothing passes between the program and the autopilot.
    LinkLost,
    /// The receiver loses its fix; the boat stops.
    NoGpsFix,
    /// Reported positions lie this far north of the true ones, m.
    PositionJump(f64),
    /// Reported positions stay what they were, while the boat says that it moves.
    GpsFrozen,
    /// The sonar does not answer.
    SonarSilent,
    /// The sonar repeats its last distance.
    SonarStuck,
    /// Every third distance is wrong, anywhere from 0 to 50 m.
    SonarSpikes,
    /// The sonar is not sure at all.
    SonarUnsure,
    /// Random bytes between the messages, on every port.
    Garbage,
    /// Another vehicle, with this system id, speaks on the same line.
    SecondSystem(u8),
    /// The autopilot's clock goes back by this much, s.
    ClockBack(f64),
    /// The autopilot does not arm.
    ArmingRefused,
    /// The operator chooses this mode; afterwards guided again.
    OperatorMode(Mode),
}

impl Fault {
    /// It is in force at `now_s`.
    pub fn active(&self, now_s: f64) -> bool {
        now_s >= self.at_s && self.for_s.is_none_or(|for_s| now_s < self.at_s + for_s)
    }
}

/// What is wrong now.
#[derive(Debug, Clone, Default)]
pub(super) struct Trouble(Vec<FaultKind>);

impl Trouble {
    pub(super) fn now(faults: &[Fault], now_s: f64) -> Self {
        let active = faults.iter().filter(|fault| fault.active(now_s));
        Self(active.map(|fault| fault.kind).collect())
    }

    pub(super) fn has(&self, kind: FaultKind) -> bool {
        self.0.contains(&kind)
    }

    /// The first that `pick` recognises.
    pub(super) fn find<T>(&self, pick: impl Fn(FaultKind) -> Option<T>) -> Option<T> {
        self.0.iter().find_map(|&kind| pick(kind))
    }
}

//! How a skipper acts when things do not go to plan.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transect::fence::Reserve;

use crate::FieldError;
use crate::autopilot::Parting;

/// What to do for want of a better plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Want {
    /// Survey on parallel lines.
    Lawnmower,
    /// Stay in place.
    Hold,
}

/// What to do while the sonar is silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Silence {
    /// Stay in place until it speaks again.
    Hold,
    /// Go on; the readings on the way are missing.
    Continue,
}

/// The `[fallback]` table: how a skipper acts when things do not go to plan.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FallbackSettings {
    /// When the planner is late, fails, or wants what is not allowed.
    pub without_plan: Want,
    /// Time that planning may take before that, s.
    pub plan_within_s: f64,
    /// Distance between the lines of the fallback survey, m.
    pub line_spacing_m: f64,
    /// When the sonar is silent.
    pub without_sonar: Silence,
    /// The sonar is silent after this time, s.
    pub sonar_silent_s: f64,
    /// A leg on which the vehicle comes no closer for this time is given up, s.
    pub stuck_after_s: f64,
    /// A link that is silent for this time is gone for good, s.
    pub link_gone_s: f64,
    /// A vehicle that was taken over for this time is left to whoever has it, s.
    pub taken_over_s: f64,
    /// A vehicle that is not ready after this time will not be, s.
    pub ready_within_s: f64,
}

impl Default for FallbackSettings {
    fn default() -> Self {
        Self {
            without_plan: Want::Lawnmower,
            plan_within_s: 5.0,
            line_spacing_m: 5.0,
            without_sonar: Silence::Continue,
            sonar_silent_s: 5.0,
            stuck_after_s: 60.0,
            link_gone_s: 300.0,
            taken_over_s: 3600.0,
            ready_within_s: 300.0,
        }
    }
}

impl FallbackSettings {
    /// Refuses times and lengths that are not positive.
    pub fn validate(&self) -> Result<(), FieldError> {
        for (name, value) in [
            ("fallback.plan_within_s", self.plan_within_s),
            ("fallback.line_spacing_m", self.line_spacing_m),
            ("fallback.sonar_silent_s", self.sonar_silent_s),
            ("fallback.stuck_after_s", self.stuck_after_s),
            ("fallback.link_gone_s", self.link_gone_s),
            ("fallback.taken_over_s", self.taken_over_s),
            ("fallback.ready_within_s", self.ready_within_s),
        ] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(FieldError::Setting {
                    name,
                    value,
                    expected: "a positive, finite number is needed",
                });
            }
        }
        Ok(())
    }
}

/// What a skipper is told about the vehicle and its limits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// What the mission may spend, the way home included.
    pub budget: transect::budget::Budget,
    /// What must be left at home.
    pub reserve: Reserve,
    /// The vehicle's speed, m/s.
    pub speed_mps: f64,
    /// What a metre takes from the battery until it has been measured, %.
    pub battery_percent_per_m: Option<f64>,
    /// Readings that the mission wants, Hz; more often ones are left out.
    pub sampling_rate_hz: f64,
    /// How the vehicle is left at home.
    pub at_home: Parting,
}

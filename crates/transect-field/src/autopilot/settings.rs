//! How a vehicle is reached and judged.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::FieldError;
use crate::link::LinkAddress;

/// How a vehicle is reached and judged. The `[vehicle]` table of a field document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AutopilotSettings {
    /// Where its MAVLink is.
    pub link: LinkAddress,
    /// The vehicle's system id; 0 takes the first autopilot that is heard.
    pub system_id: u8,
    /// The system id that this program speaks with. An autopilot that shall notice when this program falls silent must know it as
    /// its ground station: ArduPilot calls that `SYSID_MYGCS`, mostly 255.
    pub own_system_id: u8,
    /// A place is reached within this distance, m.
    pub goal_radius_m: f64,
    /// The link counts as lost after this silence, s.
    pub link_timeout_s: f64,
    /// A position report is too old after this time, s.
    pub position_timeout_s: f64,
    /// A position that moves faster than this has jumped, m/s.
    pub max_speed_mps: f64,
    /// Time between two requests for arming or a mode, s.
    pub retry_s: f64,
}

impl Default for AutopilotSettings {
    fn default() -> Self {
        Self {
            link: LinkAddress::UdpIn("0.0.0.0:14550".to_owned()),
            system_id: 0,
            own_system_id: 245,
            goal_radius_m: 2.0,
            link_timeout_s: 5.0,
            position_timeout_s: 3.0,
            max_speed_mps: 10.0,
            retry_s: 5.0,
        }
    }
}

impl AutopilotSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// Names the first setting that is out of range.
    pub fn validate(&self) -> Result<(), FieldError> {
        for (name, value) in [
            ("vehicle.goal_radius_m", self.goal_radius_m),
            ("vehicle.link_timeout_s", self.link_timeout_s),
            ("vehicle.position_timeout_s", self.position_timeout_s),
            ("vehicle.max_speed_mps", self.max_speed_mps),
            ("vehicle.retry_s", self.retry_s),
        ] {
            if !(value > 0.0 && value.is_finite()) {
                let expected = "must be above zero";
                return Err(FieldError::Setting {
                    name,
                    value,
                    expected,
                });
            }
        }
        let own = self.own_system_id;
        if own == 0 || own == self.system_id {
            return Err(FieldError::Setting {
                name: "vehicle.own_system_id",
                value: own.into(),
                expected: "must be from 1 to 255 and not the vehicle's",
            });
        }
        Ok(())
    }
}

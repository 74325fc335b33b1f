//! Rates and limits of a simulated boat.

use serde::{Deserialize, Serialize};

use super::SamplingClock;
use crate::Error;
use crate::settings::SettingError;
use crate::travel::CORNER_TOLERANCE_M;

/// Rates and limits of a [`Boat`](super::Boat). Checked when a boat is built.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct BoatSettings {
    /// Control steps per second, Hz. At least 0.1.
    pub control_rate_hz: f64,
    /// Readings per second, Hz. At most the control rate.
    pub sampling_rate_hz: f64,
    /// How the readings are timed.
    pub sampling_clock: SamplingClock,
    /// Largest speed, m/s.
    pub max_speed_mps: f64,
    /// Largest turn rate, rad/s; `None` for no limit, written as "unlimited" in documents.
    #[serde(with = "number_or_unlimited")]
    #[cfg_attr(feature = "schema", schemars(with = "number_or_unlimited::Limit"))]
    pub max_turn_rate_radps: Option<f64>,
    /// Backs up when the goal is behind.
    pub allow_reverse: bool,
    /// A goal is reached within this distance, m.
    pub goal_tolerance_m: f64,
    /// Slows down for every goal of a path and turns there, as the paper's boat does; otherwise goals on the way are passed at
    /// full speed.
    pub stops_at_goals: bool,
    /// How far from a corner of its path a boat that does not stop may pass, m.
    pub corner_tolerance_m: f64,
    /// The current that a boat which does not stop drives in, m/s towards +x and +y.
    pub current_mps: [f64; 2],
}

impl Default for BoatSettings {
    /// A boat that does not back up, turns at no more than 1 rad/s and samples once a second exactly.
    fn default() -> Self {
        Self {
            sampling_clock: SamplingClock::Exact,
            max_turn_rate_radps: Some(1.0),
            allow_reverse: false,
            stops_at_goals: false,
            ..Self::paper()
        }
    }
}

impl BoatSettings {
    /// The boat of the paper's program.
    pub fn paper() -> Self {
        Self {
            control_rate_hz: 10.0,
            sampling_rate_hz: 1.0,
            sampling_clock: SamplingClock::Paper,
            max_speed_mps: 1.0,
            max_turn_rate_radps: None,
            allow_reverse: true,
            goal_tolerance_m: 0.1,
            stops_at_goals: true,
            corner_tolerance_m: CORNER_TOLERANCE_M,
            current_mps: [0.0; 2],
        }
    }

    /// Refuses settings that no boat can have.
    pub fn validate(&self) -> Result<(), Error> {
        let turn_rate = self.max_turn_rate_radps.unwrap_or(1.0);
        for (name, value) in [
            ("boat.control_rate_hz", self.control_rate_hz),
            ("boat.sampling_rate_hz", self.sampling_rate_hz),
            ("boat.max_speed_mps", self.max_speed_mps),
            ("boat.max_turn_rate_radps", turn_rate),
            ("boat.goal_tolerance_m", self.goal_tolerance_m),
        ] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(SettingError::OutOfRange {
                    name,
                    value,
                    accepted: "a positive, finite number is needed",
                }
                .into());
            }
        }
        if self.control_rate_hz < 0.1 {
            return Err(SettingError::OutOfRange {
                name: "boat.control_rate_hz",
                value: self.control_rate_hz,
                accepted: "at least 0.1 Hz is needed",
            }
            .into());
        }
        if self.sampling_rate_hz > self.control_rate_hz {
            return Err(SettingError::OutOfRange {
                name: "boat.sampling_rate_hz",
                value: self.sampling_rate_hz,
                accepted: "at most the control rate is possible",
            }
            .into());
        }
        Ok(())
    }
}

/// TOML has no null, and a missing key means the default: no limit needs a word of its own.
mod number_or_unlimited {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(untagged, expecting = "a number or \"unlimited\" is needed")]
    pub(super) enum Limit {
        Number(f64),
        Word(Word),
    }

    #[derive(Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "lowercase")]
    pub(super) enum Word {
        Unlimited,
    }

    pub(super) fn serialize<S: Serializer>(limit: &Option<f64>, to: S) -> Result<S::Ok, S::Error> {
        limit
            .map_or(Limit::Word(Word::Unlimited), Limit::Number)
            .serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
        Ok(match Limit::deserialize(from)? {
            Limit::Number(number) => Some(number),
            Limit::Word(Word::Unlimited) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_profiles_are_valid_and_survive_a_document() {
        for settings in [BoatSettings::paper(), BoatSettings::default()] {
            settings.validate().unwrap();
            let text = serde_json::to_string(&settings).unwrap();
            assert_eq!(
                serde_json::from_str::<BoatSettings>(&text).unwrap(),
                settings
            );
        }
    }

    #[test]
    fn a_missing_turn_rate_is_the_default_and_no_limit_is_a_word() {
        let read = |text: &str| serde_json::from_str::<BoatSettings>(text);
        assert_eq!(read("{}").unwrap(), BoatSettings::default());
        let unlimited = read(r#"{"max_turn_rate_radps": "unlimited"}"#).unwrap();
        assert_eq!(unlimited.max_turn_rate_radps, None);
        let error = read(r#"{"max_turn_rate_radps": "fast"}"#).unwrap_err();
        assert!(error.to_string().contains("unlimited"), "{error}");
    }

    #[test]
    fn refuses_impossible_settings_by_name() {
        let refused = |change: fn(&mut BoatSettings), name: &str| {
            let mut settings = BoatSettings::default();
            change(&mut settings);
            let message = settings.validate().unwrap_err().to_string();
            assert!(message.starts_with(name), "{message}");
        };
        refused(|s| s.max_speed_mps = 0.0, "boat.max_speed_mps");
        refused(|s| s.control_rate_hz = f64::NAN, "boat.control_rate_hz");
        refused(|s| s.sampling_rate_hz = 11.0, "boat.sampling_rate_hz");
        refused(
            |s| s.max_turn_rate_radps = Some(-1.0),
            "boat.max_turn_rate_radps",
        );
        refused(
            |s| s.goal_tolerance_m = f64::INFINITY,
            "boat.goal_tolerance_m",
        );
    }
}

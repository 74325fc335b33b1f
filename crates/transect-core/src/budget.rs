//! What a mission may spend.

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::settings::SettingError;

/// Limits on soundings, distance and time, in any combination. The mission ends when one is used up.
///
/// ```
/// use transect::budget::{Budget, Spent};
/// let budget = Budget { soundings: Some(700), distance_m: Some(500.0), time_s: None };
/// budget.validate()?;
/// let spent = Spent { soundings: 70, distance_m: 400.0, time_s: 1e6 };
/// assert!((budget.remaining_fraction(&spent) - 0.2).abs() < 1e-15);
/// assert!(!budget.exhausted(&spent));
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Budget {
    /// Largest number of soundings, those of the pilot survey included.
    #[cfg_attr(feature = "schema", schemars(example = 700))]
    pub soundings: Option<u64>,
    /// Longest track, m.
    #[cfg_attr(feature = "schema", schemars(example = 500.0))]
    pub distance_m: Option<f64>,
    /// Longest time under way, s.
    #[cfg_attr(feature = "schema", schemars(example = 3600.0))]
    pub time_s: Option<f64>,
}

/// What a mission has spent so far.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spent {
    /// Soundings taken.
    pub soundings: u64,
    /// Length of the track, m.
    pub distance_m: f64,
    /// Time under way, s.
    pub time_s: f64,
}

impl Budget {
    /// This many soundings, at whatever distance and time.
    pub fn of_soundings(soundings: u64) -> Self {
        Self {
            soundings: Some(soundings),
            ..Self::default()
        }
    }

    /// Refuses a budget without a limit, or with one that is not positive and finite.
    pub fn validate(&self) -> Result<(), Error> {
        let limits = [
            ("budget.soundings", self.soundings.map(|n| n as f64)),
            ("budget.distance_m", self.distance_m),
            ("budget.time_s", self.time_s),
        ];
        if limits.iter().all(|(_, limit)| limit.is_none()) {
            return Err(SettingError::UnlimitedBudget.into());
        }
        for (name, limit) in limits {
            match limit {
                Some(value) if !(value > 0.0 && value.is_finite()) => {
                    return Err(SettingError::OutOfRange {
                        name,
                        value,
                        accepted: "a positive, finite number is needed",
                    }
                    .into());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether a limit is reached.
    pub fn exhausted(&self, spent: &Spent) -> bool {
        // On the amounts, not on the fraction: the last metre must not be rounded away.
        self.soundings.is_some_and(|limit| spent.soundings >= limit)
            || self
                .distance_m
                .is_some_and(|limit| spent.distance_m >= limit)
            || self.time_s.is_some_and(|limit| spent.time_s >= limit)
    }

    /// Time that a vehicle of this speed, which takes a sounding every `period_s`, has left on the budget, s; infinite without limits.
    pub fn left_s(&self, spent: &Spent, speed_mps: f64, period_s: f64) -> f64 {
        let limits = [
            self.soundings
                .map(|limit| limit.saturating_sub(spent.soundings) as f64 * period_s),
            self.distance_m
                .map(|limit| (limit - spent.distance_m) / speed_mps),
            self.time_s.map(|limit| limit - spent.time_s),
        ];
        let least = limits.into_iter().flatten().fold(f64::INFINITY, f64::min);
        least.max(0.0)
    }

    /// The share that is left of the limit closest to its end, in [0, 1]; 1 without limits.
    pub fn remaining_fraction(&self, spent: &Spent) -> f64 {
        let used = [
            self.soundings
                .map(|limit| spent.soundings as f64 / limit as f64),
            self.distance_m.map(|limit| spent.distance_m / limit),
            self.time_s.map(|limit| spent.time_s / limit),
        ];
        let most_used = used.into_iter().flatten().fold(0.0, f64::max);
        (1.0 - most_used).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_limit_ends_the_mission() {
        let budget = Budget {
            soundings: Some(10),
            distance_m: Some(5.0),
            time_s: Some(60.0),
        };
        let half = Spent {
            soundings: 5,
            distance_m: 2.5,
            time_s: 30.0,
        };
        assert_eq!(budget.remaining_fraction(&half), 0.5);
        for over in [
            Spent {
                soundings: 10,
                ..half
            },
            Spent {
                distance_m: 5.5,
                ..half
            },
            Spent {
                time_s: 60.0,
                ..half
            },
        ] {
            assert!(budget.exhausted(&over));
            assert_eq!(budget.remaining_fraction(&over), 0.0);
        }
        assert!(!budget.exhausted(&half));
    }

    #[test]
    fn refuses_no_limit_and_nonsense() {
        assert_eq!(
            Budget::default().validate(),
            Err(Error::Setting(SettingError::UnlimitedBudget))
        );
        assert!(Budget::of_soundings(0).validate().is_err());
        assert!(Budget::of_soundings(700).validate().is_ok());
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let budget = Budget {
                time_s: Some(bad),
                ..Budget::of_soundings(1)
            };
            assert!(budget.validate().is_err(), "{bad}");
        }
    }
}

//! How far a vehicle gets on what is left.

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::budget::{Budget, Spent};
use crate::settings::SettingError;

/// What must be left at home.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Reserve {
    /// Added to the length of every way home: vehicles do not drive straight lines. A share, 0.2 for a fifth.
    pub detour: f64,
    /// Way to spare, m.
    pub distance_m: f64,
    /// Time to spare, s; what a lost link or a pause may cost.
    pub time_s: f64,
    /// Battery to spare, %.
    pub battery_percent: f64,
}

impl Default for Reserve {
    fn default() -> Self {
        Self {
            detour: 0.2,
            distance_m: 10.0,
            time_s: 90.0,
            battery_percent: 20.0,
        }
    }
}

impl Reserve {
    /// Refuses what is negative or not finite.
    pub fn validate(&self) -> Result<(), Error> {
        for (name, value) in [
            ("reserve.detour", self.detour),
            ("reserve.distance_m", self.distance_m),
            ("reserve.time_s", self.time_s),
            ("reserve.battery_percent", self.battery_percent),
        ] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(SettingError::OutOfRange {
                    name,
                    value,
                    accepted: "a finite number, 0 or more, is needed",
                }
                .into());
            }
        }
        Ok(())
    }
}

/// What ends first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The time.
    Time,
    /// The way.
    Distance,
    /// The battery.
    Battery,
}

/// A battery, and what the vehicle takes from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Battery {
    /// What is in it, %.
    pub percent: f64,
    /// What a metre takes, %.
    pub percent_per_m: f64,
}

/// How far a vehicle gets: the limits, what is spent of them, and at what rates.
///
/// ```
/// use transect::budget::{Budget, Spent};
/// use transect::fence::{Battery, Endurance, Limit, Reserve};
/// let endurance = Endurance {
///     budget: Budget { distance_m: Some(1000.0), time_s: Some(1000.0), soundings: None },
///     spent: Spent { soundings: 0, distance_m: 400.0, time_s: 500.0 },
///     speed_mps: 1.0,
///     battery: Some(Battery { percent: 60.0, percent_per_m: 0.2 }),
///     reserve: Reserve { detour: 0.0, distance_m: 50.0, time_s: 100.0, battery_percent: 20.0 },
/// };
/// // 550 m of distance, 400 s of time at 1 m/s, 40 % of battery at 0.2 % per metre:
/// assert_eq!(endurance.reach_m(), 200.0);
/// assert_eq!(endurance.limit(), Some(Limit::Battery));
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Endurance {
    /// The limits; soundings do not matter here.
    pub budget: Budget,
    /// What is spent of them.
    pub spent: Spent,
    /// Speed made good, m/s.
    pub speed_mps: f64,
    /// The battery, if the vehicle tells.
    pub battery: Option<Battery>,
    /// What must be left at home.
    pub reserve: Reserve,
}

impl Endurance {
    /// The longest way that can still be planned, m, reserves kept; infinite without limits.
    pub fn reach_m(&self) -> f64 {
        let least_m = self.shortest().map_or(f64::INFINITY, |(_, way_m)| way_m);
        (least_m / (1.0 + self.reserve.detour)).max(0.0)
    }

    /// What ends first; none without limits.
    pub fn limit(&self) -> Option<Limit> {
        self.shortest().map(|(limit, _)| limit)
    }

    /// The limit that ends first, and the way until then, m.
    fn shortest(&self) -> Option<(Limit, f64)> {
        let reserve = &self.reserve;
        let by_distance = self
            .budget
            .distance_m
            .map(|limit| limit - self.spent.distance_m - reserve.distance_m);
        let by_time = self
            .budget
            .time_s
            .map(|limit| (limit - self.spent.time_s - reserve.time_s) * self.speed_mps);
        let by_battery = self
            .battery
            .filter(|battery| battery.percent_per_m > 0.0)
            .map(|battery| (battery.percent - reserve.battery_percent) / battery.percent_per_m);
        let limits = [
            (Limit::Time, by_time),
            (Limit::Distance, by_distance),
            (Limit::Battery, by_battery),
        ];
        // What is not a number promises nothing.
        let way = |(limit, way_m): (Limit, Option<f64>)| {
            way_m.map(|m| (limit, if m.is_nan() { 0.0 } else { m }))
        };
        limits
            .into_iter()
            .filter_map(way)
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }
}

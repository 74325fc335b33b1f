//! Where the sonar is, what its distances mean, and what is believed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{FieldError, GeoPosition};

/// Where the sonar is, what its distances mean, and what is believed. The `[sounding]` table of a field document.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SoundingSettings {
    /// How deep the transducer's face is in the water, m.
    pub sonar_below_water_line_m: f64,
    /// From the GPS antenna forward to the transducer, m; negative for aft.
    pub transducer_forward_m: f64,
    /// From the GPS antenna to the transducer, to starboard, m; negative for port.
    pub transducer_starboard_m: f64,
    /// The speed of sound in this water, m/s.
    pub sound_speed_mps: f64,
    /// The speed of sound that the sonar reckons with, m/s.
    pub sonar_sound_speed_mps: f64,
    /// How high the water stands above the level that depths are counted from, m.
    pub water_level_m: f64,
    /// Readings that are less sure are not used, 0 to 1. Those of devices that do not say count as sure.
    pub min_confidence: f64,
    /// Shallower readings below the transducer are not used, m.
    pub min_range_m: f64,
    /// Deeper readings below the transducer are not used, m.
    pub max_range_m: f64,
    /// A reading that is farther than this from the median of the five before is not used, m.
    pub max_jump_m: f64,
    /// So many equal readings in a row while the boat moves come from a sonar that is stuck.
    pub stuck_after_readings: usize,
    /// The two fixes around a reading may be this far apart in time, s.
    pub max_fix_gap_s: f64,
}

impl Default for SoundingSettings {
    fn default() -> Self {
        Self {
            sonar_below_water_line_m: 0.0,
            transducer_forward_m: 0.0,
            transducer_starboard_m: 0.0,
            sound_speed_mps: 1500.0,
            sonar_sound_speed_mps: 1500.0,
            water_level_m: 0.0,
            min_confidence: 0.5,
            min_range_m: 0.3,
            max_range_m: 100.0,
            max_jump_m: 3.0,
            stuck_after_readings: 15,
            max_fix_gap_s: 2.5,
        }
    }
}

impl SoundingSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// Names the first setting that is out of range.
    pub fn validate(&self) -> Result<(), FieldError> {
        let finite = "must be a number of metres";
        let positive = "must be above zero";
        let speed = "must be from 1300 to 1700, the range of water";
        let sound = |speed_mps: f64| (1300.0..=1700.0).contains(&speed_mps);
        let above_zero = |value: f64| value > 0.0 && value.is_finite();
        let stuck = self.stuck_after_readings;
        let checks = [
            (
                "sounding.sonar_below_water_line_m",
                self.sonar_below_water_line_m,
                self.sonar_below_water_line_m >= 0.0 && self.sonar_below_water_line_m.is_finite(),
                "must not be below zero",
            ),
            (
                "sounding.transducer_forward_m",
                self.transducer_forward_m,
                self.transducer_forward_m.is_finite(),
                finite,
            ),
            (
                "sounding.transducer_starboard_m",
                self.transducer_starboard_m,
                self.transducer_starboard_m.is_finite(),
                finite,
            ),
            (
                "sounding.sound_speed_mps",
                self.sound_speed_mps,
                sound(self.sound_speed_mps),
                speed,
            ),
            (
                "sounding.sonar_sound_speed_mps",
                self.sonar_sound_speed_mps,
                sound(self.sonar_sound_speed_mps),
                speed,
            ),
            (
                "sounding.water_level_m",
                self.water_level_m,
                self.water_level_m.is_finite(),
                finite,
            ),
            (
                "sounding.min_confidence",
                self.min_confidence,
                (0.0..=1.0).contains(&self.min_confidence),
                "must be from 0 to 1",
            ),
            (
                "sounding.min_range_m",
                self.min_range_m,
                self.min_range_m >= 0.0 && self.min_range_m.is_finite(),
                "must not be below zero",
            ),
            (
                "sounding.max_range_m",
                self.max_range_m,
                self.max_range_m > self.min_range_m && self.max_range_m.is_finite(),
                "must be above min_range_m",
            ),
            (
                "sounding.max_jump_m",
                self.max_jump_m,
                above_zero(self.max_jump_m),
                positive,
            ),
            (
                "sounding.stuck_after_readings",
                stuck as f64,
                stuck >= 2,
                "must be at least 2",
            ),
            (
                "sounding.max_fix_gap_s",
                self.max_fix_gap_s,
                above_zero(self.max_fix_gap_s),
                positive,
            ),
        ];
        match checks.into_iter().find(|&(_, _, right, _)| !right) {
            None => Ok(()),
            Some((name, value, _, expected)) => Err(FieldError::Setting {
                name,
                value,
                expected,
            }),
        }
    }

    /// The true distance below the transducer of what the sonar says, m: `r c / c_sonar`.
    pub fn range_m(&self, said_m: f64) -> f64 {
        said_m * self.sound_speed_mps / self.sonar_sound_speed_mps
    }

    /// The depth below the reference level of what the sonar says, m: range + draught - water level.
    pub fn depth_m(&self, said_m: f64) -> f64 {
        self.range_m(said_m) + self.sonar_below_water_line_m - self.water_level_m
    }

    /// What the sonar says at a depth below the reference level: [`SoundingSettings::depth_m`] backwards.
    pub fn said_m(&self, depth_m: f64) -> f64 {
        let range_m = depth_m - self.sonar_below_water_line_m + self.water_level_m;
        range_m * self.sonar_sound_speed_mps / self.sound_speed_mps
    }

    /// Where the transducer is. `None` where that depends on a heading that is not known.
    ///
    /// With heading h clockwise from north: `north = f cos h - s sin h`, `east = f sin h + s cos h`.
    pub fn transducer_at(
        &self,
        antenna: GeoPosition,
        heading_deg: Option<f64>,
    ) -> Option<GeoPosition> {
        let (forward, starboard) = (self.transducer_forward_m, self.transducer_starboard_m);
        if forward == 0.0 && starboard == 0.0 {
            return Some(antenna);
        }
        let (sin, cos) = heading_deg?.to_radians().sin_cos();
        Some(antenna.moved(
            forward * cos - starboard * sin,
            forward * sin + starboard * cos,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::SoundingSettings;
    use crate::GeoPosition;

    #[test]
    fn offsets_turn_with_the_boat() {
        let settings = SoundingSettings {
            transducer_forward_m: 1.0,
            transducer_starboard_m: 0.5,
            ..SoundingSettings::default()
        };
        let here = GeoPosition::new(36.6, -84.2);
        // Heading, then metres north and east, by drawing.
        for (heading_deg, north_m, east_m) in
            [(0.0, 1.0, 0.5), (90.0, -0.5, 1.0), (180.0, -1.0, -0.5)]
        {
            let there = settings.transducer_at(here, Some(heading_deg)).unwrap();
            let (north, east) = here.offset_to(there);
            assert!(
                (north - north_m).abs() < 1e-6 && (east - east_m).abs() < 1e-6,
                "{heading_deg}"
            );
        }
        assert_eq!(settings.transducer_at(here, None), None);
    }

    #[test]
    fn depths_are_corrected_for_sound_draught_and_level() {
        let settings = SoundingSettings {
            sonar_below_water_line_m: 0.25,
            sound_speed_mps: 1450.0,
            sonar_sound_speed_mps: 1500.0,
            water_level_m: 1.0,
            ..SoundingSettings::default()
        };
        // 15 m at 1500 m/s is an echo after 20 ms; at 1450 m/s that is 14.5 m.
        assert!((settings.depth_m(15.0) - (14.5 + 0.25 - 1.0)).abs() < 1e-12);
        assert!((settings.said_m(13.75) - 15.0).abs() < 1e-12);
    }

    #[test]
    fn a_setting_out_of_range_is_named() {
        let settings = SoundingSettings {
            sound_speed_mps: 340.0,
            ..SoundingSettings::default()
        };
        let said = settings.validate().unwrap_err().to_string();
        assert!(
            said.contains("sounding.sound_speed_mps") && said.contains("340"),
            "{said}"
        );
    }
}

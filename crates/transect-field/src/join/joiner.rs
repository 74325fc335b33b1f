//! Takes fixes and readings as they come, gives soundings and rejections.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::filter::Filter;
use super::track::Track;
use super::{Rejection, SoundingSettings};
use crate::autopilot::PositionTrouble;
use crate::sonar::DepthReading;
use crate::{FieldError, Fix, GeoPosition};

/// Readings that may wait for the fix after them. Five minutes at twenty a second.
const MOST_WAITING: usize = 6000;

/// A reading with its place.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PlacedSounding {
    /// When it was taken, s on the caller's clock.
    pub time_s: f64,
    /// Where the transducer was.
    pub position: GeoPosition,
    /// Depth below the reference level, corrected, m.
    pub depth_m: f64,
    /// The reading as it came.
    pub reading: DepthReading,
}

/// What became of a reading.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "joined", rename_all = "kebab-case")]
pub enum Joined {
    /// It is a sounding.
    Sounding(PlacedSounding),
    /// It is not used.
    Rejected {
        /// The reading as it came.
        reading: DepthReading,
        /// Why.
        rejection: Rejection,
    },
}

/// Joins readings with fixes by their times.
///
/// ```
/// use transect_field::join::{Joined, Joiner, SoundingSettings};
/// use transect_field::sonar::{DepthReading, DepthSource};
/// use transect_field::{Fix, GeoPosition};
///
/// let mut joiner = Joiner::new(SoundingSettings::default())?;
/// let fix = |time_s, lat_deg| Fix {
///     time_s,
///     position: GeoPosition::new(lat_deg, -84.2),
///     heading_deg: None,
///     speed_mps: None,
/// };
/// joiner.fix(fix(1.0, 36.600000));
/// joiner.reading(DepthReading { time_s: 1.5, depth_m: 7.0, confidence: None, source: DepthSource::NmeaDpt });
/// assert!(joiner.poll(1.6).is_empty()); // its place is not known yet
/// joiner.fix(fix(2.0, 36.600010));
/// let Some(Joined::Sounding(sounding)) = joiner.poll(2.0).pop() else { panic!() };
/// assert!((sounding.position.lat_deg - 36.600005).abs() < 1e-9);
/// # Ok::<(), transect_field::FieldError>(())
/// ```
#[derive(Debug)]
pub struct Joiner {
    settings: SoundingSettings,
    track: Track,
    filter: Filter,
    waiting: VecDeque<DepthReading>,
    overflowed: Vec<DepthReading>,
}

impl Joiner {
    /// A joiner without fixes or readings.
    ///
    /// # Errors
    /// Names the first setting that is out of range.
    pub fn new(settings: SoundingSettings) -> Result<Self, FieldError> {
        settings.validate()?;
        Ok(Self {
            settings,
            track: Track::default(),
            filter: Filter::default(),
            waiting: VecDeque::new(),
            overflowed: Vec::new(),
        })
    }

    /// Takes a fix. One that is older than the last is dropped.
    pub fn fix(&mut self, fix: Fix) {
        self.track.push(fix);
    }

    /// Takes the word of the autopilot on its position: from `time_s` on it has this trouble, or none.
    pub fn trust(&mut self, time_s: f64, trouble: Option<PositionTrouble>) {
        self.track.trust(time_s, trouble);
    }

    /// Takes a reading.
    pub fn reading(&mut self, reading: DepthReading) {
        self.waiting.push_back(reading);
        if self.waiting.len() > MOST_WAITING {
            self.overflowed.extend(self.waiting.pop_front());
        }
    }

    /// What became of the readings whose time has come, in their order.
    pub fn poll(&mut self, now_s: f64) -> Vec<Joined> {
        let mut joined: Vec<Joined> = std::mem::take(&mut self.overflowed)
            .into_iter()
            .map(|reading| Joined::Rejected {
                reading,
                rejection: Rejection::NoFix,
            })
            .collect();
        while let Some(&reading) = self.waiting.front() {
            let too_late = now_s - reading.time_s > self.settings.max_fix_gap_s;
            if !self.track.reaches(reading.time_s) && !too_late {
                break;
            }
            self.waiting.pop_front();
            joined.push(match self.place(&reading) {
                Ok(sounding) => Joined::Sounding(sounding),
                Err(rejection) => Joined::Rejected { reading, rejection },
            });
        }
        joined
    }

    fn place(&mut self, reading: &DepthReading) -> Result<PlacedSounding, Rejection> {
        let settings = &self.settings;
        self.filter.check(reading, settings)?;
        let place = self.track.at(reading.time_s, settings.max_fix_gap_s)?;
        let position = settings
            .transducer_at(place.antenna, place.heading_deg)
            .ok_or(Rejection::Heading)?;
        self.filter.check_run(reading, position, settings)?;
        Ok(PlacedSounding {
            time_s: reading.time_s,
            position,
            depth_m: settings.depth_m(reading.depth_m),
            reading: *reading,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Joined, Joiner, Rejection, SoundingSettings};
    use crate::sonar::{DepthReading, DepthSource};
    use crate::{Fix, GeoPosition};

    /// A boat that drives east at 1 m/s and is asked for depths once a second.
    fn joined(depths_m: &[f64], confidence: f64) -> Vec<Joined> {
        let mut joiner = Joiner::new(SoundingSettings::default()).unwrap();
        let mut all = Vec::new();
        for (second, &depth_m) in depths_m.iter().enumerate() {
            let time_s = second as f64;
            joiner.fix(Fix {
                time_s,
                position: GeoPosition::new(36.6, -84.2).moved(0.0, time_s),
                heading_deg: Some(90.0),
                speed_mps: Some(1.0),
            });
            joiner.reading(DepthReading {
                time_s,
                depth_m,
                confidence: Some(confidence),
                source: DepthSource::Ping,
            });
            all.extend(joiner.poll(time_s));
        }
        all
    }

    fn rejections(joined: &[Joined]) -> Vec<Option<Rejection>> {
        let reason = |joined: &Joined| match joined {
            Joined::Sounding(_) => None,
            Joined::Rejected { rejection, .. } => Some(*rejection),
        };
        joined.iter().map(reason).collect()
    }

    #[test]
    fn a_spike_is_rejected_and_a_true_step_only_at_first() {
        let spike = rejections(&joined(&[5.0, 5.1, 5.2, 40.0, 5.3, 5.4], 1.0));
        let by_m = 40.0 - 5.1;
        assert_eq!(spike.iter().flatten().count(), 1);
        assert_eq!(spike[3], Some(Rejection::Jump { by_m }));
        let step = rejections(&joined(
            &[5.0, 5.1, 5.2, 5.1, 5.0, 15.0, 15.1, 15.2, 15.3, 15.1],
            1.0,
        ));
        let rejected: Vec<bool> = step.iter().map(Option::is_some).collect();
        assert_eq!(
            rejected,
            [
                false, false, false, false, false, true, true, true, false, false
            ]
        );
    }

    #[test]
    fn a_stuck_sonar_is_found_out_under_way() {
        let stuck = rejections(&joined(&[5.0; 20], 1.0));
        assert!(stuck[..14].iter().all(Option::is_none));
        assert_eq!(stuck[14], Some(Rejection::Stuck { readings: 15 }));
        assert!(stuck[14..].iter().all(Option::is_some));
    }

    #[test]
    fn unsure_and_impossible_readings_say_why() {
        let unsure = rejections(&joined(&[5.0; 3], 0.0));
        assert!(
            unsure
                .iter()
                .all(|r| *r == Some(Rejection::Confidence { confidence: 0.0 }))
        );
        let impossible = rejections(&joined(&[0.0, f64::INFINITY, -1.0], 1.0));
        assert!(
            impossible
                .iter()
                .all(|r| matches!(r, Some(Rejection::Range { .. })))
        );
        let nothing = rejections(&joined(&[f64::NAN], 1.0));
        assert!(matches!(nothing[..], [Some(Rejection::Range { .. })]));
    }
}

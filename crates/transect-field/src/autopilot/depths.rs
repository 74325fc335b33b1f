//! Depths that come through the autopilot.

use mavlink::dialects::ardupilotmega::{
    DISTANCE_SENSOR_DATA, MavMessage, MavSensorOrientation, WATER_DEPTH_DATA,
};

use crate::sonar::{DepthReading, DepthSource};

/// Readings are kept until taken, but no more than this: nobody may be interested.
const MOST_KEPT: usize = 1000;

/// Readings not yet taken.
#[derive(Debug, Default)]
pub(super) struct Depths {
    waiting: Vec<DepthReading>,
    /// `WATER_DEPTH` was heard: it comes from the same sensor as `DISTANCE_SENSOR`, and says more.
    water_depth_heard: bool,
    last_s: Option<f64>,
}

impl Depths {
    pub(super) fn heard(&mut self, now_s: f64, message: &MavMessage) {
        let reading = match message {
            MavMessage::WATER_DEPTH(depth) => {
                let reading = from_water_depth(now_s, depth);
                self.water_depth_heard |= reading.is_some();
                reading
            }
            MavMessage::DISTANCE_SENSOR(distance) if !self.water_depth_heard => {
                from_distance_sensor(now_s, distance)
            }
            _ => None,
        };
        if let Some(reading) = reading {
            self.last_s = Some(now_s);
            if self.waiting.len() < MOST_KEPT {
                self.waiting.push(reading);
            }
        }
    }

    pub(super) fn take(&mut self, into: &mut Vec<DepthReading>) {
        into.append(&mut self.waiting);
    }

    pub(super) fn age_s(&self, now_s: f64) -> Option<f64> {
        self.last_s.map(|last_s| now_s - last_s)
    }
}

/// Before a GPS fix the message says healthy at 0/0: that is no sounding.
fn from_water_depth(now_s: f64, depth: &WATER_DEPTH_DATA) -> Option<DepthReading> {
    let usable = (depth.lat, depth.lng) != (0, 0) && depth.distance.is_finite();
    usable.then(|| DepthReading {
        time_s: now_s,
        depth_m: depth.distance.into(),
        confidence: Some(if depth.healthy == 0 { 0.0 } else { 1.0 }),
        source: DepthSource::WaterDepth,
    })
}

fn from_distance_sensor(now_s: f64, sensor: &DISTANCE_SENSOR_DATA) -> Option<DepthReading> {
    let downward = sensor.orientation == MavSensorOrientation::MAV_SENSOR_ROTATION_PITCH_270;
    let beyond = sensor.current_distance > sensor.max_distance
        || sensor.current_distance < sensor.min_distance;
    downward.then(|| DepthReading {
        time_s: now_s,
        depth_m: f64::from(sensor.current_distance) * 0.01,
        confidence: match sensor.signal_quality {
            // 0 is "unknown" and 1 is "invalid" in this field.
            _ if beyond => Some(0.0),
            0 => None,
            1 => Some(0.0),
            percent => Some(f64::from(percent.min(100)) * 0.01),
        },
        source: DepthSource::DistanceSensor,
    })
}

#[cfg(test)]
mod tests {
    use super::{DepthReading, Depths};
    use mavlink::dialects::ardupilotmega::{
        DISTANCE_SENSOR_DATA, MavMessage, MavSensorOrientation, WATER_DEPTH_DATA,
    };

    fn taken(messages: &[MavMessage]) -> Vec<DepthReading> {
        let mut depths = Depths::default();
        messages
            .iter()
            .for_each(|message| depths.heard(1.0, message));
        let mut readings = Vec::new();
        depths.take(&mut readings);
        readings
    }

    #[test]
    fn water_depth_counts_once_there_is_a_position() {
        let without = WATER_DEPTH_DATA {
            distance: 4.5,
            healthy: 1,
            ..WATER_DEPTH_DATA::DEFAULT
        };
        let with = WATER_DEPTH_DATA {
            lat: 366_000_000,
            lng: -842_000_000,
            ..without
        };
        assert_eq!(taken(&[MavMessage::WATER_DEPTH(without)]), []);
        let readings = taken(&[MavMessage::WATER_DEPTH(with)]);
        assert_eq!(
            (readings[0].depth_m, readings[0].confidence),
            (4.5, Some(1.0))
        );
    }

    #[test]
    fn only_what_looks_down_is_a_depth() {
        let down = DISTANCE_SENSOR_DATA {
            min_distance: 30,
            max_distance: 5000,
            current_distance: 512,
            orientation: MavSensorOrientation::MAV_SENSOR_ROTATION_PITCH_270,
            signal_quality: 80,
            ..DISTANCE_SENSOR_DATA::DEFAULT
        };
        let ahead = DISTANCE_SENSOR_DATA {
            orientation: MavSensorOrientation::MAV_SENSOR_ROTATION_NONE,
            ..down
        };
        let too_far = DISTANCE_SENSOR_DATA {
            current_distance: 6000,
            ..down
        };
        let readings = taken(&[down, ahead, too_far].map(MavMessage::DISTANCE_SENSOR));
        let found: Vec<_> = readings.iter().map(|r| (r.depth_m, r.confidence)).collect();
        assert_eq!(found, [(5.12, Some(0.8)), (60.0, Some(0.0))]);
    }
}

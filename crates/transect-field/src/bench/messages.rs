//! What a boat reports, in MAVLink.

use mavlink::dialects::ardupilotmega::{
    ATTITUDE_DATA, BATTERY_STATUS_DATA, EKF_STATUS_REPORT_DATA, EkfStatusFlags,
    GLOBAL_POSITION_INT_DATA, GPS_RAW_INT_DATA, GpsFixType, HEARTBEAT_DATA, HOME_POSITION_DATA,
    MavAutopilot, MavMessage, MavModeFlag, MavState, MavType, POSITION_TARGET_GLOBAL_INT_DATA,
    PositionTargetTypemask, SYS_STATUS_DATA,
};

use crate::GeoPosition;
use crate::autopilot::Mode;

/// What a boat believes of itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Report {
    pub(super) boot_ms: u32,
    pub(super) has_fix: bool,
    /// 0/0 before the first fix.
    pub(super) position: GeoPosition,
    pub(super) heading_deg: f64,
    /// Over ground, to the north and to the east, m/s.
    pub(super) velocity_mps: (f64, f64),
    pub(super) mode: Mode,
    pub(super) armed: bool,
    pub(super) battery_percent: f64,
    pub(super) home: GeoPosition,
    pub(super) target: Option<GeoPosition>,
}

pub(super) fn e7(degrees: f64) -> i32 {
    (degrees * 1e7).round() as i32
}

impl Report {
    pub(super) fn heartbeat(&self) -> MavMessage {
        let armed = match self.armed {
            true => MavModeFlag::MAV_MODE_FLAG_SAFETY_ARMED,
            false => MavModeFlag::empty(),
        };
        MavMessage::HEARTBEAT(HEARTBEAT_DATA {
            custom_mode: self.mode.0,
            mavtype: MavType::MAV_TYPE_SURFACE_BOAT,
            autopilot: MavAutopilot::MAV_AUTOPILOT_ARDUPILOTMEGA,
            base_mode: MavModeFlag::MAV_MODE_FLAG_CUSTOM_MODE_ENABLED | armed,
            system_status: match self.armed {
                true => MavState::MAV_STATE_ACTIVE,
                false => MavState::MAV_STATE_STANDBY,
            },
            mavlink_version: 3,
        })
    }

    /// The message with this id; `None` for those that a boat does not send (now).
    pub(super) fn message(&self, id: u32) -> Option<MavMessage> {
        use mavlink::MessageData;
        Some(match id {
            GLOBAL_POSITION_INT_DATA::ID => self.global_position(),
            GPS_RAW_INT_DATA::ID => self.gps_raw(),
            EKF_STATUS_REPORT_DATA::ID => self.ekf_status(),
            ATTITUDE_DATA::ID => MavMessage::ATTITUDE(ATTITUDE_DATA {
                time_boot_ms: self.boot_ms,
                yaw: self.heading_deg.to_radians() as f32,
                ..ATTITUDE_DATA::DEFAULT
            }),
            SYS_STATUS_DATA::ID => MavMessage::SYS_STATUS(SYS_STATUS_DATA {
                voltage_battery: 12_000,
                battery_remaining: self.battery_percent as i8,
                ..SYS_STATUS_DATA::DEFAULT
            }),
            BATTERY_STATUS_DATA::ID => MavMessage::BATTERY_STATUS(BATTERY_STATUS_DATA {
                battery_remaining: self.battery_percent as i8,
                ..BATTERY_STATUS_DATA::DEFAULT
            }),
            HOME_POSITION_DATA::ID => MavMessage::HOME_POSITION(HOME_POSITION_DATA {
                latitude: e7(self.home.lat_deg),
                longitude: e7(self.home.lon_deg),
                ..HOME_POSITION_DATA::DEFAULT
            }),
            POSITION_TARGET_GLOBAL_INT_DATA::ID => {
                let target = self.target?;
                MavMessage::POSITION_TARGET_GLOBAL_INT(POSITION_TARGET_GLOBAL_INT_DATA {
                    time_boot_ms: self.boot_ms,
                    lat_int: e7(target.lat_deg),
                    lon_int: e7(target.lon_deg),
                    type_mask: PositionTargetTypemask::from_bits_retain(0xFFF8),
                    ..POSITION_TARGET_GLOBAL_INT_DATA::DEFAULT
                })
            }
            _ => return None,
        })
    }

    fn global_position(&self) -> MavMessage {
        MavMessage::GLOBAL_POSITION_INT(GLOBAL_POSITION_INT_DATA {
            time_boot_ms: self.boot_ms,
            lat: e7(self.position.lat_deg),
            lon: e7(self.position.lon_deg),
            vx: (100.0 * self.velocity_mps.0).round() as i16,
            vy: (100.0 * self.velocity_mps.1).round() as i16,
            hdg: (100.0 * self.heading_deg) as u16,
            ..GLOBAL_POSITION_INT_DATA::DEFAULT
        })
    }

    fn gps_raw(&self) -> MavMessage {
        MavMessage::GPS_RAW_INT(GPS_RAW_INT_DATA {
            time_usec: u64::from(self.boot_ms) * 1000,
            lat: e7(self.position.lat_deg),
            lon: e7(self.position.lon_deg),
            fix_type: match self.has_fix {
                true => GpsFixType::GPS_FIX_TYPE_3D_FIX,
                false => GpsFixType::GPS_FIX_TYPE_NO_FIX,
            },
            satellites_visible: if self.has_fix { 12 } else { 3 },
            ..GPS_RAW_INT_DATA::DEFAULT
        })
    }

    fn ekf_status(&self) -> MavMessage {
        let position = match self.has_fix {
            true => EkfStatusFlags::EKF_POS_HORIZ_REL | EkfStatusFlags::EKF_POS_HORIZ_ABS,
            false => EkfStatusFlags::EKF_CONST_POS_MODE,
        };
        MavMessage::EKF_STATUS_REPORT(EKF_STATUS_REPORT_DATA {
            flags: EkfStatusFlags::EKF_ATTITUDE
                | EkfStatusFlags::EKF_VELOCITY_HORIZ
                | EkfStatusFlags::EKF_VELOCITY_VERT
                | position,
            ..EKF_STATUS_REPORT_DATA::DEFAULT
        })
    }
}

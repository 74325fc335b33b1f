//! An ArduPilot boat over MAVLink, polled.

use mavlink::dialects::ardupilotmega::{
    HEARTBEAT_DATA, MavAutopilot, MavCmd, MavFrame, MavMessage, MavModeFlag, MavResult, MavState,
    MavType, PositionTargetTypemask, SET_POSITION_TARGET_GLOBAL_INT_DATA, STATUSTEXT_DATA,
};

use super::captaincy::{Captaincy, Seen, Wish};
use super::command::{Command, words};
use super::depths::Depths;
use super::position::PositionWatch;
use super::streams::Streams;
use super::target::Target;
use super::texts::Texts;
use super::{AutopilotSettings, Helm, HelmEvent, HelmState, Mode, Parting, Phase, PositionTrouble};
use crate::link::{Link, LinkStatus};
use crate::mavlink_port::{MavlinkPort, Sender};
use crate::sonar::DepthReading;
use crate::{FieldError, GeoPosition};

/// Everything but the position is ignored by the autopilot.
const POSITION_ONLY: PositionTargetTypemask = PositionTargetTypemask::from_bits_retain(0x0DFC);
/// This program is an onboard computer (MAV_COMP_ID_ONBOARD_COMPUTER).
const OWN_COMPONENT: u8 = 191;
/// Time between our heartbeats, s.
const HEARTBEAT_S: f64 = 1.0;
/// What a heartbeat says holds for this time, s: they come once a second.
const FRESH_S: f64 = 1.5;
/// A clock that goes back by more than this was started again, ms. Messages may overtake each other.
const REBOOT_MS: u32 = 2000;
/// Strangers are told of up to this number.
const MOST_STRANGERS: usize = 16;

/// An ArduPilot boat.
pub struct Autopilot {
    settings: AutopilotSettings,
    port: MavlinkPort,
    vehicle: Option<Sender>,
    strangers: Vec<u8>,
    now_s: f64,
    heartbeat_due_s: f64,
    heard_s: Option<f64>,
    link_lost: bool,
    boot_ms: Option<u32>,
    streams: Streams,
    position: PositionWatch,
    captaincy: Captaincy,
    target: Option<Target>,
    speed_mps: Option<f64>,
    speed_refused: bool,
    /// It was taken before: a refusal then only says that the place was reached before the speed was heard.
    speed_taken: bool,
    stops_short: bool,
    hold_wanted: bool,
    inside: Box<dyn Fn(GeoPosition) -> bool + Send>,
    depths: Depths,
    texts: Texts,
    state: HelmState,
    events: Vec<HelmEvent>,
}

impl Autopilot {
    /// Opens the link of `settings`.
    ///
    /// # Errors
    /// When a setting is out of range, or the link can never work.
    pub fn open(settings: AutopilotSettings) -> Result<Self, FieldError> {
        settings.validate()?;
        let link = Link::open(&settings.link)?;
        let state = HelmState {
            goal_radius_m: settings.goal_radius_m,
            ..HelmState::default()
        };
        Ok(Self {
            settings,
            port: MavlinkPort::new(link),
            vehicle: None,
            strangers: Vec::new(),
            now_s: 0.0,
            heartbeat_due_s: 0.0,
            heard_s: None,
            link_lost: false,
            boot_ms: None,
            streams: Streams::default(),
            position: PositionWatch::default(),
            captaincy: Captaincy::default(),
            target: None,
            speed_mps: None,
            speed_refused: false,
            speed_taken: false,
            stops_short: false,
            hold_wanted: false,
            inside: Box::new(|_| true),
            depths: Depths::default(),
            texts: Texts::default(),
            state,
            events: Vec::new(),
        })
    }

    /// Tells the boat to go at this speed, m/s, with every place; otherwise it goes at its own (ArduPilot's WP_SPEED).
    #[must_use]
    pub fn at_speed(mut self, speed_mps: f64) -> Self {
        self.speed_mps = Some(speed_mps);
        self
    }

    /// How the link itself stands.
    pub fn link_status(&self) -> &LinkStatus {
        self.port.link().status()
    }

    fn send(&mut self, message: &MavMessage) {
        let own = Sender {
            system: self.settings.own_system_id,
            component: OWN_COMPONENT,
        };
        self.port.send(self.now_s, own, message);
    }

    fn command(&mut self, vehicle: Sender, command: Command, repeats: u8) {
        self.send(&command.message(vehicle.system, vehicle.component, repeats));
    }

    /// Only the one vehicle is listened to; the first autopilot heard, unless its id is set.
    fn is_from_vehicle(&mut self, sender: Sender, message: &MavMessage) -> bool {
        if sender.system == self.settings.own_system_id {
            return false;
        }
        if let Some(vehicle) = self.vehicle {
            if sender.system == vehicle.system {
                return true;
            }
            self.tell_of_stranger(sender.system, vehicle.system);
            return false;
        }
        let MavMessage::HEARTBEAT(heartbeat) = message else {
            return false;
        };
        let expected = self.settings.system_id;
        if expected != 0 && sender.system != expected {
            self.tell_of_stranger(sender.system, expected);
            return false;
        }
        if heartbeat.autopilot == MavAutopilot::MAV_AUTOPILOT_INVALID {
            return false;
        }
        self.vehicle = Some(sender);
        let system_id = sender.system;
        self.events.push(HelmEvent::Connected { system_id });
        true
    }

    fn tell_of_stranger(&mut self, system_id: u8, vehicle_id: u8) {
        if !self.strangers.contains(&system_id) && self.strangers.len() < MOST_STRANGERS {
            self.strangers.push(system_id);
            self.events.push(HelmEvent::StrangerIgnored {
                system_id,
                vehicle_id,
            });
        }
    }

    fn take(&mut self, sender: Sender, message: &MavMessage) {
        self.depths.heard(self.now_s, message);
        // Cameras and the like on board share the system id; the autopilot's word alone counts.
        if self.vehicle != Some(sender) {
            return;
        }
        match message {
            MavMessage::HEARTBEAT(heartbeat) => self.take_heartbeat(heartbeat),
            MavMessage::GPS_RAW_INT(raw) => self.position.receiver(self.now_s, raw),
            MavMessage::EKF_STATUS_REPORT(report) => self.position.estimator(self.now_s, report),
            MavMessage::GLOBAL_POSITION_INT(report) => {
                self.take_clock(report.time_boot_ms);
                let fix = self.position.report(self.now_s, report, &self.settings);
                self.events.extend(fix.map(HelmEvent::Fix));
            }
            MavMessage::POSITION_TARGET_GLOBAL_INT(report) => {
                if let Some(target) = &mut self.target {
                    let place = from_e7(report.lat_int, report.lon_int);
                    target.reported(self.now_s, place);
                }
            }
            MavMessage::SYS_STATUS(status) => self.take_battery(status.battery_remaining),
            MavMessage::BATTERY_STATUS(battery) if battery.id == 0 => {
                self.take_battery(battery.battery_remaining);
            }
            MavMessage::HOME_POSITION(home) => {
                let home = from_e7(home.latitude, home.longitude);
                self.state.home = home.is_plausible().then_some(home);
            }
            MavMessage::COMMAND_ACK(ack) => {
                if ack.command == MavCmd::MAV_CMD_SET_MESSAGE_INTERVAL {
                    self.streams.answered();
                }
                if ack.command == MavCmd::MAV_CMD_DO_CHANGE_SPEED {
                    self.take_answer_to_speed(ack.result);
                }
                self.captaincy.answered(self.now_s, ack.command, ack.result);
            }
            MavMessage::MISSION_ITEM_REACHED(_) => self.take_word_of_arrival(),
            MavMessage::STATUSTEXT(status) => self.take_text(status),
            _ => {}
        }
    }

    fn take_heartbeat(&mut self, heartbeat: &HEARTBEAT_DATA) {
        if let Some(before_s) = self.heard_s.replace(self.now_s)
            && self.link_lost
        {
            self.link_lost = false;
            // What was asked for may have got lost with the link.
            self.streams.restart();
            self.captaincy.after_silence();
            self.events.push(HelmEvent::LinkRegained {
                silent_s: self.now_s - before_s,
            });
        }
        let mode = Mode(heartbeat.custom_mode);
        if self.state.mode.replace(mode) != Some(mode) {
            self.events.push(HelmEvent::ModeChanged { mode });
        }
        let armed = heartbeat
            .base_mode
            .contains(MavModeFlag::MAV_MODE_FLAG_SAFETY_ARMED);
        if armed != self.state.armed {
            self.state.armed = armed;
            self.events.push(match armed {
                true => HelmEvent::Armed,
                false => HelmEvent::Disarmed,
            });
        }
    }

    fn take_clock(&mut self, boot_ms: u32) {
        if let Some(before_ms) = self.boot_ms.replace(boot_ms)
            && boot_ms.saturating_add(REBOOT_MS) < before_ms
        {
            self.streams.restart();
            self.events.push(HelmEvent::Rebooted);
        }
    }

    fn take_battery(&mut self, remaining: i8) {
        // -1 means that the autopilot does not know.
        if let Ok(percent @ 0..=100) = u8::try_from(remaining) {
            self.state.battery_percent = Some(percent);
        }
    }

    /// In guided mode ArduPilot says so when it has reached a place by its own measure, and stops there.
    fn take_word_of_arrival(&mut self) {
        let (Some(fix), Some(target)) = (self.state.fix, &mut self.target) else {
            return;
        };
        let distance_m = fix.position.distance_m(target.place);
        // The next leg is planned from the position: one that is frozen must not pass for where the boat has arrived.
        let trusted = self.state.position_trouble.is_none() && self.position.is_alive(self.now_s);
        if !self.captaincy.in_command()
            || !trusted
            || !target.called_reached(self.now_s, distance_m)
        {
            return;
        }
        let place = target.place;
        // The last arrival tells: a word that was measured from a wrong position must not count for long.
        self.state.goal_radius_m = distance_m.ceil().max(self.settings.goal_radius_m);
        if distance_m > self.settings.goal_radius_m
            && !std::mem::replace(&mut self.stops_short, true)
        {
            self.events.push(HelmEvent::StopsShort {
                radius_m: distance_m,
            });
        }
        self.events.push(HelmEvent::Arrived { target: place });
    }

    fn take_answer_to_speed(&mut self, result: MavResult) {
        self.speed_taken |= result == MavResult::MAV_RESULT_ACCEPTED;
        if let Some(speed_mps) = self.speed_mps
            && !self.speed_taken
            && !std::mem::replace(&mut self.speed_refused, true)
        {
            let reason = words(result).to_owned();
            self.events
                .push(HelmEvent::SpeedRefused { speed_mps, reason });
        }
    }

    fn take_text(&mut self, status: &STATUSTEXT_DATA) {
        let Some(text) = self.texts.take(status) else {
            return;
        };
        self.captaincy.heard(&text);
        self.events.push(HelmEvent::Said {
            severity: status.severity as u8,
            text,
        });
    }

    fn beat(&mut self) {
        if self.now_s < self.heartbeat_due_s {
            return;
        }
        // On the beat, unless a whole one was missed.
        self.heartbeat_due_s += HEARTBEAT_S;
        if self.heartbeat_due_s <= self.now_s {
            self.heartbeat_due_s = self.now_s + HEARTBEAT_S;
        }
        self.send(&MavMessage::HEARTBEAT(HEARTBEAT_DATA {
            custom_mode: 0,
            mavtype: MavType::MAV_TYPE_ONBOARD_CONTROLLER,
            autopilot: MavAutopilot::MAV_AUTOPILOT_INVALID,
            base_mode: MavModeFlag::empty(),
            system_status: MavState::MAV_STATE_ACTIVE,
            mavlink_version: 3,
        }));
    }

    fn watch_link(&mut self) {
        self.state.link_age_s = self.heard_s.map(|heard_s| self.now_s - heard_s);
        if let Some(silent_s) = self.state.link_age_s
            && silent_s > self.settings.link_timeout_s
            && !self.link_lost
        {
            self.link_lost = true;
            self.events.push(HelmEvent::LinkLost { silent_s });
        }
    }

    fn watch_position(&mut self) {
        let driving = self.captaincy.in_command()
            && self.target.as_ref().is_some_and(|target| !target.arrived);
        let trouble = self.position.trouble(self.now_s, driving, &self.settings);
        if trouble != self.state.position_trouble {
            self.state.position_trouble = trouble;
            self.events.push(match trouble {
                Some(trouble) => HelmEvent::PositionLost { trouble },
                None => HelmEvent::PositionGood,
            });
        }
        self.state.fix = self.position.fix();
    }

    fn pursue_command(&mut self, vehicle: Sender) {
        let Some(mode) = self.state.mode else {
            return;
        };
        let trusted = self.state.position_trouble.is_none();
        // Without a position the autopilot refuses to arm, so that is not asked. What it does already can go on.
        let engaging = self.captaincy.wished() == Wish::Guided
            && self.captaincy.taken_over().is_none()
            && !self.captaincy.in_command();
        let seen = Seen {
            mode,
            armed: self.state.armed,
            fresh: self.state.link_age_s.is_some_and(|age_s| age_s <= FRESH_S),
            can_be_asked: trusted || !engaging,
            speed_mps: self
                .state
                .fix
                .filter(|_| trusted)
                .and_then(|fix| fix.speed_mps),
        };
        let was_ours = self.captaincy.taken_over().is_none();
        let retry_s = self.settings.retry_s;
        let due = self
            .captaincy
            .poll(self.now_s, retry_s, seen, &mut self.events);
        if !was_ours
            && self.captaincy.taken_over().is_none()
            && let Some(target) = &mut self.target
        {
            target.forgotten();
            // Where it was held may be far from where the operator left it.
            self.hold_wanted |= target.staying;
        }
        if let Some((command, repeats)) = due {
            self.command(vehicle, command, repeats);
        }
    }

    fn pursue_target(&mut self, vehicle: Sender) {
        let Some(fix) = self.state.fix else {
            return;
        };
        if self.hold_wanted && self.state.position_trouble.is_none() {
            if (self.inside)(fix.position) {
                self.hold_wanted = false;
                self.target = Some(Target::stay_at(fix.position));
            } else if self.captaincy.in_command() {
                self.halt();
            }
        }
        let Some(target) = &mut self.target else {
            return;
        };
        let distance_m = fix.position.distance_m(target.place);
        self.state.target_distance_m = Some(distance_m);
        if !self.captaincy.in_command() || self.state.position_trouble.is_some() {
            return;
        }
        let place = target.place;
        if !target.arrived && distance_m <= self.settings.goal_radius_m {
            target.arrived = true;
            self.state.goal_radius_m = self.settings.goal_radius_m;
            self.events.push(HelmEvent::Arrived { target: place });
        }
        if let Some(attempt) = target.poll(self.now_s, distance_m) {
            self.position.sent_off(self.now_s);
            self.send(&position_target(vehicle, place));
            if let Some(speed_mps) = self.speed_mps {
                self.command(vehicle, Command::speed(speed_mps), 0);
            }
            self.events.push(HelmEvent::TargetSent {
                target: place,
                attempt,
            });
        }
    }

    /// Stops the motors where no place can be held.
    fn halt(&mut self) {
        self.hold_wanted = false;
        self.target = None;
        self.captaincy.wish(Wish::Halt);
    }

    fn phase(&self) -> Phase {
        if self.vehicle.is_none() || self.link_lost {
            Phase::NoLink
        } else if let Some(by) = self.captaincy.taken_over() {
            Phase::Paused { by }
        } else if let Some(trouble) = self.state.position_trouble {
            Phase::NoPosition { trouble }
        } else if self.captaincy.wished() == Wish::Nothing {
            Phase::Standby
        } else if self.captaincy.returning() {
            Phase::Returning
        } else if self.captaincy.in_command() || self.captaincy.halted() {
            Phase::Ready
        } else {
            Phase::Engaging
        }
    }
}

impl Helm for Autopilot {
    fn poll(&mut self, now_s: f64) -> Vec<HelmEvent> {
        self.now_s = self.now_s.max(now_s);
        for (sender, message) in self.port.receive(self.now_s) {
            if self.is_from_vehicle(sender, &message) {
                self.take(sender, &message);
            }
        }
        self.beat();
        self.watch_link();
        self.watch_position();
        if let Some(vehicle) = self.vehicle
            && !self.link_lost
        {
            if let Some(request) = self.streams.poll(self.now_s) {
                self.command(vehicle, request, 0);
            }
            self.pursue_command(vehicle);
            self.pursue_target(vehicle);
        } else if let (Some(vehicle), Wish::Release(_)) = (self.vehicle, self.captaincy.wished()) {
            // It may hear what we do not: a stop is asked for all the same.
            self.pursue_command(vehicle);
        }
        self.state.farewell = self.captaincy.farewell();
        self.state.link = self.port.link().status().to_string();
        self.state.system_id = self.vehicle.map(|vehicle| vehicle.system);
        self.state.target = self.target.as_ref().map(|target| target.place);
        if self.target.is_none() {
            self.state.target_distance_m = None;
        }
        self.state.phase = self.phase();
        std::mem::take(&mut self.events)
    }

    fn state(&self) -> &HelmState {
        &self.state
    }

    fn engage(&mut self) {
        self.captaincy.wish(Wish::Guided);
    }

    fn go_to(&mut self, target: GeoPosition) {
        self.hold_wanted = false;
        self.target = Some(Target::go_to(target));
        if self.captaincy.wished() == Wish::Halt {
            self.captaincy.wish(Wish::Guided);
        }
    }

    fn hold(&mut self) {
        // A place that is wrong cannot be held: the motors must stop. Old news alone are no reason for that.
        let misled = !matches!(
            self.state.position_trouble,
            None | Some(PositionTrouble::None | PositionTrouble::Stale | PositionTrouble::NoWord)
        );
        if misled && self.captaincy.in_command() {
            self.halt();
        } else if self.captaincy.wished() != Wish::Halt {
            self.hold_wanted |= !self.target.as_ref().is_some_and(|target| target.staying);
        }
    }

    fn hold_only(&mut self, inside: Box<dyn Fn(GeoPosition) -> bool + Send>) {
        self.inside = inside;
    }

    fn return_home(&mut self) {
        self.target = None;
        self.captaincy.wish(Wish::Return);
    }

    fn release(&mut self, parting: Parting) {
        self.hold_wanted = false;
        self.target = None;
        self.captaincy.wish(Wish::Release(parting));
        self.state.farewell = self.captaincy.farewell();
    }

    fn take_depths(&mut self, into: &mut Vec<DepthReading>) {
        self.depths.take(into);
    }

    fn depth_age_s(&self) -> Option<f64> {
        self.depths.age_s(self.now_s)
    }
}

fn from_e7(lat: i32, lon: i32) -> GeoPosition {
    GeoPosition::new(f64::from(lat) * 1e-7, f64::from(lon) * 1e-7)
}

fn position_target(vehicle: Sender, place: GeoPosition) -> MavMessage {
    MavMessage::SET_POSITION_TARGET_GLOBAL_INT(SET_POSITION_TARGET_GLOBAL_INT_DATA {
        lat_int: (place.lat_deg * 1e7).round() as i32,
        lon_int: (place.lon_deg * 1e7).round() as i32,
        type_mask: POSITION_ONLY,
        target_system: vehicle.system,
        target_component: vehicle.component,
        coordinate_frame: MavFrame::MAV_FRAME_GLOBAL_RELATIVE_ALT,
        ..SET_POSITION_TARGET_GLOBAL_INT_DATA::DEFAULT
    })
}

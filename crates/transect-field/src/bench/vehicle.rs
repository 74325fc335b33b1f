//! The autopilot's side of the line: commands, rules and reports.

use std::collections::BTreeMap;

use mavlink::dialects::ardupilotmega::{
    COMMAND_ACK_DATA, COMMAND_LONG_DATA, MISSION_ITEM_REACHED_DATA, MavCmd, MavMessage, MavResult,
    MavSeverity, SET_POSITION_TARGET_GLOBAL_INT_DATA, STATUSTEXT_DATA,
};
use transect::gp::random::{Randomness, Stream};

use super::fault::Trouble;
use super::hull::Hull;
use super::messages::Report;
use super::{BenchRecord, BenchSettings, FaultKind, Heard};
use crate::autopilot::Mode;
use crate::link::{Link, LinkAddress};
use crate::mavlink_port::{MavlinkPort, Sender};
use crate::{FieldError, GeoPosition};

/// MAV_COMP_ID_AUTOPILOT1.
const AUTOPILOT: u8 = 1;
/// Before power on the clock of the board stood here, ms.
const BOOT_MS: f64 = 60_000.0;
/// The modes of a boat that can be asked for.
const MODES: [Mode; 5] = [
    Mode::MANUAL,
    Mode::HOLD,
    Mode::LOITER,
    Mode::RTL,
    Mode::GUIDED,
];

/// A message that is sent again and again.
#[derive(Debug, Clone, Copy)]
struct Due {
    interval_s: f64,
    next_s: f64,
}

/// The autopilot of a bench boat.
pub(super) struct Vehicle {
    settings: BenchSettings,
    port: MavlinkPort,
    pub(super) hull: Hull,
    noise: Stream,
    mode: Mode,
    armed: bool,
    target: Option<GeoPosition>,
    reported: Option<GeoPosition>,
    streams: BTreeMap<u32, Due>,
    heartbeat_s: f64,
    operator: Option<Mode>,
    heard_s: Option<f64>,
    failsafe: bool,
    heartbeat_gap_s: f64,
    targets: Vec<(f64, GeoPosition)>,
    heard: Vec<(f64, Heard)>,
    disarmed_at_mps: Option<f64>,
    told_speed_mps: Option<f64>,
}

impl Vehicle {
    pub(super) fn open(settings: &BenchSettings) -> Result<Self, FieldError> {
        let address = LinkAddress::UdpIn("127.0.0.1:0".to_owned());
        Ok(Self {
            port: MavlinkPort::new(Link::open(&address)?),
            hull: Hull::new(settings)?,
            noise: Stream::new(settings.seed),
            mode: Mode::MANUAL,
            armed: false,
            target: None,
            reported: None,
            streams: BTreeMap::new(),
            heartbeat_s: 0.0,
            operator: None,
            heard_s: None,
            failsafe: false,
            heartbeat_gap_s: 0.0,
            targets: Vec::new(),
            heard: Vec::new(),
            disarmed_at_mps: None,
            told_speed_mps: None,
            settings: settings.clone(),
        })
    }

    pub(super) fn port(&self) -> u16 {
        self.port.link().local_port().unwrap_or_default()
    }

    pub(super) fn record(&self) -> BenchRecord {
        BenchRecord {
            targets: self.targets.clone(),
            heard: self.heard.clone(),
            speed_mps: self.speed_mps(),
            disarmed_at_mps: self.disarmed_at_mps,
            told_speed_mps: self.told_speed_mps,
            position: self.hull.position(),
            heading_deg: self.hull.heading_deg(),
            distance_m: self.hull.travelled_m(),
            mode: self.mode,
            armed: self.armed,
            battery_percent: self.battery_percent(),
            heartbeat_gap_s: self.heartbeat_gap_s,
        }
    }

    pub(super) fn step(&mut self, now_s: f64, trouble: &Trouble) {
        let cut = trouble.has(FaultKind::LinkLost);
        for (sender, message) in self.port.receive(now_s) {
            if !cut {
                self.obey(now_s, sender, &message, trouble);
            }
        }
        self.listen_to_operator(now_s, trouble);
        self.watch_program(now_s);
        let has_fix = self.has_fix(now_s, trouble);
        let empty = self.battery_percent() <= 0.0;
        let driving = self.armed && has_fix && !empty;
        let arrived = self.hull.advance(now_s, driving);
        self.locate(now_s, trouble);
        if arrived {
            // From now on it keeps the place where it could stop, as ArduPilot's boats do.
            self.hull.keep_station();
            self.target = Some(self.hull.position());
        }
        if cut {
            return;
        }
        if arrived {
            let reached = MISSION_ITEM_REACHED_DATA::DEFAULT;
            self.send(now_s, &MavMessage::MISSION_ITEM_REACHED(reached));
        }
        if trouble.has(FaultKind::Garbage) {
            let bytes = garbage(&mut self.noise);
            self.port.send_raw(now_s, &bytes);
        }
        self.report(now_s, trouble);
    }

    fn has_fix(&self, now_s: f64, trouble: &Trouble) -> bool {
        now_s >= self.settings.fix_after_s && !trouble.has(FaultKind::NoGpsFix)
    }

    fn battery_percent(&self) -> f64 {
        let used = self.hull.driven_m() * self.settings.battery_percent_per_m;
        (self.settings.battery_percent - used).max(0.0)
    }

    fn speed_mps(&self) -> f64 {
        let (north_mps, east_mps) = self.hull.velocity_mps();
        north_mps.hypot(east_mps)
    }

    /// The switch on the radio acts when it is turned, and when it is turned back. What is commanded in between is obeyed, as
    /// ArduPilot does: who has the boat is for the commander to heed.
    fn listen_to_operator(&mut self, now_s: f64, trouble: &Trouble) {
        let chosen = trouble.find(|kind| match kind {
            FaultKind::OperatorMode(mode) => Some(mode),
            _ => None,
        });
        if chosen == self.operator {
            return;
        }
        self.operator = chosen;
        let mode = chosen.unwrap_or(Mode::GUIDED);
        self.heard.push((now_s, Heard::Operator(mode)));
        self.set_mode(mode);
    }

    /// A program that is silent for too long is gone.
    fn watch_program(&mut self, now_s: f64) {
        let (Some(after_s), Some(heard_s)) = (self.settings.failsafe_after_s, self.heard_s) else {
            return;
        };
        let gone = now_s - heard_s > after_s;
        if gone && !self.failsafe && self.armed && self.mode == Mode::GUIDED {
            self.heard.push((now_s, Heard::Failsafe(Mode::HOLD)));
            self.set_mode(Mode::HOLD);
        }
        self.failsafe = gone;
    }

    fn set_mode(&mut self, mode: Mode) {
        if mode != self.mode {
            self.mode = mode;
            self.target = None;
            self.hull.stop();
            if mode == Mode::LOITER {
                self.hull.keep_station();
            }
        }
        if mode == Mode::RTL {
            self.target = Some(self.settings.home);
            self.hull.go_to(self.settings.home);
        }
    }

    /// Where it believes that it is.
    fn locate(&mut self, now_s: f64, trouble: &Trouble) {
        let lost = !self.has_fix(now_s, trouble);
        let frozen = trouble.has(FaultKind::GpsFrozen) && self.reported.is_some();
        if lost || frozen {
            return;
        }
        let jump_m = trouble
            .find(|kind| match kind {
                FaultKind::PositionJump(metres) => Some(metres),
                _ => None,
            })
            .unwrap_or(0.0);
        let std_m = self.settings.gps_noise_m;
        let north_m = self.noise.normal(jump_m, std_m);
        let east_m = self.noise.normal(0.0, std_m);
        self.reported = Some(self.hull.position().moved(north_m, east_m));
    }

    fn obey(&mut self, now_s: f64, sender: Sender, message: &MavMessage, trouble: &Trouble) {
        match message {
            MavMessage::HEARTBEAT(_) => {
                if let Some(before_s) = self.heard_s.replace(now_s) {
                    self.heartbeat_gap_s = self.heartbeat_gap_s.max(now_s - before_s);
                }
            }
            MavMessage::COMMAND_LONG(command)
                if command.target_system == self.settings.system_id =>
            {
                let result = self.command(now_s, command, trouble);
                let ack = COMMAND_ACK_DATA {
                    command: command.command,
                    result,
                    target_system: sender.system,
                    target_component: sender.component,
                    ..COMMAND_ACK_DATA::DEFAULT
                };
                self.send(now_s, &MavMessage::COMMAND_ACK(ack));
            }
            MavMessage::SET_POSITION_TARGET_GLOBAL_INT(target)
                if target.target_system == self.settings.system_id =>
            {
                self.take_target(now_s, target);
            }
            _ => {}
        }
    }

    fn command(&mut self, now_s: f64, command: &COMMAND_LONG_DATA, trouble: &Trouble) -> MavResult {
        match command.command {
            MavCmd::MAV_CMD_SET_MESSAGE_INTERVAL => {
                let id = command.param1 as u32;
                let probe = Report {
                    target: Some(self.settings.home),
                    ..self.now(now_s, trouble)
                };
                if probe.message(id).is_none() {
                    return MavResult::MAV_RESULT_DENIED;
                }
                let interval_s = (f64::from(command.param2) * 1e-6).max(0.02);
                let next_s = now_s;
                self.streams.insert(id, Due { interval_s, next_s });
                MavResult::MAV_RESULT_ACCEPTED
            }
            MavCmd::MAV_CMD_DO_SET_MODE => {
                let mode = Mode(command.param2 as u32);
                let blind =
                    mode != Mode::MANUAL && mode != Mode::HOLD && !self.has_fix(now_s, trouble);
                if !MODES.contains(&mode) || blind {
                    self.say(now_s, "Mode change failed");
                    return MavResult::MAV_RESULT_FAILED;
                }
                self.heard.push((now_s, Heard::Mode(mode)));
                self.set_mode(mode);
                MavResult::MAV_RESULT_ACCEPTED
            }
            MavCmd::MAV_CMD_COMPONENT_ARM_DISARM => {
                let arm = command.param1 == 1.0;
                let refusal = if trouble.has(FaultKind::ArmingRefused) {
                    Some("Arm: Hardware safety switch")
                } else if !self.has_fix(now_s, trouble) {
                    Some("Arm: Need Position Estimate")
                } else {
                    None
                };
                if arm && let Some(reason) = refusal {
                    self.say(now_s, reason);
                    return MavResult::MAV_RESULT_FAILED;
                }
                self.armed = arm;
                let heard = if arm { Heard::Arm } else { Heard::Disarm };
                self.heard.push((now_s, heard));
                if !arm {
                    self.disarmed_at_mps = Some(self.speed_mps());
                    self.target = None;
                    self.hull.stop();
                }
                MavResult::MAV_RESULT_ACCEPTED
            }
            // ArduPilot's boats take a speed only with a place to go to.
            MavCmd::MAV_CMD_DO_CHANGE_SPEED if self.target.is_some() => {
                self.told_speed_mps = Some(command.param2.into());
                MavResult::MAV_RESULT_ACCEPTED
            }
            MavCmd::MAV_CMD_DO_CHANGE_SPEED => MavResult::MAV_RESULT_FAILED,
            _ => MavResult::MAV_RESULT_UNSUPPORTED,
        }
    }

    fn take_target(&mut self, now_s: f64, message: &SET_POSITION_TARGET_GLOBAL_INT_DATA) {
        let place = GeoPosition::new(
            f64::from(message.lat_int) * 1e-7,
            f64::from(message.lon_int) * 1e-7,
        );
        self.targets.push((now_s, place));
        if self.mode == Mode::GUIDED && self.armed && message.type_mask.bits() == 0x0DFC {
            self.heard.push((now_s, Heard::Target(place)));
            self.target = Some(place);
            self.hull.go_to(place);
        }
    }

    fn now(&self, now_s: f64, trouble: &Trouble) -> Report {
        let back_s = trouble.find(|kind| match kind {
            FaultKind::ClockBack(seconds) => Some(seconds),
            _ => None,
        });
        Report {
            boot_ms: (BOOT_MS + 1e3 * (now_s - back_s.unwrap_or(0.0))).max(0.0) as u32,
            has_fix: self.has_fix(now_s, trouble),
            position: self.reported.unwrap_or(GeoPosition::new(0.0, 0.0)),
            heading_deg: self.hull.heading_deg(),
            velocity_mps: self.hull.velocity_mps(),
            mode: self.mode,
            armed: self.armed,
            battery_percent: self.battery_percent(),
            home: self.settings.home,
            target: self.target,
        }
    }

    fn report(&mut self, now_s: f64, trouble: &Trouble) {
        let report = self.now(now_s, trouble);
        let mut messages = Vec::new();
        if now_s >= self.heartbeat_s {
            self.heartbeat_s = now_s + 1.0;
            messages.push(report.heartbeat());
            let stranger = trouble.find(|kind| match kind {
                FaultKind::SecondSystem(id) => Some(id),
                _ => None,
            });
            if let Some(system) = stranger {
                self.impersonate(now_s, system, &report);
            }
        }
        for (&id, due) in &mut self.streams {
            if now_s >= due.next_s {
                due.next_s = (due.next_s + due.interval_s).max(now_s);
                messages.extend(report.message(id));
            }
        }
        for message in &messages {
            self.send(now_s, message);
        }
    }

    /// Another boat, a kilometre away, that is driven by hand.
    fn impersonate(&mut self, now_s: f64, system: u8, report: &Report) {
        let other = Report {
            position: self.settings.home.moved(1000.0, 0.0),
            mode: Mode::MANUAL,
            armed: false,
            battery_percent: 1.0,
            ..*report
        };
        let sender = Sender {
            system,
            component: AUTOPILOT,
        };
        self.port.send(now_s, sender, &other.heartbeat());
        for &id in self.streams.keys() {
            if let Some(message) = other.message(id) {
                self.port.send(now_s, sender, &message);
            }
        }
    }

    fn say(&mut self, now_s: f64, text: &str) {
        let message = MavMessage::STATUSTEXT(STATUSTEXT_DATA {
            severity: MavSeverity::MAV_SEVERITY_CRITICAL,
            text: text.into(),
            ..STATUSTEXT_DATA::DEFAULT
        });
        self.send(now_s, &message);
    }

    fn send(&mut self, now_s: f64, message: &MavMessage) {
        let sender = Sender {
            system: self.settings.system_id,
            component: AUTOPILOT,
        };
        self.port.send(now_s, sender, message);
    }
}

/// Up to 300 random bytes that begin like a message of some kind.
pub(super) fn garbage(noise: &mut Stream) -> Vec<u8> {
    let length = noise.uniform(1.0, 300.0) as usize;
    let mut bytes: Vec<u8> = (0..length)
        .map(|_| noise.uniform(0.0, 256.0) as u8)
        .collect();
    let starts = [0xFD, 0xFE, b'B', b'$'];
    let pick = noise.uniform(0.0, starts.len() as f64) as usize;
    if let (Some(first), Some(&start)) = (bytes.first_mut(), starts.get(pick)) {
        *first = start;
    }
    bytes
}

"""Plays an ArduPilot boat with pymavlink and checks what a mission sends to it, message by message.

    field_autopilot.py CONNECTION NORTH_M EAST_M

CONNECTION is pymavlink's: udpin:HOST:PORT, tcpin:HOST:PORT or a serial device. Prints a line for every fact it has seen; ends with status 1 at the first thing that is wrong.
"""

import math
import sys
import time

from pymavlink import mavutil
from pymavlink.dialects.v20 import ardupilotmega as mav

CONNECTION, NORTH_M, EAST_M = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
LAT, LON = 36.6, -84.2
SPEED = 2.0
GUIDED, HOLD, MANUAL = 15, 4, 0
EKF_GOOD, EKF_BAD = 1 | 2 | 4 | 8 | 16, 1 | 128
WANTED = {33: 0.2, 24: 1.0, 193: 1.0, 1: 1.0, 147: 2.0, 87: 1.0, 242: 5.0, 11038: 0.5, 132: 0.5}

link = mavutil.mavlink_connection(
    CONNECTION, baud=115200, source_system=1, source_component=1, dialect="ardupilotmega"
)
start = time.monotonic()


def now():
    return time.monotonic() - start


def must(fact, what):
    if not fact:
        print(f"WRONG at {now():.1f} s: {what}", flush=True)
        sys.exit(1)
    print(f"{now():6.1f} s: {what}", flush=True)


class Boat:
    north = east = 0.0
    mode, armed = MANUAL, False
    target = None

    def place(self):
        lat = LAT + math.degrees(self.north / 6_359_000.0)
        lon = LON + math.degrees(self.east / (6_385_700.0 * math.cos(math.radians(LAT))))
        return round(lat * 1e7), round(lon * 1e7)

    def move(self, seconds):
        if not (self.armed and self.mode == GUIDED and self.target):
            return 0.0
        lat, lon = self.target
        north = math.radians(lat / 1e7 - LAT) * 6_359_000.0 - self.north
        east = math.radians(lon / 1e7 - LON) * 6_385_700.0 * math.cos(math.radians(LAT)) - self.east
        left = math.hypot(north, east)
        step = min(left, SPEED * seconds)
        if left > 0.1:
            self.north += north / left * step
            self.east += east / left * step
            return SPEED
        return 0.0


boat = Boat()
fix_at, old_target = 4.0, (round(LAT * 1e7) + 5000, round(LON * 1e7))
asked, heartbeats, arms, targets = [], [], [], []
modes = []
next_due = {"heartbeat": 0.0, "reports": 0.0}
last_move = now()
ended = None

while ended is None or now() - ended < 1.0:
    if now() > 90.0:
        must(False, f"it is over within 90 s (modes {modes}, arms {arms}, targets {len(targets)})")
    message = link.recv_match(blocking=True, timeout=0.02)
    speed = boat.move(now() - last_move)
    last_move = now()
    has_fix = now() > fix_at

    if link.mav is not None and heartbeats:
        boot_ms = int(now() * 1000)
        if now() >= next_due["heartbeat"]:
            next_due["heartbeat"] = now() + 1.0
            base = 1 | (128 if boat.armed else 0)
            link.mav.heartbeat_send(
                mav.MAV_TYPE_SURFACE_BOAT, mav.MAV_AUTOPILOT_ARDUPILOTMEGA, base, boat.mode, mav.MAV_STATE_ACTIVE
            )
        if now() >= next_due["reports"]:
            next_due["reports"] = now() + 0.2
            lat, lon = boat.place() if has_fix else (0, 0)
            link.mav.gps_raw_int_send(boot_ms * 1000, 3 if has_fix else 1, lat, lon, 0, 100, 100, 0, 0, 12)
            link.mav.ekf_status_report_send(EKF_GOOD if has_fix else EKF_BAD, 0.1, 0.1, 0.1, 0.1, 0.1)
            link.mav.global_position_int_send(boot_ms, lat, lon, 0, 0, int(100 * speed), 0, 0, 0)
            # Before a fix an ArduRover calls a depth healthy that has no place: it must not be believed.
            depth = 4.25 if has_fix else 99.0
            link.mav.water_depth_send(boot_ms, 0, 1, lat, lon, 0, 0, 0, 0, depth, 10)
            link.mav.distance_sensor_send(boot_ms, 30, 5000, 2222, 0, 1, mav.MAV_SENSOR_ROTATION_NONE, 0)
            link.mav.sys_status_send(0, 0, 0, 0, 12000, -1, 87, 0, 0, 0, 0, 0, 0)
            if boat.mode == GUIDED and boat.armed:
                lat, lon = boat.target or old_target
                link.mav.position_target_global_int_send(boot_ms, 6, 0xFFF8, lat, lon, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    if message is None:
        continue
    kind = message.get_type()
    if kind == "BAD_DATA":
        must(False, "only whole messages come")
    sender = (message.get_srcSystem(), message.get_srcComponent())
    if sender != (245, 191):
        must(False, f"the sender is 245/191, not {sender}")

    if kind == "HEARTBEAT":
        heartbeats.append(now())
        if len(heartbeats) == 1:
            must(
                message.type == mav.MAV_TYPE_ONBOARD_CONTROLLER and message.autopilot == mav.MAV_AUTOPILOT_INVALID,
                "its first heartbeat is that of an onboard controller",
            )
    elif kind == "COMMAND_LONG":
        if (message.target_system, message.target_component) != (1, 1):
            must(False, "commands are for 1/1")
        result = mav.MAV_RESULT_ACCEPTED
        if message.command == mav.MAV_CMD_SET_MESSAGE_INTERVAL:
            asked.append((int(message.param1), message.param2 / 1e6))
            if int(message.param1) == 11038:
                result = mav.MAV_RESULT_DENIED
            if len(asked) == len(WANTED):
                got = {message_id: round(interval, 3) for message_id, interval in asked}
                must(got == WANTED, f"each message was asked for once: {got}")
        elif message.command == mav.MAV_CMD_DO_SET_MODE:
            modes.append(int(message.param2))
            must(message.param1 == 1, f"a custom mode is asked for: {int(message.param2)}")
            must(has_fix, "not before there is a position")
            boat.mode = int(message.param2)
            next_due["heartbeat"] = 0.0
        elif message.command == mav.MAV_CMD_COMPONENT_ARM_DISARM:
            arms.append((now(), message.param1))
            if message.param1 == 1 and len(arms) == 1:
                must(boat.mode == GUIDED, "guided mode comes before arming")
                result = mav.MAV_RESULT_FAILED
                link.mav.command_ack_send(message.command, result)
                link.mav.statustext_send(mav.MAV_SEVERITY_CRITICAL, b"Arm: Rangefinder 1: No Data")
                continue
            if message.param1 == 1:
                pause = arms[-1][0] - arms[0][0]
                must(4.5 < pause < 6.5, f"arming is asked for again after {pause:.1f} s")
                must(message.confirmation == 1, "and says that it is the second time")
                boat.armed = True
            else:
                must(boat.mode == HOLD, "the boat is stopped before it is disarmed")
                boat.armed = False
                ended = now()
            next_due["heartbeat"] = 0.0
        else:
            must(False, f"command {message.command} is expected")
        link.mav.command_ack_send(message.command, result)
    elif kind == "SET_POSITION_TARGET_GLOBAL_INT":
        targets.append(now())
        place = (message.lat_int, message.lon_int)
        must(boat.mode == GUIDED and boat.armed, f"a place is sent when guided and armed: {place}")
        must(message.type_mask == 0x0DFC and message.coordinate_frame == 3, "position only, relative altitude")
        north = math.radians(message.lat_int / 1e7 - LAT) * 6_359_000.0
        east = math.radians(message.lon_int / 1e7 - LON) * 6_385_700.0 * math.cos(math.radians(LAT))
        must(abs(north - NORTH_M) < 0.1 and abs(east - EAST_M) < 0.1, f"{north:.2f} m north, {east:.2f} m east")
        if len(targets) == 1:
            continue  # Lost on the way: the boat goes on reporting its old target.
        pause = targets[1] - targets[0]
        must(len(targets) == 2 and 2.5 < pause < 5.0, f"a lost place is sent again, once, after {pause:.1f} s")
        boat.target = place

# Once a second. A busy machine may delay one of them, but not so long that an autopilot misses it (5 s).
gaps = [b - a for a, b in zip(heartbeats, heartbeats[1:])]
mean = sum(gaps) / len(gaps)
must(0.95 < mean < 1.1 and max(gaps) < 2.5, f"{len(gaps)} heartbeats, {mean:.2f} s apart, at most {max(gaps):.2f} s")
must(modes == [GUIDED, HOLD], f"modes in order: {modes}")
must(len(targets) == 2, "no place was sent after it was taken up")
must(math.hypot(boat.north - NORTH_M, boat.east - EAST_M) < 2.1, "the boat is there")

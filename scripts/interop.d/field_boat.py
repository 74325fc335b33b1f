"""Plays an ArduPilot boat with pymavlink for a whole mission, and judges it with shapely.

    field_boat.py CONNECTION AREA.geojson MARGIN_M

CONNECTION is pymavlink's. Like ArduPilot's simulated boat, it calls a place reached from WP_RADIUS away, stops there and reports that
place as its target; it has a speed of its own until it is told one, which it takes only on its way to a place. The operator takes it
over once, for five seconds. When the boat is disarmed, every target and every leg is held against the area; the verdicts
are lines on stdout, and the status is 1 if one is bad.
"""

import json
import math
import sys
import time

import shapely
from pymavlink import mavutil
from pymavlink.dialects.v20 import ardupilotmega as mav

CONNECTION, AREA, MARGIN_M = sys.argv[1], sys.argv[2], float(sys.argv[3])
GUIDED, HOLD = 15, 4
EKF_GOOD = 1 | 2 | 4 | 8 | 16
WP_RADIUS, WP_SPEED, TICK = 3.0, 2.0, 0.1
TAKEN_OVER, GIVEN_BACK = 20.0, 25.0
PATIENCE = 120.0

with open(AREA) as file:
    rings = json.load(file)["coordinates"]
LON, LAT = rings[0][0]


def metres(lon, lat):
    """On the plane that touches the ellipsoid at the first corner."""
    s = math.sin(math.radians(LAT)) ** 2
    a, e2 = 6378137.0, 0.00669437999014
    north = a * (1 - e2) / (1 - e2 * s) ** 1.5
    east = a / math.sqrt(1 - e2 * s) * math.cos(math.radians(LAT))
    return math.radians(lon - LON) * east, math.radians(lat - LAT) * north


def degrees(x, y):
    one = metres(LON + 1e-3, LAT + 1e-3)
    return LON + x / one[0] * 1e-3, LAT + y / one[1] * 1e-3


lake = shapely.Polygon([metres(*p) for p in rings[0]], [[metres(*p) for p in hole] for hole in rings[1:]])
# Legs keep the room for turns beside the margin, and so does home.
inside = lake.buffer(-MARGIN_M - 3.0).representative_point()
home = (inside.x, inside.y)
here, mode, armed, was_armed, target, stopped = home, 0, False, False, None, None
speed, targets, legs, told = WP_SPEED, [], [], []

link = mavutil.mavlink_connection(CONNECTION, source_system=1, source_component=1, dialect="ardupilotmega")
start, next_tick, next_beat, over = time.monotonic(), 0.0, 0.0, None
while over is None or time.monotonic() - start < over + 1.0:
    now = time.monotonic() - start
    if now > PATIENCE:
        sys.exit(f"it is not over within {PATIENCE:.0f} s")
    if now >= next_beat:
        next_beat = now + 1.0
        if armed and TAKEN_OVER <= now < GIVEN_BACK:
            mode, target, stopped = HOLD, None, None
        elif armed and mode == HOLD and GIVEN_BACK <= now < GIVEN_BACK + 2.0:
            mode = GUIDED
        link.mav.heartbeat_send(
            mav.MAV_TYPE_SURFACE_BOAT, mav.MAV_AUTOPILOT_ARDUPILOTMEGA, 1 | (128 if armed else 0), mode, mav.MAV_STATE_ACTIVE
        )
    if now >= next_tick:
        next_tick = now + TICK
        if armed and mode == GUIDED and target:
            away = math.dist(here, target)
            if away <= WP_RADIUS:
                target, stopped = None, here
                link.mav.mission_item_reached_send(0)
            else:
                share = speed * TICK / away
                here = tuple(a + share * (b - a) for a, b in zip(here, target))
        lon, lat = (round(v * 1e7) for v in degrees(*here))
        boot_ms = int(1000 * now)
        link.mav.gps_raw_int_send(boot_ms * 1000, 3, lat, lon, 0, 100, 100, 0, 0, 12)
        link.mav.ekf_status_report_send(EKF_GOOD, 0.1, 0.1, 0.1, 0.1, 0.1)
        link.mav.global_position_int_send(boot_ms, lat, lon, 0, 0, 0, 0, 0, 0)
        depth = 6.0 + 2.0 * math.sin(0.15 * here[0]) + 0.03 * here[1]
        link.mav.water_depth_send(boot_ms, 0, 1, lat, lon, 0, 0, 0, 0, depth, 10)
        link.mav.sys_status_send(0, 0, 0, 0, 12000, -1, 87, 0, 0, 0, 0, 0, 0)
        if target or stopped:
            place = [round(v * 1e7) for v in degrees(*(target or stopped))]
            link.mav.position_target_global_int_send(boot_ms, 6, 0xFFF8, place[1], place[0], *[0] * 9)
    message = link.recv_match(blocking=True, timeout=0.02)
    kind = message.get_type() if message else None
    if kind == "COMMAND_LONG":
        result = mav.MAV_RESULT_ACCEPTED
        if message.command == mav.MAV_CMD_DO_SET_MODE:
            mode = int(message.param2)
        elif message.command == mav.MAV_CMD_DO_CHANGE_SPEED:
            if target:
                speed = message.param2
            else:
                result = mav.MAV_RESULT_FAILED
        elif message.command == mav.MAV_CMD_COMPONENT_ARM_DISARM:
            armed = message.param1 == 1
            was_armed = was_armed or armed
            if was_armed and not armed:
                over = now
        if message.command != mav.MAV_CMD_DO_CHANGE_SPEED:
            next_beat = now
        link.mav.command_ack_send(message.command, result)
    elif kind == "SET_POSITION_TARGET_GLOBAL_INT":
        if not (armed and mode == GUIDED):
            told.append(f"a target at {now:.1f} s, while the boat was not its own")
        target, stopped = metres(message.lon_int / 1e7, message.lat_int / 1e7), None
        targets.append(target)
        legs.append((here, target))


def verdict(what, good):
    print(f"{'right' if good else 'WRONG'}: {what}", flush=True)
    return good


shore = lake.boundary
clear = min(shore.distance(shapely.Point(t)) if lake.contains(shapely.Point(t)) else -1.0 for t in targets)
# Where the boat was believed to be is up to two reports old.
kept = min(shore.distance(shapely.LineString(leg)) for leg in legs)
crossed = sum(not lake.contains(shapely.LineString(leg)) for leg in legs)
good = [
    verdict(f"{len(targets)} targets, the nearest {clear:.2f} m from the shore", clear > MARGIN_M - 0.05),
    verdict(f"legs keep {kept:.2f} m from it, {crossed} cross it", crossed == 0 and kept > MARGIN_M - 2 * speed * 0.2),
    verdict(f"{len(legs)} legs in {over:.0f} s, at {speed:.1f} m/s", len(legs) > 5 and speed > WP_SPEED),
    verdict(f"the boat is {math.dist(here, home):.1f} m from home, disarmed", math.dist(here, home) <= WP_RADIUS and not armed),
    verdict(f"nothing was sent while the operator had it: {told}", not told),
]
sys.exit(0 if all(good) else 1)

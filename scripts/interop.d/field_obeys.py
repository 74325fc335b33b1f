"""Plays an ArduPilot boat with pymavlink, runs a mission on it, and checks message by message who has the boat.

    field_obeys.py stop|silence TRANSECT AREA.geojson

stop: the program is interrupted twice under way. The boat is heavy: it slides when its motors stop.
silence: nothing passes for 40 s, the operator takes the boat during that, and gives it back long after the line is there again.

Prints a line for every fact it has seen; ends with status 1 at the first thing that is wrong.
"""

import json
import math
import signal
import socket
import subprocess
import sys
import time

from pymavlink import mavutil
from pymavlink.dialects.v20 import ardupilotmega as mav

SCENE, TRANSECT, AREA = sys.argv[1:]
GUIDED, HOLD, MANUAL = 15, 4, 0
NAMES = {GUIDED: "GUIDED", HOLD: "HOLD", MANUAL: "MANUAL"}
EKF_GOOD = 1 | 2 | 4 | 8 | 16
SPEED, COAST, WP_RADIUS, TICK, PATIENCE = 2.0, 2.0, 2.0, 0.1, 240.0
SILENT, TAKEN, WATCHED = 40.0, 10.0, 15.0

with open(AREA) as file:
    ring = json.load(file)["coordinates"][0]
LON, LAT = ring[0]
EAST, NORTH = 111_319.5 * math.cos(math.radians(LAT)), 110_970.0


def degrees(x, y):
    return round((LON + x / EAST) * 1e7), round((LAT + y / NORTH) * 1e7)


def metres(lon, lat):
    return (lon / 1e7 - LON) * EAST, (lat / 1e7 - LAT) * NORTH


with socket.socket(type=socket.SOCK_DGRAM) as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
with open("field.toml", "w") as file:
    file.write(
        f"""area = {{ file = "{AREA}" }}
vehicle = {{ link = "udpin:127.0.0.1:{port}" }}
sonar = {{ source = "autopilot" }}
boat = {{ speed_mps = {SPEED} }}
budget = {{ time_s = 600.0 }}
pilot = {{ soundings = 8 }}
kernel = {{ name = "rbf" }}
companions = []
planner = {{ candidates = 100 }}
"""
    )
program = subprocess.Popen(
    [TRANSECT, "--json", "field", "field.toml", "--out", SCENE, "--yes"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
)
link = mavutil.mavlink_connection(f"udpout:127.0.0.1:{port}", source_system=1, source_component=1, dialect="ardupilotmega")
start = time.monotonic()


def now():
    return time.monotonic() - start


def must(fact, what):
    print(f"{'' if fact else 'WRONG at '}{now():6.1f} s: {what}", flush=True)
    if not fact:
        program.kill()
        print(program.communicate()[1], flush=True)
        sys.exit(1)


here, velocity, mode, armed, target = [30.0, 30.0], [0.0, 0.0], MANUAL, False, None
speed, told = 0.0, []  # What was commanded: time, message.
next_tick = next_beat = 0.0
begun = silent_from = interrupted = given_back = ended = None
interrupts = 0
while True:
    if now() > PATIENCE:
        must(False, f"it is over within {PATIENCE:.0f} s: {told}")
    cut = silent_from is not None and now() < silent_from + SILENT
    if now() >= next_tick:
        next_tick += TICK
        wanted = [0.0, 0.0]
        if armed and mode == GUIDED and target:
            away = math.dist(here, target)
            if away <= WP_RADIUS:
                target = None
                if not cut:
                    link.mav.mission_item_reached_send(0)
            else:
                wanted = [SPEED * (b - a) / away for a, b in zip(here, target)]
        share = 1.0 - math.exp(-TICK / COAST)
        velocity = [v + share * (w - v) for v, w in zip(velocity, wanted)]
        here = [h + TICK * v for h, v in zip(here, velocity)]
        speed = math.hypot(*velocity)
        if not cut:
            lon, lat = degrees(*here)
            boot_ms = int(1000 * now())
            link.mav.gps_raw_int_send(boot_ms * 1000, 3, lat, lon, 0, 100, 100, 0, 0, 12)
            link.mav.ekf_status_report_send(EKF_GOOD, 0.1, 0.1, 0.1, 0.1, 0.1)
            link.mav.global_position_int_send(boot_ms, lat, lon, 0, 0, int(100 * velocity[1]), int(100 * velocity[0]), 0, 0)
            link.mav.water_depth_send(boot_ms, 0, 1, lat, lon, 0, 0, 0, 0, 6.0 + 0.05 * here[0], 10)
            if target:
                lon, lat = degrees(*target)
                link.mav.position_target_global_int_send(boot_ms, 6, 0xFFF8, lat, lon, *[0] * 9)
    if now() >= next_beat and not cut:
        next_beat = now() + 1.0
        link.mav.heartbeat_send(
            mav.MAV_TYPE_SURFACE_BOAT, mav.MAV_AUTOPILOT_ARDUPILOTMEGA, 1 | (128 if armed else 0), mode, mav.MAV_STATE_ACTIVE
        )

    # What happens.
    if begun is None and armed and speed > 1.0:
        begun = now()
        must(True, f"the boat is under way at {speed:.1f} m/s")
    if begun and SCENE == "stop" and now() > begun + 8.0 + 0.3 * interrupts and interrupts < 2:
        program.send_signal(signal.SIGINT)
        interrupts += 1
        interrupted = now()
        must(True, f"interrupted at {speed:.1f} m/s")
    if begun and SCENE == "silence" and silent_from is None and now() > begun + 8.0:
        silent_from = now()
        must(True, "silence begins")
    if cut and now() > silent_from + TAKEN and mode != MANUAL:
        mode, target = MANUAL, None
        must(True, "the operator takes the boat: MANUAL")
    if silent_from and given_back is None and now() > silent_from + SILENT + WATCHED:
        must(mode == MANUAL and armed, f"{SILENT:.0f} s of silence and {WATCHED:.0f} s after it the boat is the operator's")
        late = [what for at, what in told if at > silent_from]
        must(not late, f"nothing was commanded in that time: {late}")
        given_back, mode, next_beat = now(), GUIDED, 0.0
        must(True, "the operator gives it back: GUIDED")
    if given_back and interrupts == 0 and any(at > given_back and what == "target" for at, what in told):
        must(now() - given_back < 5.0, "the mission goes on")
        program.send_signal(signal.SIGINT)
        interrupts, interrupted = 1, now()
    if ended is None and program.poll() is not None:
        ended = now()
        must(True, f"the program has ended with {program.returncode}")
    if ended and now() > ended + 5.0:
        break

    message = link.recv_match(blocking=True, timeout=0.02)
    if message is None or cut:
        continue
    kind = message.get_type()
    if kind == "COMMAND_LONG":
        result = mav.MAV_RESULT_ACCEPTED
        if message.command == mav.MAV_CMD_DO_SET_MODE:
            mode = int(message.param2)
            told.append((now(), NAMES.get(mode, str(mode))))
            target, next_beat = None, 0.0
        elif message.command == mav.MAV_CMD_COMPONENT_ARM_DISARM:
            armed, next_beat = message.param1 == 1, 0.0
            told.append((now(), "arm" if armed else "disarm"))
            if not armed:
                must(mode == HOLD, "the boat is disarmed in HOLD")
                must(speed < 0.3, f"and at {speed:.2f} m/s: it has stopped")
        link.mav.command_ack_send(message.command, result)
    elif kind == "SET_POSITION_TARGET_GLOBAL_INT":
        must(armed and mode == GUIDED, "a place is sent to a boat that is ours") if not (armed and mode == GUIDED) else None
        told.append((now(), "target"))
        target = metres(message.lon_int, message.lat_int)

out, err = program.communicate()
result = json.loads(out)
last = [what for _, what in told][-2:]
must(last == ["HOLD", "disarm"], f"the last that it heard: {last}")
must(mode == HOLD and not armed and speed < 0.1, f"five seconds later it is in HOLD, disarmed, at {speed:.2f} m/s")
must(program.returncode == 0, "the program calls it a success")
must("the vehicle is stopped and disarmed" in err, "and says that the vehicle has confirmed it")
if SCENE == "stop":
    after = [what for at, what in told if at > interrupted]
    must(after == ["HOLD", "disarm"], f"after the second interrupt it was told nothing else: {after}")
    hold = next(at for at, what in told if at > interrupted and what == "HOLD")
    must(hold - interrupted < 1.0, f"and that at once: {hold - interrupted:.2f} s")
    must(result["conclusion"] == "stopped", "the mission says that it was stopped")
else:
    must(result["conclusion"] == "home", "the mission came home")
    must("chose MANUAL" in err, "the operator's taking over was told")

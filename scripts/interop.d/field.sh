#!/usr/bin/env bash
# The drivers against other people's programs: pymavlink as the autopilot, Blue Robotics' own sonar
# simulation, sentences that pynmea2 wrote; over UDP, TCP, and pseudo-terminals of socat as serial lines.
source "$(dirname "${BASH_SOURCE[0]}")/common"

install_packages python3-venv socat
python3 -m venv "$SCRATCH/venv"
timeout 600 "$SCRATCH/venv/bin/pip" install --quiet pymavlink bluerobotics-ping pynmea2 >"$SCRATCH/pip.log" 2>&1 ||
    { tail -n 20 "$SCRATCH/pip.log"; exit 1; }
python=$SCRATCH/venv/bin/python

(cd "$root" && cargo build --release --quiet --package transect-field --examples)
examples=$(realpath -m "${CARGO_TARGET_DIR:-$root/target}")/release/examples

started=()
stop() {
    local status=$? pid
    trap - EXIT
    for pid in "${started[@]}"; do
        kill "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    exit "$status"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# --- The autopilot ---------------------------------------------------------------------------------

free_port() { # TYPE: a port that nobody uses now.
    "$python" -c "import socket; s = socket.socket(socket.AF_INET, socket.$1); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"
}
# drive KIND THEIRS OURS: pymavlink's connection and our link are two ends of one line.
drive() {
    local kind=$1 status=0
    "$python" -u "$root/scripts/interop.d/field_autopilot.py" "$2" 15 -8 >"$SCRATCH/autopilot.log" 2>&1 &
    local autopilot=$!
    started+=("$autopilot")
    check "$kind: a boat of pymavlink is driven to its place and disarmed" timeout 120 "$examples/drive" "$3" 15 -8
    cp "$SCRATCH/check.log" "$SCRATCH/drive.log"
    wait "$autopilot" || status=$?
    sed 's/^/    /' "$SCRATCH/autopilot.log"
    check "$kind: every message that it got was right" test "$status" = 0
    check "$kind: the refusal to arm was told with its reason" \
        grep -q 'arming refused (attempt 1): failed: Arm: Rangefinder 1: No Data' "$SCRATCH/drive.log"
    check "$kind: the trouble with the position was told" grep -q 'position not usable: the GPS has no 3D fix\|no position' "$SCRATCH/drive.log"
    check "$kind: its depths were heard" grep -q 'depth 4.250 MAVLink WATER_DEPTH' "$SCRATCH/drive.log"
    check "$kind: and those without a place or downward look were not" \
        bash -c '! grep -E "depth (99|22)" "$1"' - "$SCRATCH/drive.log"
}
udp=$(free_port SOCK_DGRAM)
drive UDP "udpin:127.0.0.1:$udp" "udp:127.0.0.1:$udp"
tcp=$(free_port SOCK_STREAM)
drive TCP "tcpin:127.0.0.1:$tcp" "tcp:127.0.0.1:$tcp"
socat "pty,raw,echo=0,link=$SCRATCH/boat" "pty,raw,echo=0,link=$SCRATCH/shore" &
started+=($!)
until_true 10 test -e "$SCRATCH/shore"
drive serial "$SCRATCH/boat" "serial:$SCRATCH/shore:115200"

# --- The sonar -------------------------------------------------------------------------------------

# Its simulation has one fixed port, and would serve the whole network.
sed 's/0\.0\.0\.0/127.0.0.1/' "$SCRATCH/venv/bin/ping1d-simulation.py" >"$SCRATCH/sonar.py"
"$python" -u "$SCRATCH/sonar.py" >"$SCRATCH/sonar.log" 2>&1 &
started+=($!)
check "Blue Robotics' simulated Ping1D gives depths" timeout 60 "$examples/listen" ping udp:127.0.0.1:6676 20
cp "$SCRATCH/check.log" "$SCRATCH/ping.log"
# Its depths run from 0 to 5 m and its confidence from 10 to 90 %.
check "they are in the range that it simulates" awk \
    '$1 != "depth" || $2 < 0 || $2 > 5.1 || $3 < 0.09 || $3 > 0.91 { wrong = 1 } END { exit wrong || NR < 20 }' "$SCRATCH/ping.log"
socat "pty,raw,echo=0,link=$SCRATCH/sonar" udp:127.0.0.1:6676 &
started+=($!)
until_true 10 test -e "$SCRATCH/sonar"
check "the same over a serial line" timeout 60 "$examples/listen" ping "serial:$SCRATCH/sonar:115200" 20
check "it was asked for distances, by general requests" grep -q 'sending message 1212' "$SCRATCH/sonar.log"

# --- The echo sounder ------------------------------------------------------------------------------

cat >"$SCRATCH/sentences.py" <<'PYTHON'
"""Twelve seconds of a boat with a GPS receiver and an echo sounder, as pynmea2 writes it."""
import sys
import pynmea2

for second in range(12):
    minutes = f"{3636 + second * 0.001:.4f}"
    place = (minutes, "N", "08412.0000", "W")
    time = f"1200{second:02d}"
    print(pynmea2.GGA("GP", "GGA", (time, *place, "1", "08", "0.9", "300.0", "M", "-30.0", "M", "", "")), end="\r\n")
    print(pynmea2.RMC("GP", "RMC", (time, "A", *place, "3.6", "0.0", "010124", "", "")), end="\r\n")
    if sys.argv[1] == "dpt":
        print(pynmea2.DPT("SD", "DPT", (f"{5 + 0.1 * second:.1f}", "0.2")), end="\r\n")
    else:
        print(pynmea2.DBT("SD", "DBT", ("", "f", f"{5 + 0.1 * second:.1f}", "M", "", "F")), end="\r\n")
PYTHON
"$python" "$SCRATCH/sentences.py" dpt >"$SCRATCH/dpt.nmea"
"$python" "$SCRATCH/sentences.py" dbt >"$SCRATCH/dbt.nmea"
right() { # FILE SOURCE: twelve depths from 5.0 to 6.1 m and twelve places going north.
    awk -v source="$2" '
        $1 == "depth" { if ($2 != sprintf("%.3f", 5 + 0.1 * depths++) || $5 != source) wrong = 1 }
        $1 == "fix" { lat = sprintf("%.7f", 36.6 + fixes++ * 0.001 / 60); if ($2 - lat > 1e-7 || lat - $2 > 1e-7 || $3 != "-84.2000000") wrong = 1 }
        END { exit wrong || depths != 12 || fixes != 12 }' "$1"
}
for kind in dpt dbt; do
    check "a log of pynmea2 is read ($kind)" timeout 60 "$examples/listen" nmea "file:$SCRATCH/$kind.nmea" 12
    cp "$SCRATCH/check.log" "$SCRATCH/$kind.log"
    check "it says what was written" right "$SCRATCH/$kind.log" "${kind^^}"
done

# slowly FILE: a line every 20 ms, as a device would, after two seconds in which the other side gets ready.
slowly() {
    sleep 2
    while IFS= read -r line; do
        printf '%s\n' "$line"
        sleep 0.02
    done <"$1"
}
# hear KIND LINK WRITER...: what a writer sends to a link of ours.
hear() {
    local kind=$1 link=$2
    shift 2
    slowly "$SCRATCH/dpt.nmea" | "$@" &
    started+=($!)
    check "sentences over $kind are read" timeout 60 "$examples/listen" nmea "$link" 12
    cp "$SCRATCH/check.log" "$SCRATCH/$kind.log"
    check "they say what was written ($kind)" right "$SCRATCH/$kind.log" DPT
}
udp=$(free_port SOCK_DGRAM)
hear UDP "udpin:127.0.0.1:$udp" socat - "udp:127.0.0.1:$udp"
tcp=$(free_port SOCK_STREAM)
hear TCP "tcp:127.0.0.1:$tcp" socat - "tcp-listen:$tcp,bind=127.0.0.1"
hear serial "serial:$SCRATCH/gps:4800" socat - "pty,raw,echo=0,link=$SCRATCH/gps"

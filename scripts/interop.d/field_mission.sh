#!/usr/bin/env bash
# A whole mission of `transect field` on a boat that is not ours: pymavlink plays the autopilot, shapely judges every leg.
source "$(dirname "${BASH_SOURCE[0]}")/common"

install_packages python3-venv
python3 -m venv "$SCRATCH/venv"
timeout 600 "$SCRATCH/venv/bin/pip" install --quiet pymavlink shapely >"$SCRATCH/pip.log" 2>&1 ||
    { tail -n 20 "$SCRATCH/pip.log"; exit 1; }
python=$SCRATCH/venv/bin/python
cd "$SCRATCH"

cat >lake.geojson <<'JSON'
{"type": "Polygon", "coordinates": [
  [[-84.2, 36.6], [-84.1993, 36.6], [-84.1993, 36.60055], [-84.1996, 36.6006], [-84.2, 36.6006], [-84.2, 36.6]],
  [[-84.19965, 36.60025], [-84.19955, 36.60025], [-84.19955, 36.60035], [-84.19965, 36.60035], [-84.19965, 36.60025]]]}
JSON
port=$("$python" -c "import socket; s = socket.socket(type=socket.SOCK_DGRAM); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])")
cat >field.toml <<TOML
area = { file = "lake.geojson" }
vehicle = { link = "udpin:127.0.0.1:$port" }
sonar = { source = "autopilot" }
boat = { speed_mps = 3.0, turn_rate_radps = 6.0 }
budget = { time_s = 50.0 }
reserve = { time_s = 5.0 }
pilot = { soundings = 8 }
kernel = { name = "rbf" }
companions = []
planner = { candidates = 100 }
TOML

MAVLINK20=1 "$python" -u "$root/scripts/interop.d/field_boat.py" "udpout:127.0.0.1:$port" lake.geojson 3.0 >boat.log 2>&1 &
boat=$!
trap 'kill "$boat" 2>/dev/null || true' EXIT
check "a mission on a boat of pymavlink comes home" timeout 120 "$TRANSECT" --json field field.toml --yes --out out
cp check.log mission.log
status=0
wait "$boat" || status=$?
sed 's/^/    /' boat.log
check "shapely finds every target and leg inside the fence, and the boat at home" test "$status" = 0
check "the mission says that it is home" grep -q '"conclusion":"home"' mission.log
check "the operator's taking over was told" grep -q 'paused: the operator or a failsafe chose HOLD' out/field.log
check "the boat's own radius was told" grep -q 'WP_RADIUS' out/field.log
check "no speed was refused" bash -c '! grep -q "does not take a speed" out/field.log'
check "there is a report, a map and more than 25 soundings" bash -c \
    'test -s out/report.html && test -s out/map.tif && test "$(wc -l <out/soundings.csv)" -gt 25'
check "the mission runs again from its journal" timeout 300 "$TRANSECT" replay out

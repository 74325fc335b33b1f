#!/usr/bin/env bash
# Who has the boat: pymavlink plays one that is stopped by its operator, and one that is taken over during a silence.
source "$(dirname "${BASH_SOURCE[0]}")/common"

install_packages python3-venv
python3 -m venv "$SCRATCH/venv"
timeout 600 "$SCRATCH/venv/bin/pip" install --quiet pymavlink >"$SCRATCH/pip.log" 2>&1 ||
    { tail -n 20 "$SCRATCH/pip.log"; exit 1; }
cd "$SCRATCH"

cat >lake.geojson <<'JSON'
{"type": "Polygon", "coordinates": [
  [[-84.2, 36.6], [-84.1988, 36.6], [-84.1988, 36.601], [-84.2, 36.601], [-84.2, 36.6]]]}
JSON
obeys() { # SCENE WHAT
    check "$2" env MAVLINK20=1 timeout 300 "$SCRATCH/venv/bin/python" -u "$root/scripts/interop.d/field_obeys.py" "$1" "$TRANSECT" lake.geojson
    sed 's/^/    /' "$SCRATCH/check.log"
}
obeys stop "a second Ctrl-C ends in a boat that is stopped and disarmed"
obeys silence "a mode that somebody else chose survives a silence of 40 s"

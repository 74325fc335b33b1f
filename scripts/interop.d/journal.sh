#!/usr/bin/env bash
# The journal of a mission, read with the reference implementation of MCAP and checked against its own schemas.
source "$(dirname "${BASH_SOURCE[0]}")/common"

install_packages python3-venv
python3 -m venv "$SCRATCH/python"
"$SCRATCH/python/bin/pip" install --quiet mcap jsonschema foxglove-schemas-protobuf

"$TRANSECT" init mission >"$SCRATCH/mission.toml"
mission=("$TRANSECT" --quiet run "$SCRATCH/mission.toml" --set kernel.name=rbf --set budget.soundings=100)
check "a mission" "${mission[@]}" --out "$SCRATCH/whole"

cat >"$SCRATCH/read.py" <<'PYTHON'
"""Reads a journal; compares it with soundings.csv if it has an end."""
import csv, json, pathlib, sys
import jsonschema
from mcap.exceptions import McapError
from mcap.reader import NonSeekingReader, make_reader

folder = pathlib.Path(sys.argv[1])
whole = sys.argv[2] == "whole"
soundings, topics, times = [], {}, []
with open(folder / "journal.mcap", "rb") as file:
    reader = make_reader(file) if whole else NonSeekingReader(file)
    try:
        for schema, channel, message in reader.iter_messages(log_time_order=False):
            assert (schema.encoding, channel.message_encoding) == ("jsonschema", "json")
            value = json.loads(message.data)
            jsonschema.validate(value, json.loads(schema.data))
            topics[channel.topic] = topics.get(channel.topic, 0) + 1
            times.append(message.log_time)
            if channel.topic == "sounding":
                soundings.append(value["sounding"])
    except (McapError, EOFError):
        assert not whole
print(topics)
assert times == sorted(times)
rows = list(csv.DictReader(open(folder / "soundings.csv")))[: len(soundings)]
assert whole is False or len(rows) == len(soundings) == 100
for row, sounding in zip(rows, soundings, strict=True):
    assert [float(row["x"]), float(row["y"])] == sounding["position"]
    assert float(row["value"]) == sounding["value"]
assert topics["begun"] == topics["truth"] == 1 and topics["plan"] > 1
PYTHON
check "the reference reader and the journal's own schemas agree with it" \
    "$SCRATCH/python/bin/python" "$SCRATCH/read.py" "$SCRATCH/whole" whole
mkdir "$SCRATCH/cut"
cp "$SCRATCH/whole/soundings.csv" "$SCRATCH/cut"
head -c "$(($(stat -c %s "$SCRATCH/whole/journal.mcap") * 7 / 10))" "$SCRATCH/whole/journal.mcap" >"$SCRATCH/cut/journal.mcap"
check "so they do with one that was cut off" \
    "$SCRATCH/python/bin/python" "$SCRATCH/read.py" "$SCRATCH/cut" cut
check "both replay" bash -c "'$TRANSECT' replay '$SCRATCH/whole' && '$TRANSECT' replay '$SCRATCH/cut'"

# --- As Foxglove reads it --------------------------------------------------------------------------------------------

foxglove() { "$SCRATCH/python/bin/python" "$(dirname "${BASH_SOURCE[0]}")/foxglove.py" "$@"; }
check "Foxglove's schemas fit the journal of a mission in metres of its own" foxglove "$SCRATCH/whole" pose map
check "a rehearsal on the water" "$TRANSECT" --quiet field --simulate --out "$SCRATCH/field" --set budget.time_s=600
check "Foxglove's schemas fit its journal, places on the earth included" foxglove "$SCRATCH/field" pose map fix fence
check "it replays" "$TRANSECT" --quiet replay "$SCRATCH/field"

"""Reads a journal as Foxglove does: every foxglove.* message against the schema that Foxglove publishes, and the last map
against the GeoTIFF's extent. What the boat had to say ("log") may be there or not. Usage: foxglove.py FOLDER TOPIC..."""
import base64, importlib, json, math, pathlib, struct, sys
import jsonschema
from google.protobuf import json_format
from mcap.reader import make_reader

folder, expected = pathlib.Path(sys.argv[1]), set(sys.argv[2:])
seen, grids, fixes = {}, [], []


def stamped(value):
    """Foxglove's JSON has {sec, nsec} where protobuf's own has a string."""
    if isinstance(value, dict):
        if value.keys() == {"sec", "nsec"}:
            return f"1970-01-01T00:00:00Z" if not any(value.values()) else json_format.MessageToDict(moment(value))
        return {key: stamped(inner) for key, inner in value.items()}
    return [stamped(inner) for inner in value] if isinstance(value, list) else value


def moment(value):
    from google.protobuf.timestamp_pb2 import Timestamp
    return Timestamp(seconds=value["sec"], nanos=value["nsec"])


with open(folder / "journal.mcap", "rb") as file:
    for schema, channel, message in make_reader(file).iter_messages():
        if not schema.name.startswith("foxglove."):
            continue
        value = json.loads(message.data)
        jsonschema.validate(value, json.loads(schema.data))
        name = schema.name.removeprefix("foxglove.")
        kind = getattr(importlib.import_module(f"foxglove_schemas_protobuf.{name}_pb2"), name)
        # Unknown fields, wrong types and unknown numbers of an enum are errors here.
        parsed = json_format.ParseDict(stamped(value), kind())
        missing = {f.name for f in kind.DESCRIPTOR.fields} - value.keys() - {"heading", "velocity", "color", "metadata"}
        assert not missing, (schema.name, missing)
        seen[channel.topic] = seen.get(channel.topic, 0) + 1
        if name == "Grid":
            assert json.loads(schema.data)["properties"]["data"]["contentEncoding"] == "base64"
            assert parsed.data == base64.b64decode(value["data"])
            assert [(f.name, f.offset, f.type) for f in parsed.fields] == [("mean", 0, 7), ("std", 4, 7)]
            assert len(parsed.data) % parsed.row_stride == 0 and parsed.row_stride == parsed.cell_stride * parsed.column_count
            grids.append(parsed)
        if name == "LocationFix":
            assert message.log_time == parsed.timestamp.seconds * 10**9 + parsed.timestamp.nanos
            fixes.append((parsed.longitude, parsed.latitude))
        if name == "GeoJSON":
            ring = json.loads(parsed.geojson)["features"][0]["geometry"]["coordinates"]
            (west, east), (south, north) = [(min(axis), max(axis)) for axis in zip(*ring)]
print(seen)
assert set(seen) - {"log"} == expected, expected
last = grids[-1]
cells = [struct.unpack_from("<ff", last.data, i) for i in range(0, len(last.data), last.cell_stride)]
known = [cell for cell in cells if not math.isnan(cell[0])]
assert len(known) > len(cells) / 4 and all(std > 0 for _, std in known)
if fixes:
    slack = 0.0005
    assert all(west - slack <= lon <= east + slack and south - slack <= lat <= north + slack for lon, lat in fixes)

"""Checks of desk.sh: ours against other programs' word."""
import csv
import gzip
import io
import json
import lzma
import math
import struct
import subprocess
import sys


def ours(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def ten(rows):
    step = max(1, len(rows) // 10)
    return rows[::step][:10]


def close(what, mine, theirs, tolerance):
    assert abs(mine - theirs) <= tolerance, f"{what}: {mine} here, {theirs} there"


def nmea(log, table):
    import pynmea2

    lines = gzip.open(log, "rt", errors="replace").read().splitlines()
    fixes, depths = [], {}
    for number, line in enumerate(lines, 1):
        try:
            message = pynmea2.parse(line.split("*")[0])
        except pynmea2.ParseError:
            continue
        if message.sentence_type in ("GGA", "GLL", "RMC") and getattr(message, "lat", ""):
            fixes.append((number, message.longitude, message.latitude))
        elif message.sentence_type == "DBT" and message.depth_meters:
            depths[number] = float(message.depth_meters)
    rows = ten(ours(table))
    assert len(rows) == 10
    for row in rows:
        number = int(row["line"])
        close("depth", float(row["depth_m"]), depths[number], 1e-4)
        before = max((fix for fix in fixes if fix[0] < number), key=lambda fix: fix[0])
        after = min((fix for fix in fixes if fix[0] > number), key=lambda fix: fix[0])
        for axis, name in ((1, "lon"), (2, "lat")):
            low, high = sorted((before[axis], after[axis]))
            assert low - 2e-5 <= float(row[name]) <= high + 2e-5, (row, before, after)


def baja(log, table):
    theirs = list(csv.DictReader(io.TextIOWrapper(lzma.open(log))))
    rows = ours(table)
    assert len(rows) == len(theirs)
    for row in ten(rows):
        other = theirs[int(row["line"]) - 2]
        close("longitude", float(row["lon"]), float(other["longitude"]) - 360, 1e-7)
        close("latitude", float(row["lat"]), float(other["latitude"]), 1e-7)
        close("elevation", float(row["elevation_m"]), float(other["bathymetry_m"]), 1e-9)


def edge(log, table):
    import pyproj

    transform = pyproj.Transformer.from_crs("EPSG:25833", "EPSG:4258", always_xy=True)
    theirs = list(csv.DictReader(open(log)))
    for row in ten(ours(table)):
        other = theirs[int(row["line"]) - 2]
        lon, lat = transform.transform(float(other["Longitude"]), float(other["Latitude"]))
        close("longitude", float(row["lon"]), lon, 1e-7)
        close("latitude", float(row["lat"]), lat, 1e-7)
        close("depth", float(row["depth_m"]), float(other["Depth (m)"]), 1e-9)


def dms(log, table):
    text = open(log, encoding="latin-1", newline="").read()
    theirs = list(csv.DictReader(io.StringIO(text.replace("\r", "\n")), quoting=csv.QUOTE_NONE))

    def angle(text):
        degrees, rest = text.split("\u00b0")
        minutes, rest = rest.split("'")
        return float(degrees) + float(minutes) / 60 + float(rest.strip().rstrip('"')) / 3600

    for row in ten(ours(table)):
        other = theirs[int(row["line"]) - 2]
        close("longitude", float(row["lon"]), angle(other["Longitude (deg)"]), 2e-8)
        close("latitude", float(row["lat"]), angle(other["Latitude (deg)"]), 2e-8)
        close("depth", float(row["depth_m"]), float(other["Depth (m)"]), 1e-9)


def ogrinfo(*arguments):
    return subprocess.run(["ogrinfo", "-ro", *arguments], capture_output=True, text=True, check=True).stdout


def contours(report, file):
    layer = [] if file.endswith((".geojson", ".dxf")) else ["contours"]
    counts = [line for line in ogrinfo("-so", "-al" if not layer else "-so", file, *layer).splitlines() if line.startswith("Feature Count")]
    assert int(counts[0].split(":")[1]) == json.load(open(report))["contours"], counts


def alike(package, text):
    def lines(source, *more):
        out = subprocess.run(["ogr2ogr", "-f", "GeoJSON", "-t_srs", "EPSG:4326", "/vsistdout/", source, *more], capture_output=True, text=True, check=True).stdout
        return [feature["geometry"]["coordinates"] for feature in json.loads(out)["features"]]

    for one, other in zip(lines(package, "contours"), lines(text), strict=True):
        for a, b in zip(one, other, strict=True):
            close("longitude", a[0], b[0], 2e-7)
            close("latitude", a[1], b[1], 2e-7)


def true_volume(path):
    raw = gzip.open(path).read()
    start = 10 + struct.unpack("<H", raw[8:10])[0]
    kind = "f" if b"f4" in raw[:start] else "d"
    size = struct.calcsize(kind)
    depths = struct.unpack(f"<{(len(raw) - start) // size}{kind}", raw[start:])
    return 4 * sum(depth for depth in depths if not math.isnan(depth))


def volume(report, truth):
    full, expected = json.load(open(report))["storage"][0], true_volume(truth)
    print(full, expected)
    close("volume", full["volume_m3"] / expected, 1, 0.01)
    low, high = full["volume_95"]
    assert low <= expected <= high, (low, expected, high)


def table(log, table, x, y, value):
    """Columns by number, from 0, as Python's csv module reads them."""
    raw = gzip.open(log, "rb").read() if log.endswith(".gz") else open(log, "rb").read()
    text = raw.decode("utf-8-sig").splitlines()
    separator = ";" if ";" in text[0] else ","
    rows = ours(table)
    place = ("lon", "lat") if "lon" in rows[0] else ("x", "y")
    other = [name for name in rows[0] if name.startswith(("depth", "elevation", "value"))][0]
    picked = ten(rows)
    assert len(picked) == 10
    for row in picked:
        (cells,) = csv.reader([text[int(row["line"]) - 1]], delimiter=separator)
        for name, column in ((place[0], x), (place[1], y), (other, value)):
            close(name, float(row[name]), float(cells[int(column)]), 1e-7)


def shore(report, file):
    """The area of a Shapefile as OGR has it."""
    name = file.rsplit("/", 1)[-1].split(".")[0]
    said = subprocess.run(["ogrinfo", "-ro", "-q", "-geom=NO", "-sql", f"select sum(OGR_GEOM_AREA) as a from {name}", file], capture_output=True, text=True, check=True).stdout
    (area,) = [float(line.split("=")[1]) for line in said.splitlines() if " = " in line]
    mine = json.load(open(report))
    close("area inside", mine["area_m2"] / area, 1, 1e-3)
    close("area mapped", mine["storage"][0]["area_m2"] / area, 1, 0.01)


def hypsometry(report, truth):
    """Area by level against the truth: off by less than 2 % of the lake, and inside the intervals at nearly all levels."""
    raw = gzip.open(truth).read()
    start = 10 + struct.unpack("<H", raw[8:10])[0]
    depths = [d for (d,) in struct.iter_unpack("<f", raw[start:]) if d == d]
    whole = 4.0 * len(depths)
    rows = json.load(open(report))["storage"]
    inside = 0
    for row in rows:
        area = 4.0 * sum(d > row["level"] for d in depths)
        print(f"{row['level']:4} m: {row['area_m2']:9.0f} here, {area:9.0f} there, {row['area_95']}")
        close(f"area {row['level']} m down, of the lake's", row["area_m2"] / whole, area / whole, 0.02)
        inside += row["area_95"][0] - 0.002 * whole <= area <= row["area_95"][1] + 0.002 * whole
    assert inside >= len(rows) - 2, f"{inside} of {len(rows)} inside"


def outline(program, data, file, report):
    out = subprocess.run(
        [program, "--quiet", "--json", "map", f"{data}/lake/soundings_1hz.csv.gz", "--area", file, "--shore-depth", "0", "--kernel", "matern32", "--cell", "20", "--out", "o.tif", "--force"],
        capture_output=True, text=True, check=True,
    ).stdout
    mapped = json.loads(out)["grid"]["mapped"] * 400
    expected = json.load(open(report))["storage"][0]["area_m2"]
    close("area", mapped / expected, 1, 0.02)


def plan(file):
    """https://docs.qgroundcontrol.com/master/en/qgc-dev-guide/file_formats/plan.html"""
    document = json.load(open(file))
    assert document["fileType"] == "Plan" and document["version"] == 1 and isinstance(document["groundStation"], str)
    assert document["rallyPoints"]["version"] == 2 and document["rallyPoints"]["points"] == []
    fence = document["geoFence"]
    assert fence["version"] == 2 and fence["circles"] == []
    for polygon in fence["polygons"]:
        assert polygon["version"] == 1 and isinstance(polygon["inclusion"], bool) and len(polygon["polygon"]) >= 3
    mission = document["mission"]
    assert mission["version"] == 2 and len(mission["plannedHomePosition"]) == 3
    for key in ("firmwareType", "vehicleType", "cruiseSpeed", "hoverSpeed", "globalPlanAltitudeMode"):
        assert isinstance(mission[key], (int, float)), key
    assert mission["items"]
    for number, item in enumerate(mission["items"], 1):
        assert item["type"] == "SimpleItem" and item["command"] == 16 and item["frame"] == 3 and item["autoContinue"] is True
        assert item["doJumpId"] == number and len(item["params"]) == 7
        assert -90 <= item["params"][4] <= 90 and -180 <= item["params"][5] <= 180


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])

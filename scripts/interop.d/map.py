"""Checks of map.sh: ours against GDAL's word. Standard library only."""
import json
import math
import os
import random
import struct
import subprocess
import sys

# The Jacksboro terrain: cells of 1/1200 degree, row 0 in the north.
WEST, NORTH, CELL, ROWS, COLUMNS = -84.41375, 36.73292, 1 / 1200, 344, 403


def soundings(npy, count, out):
    """Cells chosen anywhere, each at its centre."""
    raw = open(npy, "rb").read()
    start = 10 + struct.unpack("<H", raw[8:10])[0]
    heights = struct.unpack(f"<{ROWS * COLUMNS}h", raw[start : start + 2 * ROWS * COLUMNS])
    with open(out, "w") as file:
        file.write("lon,lat,elevation\n")
        for cell in random.Random(1).sample(range(ROWS * COLUMNS), int(count)):
            row, column = divmod(cell, COLUMNS)
            lon, lat = WEST + (column + 0.5) * CELL, NORTH - (row + 0.5) * CELL
            file.write(f"{lon:.9f},{lat:.9f},{heights[cell]}\n")


def load(name):
    return json.load(open(f"{name}.json")), json.load(open(f"{name}.gdal.json"))


def close(what, ours, theirs, tolerance):
    assert abs(ours - theirs) <= tolerance, f"{what}: {ours} here, {theirs} by GDAL"


def ascii_grid(name):
    """Band 1 as GDAL writes it in text, rows from the north, None for NoData."""
    lines = open(f"{name}.asc").read().split("\n")
    header = dict(line.split() for line in lines[:6])
    void = float(header["NODATA_value"])
    values = [[float(v) for v in line.split()] for line in lines[6:] if line.strip()]
    return [[None if v == void or math.isnan(v) else v for v in row] for row in values]


def transform(points, source, target):
    """GDAL's own transform of many points."""
    text = "\n".join(f"{x!r} {y!r}" for x, y in points)
    command = ["gdaltransform", "-s_srs", source, "-t_srs", target, "-output_xy"]
    out = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    return [tuple(map(float, line.split()[:2])) for line in out.splitlines()]


def grid(name):
    ours, gdal = load(name)
    grid = ours["grid"]
    assert gdal["size"] == [grid["columns"], grid["rows"]], gdal["size"]
    west, south, east, north = grid["extent"]
    for what, mine, theirs in zip("west cell _ north _ -cell".split(), [west, grid["cell_m"], 0, north, 0, -grid["cell_m"]], gdal["geoTransform"]):
        close(what, mine, theirs, 1e-6)
    assert 'ID["EPSG",32616]' in gdal["coordinateSystem"]["wkt"] and ours["crs"] == "EPSG:32616"
    assert [band["description"] for band in gdal["bands"]] == ["mean", "standard deviation"]
    for band in gdal["bands"]:
        assert band["type"] == "Float32" and math.isnan(float(band["noDataValue"])), band
        if max(gdal["size"]) > 256:
            assert band["overviews"], "no overviews"
    print(gdal["size"], gdal["geoTransform"])


def statistics(name):
    ours, gdal = load(name)
    values = [v for row in ascii_grid(name) for v in row if v is not None]
    assert len(values) == ours["grid"]["mapped"], (len(values), ours["grid"]["mapped"])
    assert 0 < len(values) < ours["grid"]["rows"] * ours["grid"]["columns"], "nothing is outside of the hull"
    band = gdal["bands"][0]
    close("minimum", min(values), band["minimum"], 1e-3)
    close("maximum", max(values), band["maximum"], 1e-3)
    close("mean", sum(values) / len(values), band["mean"], 1e-3)
    # The terrain is 236 to 1076 m high, by its origin.
    assert 200 < band["minimum"] < 300 and 950 < band["maximum"] < 1150, band


def values(name):
    """At 100 cells chosen anywhere, gdallocationinfo finds by easting and northing what stands in that cell."""
    ours, _ = load(name)
    cells = ascii_grid(name)
    west, _, _, north = ours["grid"]["extent"]
    side = ours["grid"]["cell_m"]
    chosen = random.Random(2).sample([(r, c) for r in range(len(cells)) for c in range(len(cells[0]))], 100)
    text = "\n".join(f"{west + (c + 0.5) * side} {north - (r + 0.5) * side}" for r, c in chosen)
    command = ["gdallocationinfo", "-valonly", "-geoloc", "-b", "1", f"{name}.tif"]
    out = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    found = [float(line) for line in out.split()]
    assert len(found) == 100, len(found)
    for (r, c), value in zip(chosen, found):
        here = cells[r][c]
        assert math.isnan(value) if here is None else abs(value - here) <= 1e-6 * abs(here), (r, c, here, value)


def contours(name):
    """Every vertex lies, by GDAL's transform, where the map has the value of its line."""
    ours, _ = load(name)
    cells = ascii_grid(name)
    west, _, _, north = ours["grid"]["extent"]
    side = ours["grid"]["cell_m"]
    features = json.load(open(f"{name}.contours.geojson"))["features"]
    assert len(features) == ours["contours"] > 10, len(features)
    vertices = [(f["properties"]["value"], p) for f in features for p in f["geometry"]["coordinates"]]
    vertices = random.Random(3).sample(vertices, min(5000, len(vertices)))
    worst = 0.0
    for (level, _), (x, y) in zip(vertices, transform([p for _, p in vertices], "EPSG:4326", "EPSG:32616")):
        assert level % ours["interval"] == 0, level
        u, v = (x - west) / side - 0.5, (north - y) / side - 0.5
        c, r = min(int(u), len(cells[0]) - 2), min(int(v), len(cells) - 2)
        u, v = u - c, v - r
        # A vertex is on a side of a square of centres: bilinear is linear there. Corners with weight 0 may be void.
        corners = [(r, c, (1 - u) * (1 - v)), (r, c + 1, u * (1 - v)), (r + 1, c, (1 - u) * v), (r + 1, c + 1, u * v)]
        known = [(cells[i][j], w) for i, j, w in corners if cells[i][j] is not None]
        here = sum(value * w for value, w in known) / sum(w for _, w in known)
        worst = max(worst, abs(here - level))
    print(f"{len(vertices)} vertices, at worst {worst:.4f} m off")
    assert worst < 0.05, worst


def place(name):
    """Two looks at where the map is, against GDAL's own transform, to 0.1 m."""
    # Its sides are those of the outermost soundings, moved outwards to whole cells.
    ours, _ = load(name)
    rows = [line.split(",") for line in open(f"{name}.csv").read().split()[1:]]
    metres = transform([(float(lon), float(lat)) for lon, lat, _ in rows], "EPSG:4326", "EPSG:32616")
    side = ours["grid"]["cell_m"]
    xs, ys = zip(*metres)
    west, south, east, north = ours["grid"]["extent"]
    for mine, outermost, rounded in [
        (west, min(xs), math.floor),
        (south, min(ys), math.floor),
        (east, max(xs), math.ceil),
        (north, max(ys), math.ceil),
    ]:
        close("side", mine, rounded(outermost / side) * side, 0.1)
    # A plane tells from its value where one is: soundings of x + 2 y about the first place, mapped in cells of 0.5 m.
    x0, y0 = metres[0]
    around = [(x0 + 4.1 * i, y0 + 4.1 * j) for i in range(-5, 6) for j in range(-5, 6)]
    with open("plane.csv", "w") as file:
        file.write("lon,lat,value\n")
        for (x, y), (lon, lat) in zip(around, transform(around, "EPSG:32616", "EPSG:4326")):
            file.write(f"{lon!r},{lat!r},{x - x0 + 2 * (y - y0)}\n")
    options = ["--out", "plane.tif", "--cell", "0.5", "--kernel", "rbf"]
    subprocess.run([os.environ["TRANSECT"], "--quiet", "map", "plane.csv", *options], check=True, capture_output=True)
    info = json.loads(subprocess.run(["gdalinfo", "-json", "plane.tif"], capture_output=True, text=True, check=True).stdout)
    west, cell, _, north, _, _ = info["geoTransform"]
    for dx, dy in [(0.25, 0.25), (7.3, -9.1), (-12.2, 15.7)]:
        column, row = int((x0 + dx - west) / cell), int((north - y0 - dy) / cell)
        x, y = west + (column + 0.5) * cell - x0, north - (row + 0.5) * cell - y0
        command = ["gdallocationinfo", "-valonly", "-b", "1", "plane.tif", str(column), str(row)]
        value = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        print(f"centre ({x:.3f}, {y:.3f}): {value:.3f} in the map, {x + 2 * y:.3f} on the plane")
        close("plane", value, x + 2 * y, 0.1)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])

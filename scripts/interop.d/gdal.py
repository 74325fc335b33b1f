"""Compares terrains as the program reads them with what GDAL says of the same files.

gdal.py agree SOURCE [GDAL_SOURCE]   SOURCE is what GDAL says of it (or of GDAL_SOURCE)
gdal.py warped                       jacksboro in our metres is what gdalwarp makes of it

TRANSECT and EXPORT are the program and the example `export`. TOLERANCE is how much heights may differ, by default the
rounding of f32.
"""
import json
import math
import os
import random
import re
import subprocess
import sys

POINTS = 100


def run(*command, stdin=None):
    done = subprocess.run(command, capture_output=True, text=True, input=stdin)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


def cells(columns, rows):
    """Cells anywhere, as `column row` lines."""
    chosen = random.Random(4).sample(range(columns * rows), min(POINTS, columns * rows))
    return "\n".join(f"{cell % columns} {cell // columns}" for cell in chosen)


def located(file, asked):
    out = run("gdallocationinfo", "-valonly", "-b", "1", file, stdin=asked)
    return [float(line) for line in out.split()]


def system(gdal):
    wkt = gdal.get("coordinateSystem", {}).get("wkt", "")
    # The code of the whole system comes last and closes it. A .prj file has none: GDAL looks for the system that fits.
    code = re.search(r'ID\["EPSG",(\d+)\]\]\s*$', wkt)
    if code:
        return "EPSG:" + code[1]
    return run("gdalsrsinfo", "-e", "-o", "epsg", gdal["description"]).split()[0] if wkt else "local"


def agree(source, theirs_of=None):
    theirs_of = theirs_of or source
    ours = json.loads(run(os.environ["TRANSECT"], "terrain", source, "--json"))
    gdal = json.loads(run("gdalinfo", "-json", "-stats", "--config", "GDAL_PAM_ENABLED", "NO", theirs_of))
    band = gdal["bands"][0]
    # gdalinfo rounds what it prints itself; the metadata have all digits.
    statistics = band["metadata"][""]
    scale = max(abs(float(statistics[f"STATISTICS_{key}"])) for key in ("MINIMUM", "MAXIMUM"))
    tolerance = float(os.environ.get("TOLERANCE", 1e-6 * max(scale, 1.0)))
    wrong = []

    def same(what, a, b, within=0.0):
        if not (a == b or (within > 0.0 and abs(a - b) <= within)):
            wrong.append(f"{what}: ours {a}, GDAL's {b}")

    same("columns", ours["columns"], gdal["size"][0])
    same("rows", ours["rows"], gdal["size"][1])
    if "geoTransform" in gdal:
        west, width, _, north, _, height = gdal["geoTransform"]
        same("west", ours["extent"]["xmin"], west, 1e-6 * width)
        same("north", ours["extent"]["ymax"], north, 1e-6 * width)
        same("cell width", ours["cell"][0], width, 1e-9 * width)
        same("cell height", ours["cell"][1], abs(height), 1e-9 * width)
    same("coordinate system", ours["crs"], system(gdal))
    for name, key in [("min", "MINIMUM"), ("max", "MAXIMUM"), ("mean", "MEAN"), ("std", "STDDEV")]:
        same(name, ours[name], float(statistics[f"STATISTICS_{key}"]), tolerance)
    valid = 100.0 * (1.0 - ours["voids"] / (ours["rows"] * ours["columns"]))
    # GDAL gives two or four digits of it.
    same("cells with data in %", valid, float(statistics.get("STATISTICS_VALID_PERCENT", 100.0)), 0.006)

    asked = cells(ours["columns"], ours["rows"])
    here = [float(line) for line in run(os.environ["EXPORT"], source, "export.tif", stdin=asked).split()]
    none = band.get("noDataValue")
    for file in [theirs_of, "export.tif"]:
        there = located(file, asked)
        assert len(here) == len(there) > 0, (len(here), len(there))
        for cell, a, b in zip(asked.split("\n"), here, there):
            void = math.isnan(b) or (none is not None and b == float(none) and file == theirs_of)
            if math.isnan(a) or void:
                same(f"no data at {cell} of {file}", math.isnan(a), void)
            else:
                # What we write is f32, whatever was read.
                same(f"height at {cell} of {file}", a, b, max(tolerance, 1e-6 * abs(a)))
    print(len(here), "heights compared")
    assert not wrong, "\n" + "\n".join(wrong[:10])


def warped():
    asked = cells(*json.loads(run("gdalinfo", "-json", "metres.tif"))["size"])
    ours = [float(v) for v in run(os.environ["EXPORT"], "jacksboro", "metres.tif", "--metres", stdin=asked).split()]
    info = json.loads(run("gdalinfo", "-json", "metres.tif"))
    assert system(info) == "EPSG:32616", system(info)
    west, cell, _, north, _, _ = info["geoTransform"]
    columns, rows = info["size"]
    extent = [west, north - rows * cell, west + columns * cell, north]
    run(*"gdalwarp -q -overwrite -r bilinear -wo XSCALE=1 -wo YSCALE=1 -t_srs EPSG:32616 -et 0 -ot Float32 -dstnodata nan -te".split(),
        *map(str, extent), "-ts", str(columns), str(rows), "jacksboro.tif", "warped.tif")
    pairs = [(a, b) for a, b in zip(ours, located("warped.tif", asked)) if not math.isnan(a) and not math.isnan(b)]
    worst = max(abs(a - b) for a, b in pairs)
    print(len(pairs), "compared, at worst", worst, "m apart")
    assert len(pairs) > 80 and worst < 0.1


if __name__ == "__main__":
    {"agree": agree, "warped": warped}[sys.argv[1]](*sys.argv[2:])

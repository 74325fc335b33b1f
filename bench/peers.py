"""One method on one data set: prints its errors, CPU seconds and peak memory as JSON. Called by `peers`.

    peers.py DATA SET METHOD TRANSECT FOLDER [SPLIT]

Sets: `heaton` (satellite temperatures with a large gap), `lake` (a sonar at 10 Hz whose true depths are known), `lake1` (the same at
1 Hz), `baja` (ship soundings, a tenth of the tracks held out in whole pieces; SPLIT draws others), `made` and `made1` (other lakes at 10 and 1 Hz, one for every SPLIT), and the small `sic97`, `sic2004`,
`jura` and `walker` (classic sets of geostatistics). Every method is judged at the
same places. A place of a held-out piece that was sounded a second time outside of it was not held out: the copy in the file would be found
exactly by a triangulation alone. Such places are judged for no method; `rmse_with_repeats` is the error with them. Methods
other than transect get soundings without the planted bad ones, and averaged where that is to their advantage.
"""

import csv
import gzip
import json
import lzma
import re
import resource
import subprocess
import sys
import time

import numpy as np

# Most points for methods whose cost grows with the cube or square of their number.
EXACT, WINDOWED, SPLINE = 2500, 10000, 3000


class Task:
    """Training places and values, places to be judged at, and what is true there."""

    def __init__(self, places, values, at, truth, cell, noisy, raw=None, flags=(), nu=0.5, block=0.0, repeated=None):
        self.places, self.values, self.at, self.truth = places, values, at, truth
        self.cell, self.noisy, self.raw, self.flags, self.nu, self.block = cell, noisy, raw, flags, nu, block
        # Which places to be judged at are in the training places as well.
        self.repeated = np.zeros(len(truth), bool) if repeated is None and truth is not None else repeated


def heaton(data):
    rows = list(csv.DictReader(gzip.open(f"{data}/real/heaton/satellite.csv.gz", "rt")))
    axis = {name: {v: i for i, v in enumerate(sorted({float(r[name]) for r in rows}))} for name in ("Lon", "Lat")}
    number = lambda text: float(text) if text not in ("", "NA") else np.nan
    # In pixels, each a kilometre wide, its middle on the middle of a cell.
    xy = np.array([[1000.0 * (axis[n][float(r[n])] + 0.5) for n in ("Lon", "Lat")] for r in rows])
    mask, true = (np.array([number(r[n]) for r in rows]) for n in ("MaskTemp", "TrueTemp"))
    train, test = np.isfinite(mask), ~np.isfinite(mask) & np.isfinite(true)
    return Task(xy[train], mask[train], xy[test], true[test], 1000.0, True)


def lake(data, rate):
    from scipy.spatial import Delaunay

    rows = list(csv.DictReader(gzip.open(f"{data}/lake/soundings_{rate}hz.csv.gz", "rt")))
    bad = [int(n) for n in re.findall(r"^\d+", open(f"{data}/lake/planted_bad_{rate}hz.csv").read(), re.M)]
    lon, lat, depth = (np.array([float(r[n]) for r in rows]) for n in ("lon", "lat", "depth"))
    xy = np.column_stack(utm33(lon, lat))
    good = np.ones(len(depth), bool)
    good[bad] = False
    true = np.load(gzip.open(f"{data}/lake/depth_2m.npy.gz"))
    i, j = np.nonzero(np.isfinite(true))
    some = (i % 2 == 0) & (j % 2 == 0)
    i, j = i[some], j[some]
    at = np.column_stack([370000.0 + 2.0 * j, 5805000.0 + 2.0 * i])
    inside = Delaunay(xy[good][::7]).find_simplex(at) >= 0
    raw = np.column_stack([lon, lat, depth])
    return Task(xy[good], depth[good], at[inside], true[i, j][inside], 2.0, False, raw, nu=1.5, block=4.0)


def baja(data, split):
    rows = list(csv.DictReader(lzma.open(f"{data}/real/baja/baja-bathymetry.csv.xz", "rt")))
    lon, lat, z = (np.array([float(r[n]) for r in rows]) for n in ("longitude", "latitude", "bathymetry_m"))
    scale = 111_320.0
    xy = np.column_stack([(lon - lon.mean()) * scale * np.cos(np.radians(lat.mean())), (lat - lat.mean()) * scale])
    steps = np.hypot(*np.diff(xy, axis=0).T)
    piece, count, pieces = 0, 0, np.zeros(len(z), int)
    for k in range(1, len(z)):
        count += 1
        if steps[k - 1] > 5000.0 or count == 150:
            piece, count = piece + 1, 0
        pieces[k] = piece
    held = np.isin(pieces, np.random.default_rng(split).permutation(piece + 1)[: (piece + 1) // 10])
    left = {tuple(place) for place in xy[~held]}
    repeated = np.array([tuple(place) in left for place in xy[held]])
    return Task(xy[~held], z[~held], xy[held], z[held], 2000.0, True, nu=0.5, block=2000.0, repeated=repeated)


def made(seed, rate):
    from scipy.spatial import Delaunay

    import made_lake

    water = made_lake.Lake(seed)
    places, depth, bad = made_lake.log(water, seed, rate)
    x, y = np.meshgrid(np.arange(2.0, made_lake.WIDTH_M, 4.0), np.arange(2.0, made_lake.HEIGHT_M, 4.0))
    true = water.depth(x, y)
    at = np.column_stack([x[true > 0], y[true > 0]])
    inside = Delaunay(places[::7]).find_simplex(at) >= 0
    raw = np.column_stack([places, depth])
    return Task(places[~bad], depth[~bad], at[inside], true[true > 0][inside], 2.0, False, raw, nu=1.5, block=4.0)


def classic(data, name):
    """Sets of geostatistics; ordinary kriging with gstat has errors of 55.4, 12.49, 0.732 and 145.3."""
    known, asked, columns, unit, cell = {
        "sic97": ("sic_obs.csv", "sic_full.csv", ("X", "Y", "rainfall"), 1.0, 2000.0),
        "sic2004": ("sic2004__sic.val.csv", "sic2004__sic.test.csv", ("x", "y", "dayx"), 1.0, 3000.0),
        "jura": ("jura__jura.pred.csv", "jura__jura.val.csv", ("Xloc", "Yloc", "Cd"), 1000.0, 25.0),
        "walker": ("walker.csv", "walker_test.csv.gz", ("X", "Y", "V"), 1.0, 1.0),
    }[name]

    def rows(file):
        path = f"{data}/real/csv/{file}"
        lines = csv.DictReader(gzip.open(path, "rt") if file.endswith("gz") else open(path))
        return np.array([[float(r[n]) for n in columns] for r in lines if r[columns[2]] != "NA"]) * [unit, unit, 1.0]

    known, asked = rows(known), rows(asked)
    taken = {tuple(row[:2]) for row in known}
    asked = np.array([row for row in asked if tuple(row[:2]) not in taken])
    return Task(known[:, :2], known[:, 2], asked[:, :2], asked[:, 2], cell, True)


def utm33(lon, lat):
    """WGS 84 to UTM zone 33 north (Krueger's series to the third order: millimetres)."""
    a, f = 6378137.0, 1 / 298.257223563
    n = f / (2 - f)
    radius = a / (1 + n) * (1 + n**2 / 4 + n**4 / 64)
    alpha = [n / 2 - 2 * n**2 / 3 + 5 * n**3 / 16, 13 * n**2 / 48 - 3 * n**3 / 5, 61 * n**3 / 240]
    phi, lam = np.radians(lat), np.radians(lon - 15.0)
    e = 2 * np.sqrt(n) / (1 + n)
    t = np.sinh(np.arctanh(np.sin(phi)) - e * np.arctanh(e * np.sin(phi)))
    xi, eta = np.arctan2(t, np.cos(lam)), np.arctanh(np.sin(lam) / np.sqrt(1 + t * t))
    x = eta + sum(c * np.cos(2 * k * xi) * np.sinh(2 * k * eta) for k, c in enumerate(alpha, 1))
    y = xi + sum(c * np.sin(2 * k * xi) * np.cosh(2 * k * eta) for k, c in enumerate(alpha, 1))
    return 500_000.0 + 0.9996 * radius * x, 0.9996 * radius * y


def block_means(task):
    """Means over blocks, for methods that gain from it."""
    if task.block == 0.0:
        return task.places, task.values
    _, inverse = np.unique(np.floor(task.places / task.block), axis=0, return_inverse=True)
    inverse = inverse.ravel()
    counts = np.bincount(inverse)
    mean = lambda numbers: np.bincount(inverse, numbers) / counts
    return np.column_stack([mean(task.places[:, 0]), mean(task.places[:, 1])]), mean(task.values)


def spread(places, values, count):
    """Some points, spread over the survey: the means of blocks of the right size, so many at most."""
    if len(values) <= count:
        return places, values
    area = np.prod(np.ptp(places, axis=0))
    side = np.sqrt(area / count) / 2
    while True:
        task = Task(places, values, None, None, 0, False, block=side)
        means = block_means(task)
        if len(means[1]) <= count:
            return means
        side *= 1.1


def transect(task, program, folder):
    """Mean and standard deviation at the places, bilinear between cells."""
    import tifffile

    source, out = f"{folder}/soundings.csv", f"{folder}/map.tif"
    is_degrees = task.raw is not None and task.places.min() > 1e5
    names = "x,y,value" if task.raw is None else "lon,lat,depth" if is_degrees else "x,y,depth"
    table = np.column_stack([task.places, task.values]) if task.raw is None else task.raw
    np.savetxt(source, table, "%.8f", ",", header=names, comments="")
    columns = ["--x", "x", "--y", "y", "--value", "value"] if task.raw is None else []
    begin = time.monotonic()
    told = subprocess.run(
        [program, "map", source, "--out", out, "--force", "--fill", "--json", "--cell", str(task.cell), *columns],
        check=True, capture_output=True, text=True)
    wall = time.monotonic() - begin
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = json.loads(told.stdout)
    with tifffile.TiffFile(out) as file:
        page = file.pages[0]
        bands = page.asarray().astype(float)
        tie, size = page.tags["ModelTiepointTag"].value, page.tags["ModelPixelScaleTag"].value
    if bands.shape[-1] == 2:
        bands = np.moveaxis(bands, -1, 0)
    bands = np.where(np.abs(bands) > 1e30, np.nan, bands)
    rows, columns = bands.shape[1:]
    u = np.clip((task.at[:, 0] - tie[3]) / size[0] - 0.5, 0, columns - 1)
    v = np.clip((tie[4] - task.at[:, 1]) / size[1] - 0.5, 0, rows - 1)
    j, i = np.minimum(u.astype(int), columns - 2), np.minimum(v.astype(int), rows - 2)
    a, b = u - j, v - i
    mean, std = (
        band[i, j] * (1 - a) * (1 - b) + band[i, j + 1] * a * (1 - b)
        + band[i + 1, j] * (1 - a) * b + band[i + 1, j + 1] * a * b
        for band in bands)
    if task.noisy:
        std = np.hypot(std, said["noise_stds"][0])
    extra = {
        "says": said["leave_one_out"]["coverage_95_apart"],
        "range": [float(np.nanmin(bands[0])), float(np.nanmax(bands[0]))],
        "suspicious": len(said["suspicious"]["soundings"]),
    }
    return mean, std, (usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024), extra


def gpboost(task):
    import gpboost as gpb

    places, values = block_means(task)
    unit, level = np.ptp(places, axis=0).max(), places.mean(axis=0)
    scaled = lambda xy: (xy - level) / unit
    trend = lambda xy: np.column_stack([np.ones(len(xy)), scaled(xy)])
    # Exact where that is affordable: the nearest neighbours of a place are those along one line.
    exact = len(values) <= EXACT
    how = {} if exact else {"num_neighbors": 20, "vecchia_ordering": "random", "seed": 1}
    model = gpb.GPModel(
        gp_coords=scaled(places), cov_function="matern", cov_fct_shape=task.nu, likelihood="gaussian",
        gp_approx="none" if exact else "vecchia", **how)
    model.fit(y=values, X=trend(places))
    if not exact:
        model.set_prediction_data(num_neighbors_pred=40, vecchia_pred_type="order_obs_first_cond_obs_only")
    told = model.predict(gp_coords_pred=scaled(task.at), X_pred=trend(task.at), predict_var=True, predict_response=task.noisy)
    return told["mu"], np.sqrt(told["var"])


def scikit_learn(task):
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

    places, values = spread(*block_means(task), EXACT)
    unit, level = np.ptp(places, axis=0).max(), places.mean(axis=0)
    scaled = lambda xy: (xy - level) / unit
    kernel = ConstantKernel(1.0) * Matern(0.1, (1e-3, 10.0), nu=task.nu) + WhiteKernel(0.01, (1e-6, 1.0))
    model = GaussianProcessRegressor(kernel, normalize_y=True).fit(scaled(places), values)
    noise = model.kernel_.k2.noise_level * values.std() ** 2
    parts = [model.predict(part, return_std=True) for part in np.array_split(scaled(task.at), len(task.at) // 5000 + 1)]
    mean, std = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
    return mean, std if task.noisy else np.sqrt(np.maximum(std**2 - noise, 1e-12))


def pykrige(task):
    from pykrige.ok import OrdinaryKriging

    places, values = spread(*block_means(task), WINDOWED)
    model = OrdinaryKriging(*places.T, values, variogram_model="exponential", nlags=20, weight=True)
    # From all points where that is affordable: the nearest ones of a place are those along one line.
    window = {"backend": "vectorized"} if len(values) <= EXACT else {"backend": "loop", "n_closest_points": 64}
    parts = [model.execute("points", *part.T, **window) for part in np.array_split(task.at, len(task.at) // 5000 + 1)]
    mean, variance = (np.concatenate([np.asarray(part[k]) for part in parts]) for k in (0, 1))
    return mean, np.sqrt(np.maximum(variance, 1e-12))


def verde(task):
    import verde as vd

    places, values = spread(*block_means(task), SPLINE)
    blocks = vd.BlockKFold(spacing=np.ptp(places, axis=0).max() / 20, shuffle=True, random_state=0)
    spline = vd.SplineCV(dampings=(1e-10, 1e-8, 1e-6, 1e-4, 1e-2), cv=blocks)
    model = vd.Chain([("trend", vd.Trend(1)), ("spline", spline)])
    model.fit(tuple(places.T), values)
    parts = [model.predict(tuple(part.T)) for part in np.array_split(task.at, len(task.at) // 5000 + 1)]
    return np.concatenate(parts), None


def triangulation(task):
    from scipy.interpolate import LinearNDInterpolator, NearestNDInterpolator

    mean = LinearNDInterpolator(task.places, task.values)(task.at)
    outside = ~np.isfinite(mean)
    mean[outside] = NearestNDInterpolator(task.places, task.values)(task.at[outside])
    return mean, None


def crps(mean, std, truth):
    from scipy.stats import norm

    z = (truth - mean) / std
    return float(np.mean(std * (z * (2 * norm.cdf(z) - 1) + 2 * norm.pdf(z) - 1 / np.sqrt(np.pi))))


def main():
    data, name, method, program, folder, *split = sys.argv[1:]
    split = int(split[0]) if split else 0
    tasks = {"heaton": lambda: heaton(data), "lake": lambda: lake(data, 10), "lake1": lambda: lake(data, 1),
             "baja": lambda: baja(data, split), "made": lambda: made(split, 10), "made1": lambda: made(split, 1)}
    task = tasks.get(name, lambda: classic(data, name))()
    extra = {}
    if method == "transect":
        mean, std, (cpu, wall, peak), extra = transect(task, program, folder)
    else:
        before, begin = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
        methods = {"gpboost": gpboost, "scikit-learn": scikit_learn, "pykrige": pykrige, "verde": verde,
                   "triangulation": triangulation}
        mean, std = methods[method](task)
        after = resource.getrusage(resource.RUSAGE_SELF)
        wall = time.monotonic() - begin
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        peak = after.ru_maxrss / 1024
    everywhere, judged = mean - task.truth, ~task.repeated
    error, truth = everywhere[judged], task.truth[judged]
    rms = lambda numbers: float(np.sqrt(np.mean(numbers**2)))
    told = {"set": name, "method": method, "soundings": len(task.values), "judged": len(truth), "rmse": rms(error),
            "cpu_s": cpu, "wall_s": wall, "peak_mib": peak, **extra}
    if task.repeated.any():
        told["repeats"], told["rmse_with_repeats"] = int(task.repeated.sum()), rms(everywhere)
    if std is not None:
        mean, std = mean[judged], std[judged]
        told["crps"] = crps(mean, std, truth)
        told["inside_95"] = float(np.mean(np.abs(error) <= 1.959964 * std))
    if "range" in extra:
        told["soundings_range"] = [float(task.values.min()), float(task.values.max())]
    print(json.dumps(told))


if __name__ == "__main__":
    main()

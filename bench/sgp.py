"""A survey planned by SGP-Tools after the opening of another: writes its soundings, prints what it took as JSON. Called by `sgp`.

    sgp.py TERRAIN.npy OPENED.csv SOUNDINGS.csv KERNEL PLANS [SEED]

OPENED is the `soundings.csv` of a run of `transect reproduce planners`. Its first third is the opening; as many soundings as are left follow
on a path by `ContinuousSGP`, whose kernel (rbf, attentive or neural) is trained on all soundings so far. With PLANS above 1 the kernel is
trained again, and the rest of the path optimised again, after equal parts of what is left. In favour of the planner: corners are sharp and cost no
time, the path begins as the shortest way through evenly spread places that just takes the time, and where it ends up shorter than
the time, soundings are closer together.
"""

import json
import os
import resource
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import gpflow
import numpy as np
import tensorflow as tf
from sgptools.core.transformations import IPPTransform
from sgptools.kernels import get_kernel
from sgptools.methods import ContinuousSGP
from sgptools.utils.gpflow import get_model_params
from sgptools.utils.misc import get_inducing_pts
from sgptools.utils.tsp import resample_path, run_tsp

HALF_M, EXTENT_M = 10.0, 22.0
# Of the time, before there is a model; as in transect's default profile.
OPENING = 0.33
# The standard deviation of a reading, in the terrain's unit; as in transect's default profile.
NOISE_STD = 1.0
# Metres between two waypoints. One more place between them counts as sounded, so that one does for every metre.
WAYPOINTS_M, SAMPLES = 2.0, 3
# Their scale: coordinates with a standard deviation of ten.
UNIT = 10.0 / (2.0 * HALF_M / np.sqrt(12.0))
STEPS = 100


def read(terrain, places, rng):
    rows, columns = terrain.shape
    cell = lambda v, count: np.clip(((v + EXTENT_M / 2) * count / EXTENT_M).astype(int), 0, count - 1)
    return terrain[cell(places[:, 1], rows), cell(places[:, 0], columns)] + rng.normal(0.0, NOISE_STD, len(places))


def kernel_of(name):
    if name == "attentive":
        # The range of lengthscales that the kernel was published with, for an area two units wide.
        return get_kernel("Attentive")(lengthscales=np.linspace(0.01, 0.5, 10) * UNIT * HALF_M, hidden_sizes=[10, 10])
    if name == "neural":
        return get_kernel("NeuralSpectral")(input_dim=2, Q=1, hidden_sizes=[10, 10])
    return get_kernel("RBF")(lengthscales=1.0, variance=1.0)


def way(start, length_m, seed):
    """The shortest way from `start` through evenly spread places, as many as it takes to fill the length."""
    grid = np.random.default_rng(seed).uniform(-HALF_M, HALF_M, (5000, 2))
    best, fewest, most = None, 4, None
    count = int((length_m / (0.76 * 2.0 * HALF_M)) ** 2)
    for _ in range(12):
        (path,), _ = run_tsp(get_inducing_pts(grid, count, seed=seed), start_nodes=start[None], time_limit=5)
        # As long as its waypoints make it: they cut corners.
        path = resample_path(path, round(length_m / WAYPOINTS_M) + 1)
        long_m = length(path)
        if long_m <= length_m:
            fewest = count
            if best is None or long_m > best[0]:
                best = (long_m, path)
        else:
            most = count
        if 0.97 * length_m <= long_m <= length_m or (most is not None and most - fewest <= 1):
            break
        guess = int(count * (0.985 * length_m / long_m) ** 2)
        count = guess if guess > fewest and (most is None or guess < most) else (fewest + (most or 2 * count)) // 2
    if best is None:
        raise SystemExit("no way fits into the time")
    return best[1]


def length(path):
    return float(np.hypot(*np.diff(path, axis=0).T).sum())


def along(path, distances):
    known = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
    return np.column_stack([np.interp(distances, known, path[:, k]) for k in (0, 1)])


def main():
    terrain, opened, out, name, plans, *seed = sys.argv[1:]
    seed = int(seed[0]) if seed else 0
    plans, terrain = int(plans), np.load(terrain).astype(float)
    np.random.seed(seed)
    tf.random.set_seed(seed)
    rng = np.random.default_rng(seed)
    survey = np.loadtxt(opened, delimiter=",", skiprows=1)
    opening, count = int(OPENING * len(survey)), len(survey)
    places, values = survey[:opening, :2], survey[:opening, 2]
    axis = np.linspace(-HALF_M, HALF_M, 24)
    asked = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 2)
    before, each, told = time.process_time(), [], []
    rest = way(places[-1], float(count - opening), seed)
    for plan in range(plans):
        began, left = time.monotonic(), count - len(places)
        level, scale = values.mean(), values.std()
        _, noise, kernel = get_model_params(
            places * UNIT, ((values - level) / scale)[:, None], kernel=kernel_of(name), noise_variance=0.1, verbose=False)
        fixed = resample_path(places, max(2, round(length(places) / WAYPOINTS_M)))
        free = rest[1:]
        fixed = np.vstack([fixed, places[-1:]])[:-1] * UNIT
        budget = UNIT * (length(fixed / UNIT) + np.hypot(*(free[0] - places[-1])) + left)
        transform = IPPTransform(
            sampling_rate=SAMPLES, distance_budget=budget, Xu_fixed=fixed[None], constraint_weight=100.0)
        method = ContinuousSGP(
            len(fixed) + len(free), asked * UNIT, kernel, noise, transform=transform,
            X_init=np.vstack([fixed, free * UNIT]))
        start = -float(method.sgpr.training_loss())
        solution = method.optimize(max_steps=STEPS)[0][len(fixed):] / UNIT
        rest = np.vstack([places[-1:], np.clip(solution, -HALF_M, HALF_M)])
        told.append({"noise": float(noise), "bound_from": start, "bound_to": -float(method.sgpr.training_loss()), "left": left,
                     "length_m": length(rest), "moved_m": float(np.hypot(*(rest[1:] - free).T).mean())})
        each.append(time.monotonic() - began)
        step = min(1.0, length(rest) / left)
        driven = left if plan + 1 == plans else round(left / (plans - plan))
        new = along(rest, step * np.arange(1, driven + 1))
        done = step * driven
        known = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(rest, axis=0).T))])
        rest = np.vstack([new[-1:], rest[known > done]])
        places, values = np.vstack([places, new]), np.concatenate([values, read(terrain, new, rng)])
    np.savetxt(out, np.column_stack([places, values]), "%.9g", ",", header="x,y,value", comments="")
    print(json.dumps({"kernel": name, "plans": told, "longest_plan_s": max(each), "cpu_s": time.process_time() - before,
                      "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


if __name__ == "__main__":
    main()

"""One run of the authors' library, with their settings: random sampling after a Bezier pilot survey.

Prints one JSON document: CPU seconds of the run (imports not counted) and of the whole process, peak
memory, and the metrics after the last sounding. Called by `compare`.
"""

import argparse
import contextlib
import json
import os
import resource
import sys
import time

import numpy as np
import torch

import pypolo
from pypolo.experiments import Evaluator
from pypolo.experiments.utilities import get_kernel, seed_everything

ENVIRONMENT = [-11.0, 11.0, -11.0, 11.0]
WORKSPACE = [-10.0, 10.0, -10.0, 10.0]
PILOT_SAMPLES = 50
METRICS = ("smses", "mslls", "nlpds", "rmses", "maes")


def survey(terrain, kernel_name, seed, samples):
    rng = seed_everything(seed)
    sensor = pypolo.sensors.Sonar(rate=1.0, env=terrain, env_extent=ENVIRONMENT, noise_scale=1.0)
    evaluator = Evaluator(sensor, WORKSPACE, [50, 50])
    pilot = pypolo.strategies.Bezier(WORKSPACE, rng)
    x = pilot.get(num_states=PILOT_SAMPLES)
    y = sensor.sense(x, rng).reshape(-1, 1)
    settings = argparse.Namespace(
        kernel=kernel_name, init_amplitude=1.0, init_lengthscale=0.5,
        min_lengthscale=0.01, max_lengthscale=0.5, dim_input=2, dim_hidden=10, dim_output=10,
    )
    model = pypolo.models.GPR(x_train=x, y_train=y, kernel=get_kernel(settings), noise=1.0)
    model.optimize(num_iter=len(y), verbose=False)
    evaluator.eval_prediction(model)
    strategy = pypolo.strategies.RandomSampling(WORKSPACE, rng)
    while model.num_train < samples:
        x = strategy.get(model=model)
        y = sensor.sense(x, rng).reshape(-1, 1)
        model.add_data(x, y)
        model.optimize(num_iter=len(y), verbose=False)
        evaluator.eval_prediction(model)
    return model.num_train, {name[:-1]: float(getattr(evaluator, name)[-1]) for name in METRICS}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("terrain")
    parser.add_argument("kernel")
    parser.add_argument("seed", type=int)
    parser.add_argument("samples", type=int)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    terrain = np.load(arguments.terrain).astype(np.float64)
    before = time.process_time()
    with contextlib.redirect_stdout(sys.stderr):
        taken, metrics = survey(terrain, arguments.kernel, arguments.seed, arguments.samples)
    run = time.process_time() - before
    usage = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({
        "samples": taken,
        "run_seconds": run,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_mib": usage.ru_maxrss / 1024,
        "metrics": metrics,
        "threads": os.environ.get("OMP_NUM_THREADS"),
        "versions": {"numpy": np.__version__, "torch": torch.__version__},
    }))


if __name__ == "__main__":
    main()

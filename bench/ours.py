"""Runs a command; prints its CPU seconds, peak memory and the last line of its metrics as JSON.

    ours.py METRICS.csv COMMAND...

Called by `compare`.
"""

import json
import resource
import subprocess
import sys


def main():
    metrics, *command = sys.argv[1:]
    status = subprocess.run(command, stdout=subprocess.DEVNULL).returncode
    if status != 0:
        sys.exit(f"{' '.join(command)}: exit code {status}")
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(metrics) as file:
        lines = file.read().splitlines()
    last = dict(zip(lines[0].split(","), map(float, lines[-1].split(","))))
    samples = int(last.pop("samples"))
    print(json.dumps({
        "samples": samples,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_mib": usage.ru_maxrss / 1024,
        "metrics": last,
    }))


if __name__ == "__main__":
    main()

"""Puts two measurements side by side; exit code 1 if their metrics differ. Called by `compare`."""

import json
import sys

# Both do the same arithmetic in another order, and training carries rounding along. A different
# algorithm, seed or setting is apart by far more than this.
TOLERANCE = 1e-3


def main():
    kernel = sys.argv[1]
    authors, ours = (json.load(open(path)) for path in sys.argv[2:])
    versions = ", ".join(f"{name} {version}" for name, version in authors["versions"].items())
    print(f"{kernel}, {ours['samples']} samples, one thread each ({versions})")
    print(f"  {'':22}{'authors':>12}{'transect':>12}{'ratio':>9}")
    rows = [
        ("CPU s, the run", authors["run_seconds"], ours["cpu_seconds"]),
        ("CPU s, the process", authors["cpu_seconds"], ours["cpu_seconds"]),
        ("peak memory, MiB", authors["peak_mib"], ours["peak_mib"]),
    ]
    for name, theirs, mine in rows:
        print(f"  {name:22}{theirs:12.2f}{mine:12.2f}{theirs / mine:8.1f}x")
    agree = authors["samples"] == ours["samples"]
    for name, theirs in authors["metrics"].items():
        mine = ours["metrics"][name]
        apart = abs(mine - theirs) / max(abs(theirs), 1e-9)
        verdict = "" if apart < TOLERANCE else "  DIFFERS"
        agree &= not verdict
        print(f"  final {name:16}{theirs:12.6f}{mine:12.6f}  {apart:.1e} apart{verdict}")
    print(f"  {'the metrics agree' if agree else 'THE METRICS DIFFER'}")
    sys.exit(not agree)


if __name__ == "__main__":
    main()

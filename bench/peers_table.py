"""Puts results of `peers.py`, one JSON object per line, into a Markdown table with versions. Called by `peers`."""

import json
import platform
import sys
from datetime import date
from importlib.metadata import version

PACKAGES = ("gpboost", "scikit-learn", "pykrige", "verde", "scipy")


def main():
    rows = [json.loads(line) for line in open(sys.argv[1])]
    number = lambda row, key, digits, scale=1.0: f"{scale * row[key]:.{digits}f}" if key in row else ""
    print(f"{date.today()}, {platform.machine()}, Python {platform.python_version()}, "
          + ", ".join(f"{name} {version(name)}" for name in PACKAGES) + "\n")
    print("| set | method | RMSE | CRPS | inside 95 % | says | CPU s | wall s | MiB |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        digits = 1 if row["rmse"] > 20 else 3
        print(f"| {row['set']} | {row['method']} | {number(row, 'rmse', digits)} | {number(row, 'crps', digits)} | "
              f"{number(row, 'inside_95', 1, 100.0)} | {number(row, 'says', 1, 100.0)} | {row['cpu_s']:.1f} | "
              f"{row['wall_s']:.0f} | {row['peak_mib']:.0f} |")
    for row in rows:
        if "repeats" in row:
            print(f"\n{row['set']}, {row['method']}: RMSE {row['rmse_with_repeats']:.1f} with {row['repeats']} places that were "
                  "sounded again outside of the held-out pieces")
    for row in rows:
        if "range" in row:
            low, high = row["soundings_range"]
            beyond = max(low - row["range"][0], row["range"][1] - high, 0.0) / (high - low)
            print(f"\n{row['set']}: cells beyond the range of soundings by at most {100.0 * beyond:.1f} % of it; "
                  f"{row['suspicious']} soundings set aside by the map")


if __name__ == "__main__":
    main()

"""Puts a folder of results of `sgp` into a Markdown table. Called by `sgp`."""

import csv
import json
import sys
from collections import defaultdict
from datetime import date
from importlib.metadata import version
from pathlib import Path

# What it is compared with.
OURS = ("lawnmower", "tour")


def main():
    folder = Path(sys.argv[1])
    smse, longest = defaultdict(list), defaultdict(list)
    for judged in sorted(folder.glob("*.judged")):
        terrain, time, kernel, plans, seed = judged.stem.rsplit("-", 4)
        (row,) = csv.DictReader(judged.open())
        arm = kernel if plans == "1" else f"{kernel}, {plans} plans"
        smse[terrain, int(time), arm].append((int(seed), float(row["smse"])))
        told = json.loads(judged.with_suffix(".json").read_text().splitlines()[-1])
        longest[arm].append(told["longest_plan_s"])
    cells = sorted({(terrain, time) for terrain, time, _ in smse})
    arms = sorted({arm for _, _, arm in smse})
    print(f"{date.today()}, " + ", ".join(f"{name} {version(name)}" for name in ("sgptools", "gpflow", "tensorflow")) + "\n")
    print("| terrain | time | seeds | " + " | ".join((*OURS, *arms)) + " |")
    print("|---" * (3 + len(OURS) + len(arms)) + "|")
    for terrain, time in cells:
        # Each is compared on the seeds that all have.
        each = [{s for s, _ in smse[terrain, time, arm]} for arm in arms if smse[terrain, time, arm]]
        seeds = sorted(set.intersection(*each))
        mean = lambda found: sum(found) / len(found)
        row = []
        for name in OURS:
            runs = [folder / f"ours/planners/{terrain}/{name}/{time}s/seed{seed}/judged.csv" for seed in seeds]
            row.append(mean([float(next(csv.DictReader(run.open()))["smse"]) for run in runs]))
        for arm in arms:
            found = [v for s, v in smse[terrain, time, arm] if s in seeds]
            row.append(mean(found) if found else None)
        texts = [f"{v:.4f}" if v is not None else "" for v in row]
        print(f"| {terrain} | {time} s | {','.join(map(str, seeds))} | " + " | ".join(texts) + " |")
    for arm in arms:
        print(f"\n{arm}: the longest plan took {max(longest[arm]):.0f} s")


if __name__ == "__main__":
    main()

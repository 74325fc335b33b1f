"""Writes the soundings of a made-up multibeam survey: x, y (m) and depth (m), one row per beam.

    python3 bench/multibeam.py [--soundings N] [--side M] [--seed N] > survey.csv

Lines 80 m apart over a square, a ping every 2 m, a fan of beams 120 m wide that overlaps with its neighbours'. The floor is a sum
of waves whose height falls with their length, 5 to 35 m deep; noise is 0.2 % of the depth amidships and three times that at the
edges of the fan; one beam of a thousand is wrong. Needs NumPy.
"""

import argparse
import sys

import numpy as np

LINE_SPACING_M, PING_M, FAN_M = 80.0, 2.0, 120.0
WRONG = 0.001


def floor(x, y, rng, waves=40):
    """Depth of the floor, m."""
    depth = np.full(x.shape, 20.0)
    for length in np.geomspace(15.0, 1500.0, waves):
        angle, phase = rng.uniform(0.0, 2.0 * np.pi, 2)
        k = 2.0 * np.pi / length
        height = 2.5 * (length / 1500.0) ** 0.9
        depth += height * np.sin(k * (x * np.cos(angle) + y * np.sin(angle)) + phase)
    return np.clip(depth, 2.0, None)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--soundings", type=int, default=1_000_000)
    parser.add_argument("--side", type=float, default=2000.0)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    lines = max(int(args.side / LINE_SPACING_M), 1)
    pings = int(args.side / PING_M)
    beams = max(round(args.soundings / (lines * pings)), 2)
    out = sys.stdout
    out.write("x,y,depth\n")
    across = np.linspace(-0.5, 0.5, beams) * FAN_M
    for line in range(lines):
        # The floor is the same for every line; noise is not.
        floor_rng = np.random.default_rng(args.seed)
        rng = np.random.default_rng([args.seed, line])
        along = (np.arange(pings) + 0.5) * PING_M
        along = along if line % 2 == 0 else along[::-1]
        middle = (line + 0.5) * LINE_SPACING_M + np.cumsum(rng.normal(0.0, 0.05, pings))
        x = middle[:, None] + across[None, :]
        y = along[:, None] + rng.normal(0.0, 0.05, x.shape)
        depth = floor(x, y, floor_rng)
        depth += rng.normal(size=x.shape) * 0.002 * depth * (1.0 + 2.0 * np.abs(across) / (0.5 * FAN_M))
        wrong = rng.uniform(size=x.shape) < WRONG
        depth = np.where(wrong, rng.uniform(1.0, 30.0, x.shape), depth)
        rows = np.column_stack([x.ravel(), y.ravel(), depth.ravel()])
        out.write("\n".join(f"{a:.2f},{b:.2f},{c:.3f}" for a, b, c in rows))
        out.write("\n")


if __name__ == "__main__":
    main()

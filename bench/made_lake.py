"""Lakes with known depths and the logs of a boat on them: lines 90 m apart and a few across, spikes, and runs of bad pings.

    python3 bench/made_lake.py SEED RATE_HZ > soundings.csv    # x,y,depth
"""

import sys

import numpy as np

WIDTH_M, HEIGHT_M, LINES_M, SPEED_MPS = 1400.0, 1000.0, 90.0, 1.5
SPIKES, RUNS = 0.003, 8


def relief(rng, side=512, cell=3.0, slope=1.6):
    """A random surface whose waves fall off with their length, with a spread of one, on `side` x `side` cells."""
    k = np.hypot(np.fft.fftfreq(side)[:, None], np.fft.rfftfreq(side)[None, :])
    k[0, 0] = np.inf
    waves = rng.normal(size=k.shape) + 1j * rng.normal(size=k.shape)
    surface = np.fft.irfft2(waves * k ** (-slope - 0.5), (side, side))
    return (surface - surface.mean()) / surface.std(), cell


class Lake:
    """Depth by place, m; 0 on land."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.relief, self.cell = relief(rng)
        self.bends = [(k, rng.normal() * 0.25 / k, rng.uniform(0, 2 * np.pi)) for k in range(2, 7)]
        self.deepest, self.rough = rng.uniform(12.0, 25.0), rng.uniform(0.12, 0.25)

    def depth(self, x, y):
        u, v = (x - WIDTH_M / 2) / (WIDTH_M / 2), (y - HEIGHT_M / 2) / (HEIGHT_M / 2)
        angle = np.arctan2(v, u)
        shore = 0.85 * (1 + 0.5 * sum(a * np.sin(k * angle + p) for k, a, p in self.bends))
        inside = np.clip(1 - np.hypot(u, v) / shore, 0, 1)
        i, j = y / self.cell, x / self.cell
        a, b = np.floor(i).astype(int), np.floor(j).astype(int)
        s, t, r = i - a, j - b, self.relief
        at = lambda p, q: r[p % len(r), q % len(r)]
        hills = (at(a, b) * (1 - s) * (1 - t) + at(a + 1, b) * s * (1 - t)
                 + at(a, b + 1) * (1 - s) * t + at(a + 1, b + 1) * s * t)
        basin = self.deepest * (1 - (1 - inside) ** 2)
        return np.where(inside > 0, np.maximum(basin * (1 + self.rough * hills) + self.rough * 4 * hills * inside, 0.3 * inside), 0)


def log(lake, seed, rate):
    """Places, depths as read, and which are bad."""
    rng = np.random.default_rng([seed, int(rate)])
    step, tracks = SPEED_MPS / rate, []
    for number, y in enumerate(np.arange(50.0, HEIGHT_M, LINES_M)):
        x = np.arange(0.0, WIDTH_M, step)[:: 1 if number % 2 == 0 else -1]
        tracks.append(np.column_stack([x, y + 2.0 * np.sin(x / 60.0 + number)]))
    for x in (350.0, 700.0, 1050.0):
        y = np.arange(0.0, HEIGHT_M, step)
        tracks.append(np.column_stack([x + 2.0 * np.sin(y / 60.0), y]))
    places = np.concatenate(tracks)
    true = lake.depth(*places.T)
    places, true = places[true > 0.6], true[true > 0.6]
    depth = true * (1 + rng.normal(0, 0.005, len(true))) + rng.normal(0, 0.03, len(true))
    bad = np.zeros(len(depth), bool)
    spikes = rng.uniform(size=len(depth)) < SPIKES
    depth[spikes] *= rng.choice([0.0, 0.3, 0.5, 2.0], spikes.sum())
    bad |= spikes
    for _ in range(RUNS if rate > 2 else 1):
        start, length = rng.integers(len(depth) - 20), rng.integers(3, 21)
        depth[start : start + length] = rng.choice([1.2, 0.6]) + rng.normal(0, 0.02, length)
        bad[start : start + length] = True
    return places + rng.normal(0, 0.05, places.shape), np.round(np.maximum(depth, 0), 2), bad


def main():
    seed, rate = int(sys.argv[1]), float(sys.argv[2])
    places, depth, _bad = log(Lake(seed), seed, rate)
    print("x,y,depth")
    for (x, y), d in zip(places, depth):
        print(f"{x:.2f},{y:.2f},{d:.2f}")


if __name__ == "__main__":
    main()

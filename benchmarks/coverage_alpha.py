"""How often the bootstrap intervals of α hold the true α.

    python benchmarks/coverage_alpha.py [--repeats 1000] [-o FILE.csv]

Grades 0…3: a doc's true grade comes from one of three distributions, an assessor's label is the
true grade plus normal noise, rounded and clipped. The truth is α on 500,000 docs. A 95 % interval
should hold it 95 times in 100; the column `pairs` shows what becomes of one that draws pairs of
labels instead of docs.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import time
from pathlib import Path

import numpy as np

from qrelsmith.agreement import alpha_of_coincidences, bootstrap_interval, coincidences
from qrelsmith.agreement import krippendorff_alpha as alpha
from qrelsmith.base.rng import rng_for

DISTRIBUTIONS = {
    "even": (0.25, 0.25, 0.25, 0.25),
    "skewed": (0.6, 0.2, 0.12, 0.08),
    "rare": (0.85, 0.08, 0.04, 0.03),
}
NOISE = (0.5, 1.0)
ASSESSORS = (2, 3, 5)
UNITS = (50, 100, 500)
LEVELS = ("nominal", "ordinal")
COLUMNS = ("level", "grades", "noise", "assessors", "units", "alpha", "bca", "percentile", "pairs")


def labels(
    rng: np.random.Generator, grades: str, noise: float, assessors: int, units: int
) -> np.ndarray:
    truth = rng.choice(4, size=units, p=DISTRIBUTIONS[grades])
    return np.clip(np.round(truth + rng.normal(0, noise, size=(assessors, units))), 0, 3)


def by_pairs(ratings: np.ndarray, level: str, rng: np.random.Generator) -> tuple[float, float]:
    """The wrong way: pairs of labels drawn as if they were independent."""
    found = coincidences(ratings, scale=range(4))
    pairs = ratings.shape[1] * ratings.shape[0] * (ratings.shape[0] - 1) // 2
    share = found.counts / found.counts.sum()
    drawn = rng.multinomial(pairs, share.ravel(), size=1000).reshape(-1, 4, 4).astype(float)
    values = alpha_of_coincidences(drawn + drawn.transpose(0, 2, 1), found.values, level=level)
    low, high = np.nanquantile(values, [0.025, 0.975])
    return float(low), float(high)


def coverage(
    level: str, grades: str, noise: float, assessors: int, units: int, *, repeats: int
) -> dict[str, object]:
    key = (grades, str(noise), assessors)
    true = alpha(labels(rng_for(0, *key), grades, noise, assessors, 500_000), level=level).value
    inside = dict.fromkeys(("bca", "percentile", "pairs"), 0)
    for repeat in range(repeats):
        rng = rng_for(1, *key, units, repeat)
        ratings = labels(rng, grades, noise, assessors, units)
        for interval in ("bca", "percentile"):
            found = bootstrap_interval(
                ratings, f"alpha-{level}", rng=rng, scale=range(4), interval=interval
            )
            inside[interval] += found.low <= true <= found.high
        low, high = by_pairs(ratings, level, rng)
        inside["pairs"] += low <= true <= high
    return {
        "level": level,
        "grades": grades,
        "noise": noise,
        "assessors": assessors,
        "units": units,
        "alpha": round(true, 4),
        **{kind: round(count / repeats, 4) for kind, count in inside.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=1000)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    start = time.perf_counter()
    rows = []
    print(*COLUMNS)
    for cell in itertools.product(LEVELS, DISTRIBUTIONS, NOISE, ASSESSORS, UNITS):
        rows.append(coverage(*cell, repeats=options.repeats))
        print(*rows[-1].values(), flush=True)
    for units, kind in itertools.product(UNITS, ("bca", "percentile", "pairs")):
        shares = [float(str(row[kind])) for row in rows if row["units"] == units]
        print(
            f"{kind:10} {units:4} units: mean {np.mean(shares):.3f}, "
            f"from {min(shares):.3f} to {max(shares):.3f}"
        )
    print(f"{len(rows)} settings × {options.repeats} repeats: {time.perf_counter() - start:.0f} s")
    if options.output:
        with open(options.output, "w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()

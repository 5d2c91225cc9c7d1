"""Measure randomised Tukey HSD against its budget: 50 systems × 250 topics, B = 10,000 in 1.5 s.

    python benchmarks/randomised_tukey.py [--systems 50] [--topics 250] [--trials 10000] [--times 5]

The time is that of the whole test, from scores to p-values, on scores like those of a track: a
system effect, a topic effect and noise. Prints every run, the median and the largest memory use.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import time

import numpy as np

from qrelsmith.base.rng import rng_for
from qrelsmith.stats.significance import randomised_tukey

BUDGET = 1.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--systems", type=int, default=50)
    parser.add_argument("--topics", type=int, default=250)
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    rng = rng_for(0, "benchmark", "scores")
    scores = np.clip(
        rng.normal(0.4, 0.05, options.systems)
        + rng.normal(0, 0.15, (options.topics, 1))
        + rng.normal(0, 0.12, (options.topics, options.systems)),
        0,
        1,
    )
    seconds = []
    for run in range(options.times):
        start = time.perf_counter()
        result = randomised_tukey(scores, rng=rng_for(run, "benchmark"), trials=options.trials)
        seconds.append(time.perf_counter() - start)
        print(f"run {run}: {seconds[-1]:.2f} s, {int(result.significant.sum())} pairs significant")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    median = statistics.median(seconds)
    print(f"median {median:.2f} s, peak memory {peak:.0f} MB")
    standard = (options.systems, options.topics, options.trials) == (50, 250, 10_000)
    if standard and median > BUDGET:
        sys.exit(f"over the budget of {BUDGET} s")


if __name__ == "__main__":
    main()

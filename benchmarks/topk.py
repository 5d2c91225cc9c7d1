"""Measure simulated crowd campaigns against their budget: 10,000 of 173 topics in 5 minutes.

    python benchmarks/topk.py [QRELS] [--campaigns 10000] [--topics 173]

With QRELS the topics are those of the file, with their candidates for k = 5 (the budget is meant
for TREC CAsT 2019); without it, pools of about as many candidates are drawn. k = 5, F = 9, P = 7,
reliability by distance as fitted to the paper's crowd. Prints time, memory and what came of it.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time

import numpy as np

from qrelsmith.base.rng import rng_for
from qrelsmith.topk.crowd_simulation import CrowdDesign, simulate_crowd
from qrelsmith.topk.reliability import ByDistance

BUDGET = 300
FITTED = ByDistance(grade=0.61, spread=0.94)


def pools_of(path: str) -> list[np.ndarray]:
    from qrelsmith.judgments.given_labels import read_qrels
    from qrelsmith.topk.topk_sessions import topic_pools

    return [pool.grades for pool in topic_pools(read_qrels(path), k=5)]


def drawn_pools(topics: int) -> list[np.ndarray]:
    # Half of the paper's pools have 11 candidates or fewer, the mean is 15.5, the largest 112.
    rng = rng_for(0, "benchmark", "pools")
    sizes = np.minimum(5 + rng.exponential(10.5, topics), 112).astype(int)
    return [np.sort(rng.integers(2, 5, size))[::-1].astype(float) for size in sizes]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("qrels", nargs="?")
    parser.add_argument("--campaigns", type=int, default=10_000)
    parser.add_argument("--topics", type=int, default=173)
    options = parser.parse_args()
    pools = pools_of(options.qrels) if options.qrels else drawn_pools(options.topics)
    print(f"{len(pools)} topics, {sum(map(len, pools))} candidates, most {max(map(len, pools))}")
    start = time.perf_counter()
    search = simulate_crowd(pools, CrowdDesign(), FITTED, campaigns=options.campaigns, seed=0)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    judged = search.judgments.sum(axis=1)
    print(
        f"{options.campaigns} campaigns, {judged.sum():,} answers: {seconds:.1f} s, {peak:.0f} MB"
    )
    print(
        f"pairs {judged.mean():.0f}, all of the top 5 found {search.found.mean():.3f},"
        f" share of them found {search.recall.mean():.3f}, best first {search.first.mean():.3f}"
    )
    if options.campaigns >= 10_000 and seconds > BUDGET:
        sys.exit(f"over the budget of {BUDGET} s")


if __name__ == "__main__":
    main()

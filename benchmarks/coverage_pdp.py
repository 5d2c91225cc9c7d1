"""How often the bootstrap interval of a collection's PDP holds the truth.

    python benchmarks/coverage_pdp.py [--collections 200] [--resamples 300]

A population of topics is drawn; its PDP, with far more tests than anyone would pay for, is the
truth. Then many small collections are drawn from it, with new assessors' noise and new preference
tests, which err. `interval` is the bootstrap of topics and tests, `topics only` the same with the
grade-level matrix taken as known, `over topics` the jackknife that leaves out each topic with its
tests.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.discrimination import DocLists, Setting, collection_pdp
from qrelsmith.discrimination.over_topics import pdp_interval
from qrelsmith.discrimination.preferences.drawing import draw_tests
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests

DOCS, ASSESSORS, LEVELS, TOP = 20, 3, 4, 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--collections", type=int, default=200)
    parser.add_argument("--resamples", type=int, default=300)
    options = parser.parse_args()
    print("mode        topics  per pair  truth   bias     interval  topics only  over topics")
    modes: tuple[Mode, ...] = ("individual", "aggregate")
    for mode in modes:
        for topics, per_pair in ((8, 40), (15, 40), (25, 40), (53, 40), (53, 160)):
            line = coverage(mode, topics, per_pair, options.collections, options.resamples)
            print(f"{mode:<12}{topics:>6}{per_pair:>10}  {line}", flush=True)


def coverage(mode: Mode, topics: int, per_pair: int, collections: int, resamples: int) -> str:
    rng = np.random.default_rng([topics, per_pair])
    population = judged(rng, mode, topics=3000, per_pair=5000)
    truth = collection_pdp(population, rng=rng, resamples=0).mean
    held = np.zeros(3)
    means = []
    for _ in range(collections):
        setting = judged(rng, mode, topics=topics, per_pair=per_pair)
        whole = collection_pdp(setting, rng=rng, resamples=resamples)
        known = replace(setting, evidence=whole.matrix)
        part = collection_pdp(known, rng=rng, resamples=resamples)
        left_out = pdp_interval(setting, rng=rng)
        held += [found.low <= truth <= found.high for found in (whole, part, left_out)]
        means.append(whole.mean)
    both, alone, out = held / collections
    return f"{truth:.4f}  {np.mean(means) - truth:+.4f}  {both:>8.3f}  {alone:>11.3f}  {out:>11.3f}"


def judged(rng: np.random.Generator, mode: Mode, *, topics: int, per_pair: int) -> Setting:
    """Topics whose docs three assessors graded, and preference tests on them."""
    shape = rng.uniform(2, 5, size=(2, topics, 1))
    relevance = rng.beta(shape[0], shape[1], size=(topics, DOCS))
    seen = relevance[..., None] + 0.15 * rng.normal(size=(topics, DOCS, ASSESSORS))
    grades: FloatArray = np.clip(np.floor(seen * LEVELS), 0, LEVELS - 1)
    seed = int(rng.integers(2**31))
    drawn = draw_tests([np.median(grades, axis=2)], per_pair=per_pair, seed=seed)
    apart = relevance[drawn.topics, drawn.left] - relevance[drawn.topics, drawn.right]
    outcomes = -np.sign(apart + 0.08 * rng.normal(size=apart.size))
    return Setting(
        grades=grades,
        evidence=PreferenceTests(drawn.topics, drawn.left, drawn.right, outcomes),
        levels=np.arange(LEVELS),
        mode=mode,
        untested="half",
        lists=DocLists(np.arange(topics), np.tile(np.arange(TOP), (topics, 1))),
    )


if __name__ == "__main__":
    main()

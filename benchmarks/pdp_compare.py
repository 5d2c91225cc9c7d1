"""Whether `pdp compare` chooses the better of two ways of labelling, and its intervals hold.

    python benchmarks/pdp_compare.py [--collections 100] [--resamples 200] [--minutes 20]

Two ways of labelling the same docs by three assessors: 4 grades, and 7 grades of which the second
is better, since its assessors see as well and have finer words. The truth is the mean difference of
several draws of 2,000 topics with far more tests than anyone would pay for, so that its own error
is small beside the intervals. Then small collections are drawn, with new topics, new assessors'
noise and new tests, which err. `right` is the share in which the interval says that the better one
is better, `wrong` that it says the other, `sign` in which the difference points the right way,
`held` in which the interval holds the truth.
"""

from __future__ import annotations

import argparse
import time
from functools import cache

import numpy as np

from qrelsmith.discrimination import DocLists, Setting, compare_each
from qrelsmith.discrimination.preferences.drawing import draw_tests
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests

DOCS, ASSESSORS, TOP, LEVELS = 20, 3, 5, (4, 7)
TRUE_DRAWS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--collections", type=int, default=100)
    parser.add_argument("--resamples", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=20)
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    print("mode        topics  per pair  tests   truth   bias     n  right  wrong   sign   held")
    modes: tuple[Mode, ...] = ("individual", "aggregate")
    for topics, per_pair in ((25, 40), (25, 10), (25, 160), (53, 40), (10, 40)):
        for mode in modes:
            line = row(mode, topics, per_pair, options.collections, options.resamples, end)
            print(f"{mode:<12}{topics:>6}{per_pair:>10}  {line}", flush=True)


def row(
    mode: Mode, topics: int, per_pair: int, collections: int, resamples: int, end: float
) -> str:
    rng = np.random.default_rng([topics, per_pair])
    truth = true_difference(mode)
    counts, values, tests = np.zeros(4), [], []
    for _ in range(collections):
        if time.monotonic() > end:
            break
        made, found = difference(rng, mode, topics=topics, per_pair=per_pair, resamples=resamples)
        values.append(found.difference)
        tests.append(made)
        counts += [
            found.high < 0, found.low > 0, found.difference < 0, found.low <= truth <= found.high,
        ]  # fmt: skip
    shares = "  ".join(f"{share:>5.3f}" for share in counts / max(1, len(values)))
    bias = np.mean(values) - truth if values else np.nan
    made = np.mean(tests) if tests else np.nan
    return f"{made:>5.0f}  {truth:+.4f} {bias:+.4f} {len(values):>4}  {shares}"


@cache
def true_difference(mode: Mode) -> float:
    """The difference that any number of topics and tests would show: a mean over draws."""
    rng = np.random.default_rng([99, len(mode)])
    draws = [
        difference(rng, mode, topics=2000, per_pair=3000, resamples=0)[1].difference
        for _ in range(TRUE_DRAWS)
    ]
    return float(np.mean(draws))


def difference(rng: np.random.Generator, mode: Mode, *, topics: int, per_pair: int, resamples: int):
    """How many tests there are, and the PDP of 7 grades less that of 4."""
    shape = rng.uniform(2, 5, size=(2, topics, 1))
    relevance = rng.beta(shape[0], shape[1], size=(topics, DOCS))
    seen = relevance[..., None] + 0.1 * rng.normal(size=(topics, DOCS, ASSESSORS))
    scales = [np.clip(np.floor(seen * levels), 0, levels - 1) for levels in LEVELS]
    drawn = draw_tests(
        [np.median(grades, axis=2) for grades in scales],
        per_pair=per_pair,
        seed=int(rng.integers(2**31)),
        levels=[np.arange(levels) for levels in LEVELS],
    )
    apart = relevance[drawn.topics, drawn.left] - relevance[drawn.topics, drawn.right]
    outcomes = -np.sign(apart + 0.08 * rng.normal(size=apart.size))
    tests = PreferenceTests(drawn.topics, drawn.left, drawn.right, outcomes)
    lists = DocLists(np.arange(topics), np.tile(np.arange(TOP), (topics, 1)))
    settings = [
        Setting(grades, tests, levels=np.arange(levels), mode=mode, untested="half", lists=lists)
        for grades, levels in zip(scales, LEVELS, strict=True)
    ]
    compared = compare_each(settings, against=[0, 0], rng=rng, resamples=resamples)
    return len(tests), compared[1].comparison


if __name__ == "__main__":
    main()

"""The part `pdp` of `intervals.py`: how often intervals of a collection's PDP hold the truth.

A population of topics is drawn; its PDP, with far more tests than anyone would pay for, is the
truth. Then many small collections are drawn from it, with new assessors' noise and new preference
tests, which err. `interval` is the bootstrap of topics and tests, `topics only` the same with the
grade-level matrix taken as known, `over topics` the jackknife that leaves out each topic with its
tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from interval_rows import Row, coverage_row
from pdp_over_topics import pdp_interval
from qrelsmith.base.arrays import FloatArray
from qrelsmith.discrimination import DocLists, Setting, collection_pdp
from qrelsmith.discrimination.collection import CollectionPdp
from qrelsmith.discrimination.preferences.drawing import draw_tests
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.stats.population import PopulationInterval

DOCS, ASSESSORS, LEVELS, TOP, RESAMPLES, POPULATIONS = 20, 3, 4, 5, 300, 10
SIZES = ((8, 40), (15, 40), (25, 40), (53, 40), (53, 160))
MODES: tuple[Mode, ...] = ("individual", "aggregate")


def pdp_rows(repeats: int) -> Iterator[Row]:
    """Coverage of PDP by mode, topics and tests for each pair of grades."""
    for mode in MODES:
        truth = true_pdp(mode)
        for topics, per_pair in SIZES:
            rng = np.random.default_rng([topics, per_pair])
            ends: dict[str, list[PopulationInterval]] = {}
            for _ in range(repeats):
                setting = judged(rng, mode, topics=topics, per_pair=per_pair)
                whole = collection_pdp(setting, rng=rng, resamples=RESAMPLES)
                known = replace(setting, evidence=whole.matrix)
                part = collection_pdp(known, rng=rng, resamples=RESAMPLES)
                for name, interval in (
                    ("interval", _over_topics(whole, topics)),
                    ("topics only", _over_topics(part, topics)),
                    ("over topics", pdp_interval(setting, rng=rng)),
                ):
                    ends.setdefault(name, []).append(interval)
            world = f"{mode}, {per_pair} tests"
            for name, of in ends.items():
                yield coverage_row("pdp", world, topics, ASSESSORS, name, of, truth)


def true_pdp(mode: Mode) -> float:
    """The mean PDP of very many topics, with 5,000 tests for each pair of grades.

    Even these leave the grade-level matrix open by a little, hence several populations.
    """
    rngs = [np.random.default_rng([seed, 0]) for seed in range(POPULATIONS)]
    settings = [(judged(rng, mode, topics=3000, per_pair=5000), rng) for rng in rngs]
    return float(np.mean([collection_pdp(of, rng=rng, resamples=0).mean for of, rng in settings]))


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


def _over_topics(found: CollectionPdp, topics: int) -> PopulationInterval:
    value, se, low, high = map(np.asarray, (found.mean, found.se, found.low, found.high))
    return PopulationInterval(
        over="topics", size=topics, value=value, se=se, low=low, high=high,
        confidence=found.confidence,
    )  # fmt: skip

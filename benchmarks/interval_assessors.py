"""The part `assessors` of `intervals.py`: other assessors, and groups of assessors compared."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from interval_rows import Row, coverage_row
from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.agreement.assessor_interval import assessor_interval, topic_assessor_interval
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.rng import rng_for
from qrelsmith.stats.group_means import compare_assessors
from qrelsmith.stats.two_sample_t import two_sample_t

DOCS, TOPICS = 20, 6


def assessors(repeats: int) -> Iterator[Row]:
    """Coverage over assessors and over both, and false alarms of comparisons of groups."""
    for over in ("assessors", "topics,assessors"):
        for count in (4, 5, 8, 15):
            for topics in (10, 30):
                for differ in (0.0, 1.0):
                    yield _row(over, count, topics, differ, repeats)
    for count in (4, 8):
        for name in ("over assessors", "over sessions"):
            alarms = sum(_wolf(repeat, count, name) for repeat in range(repeats))
            yield {
                "part": "groups", "world": f"{count} and {count} of the same speeds",
                "topics": TOPICS, "systems": count, "interval": name, "target": "", "mean": "",
                "sd": "", "ratio": "", "z": "", "width": "", "none": 0,
                "coverage": round(1 - alarms / repeats, 3),
            }  # fmt: skip


def _row(over: str, count: int, topics: int, differ: float, repeats: int) -> Row:
    both = over != "assessors"

    def draw(rng: np.random.Generator, people: int, amount: int) -> FloatArray:
        # Over assessors alone the topics stay the same ones.
        return _graded(rng, rng if both else np.random.default_rng(5), people, amount, differ)

    coefficient = COEFFICIENTS.get("alpha-ordinal")
    many = 60 if both else topics
    worlds = [draw(rng_for(world, "truth", over, topics), 60, many) for world in range(60)]
    target = float(np.mean([coefficient(world, scale=range(4)).value for world in worlds]))
    of_unit = np.repeat(np.arange(topics), DOCS)
    ends = []
    for repeat in range(repeats):
        ratings = draw(rng_for(repeat, over, count, topics), count, topics)
        ends.append(
            topic_assessor_interval(ratings, of_unit, scale=range(4))
            if both
            else assessor_interval(ratings, scale=range(4))
        )
    world = "assessors differ" if differ else "assessors alike"
    return coverage_row(f"over {over}", world, topics, count, "alpha-ordinal", ends, target)


def _graded(
    rng: np.random.Generator,
    of_topics: np.random.Generator,
    people: int,
    topics: int,
    differ: float,
) -> FloatArray:
    """Grades 0…3 by assessors who differ in leniency, care and taste."""
    hard = np.exp(0.5 * of_topics.normal(size=topics))
    share = of_topics.beta(2, 2, size=topics)
    true = 4 * of_topics.random((topics, DOCS)) ** (1 / (2 * share[:, None] + 0.2)) - 0.5
    lenient = 0.4 * differ * rng.normal(size=(people, 1, 1))
    care = np.exp(0.4 * differ * rng.normal(size=(people, 1, 1)))
    taste = 0.4 * differ * rng.normal(size=(people, topics, 1))
    noise = 0.6 * care * hard[:, None] * rng.normal(size=(people, topics, DOCS))
    return np.clip(np.round(true + lenient + taste + noise), 0, 3).reshape(people, -1)


def _wolf(repeat: int, count: int, name: str) -> bool:
    """Whether two groups of equally fast assessors are said to differ."""
    rng = rng_for(repeat, "wolf", count)
    speed = 20 * np.exp(0.4 * rng.normal(size=(2, count, 1)))
    seconds = (speed * np.exp(0.5 * rng.normal(size=(2, count, TOPICS)))).reshape(2, -1)
    who = np.repeat(np.arange(2 * count), TOPICS).reshape(2, -1)
    groups = list(seconds)
    by_assessor = name == "over assessors"
    found = compare_assessors(groups, list(who)) if by_assessor else two_sample_t(groups)
    return bool(found.p[0] < 0.05)

"""How often intervals over topics hold their target, and the self-check on real label sets.

    python benchmarks/intervals.py PART [--data ../shared/data/trec-dl-2021-passage]
                                        [--repeats 500] [-o FILE.csv]

PART is `rankings` (τ, τ_AP, the top, shares of pairs, places, consistency), `choice` (the loss of
choosing the best system), `labels` (coefficients of agreement), `pdp`, `assessors` (intervals over
assessors, groups compared) or `check` (the standard deviation of z between halves of the topics, 19
label sets held against NIST; needs --data). An interval over topics of a ranking has the mean over
all repeats for its target, that of agreement and PDP the value of the population. `ratio` is the
root of the mean squared standard error over the standard deviation of the values.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from interval_assessors import assessors
from interval_check import CORRELATIONS, checked, correlations
from interval_pdp import pdp_rows
from interval_rows import Ends, Row, coverage_row
from interval_worlds import (
    SETS,
    Collection,
    World,
    resampled_labels,
    resampled_scores,
    simulated_labels,
    simulated_scores,
)
from qrelsmith.agreement import COEFFICIENTS, topic_interval
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.rng import rng_for
from qrelsmith.stats.choice_loss import choice_losses
from qrelsmith.stats.consistency_intervals import consistency_intervals
from qrelsmith.stats.differences_kept import differences_kept
from qrelsmith.stats.paired_tukey import paired_tukey
from qrelsmith.stats.places import Places, place_intervals
from qrelsmith.stats.population import PopulationInterval
from qrelsmith.stats.ranking_intervals import ranking_interval
from qrelsmith.stats.split_halves import random_halves

SIZES = ((8, 10), (8, 63), (15, 10), (15, 63), (25, 10), (25, 63), (53, 10), (53, 63), (100, 17))
COEFFICIENTS_TRIED = ("alpha-ordinal", "alpha-nominal", "kappa-quadratic", "ac2-ordinal")
FEWEST_PAIRS = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "part", choices=["rankings", "choice", "labels", "pdp", "assessors", "check"]
    )
    parser.add_argument("--data", type=Path)
    parser.add_argument("--repeats", type=int, default=500)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    collection = Collection.read(options.data) if options.data else None
    if options.part == "check" and collection is None:
        sys.exit("the check is of real label sets; expected --data")
    rows = {
        "rankings": lambda: rankings(collection, options.repeats),
        "choice": lambda: choices(collection, options.repeats),
        "labels": lambda: labels(collection, options.repeats),
        "pdp": lambda: pdp_rows(options.repeats),
        "assessors": lambda: assessors(options.repeats),
        "check": lambda: checked(collection),
    }[options.part]
    written = []
    for row in rows():
        print(*(f"{key}={value}" for key, value in row.items()), flush=True)
        written.append(row)
    if options.output:
        with options.output.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(written[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(written)


def rankings(collection: Collection | None, repeats: int) -> Iterator[Row]:
    """Coverage of what system means say."""
    for topics, _, name, world in _score_worlds(collection):
        yield from ranking_rows(name, world, topics, repeats)


def choices(collection: Collection | None, repeats: int) -> Iterator[Row]:
    """Coverage of the loss of choosing the best system by a label set."""
    for topics, systems, label, world in _score_worlds(collection):
        names = [str(topic) for topic in range(topics)]
        ends = []
        for repeat in range(repeats):
            one, other = world.draw(rng_for(repeat, label, topics, systems), topics)
            found = choice_losses(one, other[None], names, seed=repeat)
            ends.append(found.interval().part(0))
        target = float(np.mean([interval.value for interval in ends]))
        yield coverage_row("choice", label, topics, systems, "loss of the choice", ends, target)


def _score_worlds(collection: Collection | None) -> Iterator[tuple[int, int, str, World]]:
    for topics, systems in SIZES:
        worlds = {
            "even topics": simulated_scores(systems, effects=False),
            "uneven topics": simulated_scores(systems, effects=True),
        }
        if collection is not None:
            worlds |= {f"DL-2021 {n}": resampled_scores(collection, n, systems) for n in SETS}
        yield from ((topics, systems, name, world) for name, world in worlds.items())


def ranking_rows(label: str, world: World, topics: int, repeats: int) -> Iterator[Row]:
    names = [str(topic) for topic in range(topics)]
    systems = world.truth.size
    halves = random_halves(names, splits=200, seed=0)
    found: dict[str, Ends] = {}
    best, places = [], []

    def keep(name: str, interval: PopulationInterval) -> None:
        found.setdefault(name, []).append(interval)

    for repeat in range(repeats):
        one, other = world.draw(rng_for(repeat, label, topics, systems), topics)
        both = ranking_interval(one, other, names, statistic=correlations, seed=repeat)
        for place, name in enumerate(CORRELATIONS):
            keep(name, both.part(place))
        keep(
            "loss of choice", choice_losses(one, other[None], names, seed=repeat).interval().part(0)
        )
        tests = paired_tukey(one), paired_tukey(other)
        shares = differences_kept(one, other, names, tests=tests, seed=repeat)
        if shares.pairs >= FEWEST_PAIRS:
            keep("share kept", shares.kept)
        if shares.own >= FEWEST_PAIRS:
            keep("share turned", shares.turned)
        keep("share found", shares.found)
        consistent = consistency_intervals(np.stack([one, other]), names, halves, seed=repeat)
        keep("consistency", consistent.means.part(0))
        keep("consistency, difference", consistent.differences.part(0).part(1))
        best.append(int(one.mean(axis=0).argmax()))
        places.append(place_intervals(one, names, seed=repeat))
    for name, ends in found.items():
        if len(ends) >= repeats / 2:
            target = float(np.mean([interval.value for interval in ends]))
            yield coverage_row("rankings", label, topics, systems, name, ends, target)
    yield from _place_rows(label, topics, best, places, world.truth)


def labels(collection: Collection | None, repeats: int) -> Iterator[Row]:
    """Coverage of coefficients of agreement."""
    worlds = {
        "even topics": simulated_labels(effects=False),
        "uneven topics": simulated_labels(effects=True),
        "uneven topics, 10 docs": simulated_labels(effects=True, docs=10),
        "uneven topics, 3 of 53 broken": simulated_labels(effects=True, broken=3 / 53),
    }
    if collection is not None:
        worlds |= {f"DL-2021 {name}": resampled_labels(collection, name) for name in SETS[:2]}
    for label, world in worlds.items():
        for name in COEFFICIENTS_TRIED:
            target = COEFFICIENTS.get(name)(world.truth, scale=range(4)).value
            for topics in (8, 15, 25, 53):
                ends = [
                    topic_interval(
                        *world.draw(rng_for(repeat, label, topics), topics), name, scale=range(4)
                    )
                    for repeat in range(repeats)
                ]
                yield coverage_row("labels", label, topics, 2, name, ends, target)


def _place_rows(
    label: str, topics: int, best: list[int], places: list[Places], truth: FloatArray
) -> Iterator[Row]:
    place = 1 + (truth[None, :] > truth[:, None] + 1e-12).sum(axis=1)
    low, high = (np.array([getattr(each, end) for each in places]) for end in ("low", "high"))
    held, width = (low <= place) & (place <= high), high - low + 1
    rows = np.arange(len(best))
    for name, coverage, size in (
        ("place of a run", held.mean(), width.mean()),
        ("place of the best run", held[rows, best].mean(), width[rows, best].mean()),
    ):
        yield {
            "part": "rankings", "world": label, "topics": topics, "systems": truth.size,
            "interval": name, "target": "", "mean": "", "sd": "", "ratio": "", "z": "",
            "width": round(float(size), 2), "none": 0, "coverage": round(float(coverage), 3),
        }  # fmt: skip


if __name__ == "__main__":
    main()

"""The part `check` of `intervals.py`: z between halves of the topics, on real label sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from interval_rows import Row
from interval_worlds import Collection
from qrelsmith.agreement import agreement_interval
from qrelsmith.audit.interval_checks import TOP_PARTS
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.stats.ap_correlation import tau_ap_a
from qrelsmith.stats.consistency_intervals import consistency_intervals
from qrelsmith.stats.differences_kept import differences_kept
from qrelsmith.stats.kendall_stack import kendall_tau_b_stack
from qrelsmith.stats.paired_tukey import paired_tukey
from qrelsmith.stats.population import PopulationInterval, mean_interval, student_interval
from qrelsmith.stats.ranking_intervals import ranking_interval
from qrelsmith.stats.self_check import self_check
from qrelsmith.stats.split_halves import random_halves
from qrelsmith.stats.top_agreement import top_agreement

CORRELATIONS = ("tau-b", "tau-ap", "top")
TOP_THIRDS = "top, thirds"


def correlations(first: FloatArray, second: FloatArray) -> FloatArray:
    """τ-b, τ_AP and the agreement of the tops, [3, row]."""
    return np.stack([of(first, second) for of in (kendall_tau_b_stack, tau_ap_a, top_agreement)])


def checked(collection: Collection) -> Iterator[Row]:
    """The standard deviation of z of every set against NIST, and over all sets."""
    rows = []
    for name in sorted(collection.grades.keys() - {"nist"}):
        rows.append({"set": name, **_deviations(collection, name)})
        yield rows[-1]
    for word, of in (("mean", np.mean), ("least", np.min), ("largest", np.max)):
        yield {"set": word} | {
            key: round(float(of([row[key] for row in rows])), 3) for key in rows[0] if key != "set"
        }


def _deviations(collection: Collection, name: str) -> Row:
    topics = collection.topics
    one, other = collection.scores["nist"], collection.scores[name]
    ratings, of_unit = collection.pair(name)
    number = np.array([topics.index(topic) for topic in of_unit])

    def names(places: IntArray) -> list[str]:
        return [topics[place] for place in places]

    def of_ranking(places: IntArray) -> PopulationInterval:
        return ranking_interval(one[places], other[places], names(places), statistic=correlations)

    def of_pairs(places: IntArray) -> PopulationInterval:
        tests = paired_tukey(one[places]), paired_tukey(other[places])
        found = differences_kept(one[places], other[places], names(places), tests=tests)
        return _side_by_side([found.kept, found.found])

    def of_labels(places: IntArray) -> PopulationInterval:
        inside = np.isin(number, places)
        options = ratings[:, inside], number[inside]
        kinds = ("alpha-ordinal", "kappa-quadratic")
        return _side_by_side([agreement_interval(*options, kind) for kind in kinds])

    def of_docs(places: IntArray) -> PopulationInterval:
        inside = np.isin(number, places)
        found = agreement_interval(ratings[:, inside], number[inside], over="docs", resamples=200)
        error = np.asarray((found.high - found.low) / (2 * 1.959964))
        return student_interval(np.asarray(found.value), error, size=places.size)

    def of_consistency(places: IntArray) -> PopulationInterval:
        halves = random_halves(names(places), splits=100, seed=0)
        return consistency_intervals(other[None, places], names(places), halves).means.part(0)

    def of_top(places: IntArray) -> PopulationInterval:
        return ranking_interval(one[places], other[places], names(places), statistic=top_agreement)

    kinds: dict[tuple[str, ...], Callable[[IntArray], PopulationInterval]] = {
        CORRELATIONS: of_ranking,
        (TOP_THIRDS,): of_top,
        ("share kept", "share found"): of_pairs,
        ("alpha-ordinal", "kappa-quadratic"): of_labels,
        ("alpha over docs",): of_docs,
        ("consistency",): of_consistency,
        ("mean of a run",): lambda places: mean_interval(other[places, 0]),
    }
    row: Row = {}
    for words, interval in kinds.items():
        parts = TOP_PARTS if words == (TOP_THIRDS,) else 2
        deviation = np.atleast_1d(self_check(interval, topics, parts=parts).deviation)
        row |= dict(zip(words, np.round(deviation, 3).tolist(), strict=True))
    return row


def _side_by_side(found: Sequence[object]) -> PopulationInterval:
    value, se = (np.array([float(getattr(each, end)) for each in found]) for end in ("value", "se"))
    return student_interval(value, se, size=8)

"""Correlation of answer judges with people, compared with the correlation between people.

A judge grades aspects, or grades whole answers on a separate scale. The judge's and the people's
rankings of the answers are therefore compared by Spearman's ρ. For the benchmark, one person is
compared with the lower median of the other people. Intervals generalise over topics, and are
computed by the jackknife.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from qrelsmith.answers.aspects import Aspects
from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.items import item_parts
from qrelsmith.collection.qrels import Qrels
from qrelsmith.judgments.aggregation import median
from qrelsmith.judgments.item_scales import is_of_aspect
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.stats.population import jackknife_interval

ONE_PERSON = "one person"
Pairs = dict[str, list[tuple[float, float]]]
"""Two values of each answer, by topic."""


@dataclass(frozen=True, slots=True)
class JudgedLikePeople:
    """The correlation between a judge's grades and people's grades.

    Attributes
    ----------
    kind, judge : str
        The kind of aspect and the label set, or `ONE_PERSON`.
    value, low, high : float
        Spearman's ρ over answers, with its 95% interval over topics.
    difference, difference_low, difference_high : float
        Difference from one person's correlation; nan without a second person.
    """

    kind: str
    judge: str
    value: float
    low: float
    high: float
    difference: float
    difference_low: float
    difference_high: float
    answers: int
    topics: int


def judges_beside_people(
    kind: str,
    people: Judgments | None,
    reference: Qrels,
    judges: Mapping[str, Qrels],
    aspects: Aspects | None,
) -> Iterator[JudgedLikePeople]:
    """Compare judges with people on one kind of aspect.

    Parameters
    ----------
    kind : str
        The kind, such as `criterion.faithfulness`.
    people : Judgments or None
        The grades of each person.
    reference : Qrels
        Combined human grades, one per aspect.
    judges : mapping of str to Qrels
        Grades of aspects, or of whole answers, by judge.
    aspects : Aspects or None
        The aspects and their properties.
    """
    wanted = is_of_aspect(kind, aspects)
    own = _by_answer(reference, wanted)
    each = {} if people is None else _one_against_others(people.of_aspects(wanted))
    single = _without_each_topic(each)
    for name, pairs in (
        (ONE_PERSON, each),
        *((n, _paired_values(own, _of_judge(q, wanted))) for n, q in judges.items()),
    ):
        left_out = _without_each_topic(pairs)
        if math.isnan(left_out.get("", math.nan)):
            continue
        value, low, high = _interval(left_out)
        shared = sorted(left_out.keys() & single.keys())
        apart = {topic: left_out[topic] - single[topic] for topic in shared}
        known = name != ONE_PERSON and "" in apart
        difference = _interval(apart) if known else (math.nan,) * 3
        yield JudgedLikePeople(
            kind, name, value, low, high, *difference,
            answers=sum(map(len, pairs.values())), topics=len(pairs),
        )  # fmt: skip


def _by_answer(qrels: Qrels, wanted: object) -> dict[tuple[str, str], float]:
    """Return each answer's mean grade over the selected aspects, ignoring codes below 0."""
    grades: dict[tuple[str, str], list[float]] = {}
    for topic, key, grade in qrels.rows():
        run, aspect = item_parts(key)
        if grade >= 0 and wanted(topic, aspect):  # type: ignore[operator]
            grades.setdefault((topic, run), []).append(grade)
    return {answer: sum(of) / len(of) for answer, of in grades.items()}


def _of_judge(qrels: Qrels, wanted: object) -> dict[tuple[str, str], float]:
    """Return a judge's grades of aspects, or of whole answers if no aspect is graded."""
    of_aspects = _by_answer(qrels, wanted)
    whole = {(topic, key): grade for topic, key, grade in qrels.rows() if not item_parts(key)[1]}
    return of_aspects or whole


def _paired_values(
    first: Mapping[tuple[str, str], float], second: Mapping[tuple[str, str], float]
) -> Pairs:
    pairs: Pairs = {}
    for answer in sorted(first.keys() & second.keys()):
        pairs.setdefault(answer[0], []).append((first[answer], second[answer]))
    return pairs


def _one_against_others(people: Judgments) -> Pairs:
    """Pair each person's grade of an aspect with the lower median of other people's grades."""
    ratings = people.ratings()
    pairs: Pairs = {}
    for row in range(len(ratings.assessors)):
        others = median(np.delete(ratings.values, row, axis=0))
        both = ~np.isnan(ratings.values[row]) & ~np.isnan(others)
        for unit in np.flatnonzero(both).tolist():
            values = float(others[unit]), float(ratings.values[row, unit])
            pairs.setdefault(ratings.units[unit][0], []).append(values)
    return pairs


def _without_each_topic(pairs: Pairs) -> dict[str, float]:
    """Return Spearman's ρ after each topic is left out; the key '' has ρ over all answers."""
    names = [topic for topic, of in pairs.items() for _ in of]
    values = np.array([pair for of in pairs.values() for pair in of], dtype=np.float64).T
    if not names:
        return {}
    topic = np.array(names, dtype=object)
    found = {"": _rho(values)}
    for name in pairs:
        found[name] = _rho(values[:, topic != name])
    return found


def _rho(values: FloatArray) -> float:
    from scipy.stats import rankdata

    if values.shape[1] < 2:
        return math.nan
    first, second = rankdata(values, axis=1)
    first, second = first - first.mean(), second - second.mean()
    below = math.sqrt(float(first @ first) * float(second @ second))
    return float(first @ second) / below if below else math.nan


def _interval(left_out: Mapping[str, float]) -> tuple[float, float, float]:
    without = [value for topic, value in sorted(left_out.items()) if topic]
    found = jackknife_interval(left_out[""], without)
    return float(found.value), float(found.low), float(found.high)

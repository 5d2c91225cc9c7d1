"""Agreement between all pairs of many assessors, from their contingency tables.

One matrix product of the indicators of (assessor, level) gives the tables of all pairs. A
coefficient of two assessors depends only on the counts of level pairs, so the tables are used as
weights. After a topic is removed, the remaining counts are used as weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from qrelsmith.agreement.labels import MISSING, Labels
from qrelsmith.agreement.registry import Coefficient, Estimates, Estimator
from qrelsmith.agreement.result import fill_for
from qrelsmith.agreement.topic_interval import bounds_of, missing_topic_note
from qrelsmith.base.arrays import AnyArray, BoolArray, FloatArray, IntArray
from qrelsmith.base.registry_entries import Named
from qrelsmith.base.scipy_parts import sparse
from qrelsmith.stats.population import FEWEST_TOPICS, few_topics_note, student_interval

# With more levels, a table has more cells than labels.
MOST_LEVELS = 16
_CELLS = 1 << 22  # cells of tables held in memory at a time
_LARGEST_KEY = 2.0**62


@dataclass(frozen=True, slots=True, eq=False)
class PairAgreement:
    """A coefficient between an assessor and each assessor that follows in the list.

    Attributes
    ----------
    first : int
        The index of the assessor.
    second : ndarray of int, [pair]
        The indices of the assessors that follow.
    value, expected : ndarray, [pair]
        The coefficient and its expected disagreement.
    units, topics : ndarray of int, [pair]
        Number of units that both labelled, and of topics with such units.
    low, high : ndarray, [pair]
        The interval over topics; nan if undefined.
    reasons : list of str, [pair]
        Why there is no interval; empty if there is one, or if none was requested.
    """

    first: int
    second: IntArray
    value: FloatArray
    expected: FloatArray
    units: IntArray
    topics: IntArray
    low: FloatArray
    high: FloatArray
    reasons: list[str]


def pair_estimator(
    named: Named[Coefficient], labels: Labels, *, undefined: str
) -> Estimator | None:
    """Return a coefficient as a function of two assessors' tables [table, level · level].

    The result is None for a plain function of ratings, or if there are too many levels.
    """
    build = named.entry.about["build"]
    if build is None or not 0 < labels.levels.size <= MOST_LEVELS:
        return None
    codes = np.indices((labels.levels.size,) * 2).reshape(2, -1)
    estimate: Estimator = build(replace(labels, codes=codes, most=2), fill_for(undefined))
    return estimate


def pair_tables(labels: Labels) -> FloatArray:
    """Count the level pairs of all assessor pairs.

    Returns
    -------
    ndarray, [assessor, assessor, level · level]
        The counts, over the units that both assessors labelled.
    """
    assessors, levels = labels.codes.shape[0], labels.levels.size
    assessor, unit = np.nonzero(labels.codes != MISSING)
    row = assessor * levels + labels.codes[assessor, unit]
    shape = (assessors * levels, labels.codes.shape[1])
    given = sparse.csr_array((np.ones(unit.size), (row, unit)), shape=shape)
    tables = (given @ given.T).toarray().reshape(assessors, levels, assessors, levels)
    return np.ascontiguousarray(tables.transpose(0, 2, 1, 3)).reshape(assessors, assessors, -1)


def estimates_of_tables(estimate: Estimator, tables: FloatArray) -> Estimates:
    """Return a coefficient of many tables, computed in blocks."""
    rows = max(1, _CELLS // tables.shape[1])
    parts = [estimate(tables[at : at + rows]) for at in range(0, max(len(tables), 1), rows)]
    return Estimates(
        np.concatenate([part.value for part in parts]),
        np.concatenate([part.observed for part in parts]),
        np.concatenate([part.expected for part in parts]),
    )


def pairs_of_each(
    named: Named[Coefficient],
    labels: Labels,
    topic: IntArray,
    names: AnyArray,
    *,
    undefined: str,
    has_interval: bool,
    confidence: float = 0.95,
) -> Iterator[PairAgreement]:
    """Compute a coefficient between each assessor and all assessors that follow in the list.

    Parameters
    ----------
    named : Named
        The coefficient, which must have a `pair_estimator`.
    labels : Labels
        The labels; their levels serve as the scale.
    topic : ndarray of int, [unit]
        The topic index of each unit, in the order of `names`.
    names : ndarray, [topic]
        The topics.
    undefined : str
        Value when agreement is undefined (0/0).
    has_interval : bool
        Whether to compute intervals over topics, as in `topic_interval`.
    confidence : float
        Between 0 and 1.
    """
    estimate = pair_estimator(named, labels, undefined=undefined)
    if estimate is None:
        return
    tables = pair_tables(labels)
    for first in range(len(tables) - 1):
        own = tables[first, first + 1 :]
        estimates = estimates_of_tables(estimate, own)
        pair, group, parts = _topic_tables(labels, first, topic)
        topics = np.bincount(pair, minlength=len(own))
        low, high = np.full((2, len(own)), math.nan)
        reasons = [""] * len(own)
        if has_interval:
            without = np.full(pair.size, math.nan)
            asked = topics[pair] >= FEWEST_TOPICS
            left = own[pair[asked]] - parts[asked]
            without[asked] = _of_distinct(estimate, pair[asked], left)
            low, high = _bounds(named, estimates.value, topics, pair, without, confidence)
            reasons = _reasons(topics, pair, without, names[group])
        yield PairAgreement(
            first=first,
            second=np.arange(first + 1, len(tables)),
            value=estimates.value,
            expected=estimates.expected,
            units=own.sum(axis=1).astype(np.int64),
            topics=topics,
            low=low,
            high=high,
            reasons=reasons,
        )


def _topic_tables(
    labels: Labels, first: int, topic: IntArray
) -> tuple[IntArray, IntArray, FloatArray]:
    """Compute the tables of an assessor with each assessor that follows in the list, by topic.

    Returns
    -------
    pair, topic : ndarray of int, [table]
        Indices of the following assessor (from 0) and of the topic, ascending.
    tables : ndarray, [table, level · level]
        The counts; topics without a common unit have no table.
    """
    levels, topics = labels.levels.size, int(topic.max(initial=-1)) + 1
    labelled = np.flatnonzero(labels.codes[first] != MISSING)
    others = labels.codes[first + 1 :, labelled]
    pair, place = np.nonzero(others != MISSING)
    cell = labels.codes[first, labelled][place] * levels + others[pair, place]
    key = pair * topics + topic[labelled][place]
    is_there = np.zeros(len(others) * topics, dtype=bool)
    is_there[key] = True
    keys = np.flatnonzero(is_there)
    number = np.cumsum(is_there) - 1
    counts = np.bincount(number[key] * levels**2 + cell, minlength=keys.size * levels**2)
    pairs, of_topic = np.divmod(keys, max(topics, 1))
    return pairs, of_topic, counts.reshape(keys.size, levels**2).astype(np.float64)


def _of_distinct(estimate: Estimator, pair: IntArray, tables: FloatArray) -> FloatArray:
    """Return the coefficient of tables, computing each distinct table of a pair once."""
    top = tables.max(axis=0, initial=0.0) + 1
    if float(np.prod(top)) * (int(pair.max(initial=0)) + 1) > _LARGEST_KEY:
        return estimates_of_tables(estimate, tables).value
    weights = np.concatenate([[1], np.cumprod(top[:-1].astype(np.int64))])
    key = tables.astype(np.int64) @ weights
    _, chosen, number = np.unique(key, return_index=True, return_inverse=True)
    return estimates_of_tables(estimate, tables[chosen]).value[number]


def _bounds(
    named: Named[Coefficient],
    value: FloatArray,
    topics: IntArray,
    pair: IntArray,
    without: FloatArray,
    confidence: float,
) -> tuple[FloatArray, FloatArray]:
    """Return the jackknife interval of each pair over its topics."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(pair, without, minlength=value.size) / topics
        apart = np.bincount(pair, (without - mean[pair]) ** 2, minlength=value.size)
        se = np.sqrt((topics - 1) / topics * apart)
    low, high = np.full((2, value.size), math.nan)
    for size in np.unique(topics[topics >= FEWEST_TOPICS]).tolist():
        own = topics == size
        estimates = student_interval(
            value[own], se[own], size=size, confidence=confidence, bounds=bounds_of(named)
        )
        low[own], high[own] = estimates.low, estimates.high
    return low, high


def _reasons(topics: IntArray, pair: IntArray, without: FloatArray, names: AnyArray) -> list[str]:
    """Explain why pairs have no interval: too few topics, or no value if one topic is left out."""
    few = {size: few_topics_note(size) for size in set(topics.tolist()) if size < FEWEST_TOPICS}
    reasons = [few.get(size, "") for size in topics.tolist()]
    for place in np.flatnonzero(np.isnan(without)).tolist():
        if not reasons[pair[place]]:
            reasons[pair[place]] = missing_topic_note(names[place])
    return reasons


def label_pairs(present: BoolArray) -> int:
    """Return the number of pairs of labels of one doc; `present` is [assessor, doc]."""
    labels = present.sum(axis=0)
    return int((labels * (labels - 1) // 2).sum())

"""The lowest grade for every doc of a topic from some place to the end."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.scipy_parts import special
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.registry import DAMAGES

STARTS = (10, 20, 30, 50, 80)
LEAST_EXPECTED = 10.0
MOST_SEEN = 0.1  # maximum, as a share of the expected number
# Early docs of one grade are more likely to be relevant: undamaged sets have at least this share of
# the expected number in their tails.
_INNOCENT = 0.35


def late_docs(
    labels: LabelArrays, label_set: int, culprit: tuple[int, ...], detail: float
) -> BoolArray:
    """Return a source's docs at or after a place, in the order where fewest have high grades."""
    parts = {of: (grades, orders) for of, grades, orders in _judged_docs(labels, label_set)}
    grades, orders = parts[culprit]
    high = grades > labels.lowest[label_set]
    late = [~np.isnan(grades) & (places >= detail) for places in orders]
    return min(late, key=lambda docs: int((docs & high).sum()))


@DAMAGES.add(
    "tail",
    culprit="assessor",
    sentence="from doc {detail:.0f} of a topic on, the number of docs above the"
    " lowest grade is only {value:.0%} of the expected number",
    otherwise="an agreed rule on when to stop judging",
    action="judge the last docs of the topics again, and talk to the assessors",
    spoils=late_docs,
    formula="P(Poisson(.35·E) ≤ O); E given the topic's counts at each grade of the other set",
    source="ours",
)
def tail(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Test whether all grades after some place are the lowest grade, unlike in the other set.

    Null: toward the end, the number of docs above the lowest grade is at least 35% of the expected
    number. The expectation depends on the topic's number of docs at each grade of the other set.
    The bound is below 100% because, in the order of pools, late docs are less relevant than early
    docs with the same grade. Value: the observed divided by the expected number, at most .1;
    detail: the place.

    Candidates: the label set as a whole, and each of its known assessors.
    """
    culprits: list[tuple[int, ...]] = []
    best: list[FloatArray] = []
    for culprit, grades, orders in _judged_docs(labels, examined):
        trials = np.array([
            (*_late(labels, grades, other, places, start, examined), start)
            for places in orders
            for start in STARTS
        ])  # fmt: skip
        seen, expected, _ = trials.T
        p = special.pdtr(seen, np.maximum(_INNOCENT * expected, 1e-9))
        worst = int(p.argmin())
        culprits.append(culprit)
        best.append(np.array([*trials[worst], min(p[worst] * len(trials), 1.0)]))
    seen, expected, start, p = np.array(best).reshape(-1, 4).T
    ratio = seen / np.maximum(expected, 1e-9)
    return Evidence.of(
        culprits, ratio, p, large=(expected >= LEAST_EXPECTED) & (ratio <= MOST_SEEN), detail=start
    )


def _judged_docs(
    labels: LabelArrays, examined: int
) -> list[tuple[tuple[int, ...], FloatArray, list[IntArray]]]:
    """Return the grades of the whole set and of each assessor, with their possible orders.

    The order for an assessor is the order in which the assessor judged the docs, if known.
    """
    rows = labels.session_of(examined)
    whole = labels.grades[examined]
    parts: list[tuple[tuple[int, ...], FloatArray, list[IntArray]]] = [
        ((), whole, labels.places(examined))
    ]
    for number in range(0 if rows is None else len(rows.names)):
        mine = np.flatnonzero((rows.assessor == number) & ~np.isnan(rows.place))  # type: ignore[union-attr]
        if not len(mine):
            continue
        own, places = np.full(whole.shape, np.nan), np.full(whole.shape, -1, dtype=np.int64)
        own[rows.topic[mine], rows.doc[mine]] = rows.grade[mine]  # type: ignore[union-attr]
        places[rows.topic[mine], rows.doc[mine]] = rows.place[mine]  # type: ignore[union-attr]
        parts.append(((number,), own, [places]))
    return parts


def _late(
    labels: LabelArrays, mine: FloatArray, other: int, places: IntArray, start: int, examined: int
) -> tuple[float, float]:
    """Return the number of late docs above the lowest grade, and the expected number."""
    theirs = labels.grades[other]
    usable = ~(np.isnan(mine) | np.isnan(theirs))
    high = usable & (mine > labels.lowest[examined])
    late = usable & (places >= start)
    expected = 0.0
    for level in labels.once(("distinct", other), lambda: np.unique(theirs[~np.isnan(theirs)])):
        here = usable & (theirs == level)
        count = np.maximum(here.sum(axis=1), 1)
        expected += float(((high & here).sum(axis=1) * (late & here).sum(axis=1) / count).sum())
    return float((high & late).sum()), expected

"""Grades that depend on the doc's place in the order shown, or on the previous grade."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.scipy_parts import stats
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.registry import DAMAGES

LEAST_DOCS, LEAST_SESSIONS = 8, 6
LEAST_CHANGE, LEAST_PULL = 0.1, 0.1


@DAMAGES.add(
    "position",
    culprit="set",
    sentence="from the first doc of a topic to the last, grades change by {value:+.2f}",
    otherwise="an order that was not random",
    action="show the docs in random order, and judge some of the last docs again",
    formula="t of the sessions' mean slope of the residual on the place, two-sided",
    source="after Scholer et al. 2011",
)
def position(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Test in random orders if grades, given another set's grades, depend on the doc's place.

    Null: the mean slope of the residual on the place is 0. Value: the change over a whole topic, in
    grades, if at least .1. In other orders, even correct grades become lower toward the end.

    Candidate: the label set itself, if it has at least 6 sessions in a random order.
    """
    changes = [
        float(np.polyfit(place, residual, 1)[0] * np.ptp(place))
        for place, residual, _ in _random_sessions(labels, examined, other)
    ]
    return _mean_evidence(changes, LEAST_CHANGE)


@DAMAGES.add(
    "anchoring",
    culprit="set",
    sentence="grades depend on the preceding grade (correlation in random order: {value:+.2f})",
    otherwise="an order that was not random",
    action="show the scale with examples more often, and judge a sample again in another order",
    formula="t of the sessions' mean correlation of residual and grade before, two-sided",
    source="after Scholer et al. 2013",
)
def anchoring(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Test in random orders if grades, given another set's grades, depend on the previous grade.

    Null: the residual is independent of the previous grade. Value: the mean over sessions of the
    correlation of the residual with the previous grade, if at least .1. The correlation is
    corrected for the bias due to a session's mean.

    Candidate: the label set itself, if it has at least 6 sessions in a random order.
    """
    pulls = []
    for _, residual, grade in _random_sessions(labels, examined, other):
        if np.ptp(grade[:-1]) == 0 or np.ptp(residual[1:]) == 0 or np.ptp(grade) == 0:
            continue
        itself = np.corrcoef(residual, grade)[0, 1] / len(grade)
        pulls.append(float(np.corrcoef(residual[1:], grade[:-1])[0, 1] + itself))
    return _mean_evidence(pulls, LEAST_PULL)


def _random_sessions(
    labels: LabelArrays, examined: int, other: int
) -> Iterator[tuple[FloatArray, FloatArray, FloatArray]]:
    """Yield the places, residuals and grades of each randomly ordered session, sorted by place."""
    rows = labels.session_of(examined)
    if rows is None:
        return
    residual = rows.grade - labels.expected_grades(examined, other)[rows.topic, rows.doc]
    session = rows.assessor * labels.grades.shape[1] + rows.topic
    usable = rows.is_random & ~np.isnan(rows.place) & ~np.isnan(residual)
    for number in np.unique(session[usable]):
        chosen = np.flatnonzero(usable & (session == number))
        chosen = chosen[np.argsort(rows.place[chosen], kind="stable")]
        if len(chosen) >= LEAST_DOCS:
            yield rows.place[chosen], residual[chosen], rows.grade[chosen]


def _mean_evidence(values: list[float], least: float) -> Evidence:
    count = len(values)
    if count < LEAST_SESSIONS:
        return Evidence.none()
    mean = float(np.mean(values))
    error = max(float(np.std(values, ddof=1)) / np.sqrt(count), 1e-12)
    half = float(stats.t.ppf(0.975, count - 1)) * error
    return Evidence.of(
        [()],
        mean,
        2 * stats.t.sf(abs(mean) / error, count - 1),
        large=abs(mean) >= least,
        low=mean - half,
        high=mean + half,
    )

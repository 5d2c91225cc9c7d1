"""Assessors who copy, who differ from all other assessors, or who cannot have read the docs."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.scipy_parts import special, stats
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import AssessorGrades, LabelArrays
from qrelsmith.damages.registry import DAMAGES
from qrelsmith.damages.shared_errors import kappa_given

LEAST_DOCS, LEAST_SESSIONS, LEAST_TOPIC_DOCS = 50, 5, 8
COPIED_BEYOND = 0.2  # κ above that of the group's other pairs
COPIED_ALONE = 0.6  # κ if there is no other pair
COPIED_TOPICS, LEAST_SHARED = 0.75, 2  # minimum share of shared topics, and minimum number
LEAST_GAP, LEAST_SPREAD = 0.2, 0.1  # minimum difference of correlations, and minimum spread
FASTEST_READING = 2.0  # seconds per doc
HASTY_SHARE, INNOCENT_SHARE = 0.5, 0.25


@DAMAGES.add(
    "copied",
    culprit="assessor",
    sentence="assessors {names} share more errors than other pairs of assessors (κ given the"
    " reference grade: {value:.2f})",
    otherwise="common training, or a rule that the other label set does not follow",
    action="compare the assessors' notes and times, and have another person judge a sample again",
    formula="z of κ given the other set's grade, less the median of the other pairs' and .2",
    source="ours",
)
def copied(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Find pairs of assessors who agree more than another set's grades and other pairs predict.

    Null: κ given the other set's grade is at most the median of the group's other pairs plus .2,
    because with a poor reference all pairs agree. If there are no other pairs, the bound is .6. κ
    must exceed the bound in three quarters of the topics that the two assessors share, and in at
    least two topics. Value: κ given the other set's grade. Models are not examined, because
    agreement of models proves nothing.

    Candidates: each pair with 50 docs in common.
    """
    rows = labels.session_of(examined)
    if rows is None or not labels.person[examined]:
        return Evidence.none()
    reference = labels.levels(other)
    grades = [_grades_of(rows, number, labels) for number in range(len(rows.names))]
    levels = [labels.level_numbers(of) for of in grades]
    pairs, kappas, errors = [], [], []
    for first, second in combinations(range(len(grades)), 2):
        if (~(np.isnan(grades[first]) | np.isnan(grades[second]))).sum() < LEAST_DOCS:
            continue
        kappa, error, count = kappa_given(levels[first], levels[second], reference)
        if count >= LEAST_DOCS and np.isfinite(kappa):
            pairs.append((first, second))
            kappas.append(kappa)
            errors.append(error)
    value = np.array(kappas)
    usual = [
        min(float(np.median(np.delete(value, at))) + COPIED_BEYOND, 0.95)
        if len(value) > 1
        else COPIED_ALONE
        for at in range(len(value))
    ]
    z = (value - np.array(usual)) / np.maximum(np.array(errors), 1e-9)
    large = [
        kappa > bound and _in_most_topics(grades[first], grades[second], reference, labels, bound)
        for (first, second), kappa, bound in zip(pairs, kappas, usual, strict=True)
    ]
    return Evidence.of(pairs, value, stats.norm.sf(z), large=large)


def _in_most_topics(
    first: FloatArray, second: FloatArray, reference: IntArray, labels: LabelArrays, bound: float
) -> bool:
    """Return whether two assessors agree above a bound in most of the topics that they share.

    Agreement in only one topic may mean that two lists of labels were exchanged.
    """
    shape = labels.grades.shape[1:]
    levels = [labels.level_numbers(grades).reshape(shape) for grades in (first, second)]
    by_topic = [
        kappa_given(one, two, given)
        for one, two, given in zip(*levels, reference.reshape(shape), strict=True)
        if ((one >= 0) & (two >= 0)).sum() >= LEAST_TOPIC_DOCS
    ]
    above = [kappa > bound for kappa, _, _ in by_topic if np.isfinite(kappa)]
    return len(above) >= LEAST_SHARED and sum(above) >= COPIED_TOPICS * len(above)


@DAMAGES.add(
    "outlying-assessor",
    culprit="assessor",
    sentence="assessor {names} agrees much less than the rest of the group (the correlation is"
    " lower"
    " by {value:.2f})",
    otherwise="harder topics, or an uncorrected misreading of the scale",
    action="talk to the assessor about docs with different labels, and judge a sample again",
    formula="Student's t of Fisher's z of the correlations by topic, one-sided",
    source="Student 1908",
)
def outlying_assessor(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Find assessors who correlate far less with another label set than their group does.

    Null: an assessor's correlations by topic are not lower than the correlations of the other
    assessors. Value: the difference of the means, if at least .2.

    Candidates: each assessor with 5 topics.
    """
    rows = labels.session_of(examined)
    if rows is None or len(rows.names) < 2:
        return Evidence.none()
    by_assessor = [_correlations(rows, number, labels, other) for number in range(len(rows.names))]
    culprits, gaps, chances = [], [], []
    for number, own in enumerate(by_assessor):
        rest = np.concatenate([r for at, r in enumerate(by_assessor) if at != number])
        if len(own) < LEAST_SESSIONS or len(rest) < LEAST_SESSIONS:
            continue
        culprits.append((number,))
        gaps.append(float(rest.mean() - own.mean()))
        chances.append(_lower_p(*(np.arctanh(np.clip(r, -0.999, 0.999)) for r in (own, rest))))
    return Evidence.of(culprits, gaps, chances, large=np.array(gaps) >= LEAST_GAP)


def _lower_p(own: FloatArray, rest: FloatArray) -> float:
    """Return the one-sided p of a t-test for a lower mean; very small variances are raised."""
    free = len(own) + len(rest) - 2
    spread = (((own - own.mean()) ** 2).sum() + ((rest - rest.mean()) ** 2).sum()) / free
    error = np.sqrt(max(spread, LEAST_SPREAD**2) * (1 / len(own) + 1 / len(rest)))
    return float(special.stdtr(free, (own.mean() - rest.mean()) / error))


@DAMAGES.add(
    "hurried",
    culprit="assessor",
    sentence="assessor {names} took less than 2 s for {value:.0%} of the docs",
    otherwise="docs that were read earlier, or a timer that stops during reading",
    action="talk to the assessor, and have a sample judged again",
    against=False,
    formula="P(Binomial(n, .25) ≥ docs under 2 s)",
    source="this project's choice: nobody reads a passage in 2 s",
)
def hurried(labels: LabelArrays, examined: int, other: int) -> Evidence:  # noqa: ARG001
    """Find assessors who had too little time for reading on at least half of their docs.

    Null: at most a quarter of an honest assessor's docs take less than 2 s. Value: the share of
    docs that took less than 2 s.

    Candidates: each assessor with known times.
    """
    rows = labels.session_of(examined)
    if rows is None:
        return Evidence.none()
    culprits, shares, chances = [], [], []
    for number in range(len(rows.names)):
        seconds = rows.seconds[(rows.assessor == number) & ~np.isnan(rows.seconds)]
        if len(seconds) < LEAST_DOCS:
            continue
        hasty = int((seconds < FASTEST_READING).sum())
        culprits.append((number,))
        shares.append(hasty / len(seconds))
        chances.append(float(stats.binom.sf(hasty - 1, len(seconds), INNOCENT_SHARE)))
    return Evidence.of(culprits, shares, chances, large=np.array(shares) >= HASTY_SHARE)


def _grades_of(rows: AssessorGrades, number: int, labels: LabelArrays) -> FloatArray:
    """Return one assessor's grades of all docs [topic · doc]; nan for a doc without a grade."""
    width = labels.grades.shape[2]
    grades = np.full(labels.grades.shape[1] * width, np.nan)
    mine = rows.assessor == number
    grades[rows.topic[mine] * width + rows.doc[mine]] = rows.grade[mine]
    return grades


def _correlations(rows: AssessorGrades, number: int, labels: LabelArrays, other: int) -> FloatArray:
    """Return the correlations of an assessor's grades with the grades of another set, by topic."""
    mine = _grades_of(rows, number, labels).reshape(labels.grades.shape[1:])
    correlations = []
    for own, theirs in zip(mine, labels.grades[other], strict=True):
        shared = ~(np.isnan(own) | np.isnan(theirs))
        if shared.sum() >= 8 and np.ptp(theirs[shared]) > 0:
            flat = np.ptp(own[shared]) == 0
            correlations.append(
                0.0 if flat else float(np.corrcoef(own[shared], theirs[shared])[0, 1])
            )
    return np.array(correlations)

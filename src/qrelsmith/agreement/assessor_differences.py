"""Assessors whose speed or grades differ from the rest of their group.

Each assessor is compared with the rest of the group. All comparisons of one kind are adjusted
together by Holm's method, so that the chance of any false alarm is at most 5%.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.scales import levels_seen
from qrelsmith.judging_times.judging_efficiency import JudgingEfficiency
from qrelsmith.judgments.environments import KEYS
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.stats.multiplicity import holm
from qrelsmith.stats.proportions import equal_proportions
from qrelsmith.stats.significance import INDEPENDENT_TESTS

ALPHA = 0.05
SPEED_TEST = "welch-t"
# Minimum number of common docs for a comparison of labels.
ENOUGH_COMMON = 20
_CRITERION = "ATBJ"
_UNJUDGED = -1.0


@dataclass(frozen=True, slots=True)
class SpeedDifference:
    """The speed of an assessor, compared with the rest of the group.

    Attributes
    ----------
    assessor, group : str
        The assessor and the assessor's group.
    seconds, others : float
        Mean over topics of the mean seconds between judgments (ATBJ), of the assessor and of the
        rest of the group.
    topics : (int, int)
        Number of (assessor, topic) sessions of the assessor, and of the rest of the group.
    p : float
        The p-value of Welch's t-test over (assessor, topic) sessions, adjusted by Holm's method
        over all assessors; nan with too few topics.
    """

    assessor: str
    group: str
    seconds: float
    others: float
    topics: tuple[int, int]
    p: float

    @property
    def is_beyond_chance(self) -> bool:
        """Whether the difference is significant."""
        return self.p < ALPHA


@dataclass(frozen=True, slots=True)
class GradeDifference:
    """An assessor's frequency of a grade, compared with the rest of the group.

    Attributes
    ----------
    assessor, group : str
        The assessor and the assessor's group.
    grade : float
        A grade, or a code below 0.
    docs, others : (int, int)
        Number of labels with this grade, and of all labels: of the assessor, and of the rest of the
        group.
    same_docs : bool
        Whether only docs judged by the assessor and another group member are compared; if not, all
        labels are compared, and the docs may differ.
    p : float
        The p-value of the test of equal proportions, adjusted by Holm's method over all assessors
        and grades; nan if no label, or every label, has the grade.
    """

    assessor: str
    group: str
    grade: float
    docs: tuple[int, int]
    others: tuple[int, int]
    same_docs: bool
    p: float

    @property
    def is_beyond_chance(self) -> bool:
        """Whether the difference is significant."""
        return self.p < ALPHA

    @property
    def share(self) -> float:
        """The assessor's frequency of the grade."""
        return self.docs[0] / self.docs[1] if self.docs[1] else math.nan

    @property
    def share_of_others(self) -> float:
        """The frequency of the grade in the rest of the group."""
        return self.others[0] / self.others[1] if self.others[1] else math.nan


def speed_differences(efficiency: JudgingEfficiency) -> list[SpeedDifference]:
    """Compare every assessor's speed with the rest of the group; return results by assessor.

    Sessions of one assessor are treated as independent, as in ordering-gold-bronze, section 4.
    Assessors without other group members are skipped.
    """
    values = efficiency.criteria.of(_CRITERION)
    assessors, groups = (
        np.array([KEYS[key](session) for session in efficiency.sessions], dtype=object)
        for key in ("assessor", "group")
    )
    timed = ~np.isnan(values)
    comparisons = []
    for assessor in sorted(set(assessors.tolist())):
        own = assessors == assessor
        group = max(groups[own].tolist(), default="")
        rest = timed & (groups == group) & ~own
        if not group or not rest.any() or not (timed & own).any():
            continue
        comparisons.append((assessor, group, values[timed & own], values[rest]))
    p_values = np.array([_speed_p(own, rest) for *_, own, rest in comparisons])
    adjusted = _adjust(p_values)
    return [
        SpeedDifference(
            assessor, group, float(own.mean()), float(rest.mean()), (own.size, rest.size), p
        )
        for (assessor, group, own, rest), p in zip(comparisons, adjusted, strict=True)
    ]


def grade_differences(judgments: Judgments) -> list[GradeDifference]:
    """Compare every assessor's grade frequencies with the rest of the group.

    If the assessor and other group members judged at least `ENOUGH_COMMON` docs in common, the
    labels of these docs are compared. Otherwise, all labels are compared. Labels of one doc are
    correlated, so the test, which assumes independence, is conservative.

    Parameters
    ----------
    judgments : Judgments
        The judgments; only latest revisions count, and withdrawn labels are ignored.
    """
    now = judgments.current()
    now = now.select(now.grade != _UNJUDGED)
    if now.group is None or not len(now):
        return []
    groups = np.array(now.group, dtype=object)
    grades = sorted({*levels_seen(now.grade), *now.grade[now.grade < 0].tolist()})
    rows = []
    for group in sorted(set(groups.tolist()) - {""}):
        members = np.flatnonzero(groups == group)
        rows += list(_in_group(now, members, group, grades))
    p_values = np.array([_share_p(docs, others) for *_, docs, others, _ in rows])
    adjusted = _adjust(p_values)
    return [
        GradeDifference(assessor, group, grade, docs, others, same, p)
        for (assessor, group, grade, docs, others, same), p in zip(rows, adjusted, strict=True)
    ]


def slice_judgments(judgments: Judgments, ends: Sequence[float]) -> Judgments:
    """Return judgments with grades binned into slices, for scales with very many levels.

    Parameters
    ----------
    judgments : Judgments
        The judgments; codes below 0 are not changed.
    ends : sequence of float
        The lower ends of the slices, ascending; a grade becomes the lower end of its slice.
    """
    lower = np.array(ends, dtype=np.float64)
    at = np.clip(np.searchsorted(lower, judgments.grade, side="right") - 1, 0, None)
    return replace(judgments, grade=np.where(judgments.grade < 0, judgments.grade, lower[at]))


_Row = tuple[str, str, float, tuple[int, int], tuple[int, int], bool]


def _in_group(
    now: Judgments, members: IntArray, group: str, grades: Sequence[float]
) -> Iterator[_Row]:
    """Yield a row for each member and grade of a group; no rows for a group with one assessor."""
    assessor, grade = now.assessor[members], now.grade[members]
    codes = np.unique(assessor).tolist()
    if len(codes) < 2:
        return
    unit = now.topic[members] * len(now.docs) + now.doc[members]
    _, unit, judged = np.unique(unit, return_inverse=True, return_counts=True)
    several = judged[unit] > 1
    for code in codes:
        own = assessor == code
        of_docs = np.zeros(judged.size, dtype=bool)
        of_docs[unit[own & several]] = True
        same = int(of_docs.sum()) >= ENOUGH_COMMON
        kept = of_docs[unit] if same else np.ones(len(members), dtype=bool)
        for level in grades:
            given = grade == level
            yield (
                now.assessors[code], group, level,
                _count(given, own & kept), _count(given, ~own & kept), same,
            )  # fmt: skip


def _count(given: BoolArray, among: BoolArray) -> tuple[int, int]:
    return int((given & among).sum()), int(among.sum())


def _speed_p(own: FloatArray, rest: FloatArray) -> float:
    if min(own.size, rest.size) < 2:
        return math.nan
    return float(INDEPENDENT_TESTS.get(SPEED_TEST)([own, rest]).p[0])


def _share_p(docs: tuple[int, int], others: tuple[int, int]) -> float:
    return equal_proportions(*docs, *others).p if docs[1] and others[1] else math.nan


def _adjust(p: FloatArray) -> list[float]:
    """Adjust p-values by Holm's method, ignoring nan."""
    known = ~np.isnan(p)
    if known.any():
        p[known] = holm(p[known])
    return [float(value) for value in p]


def by_assessor(found: Sequence[GradeDifference]) -> Mapping[str, list[GradeDifference]]:
    """Return the comparisons of each assessor."""
    result: dict[str, list[GradeDifference]] = {}
    for each in found:
        result.setdefault(each.assessor, []).append(each)
    return result

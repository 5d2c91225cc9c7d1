"""Conversion of labels to another scale, and combination of several assessors' labels.

Codes below 0 (−1 unjudged, −2 could not be displayed) are not grades: scale operations do not
change them, and aggregations leave them out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

import numpy as np

from qrelsmith.base.errors import UndefinedError, UnknownNameError, UsageError, quoted
from qrelsmith.base.scales import Scale, grade_text, levels_seen
from qrelsmith.collection.qrels import Qrels
from qrelsmith.judgments.aggregation import AGGREGATIONS
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.scale_operations import (
    Cuts,
    Extension,
    Reduction,
    Relabelling,
    keyed_draws,
    log_sum,
)

Labels = TypeVar("Labels", Qrels, Judgments)
ErrorCodes = Literal["missing", "nonrelevant"]
Operation = Reduction | Cuts | Extension | Relabelling
_NOT_DISPLAYED = -2.0
_HIGHEST = 100_000  # up to this grade, all whole numbers below it count as levels


@dataclass(frozen=True, slots=True, eq=False)
class AggregatedGrades:
    """The grades of several assessors, combined into one grade per doc.

    Attributes
    ----------
    qrels : Qrels
        The grades, which need not be on the scale (a mean).
    label : str
        The full name of the aggregation.
    left_out : int
        The number of (topic, doc) pairs that have judgments but no grade.
    fewest, most : int
        The least and greatest number of grades per doc, among docs with a grade.
    adds_up : bool
        Whether the aggregation sums grades, so that docs with more grades get higher values.
    """

    qrels: Qrels
    label: str
    left_out: int
    fewest: int
    most: int
    adds_up: bool


def aggregated_qrels(
    judgments: Judgments,
    by: str,
    *,
    group: str | None = None,
    errors: Literal["missing", "nonrelevant"] = "missing",
    scale: Scale | None = None,
    name: str = "aggregate",
) -> AggregatedGrades:
    """Return one grade for each doc, from the newest revisions of its judgments.

    Parameters
    ----------
    judgments : Judgments
        The judgments.
    by : str
        A name of `AGGREGATIONS`.
    group : str, optional
        Only the judgments of this group are used.
    errors : {'missing', 'nonrelevant'}
        The meaning of the code −2 (could not be displayed): no grade, or the grade 0.
    scale : Scale, optional
        The levels of the grades.
    name : str
        The name of the qrels.

    Raises
    ------
    UnknownNameError
        If there is no such aggregation or group.
    UsageError
        If the judgments have no groups, a grade is not on the scale, or −2 should become a 0 that
        the scale does not have.
    UndefinedError
        If no doc has a grade.
    """
    named = AGGREGATIONS.get(by)
    now = judgments.current()
    if group is not None:
        now = of_group(now, group)
    no_zero = scale is not None and 0.0 not in scale.levels
    if no_zero and errors == "nonrelevant" and (now.grade == _NOT_DISPLAYED).any():
        raise UsageError(
            f"--errors nonrelevant turns -2 into 0, but the scale {scale} has no level 0; "
            "expected a scale with 0"
        )
    ratings = now.ratings(errors=errors)
    counts = (~np.isnan(ratings.values)).sum(axis=0)
    if not counts.any():
        raise UndefinedError(f"none of {counts.size} docs has a grade; expected at least one grade")
    grades = named(ratings.values, levels=None if scale is None else scale.levels)
    held = counts > 0
    rows = zip(ratings.units, grades.tolist(), held.tolist(), strict=True)
    return AggregatedGrades(
        qrels=Qrels.from_rows(((t, d, grade) for (t, d), grade, kept in rows if kept), name=name),
        label=named.label,
        left_out=int((~held).sum()),
        fewest=int(counts[held].min()),
        most=int(counts[held].max()),
        adds_up=bool(named.entry.about["adds_up"]),
    )


def aggregate_notes(result: AggregatedGrades) -> list[str]:
    """Return notes on docs without grades, and on docs with different numbers of grades."""
    notes = []
    if result.left_out:
        notes.append(f"docs without any grade, which are left out: {result.left_out}")
    if result.adds_up and result.fewest < result.most:
        notes.append(
            f"docs have from {result.fewest} to {result.most} grades: {result.label} is higher"
            " for docs with more grades"
        )
    return notes


def of_group(judgments: Judgments, group: str) -> Judgments:
    """Return the current judgments of a group.

    Raises
    ------
    UnknownNameError
        If there is no such group.
    UsageError
        If the judgments have no groups.
    """
    now = judgments.current()
    if now.group is None:
        raise UsageError(
            f"the group {quoted(group)}: the judgments have no groups; expected a column `group`"
        )
    groups = now.by_group()
    if not group or group not in groups:
        raise UnknownNameError("group", group, [name for name in groups if name])
    return groups[group]


def transform_labels(
    labels: Labels, operation: Operation, *, source: Scale | None, seed: int = 0
) -> Labels:
    """Return the labels with new grades, but otherwise unchanged.

    Parameters
    ----------
    labels : Qrels or Judgments
        The labels; all revisions of judgments are transformed.
    operation : Reduction, Cuts, Extension or Relabelling
        The operation on the grades. Codes below 0 do not change, unless a relabelling names them.
    source : Scale or None
        The scale of the grades; None: unknown, which an extension does not allow.
    seed : int
        The seed of an extension. Its draws depend only on topic, doc and assessor, so neither the
        other lines of a file nor their order change them. The revisions of a judgment share one
        draw, and the assessor of qrels is their name.

    Raises
    ------
    UsageError
        If a grade is not on the scale or not relabelled, or the operation does not fit the scale.
    """
    if isinstance(operation, Extension):
        if source is None:
            raise UsageError("extending grades needs the scale of the grades")
        draws = keyed_draws(_keys(labels), seed=seed)
        return replace(labels, grade=operation.apply(labels.grade, draws, source=source))
    if isinstance(operation, Relabelling):
        return replace(labels, grade=operation.apply(labels.grade))
    return replace(labels, grade=operation.apply(labels.grade, source=source))


def log_summed(qrels: Qrels) -> Qrels:
    """Replace grades that are sums by the integer part of log2(sum + 1); codes are kept.

    For the sums of several assessors' grades, use `aggregated_qrels(judgments, by="logsum")`.
    """
    graded = qrels.grade >= 0
    sums = log_sum(np.where(graded, qrels.grade, 0.0))
    return replace(qrels, grade=np.where(graded, sums, qrels.grade))


def complete_relabelling(relabelling: Relabelling, source: Scale | None) -> Relabelling:
    """Return a relabelling; if it names only codes, add every level of the scale unchanged.

    A relabelling that names one grade must name all grades, so that a forgotten grade is reported.
    """
    if source is None or any(old >= 0 for old, _ in relabelling.pairs):
        return relabelling
    return Relabelling(relabelling.pairs + tuple((level, level) for level in source.levels))


def assumed_scale(labels: Qrels | Judgments) -> Scale | None:
    """Return the default scale of labels: 0 to the highest grade, if all are whole numbers.

    If there are fractions, or the highest grade is above 100,000, the scale consists of the grades
    that occur. Without grades, the scale is None.
    """
    seen = levels_seen(labels.grade)
    if not seen:
        return None
    if _off_whole_scale(labels) is None:
        return Scale(tuple(float(level) for level in range(int(seen[-1]) + 1)))
    return Scale(seen)


def check_whole(labels: Qrels | Judgments) -> None:
    """Raise `UsageError` at the first grade that cannot be one of the levels 0, 1, 2, …."""
    place = _off_whole_scale(labels)
    if place is None:
        return
    topic, doc = labels.topics[labels.topic[place]], labels.docs[labels.doc[place]]
    raise UsageError(
        f"topic {quoted(topic)} doc {quoted(doc)} has the grade"
        f" {grade_text(float(labels.grade[place]))}; expected a whole number up to {_HIGHEST}"
    )


def _off_whole_scale(labels: Qrels | Judgments) -> int | None:
    """Return the position of the first grade that cannot be a whole level, or None."""
    grade = labels.grade
    wrong = np.flatnonzero((grade >= 0) & ((grade != np.floor(grade)) | (grade > _HIGHEST)))
    return int(wrong[0]) if wrong.size else None


def _keys(labels: Qrels | Judgments) -> Iterator[tuple[str, str, str]]:
    """Yield topic, doc and assessor of every label."""
    topics, docs = labels.topics, labels.docs
    pairs = zip(labels.topic.tolist(), labels.doc.tolist(), strict=True)
    if isinstance(labels, Qrels):
        yield from ((topics[topic], docs[doc], labels.name) for topic, doc in pairs)
        return
    for (topic, doc), assessor in zip(pairs, labels.assessor.tolist(), strict=True):
        yield topics[topic], docs[doc], labels.assessors[assessor]

"""Labels from Python objects: mappings and data frames, checked as strictly as files."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from qrelsmith.data.cells import OffScale
from qrelsmith.data.frames import columns_of, qrels_from_frame
from qrelsmith.data.given_values import described, is_frame, is_nested
from qrelsmith.data.judged_pairs import Qrels
from qrelsmith.data.judgment_events import Judgments
from qrelsmith.errors import InputWarning, UsageError, quoted
from qrelsmith.results import Result
from qrelsmith.scales import Scale, grade_text

Labels = TypeVar("Labels", Qrels, Judgments)
_ASSESSOR = "assessor"


def given_qrels(source: Any, *, name: str = "qrels") -> Qrels:
    """Qrels from {topic: {doc: grade}}, a data frame or a result that has them, or as they are.

    Raises
    ------
    UsageError
        If it is none of these, a doc has the grades of several assessors, an id is no text, or a
        grade no finite number.
    """
    if isinstance(source, Qrels):
        return source
    if isinstance(source, Judgments):
        return source.to_qrels(name=name)
    if isinstance(source, Result) and isinstance(getattr(source, "qrels", None), Qrels):
        found: Qrels = source.qrels  # type: ignore[attr-defined]
        return found
    if is_nested(source):
        return Qrels.from_dict(source, name=name)
    if is_frame(source):
        if _ASSESSOR in columns_of(source):
            return given_judgments(source).to_qrels(name=name)
        return qrels_from_frame(source, name=name)
    raise UsageError(
        f"expected qrels: a path, {{topic: {{doc: grade}}}}, or a data frame; got"
        f" {described(source)}"
    )


def given_judgments(source: Any) -> Judgments:
    """Judgments from a data frame, or from the qrels of each assessor, {assessor: qrels}.

    Raises
    ------
    UsageError
        If it is neither, an id is no text, or a grade no finite number.
    InputError
        If an assessor has two grades for a doc and no revisions that tell them apart.
    """
    if isinstance(source, Judgments):
        return source
    if isinstance(source, Qrels):
        return Judgments.from_qrels({source.name: source})
    if is_frame(source):
        columns = columns_of(source)
        if _ASSESSOR in columns:
            return Judgments.from_frame(columns)
        raise UsageError(
            f"{described(source)} says of no grade whose it is; expected the column {_ASSESSOR}, or"
            " {assessor: qrels}"
        )
    if isinstance(source, Mapping) and source and not is_nested(source):
        return Judgments.from_qrels(
            {str(who): given_qrels(of, name=str(who)) for who, of in source.items()}
        )
    raise UsageError(
        f"expected judgments: a path, a data frame, or {{assessor: qrels}}; got {described(source)}"
    )


def on_scale(labels: Labels, scale: Scale | None, *, off_scale: OffScale = "error") -> Labels:
    """Labels of which no grade is off a scale; codes below 0 never are.

    Warns
    -----
    InputWarning
        Of grades that count as missing, since they are off the scale.

    Raises
    ------
    UsageError
        At the first grade off the scale, unless these are to be missing.
    """
    if scale is None:
        return labels
    kept = scale.holds(labels.grade) | (labels.grade < 0)
    if kept.all():
        return labels
    place = int(np.flatnonzero(~kept)[0])
    topic, doc = labels.topics[labels.topic[place]], labels.docs[labels.doc[place]]
    problem = (
        f"topic {quoted(topic)} doc {quoted(doc)} has the grade"
        f" {grade_text(float(labels.grade[place]))}; expected a level of the scale {scale}"
    )
    if off_scale == "error":
        raise UsageError(problem)
    warnings.warn(
        f"{problem}; {int((~kept).sum())} such grades count as missing", InputWarning, stacklevel=3
    )
    if isinstance(labels, Judgments):
        return labels.select(kept)
    rows = (row for row, held in zip(labels.rows(), kept.tolist(), strict=True) if held)
    return Qrels.from_rows(rows, name=labels.name)

"""Labels from files, mappings and data frames, all checked with the same rules."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any, TypeVar, Unpack

import numpy as np

from qrelsmith.base.errors import InputWarning, UsageError, quoted
from qrelsmith.base.named_rows import columns_of_rows
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Scale, grade_text
from qrelsmith.collection.frames import columns_of
from qrelsmith.collection.judged_pairs import Qrels
from qrelsmith.collection.qrels import SeveralAssessorsError, read_qrels_file, stem
from qrelsmith.forms.reading import ReadingOptions, reading
from qrelsmith.io.cells import OffScale
from qrelsmith.io.given_values import describe, is_frame, is_nested
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.judgment_events import Judgments

Labels = TypeVar("Labels", Qrels, Judgments)
_ASSESSOR = "assessor"


def read_qrels(
    source: FilePath | Any,
    *,
    name: str | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    **how: Unpack[ReadingOptions],
) -> Qrels:
    """Read qrels from a file, from {topic: {doc: grade}}, from a data frame, or from rows.

    A file has TREC's format `topic iter docno grade`, NTCIR's `topic docno L2`, three columns
    `topic docno grade`, or another program's format. A repeated pair with the same grade counts
    once, with a warning. If docs have the grades of several assessors, the lower median is used,
    with a warning. A data frame (pandas, polars or pyarrow) has the columns of ir_measures,
    PyTerrier or qrelsmith. Rows are named tuples with such fields, as in `dataset.qrels` of
    ir_datasets.

    Parameters
    ----------
    source : path, mapping, data frame, or rows
        The file, plain or compressed; or the grades themselves.
    name : str, optional
        The name of the qrels; by default the file's name without suffixes, or `qrels`.
    scale : Scale, optional
        The levels that a grade can have; codes below 0 are always allowed.
    off_scale : {'error', 'missing'}
        Whether a grade outside the scale is an error, or treated as missing, with a warning.

    **how
        `form` and `columns`: file format and column names, if the content does not show them.

    Raises
    ------
    InputError
        At the first malformed line, or at a pair with a second grade.
    UsageError
        If a mapping or a frame is malformed: an id is not text, a grade is not a finite number or
        not on the scale, or a pair has a second grade.

    Examples
    --------
    >>> read_qrels({"t1": {"d1": 2, "d2": 0}}, name="gold").to_dict()
    {'t1': {'d1': 2.0, 'd2': 0.0}}
    """
    if how:
        with reading(**how):
            return read_qrels(source, name=name, scale=scale, off_scale=off_scale)
    if isinstance(source, str | PathLike):
        try:
            return read_qrels_file(source, name=name, scale=scale, off_scale=off_scale)
        except SeveralAssessorsError:
            from qrelsmith.judgments.table_files import read_judgment_table

            judgments = read_judgment_table(source, scale=scale, off_scale=off_scale)
            return _one_grade_each(judgments, name or stem(source), f"{source}: ")
    given = qrels_of_object(source, name=name or "qrels")
    given = given if name is None else replace(given, name=name)
    return on_scale(given, scale, off_scale=off_scale)


def qrels_of_object(source: Any, *, name: str = "qrels") -> Qrels:
    """Return qrels from {topic: {doc: grade}}, a DataFrame, judgments, or a result that has qrels.

    Raises
    ------
    UsageError
        If the source is none of these, an id is not text, or a grade is not a finite number.
    """
    source = columns_of_rows(source)
    if isinstance(source, Qrels):
        return source
    if isinstance(source, Judgments):
        return _one_grade_each(source, name)
    if isinstance(source, Result) and isinstance(getattr(source, "qrels", None), Qrels):
        found: Qrels = source.qrels  # type: ignore[attr-defined]
        return found
    if is_nested(source):
        return Qrels.from_dict(source, name=name)
    if is_frame(source):
        if _ASSESSOR in columns_of(source):
            return _one_grade_each(judgments_of_object(source), name)
        return Qrels.from_frame(source, name=name)
    raise UsageError(
        f"expected qrels: a path, {{topic: {{doc: grade}}}}, or a data frame; found "
        f"{describe(source)}"
    )


def _one_grade_each(judgments: Judgments, name: str, place: str = "") -> Qrels:
    """Return the qrels of judgments, with the lower median if a doc has several grades."""
    now = judgments.current()
    is_again = (np.diff(now.topic) == 0) & (np.diff(now.doc) == 0)
    if not is_again.any():
        return now.to_qrels(name=name)
    from qrelsmith.judgments.group_labels import label_set_of

    note = f"{place}the lower median of the grades of {len(now.assessors)} assessors is used"
    labels_of_doc = np.diff(np.flatnonzero(np.concatenate(([True], ~is_again, [True]))))
    if (labels_of_doc == 2).any():
        note += ", which is the lower grade if a doc has two grades"
    warnings.warn(f"{note} (qrelsmith aggregate offers other methods)", InputWarning, stacklevel=3)
    return label_set_of(now, name)


def judgments_of_object(
    source: Any, *, scale: Scale | None = None, off_scale: OffScale = "error"
) -> Judgments:
    """Return judgments from a data frame, or from each assessor's qrels, {assessor: qrels or path}.

    If a grade in a file is not on the scale, the error names the grade's line.

    Raises
    ------
    UsageError
        If the source is neither, an id is not text, or a grade is not a finite number.
    InputError
        If an assessor has two grades for a doc and no revisions that distinguish them.
    """
    source = columns_of_rows(source)
    if isinstance(source, Judgments):
        return source
    if isinstance(source, Qrels):
        return Judgments.from_qrels({source.name: source})
    if is_frame(source):
        columns = columns_of(source)
        if _ASSESSOR in columns:
            return Judgments.from_frame(columns)
        raise UsageError(
            f"{describe(source)} does not name the assessor of each grade; expected "
            f"the column {_ASSESSOR}, or"
            " {assessor: qrels}"
        )
    if isinstance(source, Mapping) and source and not is_nested(source):
        return Judgments.from_qrels(
            {
                str(who): read_qrels(of, name=str(who), scale=scale, off_scale=off_scale)
                for who, of in source.items()
            }
        )
    raise UsageError(
        f"expected judgments: a path, a data frame, or {{assessor: qrels}}; found "
        f"{describe(source)}"
    )


def on_scale(labels: Labels, scale: Scale | None, *, off_scale: OffScale = "error") -> Labels:
    """Return labels with all grades on a scale; codes below 0 are always allowed.

    Warns
    -----
    InputWarning
        If grades outside the scale are treated as missing.

    Raises
    ------
    UsageError
        At the first grade outside the scale, unless such grades are treated as missing.
    """
    if scale is None:
        return labels
    is_level = scale.holds(labels.grade) | (labels.grade < 0)
    if is_level.all():
        return labels
    place = int(np.flatnonzero(~is_level)[0])
    topic, doc = labels.topics[labels.topic[place]], labels.docs[labels.doc[place]]
    problem = (
        f"topic {quoted(topic)} doc {quoted(doc)} has the grade"
        f" {grade_text(float(labels.grade[place]))}; expected a level of the scale {scale}"
    )
    if off_scale == "error":
        raise UsageError(problem)
    warnings.warn(
        f"{problem}; {int((~is_level).sum())} such grades are treated as missing",
        InputWarning,
        stacklevel=3,
    )
    if isinstance(labels, Judgments):
        return labels.select(is_level)
    rows = (row for row, held in zip(labels.rows(), is_level.tolist(), strict=True) if held)
    return Qrels.from_rows(rows, name=labels.name)

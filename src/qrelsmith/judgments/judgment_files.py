"""Judgments files, read and written so that the same judgments give the same bytes."""

from __future__ import annotations

from os import PathLike
from typing import Any, Unpack

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import stem
from qrelsmith.forms.reading import ReadingOptions, reading
from qrelsmith.io.cells import OffScale
from qrelsmith.io.table_writing import table_bytes, write_table
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.given_labels import judgments_of_object, on_scale, read_qrels
from qrelsmith.judgments.joined_labels import join_labels, judgment_cells
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.judgment_tables import NUMBERS
from qrelsmith.judgments.ratings import Ratings
from qrelsmith.judgments.table_files import labels_form, read_judgment_table

__all__ = [
    "Judgments",
    "Ratings",
    "judgment_cells",
    "judgments_text",
    "labels_form",
    "read_judgments",
    "write_judgments",
]


def read_judgments(
    *sources: FilePath | Any,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    **how: Unpack[ReadingOptions],
) -> Judgments:
    """Read judgments from files, a data frame, or the qrels of each assessor.

    A judgments file has the columns topic, doc, assessor and grade, named in a header or by JSON
    keys. A qrels file contains the grades of one assessor, named after the file without suffixes. A
    pipe is always read as a judgments file. A data frame has the columns of a judgments file; a
    mapping is {assessor: qrels}.

    Parameters
    ----------
    *sources : path, data frame, or mapping
        Judgments and qrels files, plain or compressed; or one frame or mapping. With several files,
        each judgments file is a group of assessors.
    scale : Scale, optional
        The levels that a grade can have; codes below 0 are always allowed.
    off_scale : {'error', 'missing'}
        Whether a grade outside the scale is an error, or treated as missing, with a warning.

    **how
        `form` and `columns`: file format and column names, if the content does not show them.

    Raises
    ------
    InputError
        At the first malformed line; if an assessor has two grades for a doc and no revisions that
        distinguish them; if two files contain labels by one assessor for one doc.
    UsageError
        If a frame or a mapping is malformed.

    Examples
    --------
    >>> frame = {"topic": ["t1"] * 2, "doc": ["d1"] * 2, "assessor": ["a", "b"], "grade": [1, 2]}
    >>> read_judgments(frame)
    <Judgments: 2 of 1 topics, 2 assessors>
    """
    if how:
        with reading(**how):
            return read_judgments(*sources, scale=scale, off_scale=off_scale)
    paths = [source for source in sources if isinstance(source, str | PathLike)]
    if len(paths) < len(sources):
        if len(sources) > 1:
            raise UsageError(
                f"{len(sources)} inputs, some of which are not files; expected only "
                f"files, or one data frame or mapping {{assessor: qrels}}"
            )
        return on_scale(
            judgments_of_object(sources[0], scale=scale, off_scale=off_scale),
            scale,
            off_scale=off_scale,
        )
    tables = [path for path in paths if labels_form(path) != "qrels"]
    if len(tables) == len(paths) == 1:
        return read_judgment_table(tables[0], scale=scale, off_scale=off_scale)
    if not paths:
        raise UsageError("no file given; expected a judgments file, or one qrels file per assessor")
    files: dict[str, FilePath] = {}
    for path in paths:
        if (name := stem(path)) in files:
            raise InputError(
                f"the assessor {quoted(name)} already has the file {files[name]}; expected one file"
                " per assessor or group",
                path=path,
            )
        files[name] = path
    if not tables:
        named = {
            assessor: read_qrels(path, scale=scale, off_scale=off_scale)
            for assessor, path in files.items()
        }
        return Judgments.from_qrels(named)
    labels = {
        name: read_judgment_table(path, scale=scale, off_scale=off_scale)
        if path in tables
        else Judgments.from_qrels({name: read_qrels(path, scale=scale, off_scale=off_scale)})
        for name, path in files.items()
    }
    return join_labels(labels, files)


def write_judgments(judgments: Judgments, path: FilePath, *, form: str | None = None) -> None:
    """Write a sorted judgments file atomically, as CSV, TSV, JSONL or Parquet.

    Raises
    ------
    UsageError
        If neither `form` nor the suffix of the path determines the form.
    """
    write_table(path, judgment_cells(judgments), form=form, numbers=NUMBERS)


def judgments_text(judgments: Judgments, *, form: str = "csv") -> str:
    """Return the content of a judgments file as text."""
    return table_bytes(judgment_cells(judgments), form=form, numbers=NUMBERS).decode("utf-8")

"""Judgments and their files: read, and written so that the same judgments give the same bytes."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.items import item_parts
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import stem
from qrelsmith.forms.reading import current_reading
from qrelsmith.forms.recognising import locate_errors, recognise, tell
from qrelsmith.forms.registry import FormTable
from qrelsmith.io import sizes
from qrelsmith.io.cells import OffScale, number_texts
from qrelsmith.io.format_marks import first_line
from qrelsmith.io.parquet import is_parquet
from qrelsmith.io.table_reading import (
    check_table,
    first_data_line,
    has_header,
    is_named_jsonl,
    parse_table,
    parsed_in_order,
    read_table,
)
from qrelsmith.io.table_writing import FORMS as TABLE_FORMS
from qrelsmith.io.table_writing import table_bytes, write_table
from qrelsmith.io.text import FilePath, LineBlocks, read_bytes
from qrelsmith.io.times import time_texts
from qrelsmith.judgments.given_labels import judgments_of_object, on_scale, read_qrels
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.judgment_tables import COLUMNS, IDS, NUMBERS, TIMES
from qrelsmith.judgments.ratings import Ratings

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
    *sources: FilePath | Any, scale: Scale | None = None, off_scale: OffScale = "error"
) -> Judgments:
    """Judgments from a file, a data frame, or the qrels of each assessor.

    A judgments file has a header (or JSON's keys) with topic, doc, assessor and grade; an
    assessor who comes as a qrels file is called by the file's name without suffixes. A pipe is
    always read as a judgments file. A data frame has the columns of a judgments file; a mapping is
    {assessor: qrels}.

    Parameters
    ----------
    *sources : path, data frame, or mapping
        One judgments file or qrels files, plain or compressed; or one frame or mapping.
    scale : Scale, optional
        The levels that a grade can have; codes below 0 are never off the scale.
    off_scale : {'error', 'missing'}
        What a grade off the scale is: an error, or no judgment (counted in a warning).

    Raises
    ------
    InputError
        At the first line that is not as it should be; if an assessor has two grades for a doc and
        no revisions that tell them apart; if two files are of one assessor or of different kinds.
    UsageError
        If a frame or a mapping is not as it should be.

    Examples
    --------
    >>> frame = {"topic": ["t1"] * 2, "doc": ["d1"] * 2, "assessor": ["a", "b"], "grade": [1, 2]}
    >>> read_judgments(frame)
    <Judgments: 2 of 1 topics, 2 assessors>
    """
    paths = [source for source in sources if isinstance(source, str | PathLike)]
    if len(paths) < len(sources):
        if len(sources) > 1:
            raise UsageError(
                f"{len(sources)} inputs, of which not all are files; expected files, or one frame"
                " or mapping {assessor: qrels}"
            )
        return on_scale(
            judgments_of_object(sources[0], scale=scale, off_scale=off_scale),
            scale,
            off_scale=off_scale,
        )
    tables = [path for path in paths if labels_form(path) != "qrels"]
    if len(tables) == len(paths) == 1:
        return _from_table(tables[0], scale, off_scale)
    if tables:
        raise InputError(
            f"a judgments file among {len(paths)} files; expected one judgments file, or one qrels"
            " file per assessor",
            path=tables[0],
        )
    if not paths:
        raise UsageError("no file of judgments; expected one, or one qrels file per assessor")
    files: dict[str, FilePath] = {}
    for path in paths:
        assessor = stem(path)
        if assessor in files:
            raise InputError(
                f"the assessor {quoted(assessor)} has another file, {files[assessor]}; expected one"
                " qrels file per assessor",
                path=path,
            )
        files[assessor] = path
    return Judgments.from_qrels(
        {
            assessor: read_qrels(path, scale=scale, off_scale=off_scale)
            for assessor, path in files.items()
        }
    )


def write_judgments(judgments: Judgments, path: FilePath, *, form: str | None = None) -> None:
    """Write a judgments file as CSV, TSV, JSONL or Parquet, sorted, whole or not at all.

    Raises
    ------
    UsageError
        If neither `form` nor the suffix of the path says the form.
    """
    write_table(path, judgment_cells(judgments), form=form, numbers=NUMBERS)


def judgments_text(judgments: Judgments, *, form: str = "csv") -> str:
    """The content of a judgments file in a form that is text."""
    return table_bytes(judgment_cells(judgments), form=form, numbers=NUMBERS).decode("utf-8")


def labels_form(path: FilePath) -> str:
    """The form of a file of labels: `qrels`, or judgments as `csv`, `tsv`, `jsonl`, `parquet`.

    The content says it, not the name. A pipe is taken for csv: it cannot be looked at twice.

    Raises
    ------
    InputError
        If the file cannot be read, or is empty.
    """
    labels = _other_form(path)
    if labels is not None and "assessor" not in labels.taken:
        return "qrels"
    if is_parquet(path):
        return "parquet"
    if Path(path).is_fifo():
        return "csv"
    line = _first_line(path)
    if line is None and not is_named_jsonl(path):
        raise InputError(f"the file is empty; {COLUMNS.expected}, or TREC's qrels", path=path)
    if line is None or line.lstrip().startswith("{"):
        return "jsonl"
    if labels is None and not has_header(line, COLUMNS):
        return "qrels"
    return "tsv" if "\t" in line else "csv"


def judgment_cells(judgments: Judgments) -> dict[str, list[str]]:
    """The columns of the file as text; optional columns only where something is in them."""
    columns: dict[str, list[str]] = {}
    for name in IDS:
        ids = getattr(judgments, f"{name}s")
        ids = [item_parts(key)[0] for key in ids] if name == "doc" else ids
        columns[name] = [ids[place] for place in getattr(judgments, name).tolist()]
    columns["grade"] = number_texts(judgments.grade)
    for name in COLUMNS.optional:
        column = getattr(judgments, name)
        if column is None:
            continue
        if name in TIMES:
            cells = list(time_texts(column))
        else:
            cells = number_texts(column) if name in NUMBERS else list(column)
        if any(cells):
            columns[name] = cells
    return columns


def _other_form(path: FilePath) -> FormTable | None:
    """The labels of a file of another program; None if the columns have our names."""
    line = first_line(path).decode("utf-8", "replace")
    names = set(re.findall(r'"([^"]+)"\s*:' if line[:1] == "{" else r"[^\s\",;]+", line))
    if set(COLUMNS.required) <= names <= set(COLUMNS.names) and not current_reading().columns:
        return None
    labels = recognise(path, "judgments", kept=COLUMNS.optional)
    if labels is None or labels.form not in TABLE_FORMS or labels.ignored:
        return labels
    is_ours = all(labels.taken.get(name) == name for name in COLUMNS.required)
    return None if is_ours else labels


def _from_table(path: FilePath, scale: Scale | None, off_scale: OffScale) -> Judgments:
    if (labels := _other_form(path)) is not None:
        with locate_errors(labels):
            table = check_table(tell(labels), COLUMNS)
            return Judgments.from_table(table, scale=scale, off_scale=off_scale)
    if is_parquet(path):
        table = read_table(path, COLUMNS)
        return Judgments.from_table(table, scale=scale, off_scale=off_scale)

    def parse(content: bytes) -> Judgments:
        table = parse_table(content, COLUMNS, path=path)
        return Judgments.from_table(table, scale=scale, off_scale=off_scale)

    return parsed_in_order(parse, read_bytes(path), path=path)


def _first_line(path: FilePath) -> str | None:
    with LineBlocks(path) as blocks:
        while block := blocks.read(sizes.HEAD_BLOCK):
            line = first_data_line(block.decode("utf-8", "replace"))
            if line is not None:
                return line
    return None

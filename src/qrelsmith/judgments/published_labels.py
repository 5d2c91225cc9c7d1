"""Published crowd labels on several scales, in their authors' file formats.

Two formats are known and recognised by their headers: relevance labels on the scales S2, S4, S100
and ME (Roitero et al. 2018; Han et al. 2019) and truthfulness labels on S3, S6 and S100 (Roitero et
al. 2020). Both formats have one row for each doc of a HIT, with the labels of experts and crowd.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Annotated, Any, Literal

import numpy as np

from qrelsmith.base.errors import InputError, InputWarning, quoted
from qrelsmith.base.options import Option, PythonOnly
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Cell, Table
from qrelsmith.collection.frames import cell_text, columns_of, id_cells
from qrelsmith.collection.qrels import Qrels
from qrelsmith.io import cells
from qrelsmith.io.table_reading import (
    Columns,
    TextTable,
    check_table,
    decoded_text,
    first_data_line,
    parse_table,
)
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.judgments.published_experts import NOTHING, column_of, expert_qrels

Score = Literal["raw", "normalized"]
Gold = Literal["keep", "drop"]

RELEVANCE = Columns(
    required=("topic_id", "unit_id", "document_id", "worker_id", "relevance_score"),
    optional=(
        "gold",
        "doc_pos",
        "normalized_relevance_score",
        "cumulative_time",
        "comment",
        "trec",
        "sormunen",
        "relevance_scale",
    ),
    ids=("topic_id", "unit_id", "document_id", "worker_id", "relevance_scale"),
)
TRUTHFULNESS = Columns(
    required=("unit_id", "source", "label"),
    optional=(
        "name",
        "position",
        "statement_id",
        "time_elapsed_s",
        "politifact_label",
        "abc_label",
    ),
    ids=("unit_id", "name", "source"),
)
# The highest score on the published scales; magnitudes (ME) have none, but are above 0.
_HIGHEST: Mapping[str, float] = {"S2": 1.0, "S4": 3.0, "S100": 100.0, "ME": np.inf}
_SCORE = "relevance_score"
_GOLD_QUESTION = "gold_question"
_NOT_GOLD = (*NOTHING, "0", "0.0", "false", "no")


@dataclass(frozen=True, eq=False, kw_only=True)
class PublishedLabels(Result):
    """The labels of a published file.

    Attributes
    ----------
    judgments : mapping of str to Judgments
        The crowd's labels by the name of their scale, which is empty if the file names none. `hit`
        is the unit of the platform.
    experts : mapping of str to Qrels
        The experts' labels by the name of their column: `trec` and `sormunen` unchanged (N, M, R, H
        are 0 to 3), `politifact` 0 (pants-fire) to 5 (true), `abc` 0 (negative) to 2.
    gold : int
        The number of rows that are marked as gold, kept or not.
    """

    judgments: Mapping[str, Judgments]
    experts: Mapping[str, Qrels]
    gold: int

    def files(self) -> dict[str, Judgments | Qrels]:
        """Return the published labels as a mapping from file names to labels."""
        slugs = {
            scale: "".join(c if c.isalnum() else "-" for c in scale) for scale in self.judgments
        }
        several = len(self.judgments) > 1
        held: dict[str, Judgments | Qrels] = {
            f"judgments-{slugs[scale]}.csv" if several else "judgments.csv": judgments
            for scale, judgments in self.judgments.items()
        }
        return held | {f"{name}.qrels": qrels for name, qrels in self.experts.items()}

    def table(self) -> Table:
        """Return one row per file: file, topics, docs, assessors, labels."""
        rows: list[tuple[Cell, ...]] = []
        for name, labels in self.files().items():
            docs = len(set(zip(labels.topic.tolist(), labels.doc.tolist(), strict=True)))
            assessors = 1 if isinstance(labels, Qrels) else len(labels.assessors)
            rows.append((name, len(labels.topics), docs, assessors, len(labels)))
        return Table.of(("file", "topics", "docs", "assessors", "labels"), rows)


@question("published", heading="convert", no_audit="it reads a file that is not part of a campaign")
def read_published(
    labels: Annotated[FilePath | Any, PythonOnly(
        "CSV or TSV, plain or compressed; or a frame with its columns, ids as text.")],
    *,
    score: Annotated[Score, Option(
        "Column used as the grade: the worker's raw score, or (for magnitudes) the normalised score"
        " that the authors of the data published.")] = "raw",
    gold_labels: Annotated[Gold, Option(
        "Treatment of relevance labels that are marked as gold.", was={"gold": {}})] = "keep",
) -> PublishedLabels:  # fmt: skip
    """Convert published crowd labels on several scales, with the experts' labels.

    If an assessor labelled a doc twice on one scale, the second label is left out, and a warning
    reports the number. Times are left out, because their origin is unknown.

    Gold questions about truthfulness are dropped, because they are not about statements in the
    collection.

    Raises
    ------
    InputError
        If the file has no known header, or at the first malformed cell.

    Examples
    --------
    >>> from qrelsmith import read_published
    >>> columns = {
    ...     "topic_id": ["t1", "t1"],
    ...     "unit_id": ["u1", "u1"],
    ...     "document_id": ["d1", "d2"],
    ...     "worker_id": ["w1", "w1"],
    ...     "relevance_score": ["3", "0"],
    ... }
    >>> print(read_published(columns).table().columns)
    ('file', 'topics', 'docs', 'assessors', 'labels')
    """
    if isinstance(labels, str | PathLike):
        content = read_bytes(labels)
        names = _header(decoded_text(content, path=labels))
        table = parse_table(content, _form(names, labels), path=labels)
    else:
        table = _table_of_frame(labels)
        names = set(table.columns)
    return _relevance(table, score, gold_labels) if _SCORE in names else _truthfulness(table)


def _form(names: Collection[str], path: FilePath | None) -> Columns:
    """Return the columns of a known publication, recognised by the given column names."""
    if _SCORE in names:
        return RELEVANCE
    if {"source", "label"} <= set(names):
        return TRUTHFULNESS
    raise InputError(
        f"the header matches no known publication; expected {RELEVANCE.expected}; or"
        f" {', '.join(TRUTHFULNESS.required)}, …",
        path=path,
    )


def _table_of_frame(frame: Any) -> TextTable:
    """Convert a data frame to a table of text, like the table of a file."""
    columns = columns_of(frame)
    form = _form(columns, None)
    texts = {
        name: id_cells(cells, name) if name in form.ids else [cell_text(cell) for cell in cells]
        for name, cells in columns.items()
    }
    rows = len(next(iter(texts.values()), []))
    return check_table(TextTable("published", texts, range(1, rows + 1)), form)


def _header(text: str) -> set[str]:
    return {cell.strip(' "') for cell in re.split("[,\t]", first_data_line(text) or "")}


def _relevance(table: TextTable, score: Score, gold: Gold) -> PublishedLabels:
    name = "relevance_score" if score == "raw" else "normalized_relevance_score"
    if name not in table.columns:
        raise InputError(f"the column {name} is missing", path=table.path)
    if not len(table):
        raise InputError("no rows below the header; expected labels", path=table.path)
    marked = [cell.strip().lower() not in _NOT_GOLD for cell in column_of(table, "gold")]
    rows = [row for row in range(len(table)) if not (marked[row] and gold == "drop")]
    if not rows:
        raise InputError("every row is marked as gold; expected other rows too", path=table.path)
    scales = column_of(table, "relevance_scale")
    grades = _grades(table, name)
    if score == "raw":
        _check_scores(table, name, scales)
    columns = {
        "topic": table.columns["topic_id"],
        "doc": table.columns["document_id"],
        "assessor": table.columns["worker_id"],
        "grade": grades,
        "hit": table.columns["unit_id"],
        "position": column_of(table, "doc_pos"),
        "note": column_of(table, "comment"),
    }
    return PublishedLabels(
        judgments={
            scale: _judgments(table, columns, [row for row in rows if scales[row] == scale])
            for scale in sorted({scales[row] for row in rows})
        },
        experts=expert_qrels(
            table, columns, range(len(table)), {"trec": "trec", "sormunen": "sormunen"}
        ),
        gold=sum(marked),
        notes=_gold_note(sum(marked)),
    )


def _truthfulness(table: TextTable) -> PublishedLabels:
    source = table.columns["source"]
    rows = [row for row in range(len(table)) if source[row] != _GOLD_QUESTION]
    if not rows:
        raise InputError("found only gold questions; expected other rows too", path=table.path)
    names = column_of(table, "name")
    for row in [row for row in rows if not names[row]][:1]:
        raise InputError(
            "the column 'name' is empty; expected a name in every row except gold questions",
            path=table.path,
            line=table.lines[row],
        )
    columns = {
        "topic": source,
        "doc": names,
        "assessor": table.columns["unit_id"],
        "grade": _grades(table, "label"),
        "hit": table.columns["unit_id"],
        "position": column_of(table, "position"),
    }
    experts = {"politifact": "politifact_label", "abc": "abc_label"}
    return PublishedLabels(
        judgments={"": _judgments(table, columns, rows)},
        experts=expert_qrels(table, columns, rows, experts),
        gold=len(table) - len(rows),
        notes=_gold_note(len(table) - len(rows)),
    )


def _gold_note(rows: int) -> tuple[str, ...]:
    return (f"rows marked as gold: {rows}",) if rows else ()


def _grades(table: TextTable, name: str) -> Sequence[str]:
    """Return the column of the grades, which must all be numbers, 0 or more."""
    column = table.columns[name]
    values = cells.grades(column, table.lines, path=table.path, what=name)
    for row in np.flatnonzero(values < 0)[:1]:
        raise InputError(
            f"the {name} is {quoted(column[row])}; expected a number, 0 or more, "
            "because grades below 0 are codes",
            path=table.path,
            line=table.lines[row],
        )
    return column


def _check_scores(table: TextTable, name: str, scales: Sequence[str]) -> None:
    """Raise an error at a score outside its scale, if the scale is one of the published scales."""
    for row, (cell, scale) in enumerate(zip(table.columns[name], scales, strict=True)):
        highest = _HIGHEST.get(scale.strip().upper())
        if highest is None or 0 < float(cell) <= highest or (highest < np.inf and not float(cell)):
            continue
        expected = f"0 to {highest:g}" if highest < np.inf else "a number above 0"
        raise InputError(
            f"the {name} is {quoted(cell)} on the scale {quoted(scale)}; expected {expected}",
            path=table.path,
            line=table.lines[row],
        )


def _judgments(
    table: TextTable, columns: Mapping[str, Sequence[str]], rows: Sequence[int]
) -> Judgments:
    """Return the judgments of some rows; only an assessor's first label of a doc counts."""
    first: dict[tuple[str, str, str], int] = {}
    for row in rows:
        key = (columns["topic"][row], columns["doc"][row], columns["assessor"][row])
        first.setdefault(key, row)
    if len(first) < len(rows):
        warnings.warn(
            f"{table.path}: {len(rows) - len(first)} rows repeat a doc that the "
            "assessor had labelled before; the first label counts",
            InputWarning,
            stacklevel=4,
        )
    kept = list(first.values())
    return Judgments.from_table(
        TextTable(
            table.path,
            {name: [column[row] for row in kept] for name, column in columns.items()},
            [table.lines[row] for row in kept],
        )
    )

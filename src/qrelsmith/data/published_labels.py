"""Published crowd labels on several scales, as their authors' files hold them.

Two forms are known, told apart by their headers: relevance labels on the scales S2, S4, S100 and ME
(Roitero et al. 2018; Han et al. 2019) and truthfulness labels on S3, S6 and S100 (Roitero et al.
2020). Both hold one row for each doc of a HIT, and the experts' labels beside the crowd's.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from qrelsmith.data import cells
from qrelsmith.data.judgments import Judgments
from qrelsmith.data.numbers import finite_number
from qrelsmith.data.qrels import Qrels
from qrelsmith.data.tables import Columns, Table, decoded_text, first_data_line, parse_table
from qrelsmith.data.text import FilePath, read_bytes
from qrelsmith.errors import InputError, InputWarning, UsageError, quoted
from qrelsmith.scales import grade_text

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
_GOLD_QUESTION = "gold_question"
_NOTHING = ("", "nan", "none", "na")
_NOT_GOLD = (*_NOTHING, "0", "0.0", "false", "no")
_EXPERTS: Mapping[str, Mapping[str, float]] = {
    "sormunen": {"n": 0.0, "m": 1.0, "r": 2.0, "h": 3.0},
    "politifact": {
        "pants-fire": 0.0,
        "false": 1.0,
        "barely-true": 2.0,
        "half-true": 3.0,
        "mostly-true": 4.0,
        "true": 5.0,
    },
    "abc": {"negative": 0.0, "in_between": 1.0, "positive": 2.0},
    "trec": {},
}


@dataclass(frozen=True, slots=True, eq=False)
class PublishedLabels:
    """What a published file holds.

    Attributes
    ----------
    judgments : mapping of str to Judgments
        The crowd's labels by the name of their scale, empty where the file names none. `hit` is the
        unit of the platform.
    experts : mapping of str to Qrels
        The experts' labels by the name of their column: `trec` and `sormunen` as they stand
        (N, M, R, H are 0 to 3), `politifact` 0 (pants-fire) to 5 (true), `abc` 0 (negative) to 2.
    gold : int
        Rows that are marked as gold, kept or not.
    """

    judgments: Mapping[str, Judgments]
    experts: Mapping[str, Qrels]
    gold: int


def read_published(path: FilePath, *, score: Score = "raw", gold: Gold = "keep") -> PublishedLabels:
    """Read a published file of crowd labels.

    An assessor's second label of a doc on one scale is left out and counted in a warning. Times are
    not taken over: what they were measured from is not known.

    Parameters
    ----------
    path : path
        CSV or TSV, plain or compressed.
    score : {'raw', 'normalized'}
        Which column of relevance labels is the grade: what the worker gave, or what the authors
        normalised by worker (magnitudes).
    gold : {'keep', 'drop'}
        What becomes of relevance labels that are marked as gold. Gold questions about truthfulness
        are about no statement of the collection and are always dropped.

    Raises
    ------
    InputError
        If the file has neither header, or at the first cell that is not what it should be.
    """
    if score not in ("raw", "normalized") or gold not in ("keep", "drop"):
        raise UsageError(f"score={quoted(score)}, gold={quoted(gold)}: no such choice")
    content = read_bytes(path)
    names = _header(decoded_text(content, path=path))
    if "relevance_score" in names:
        table = parse_table(content, RELEVANCE, path=path)
        return _relevance(table, score, gold)
    if {"source", "label"} <= names:
        return _truthfulness(parse_table(content, TRUTHFULNESS, path=path))
    raise InputError(
        f"the header is none of a known publication: {RELEVANCE.expected}; or"
        f" {', '.join(TRUTHFULNESS.required)}, …",
        path=path,
    )


def _header(text: str) -> set[str]:
    return {cell.strip(' "') for cell in re.split("[,\t]", first_data_line(text) or "")}


def _relevance(table: Table, score: Score, gold: Gold) -> PublishedLabels:
    name = "relevance_score" if score == "raw" else "normalized_relevance_score"
    if name not in table.columns:
        raise InputError(f"the column {name} is missing", path=table.path)
    if not len(table):
        raise InputError("there is no row below the header; expected labels", path=table.path)
    marked = [cell.strip().lower() not in _NOT_GOLD for cell in _column(table, "gold")]
    kept = [row for row in range(len(table)) if not (marked[row] and gold == "drop")]
    if not kept:
        raise InputError("every row is marked as gold; nothing is left", path=table.path)
    scales = _column(table, "relevance_scale")
    grades = _grades(table, name)
    if score == "raw":
        _check_scores(table, name, scales)
    columns = {
        "topic": table.columns["topic_id"],
        "doc": table.columns["document_id"],
        "assessor": table.columns["worker_id"],
        "grade": grades,
        "hit": table.columns["unit_id"],
        "position": _column(table, "doc_pos"),
        "note": _column(table, "comment"),
    }
    return PublishedLabels(
        judgments={
            scale: _judgments(table, columns, [row for row in kept if scales[row] == scale])
            for scale in sorted({scales[row] for row in kept})
        },
        experts=_experts(
            table, columns, range(len(table)), {"trec": "trec", "sormunen": "sormunen"}
        ),
        gold=sum(marked),
    )


def _truthfulness(table: Table) -> PublishedLabels:
    source = table.columns["source"]
    kept = [row for row in range(len(table)) if source[row] != _GOLD_QUESTION]
    if not kept:
        raise InputError("every row is a gold question; nothing is left", path=table.path)
    names = _column(table, "name")
    for row in [row for row in kept if not names[row]][:1]:
        raise InputError(
            "the name is empty; expected one but for gold questions",
            path=table.path,
            line=table.lines[row],
        )
    columns = {
        "topic": source,
        "doc": names,
        "assessor": table.columns["unit_id"],
        "grade": _grades(table, "label"),
        "hit": table.columns["unit_id"],
        "position": _column(table, "position"),
    }
    experts = {"politifact": "politifact_label", "abc": "abc_label"}
    return PublishedLabels(
        judgments={"": _judgments(table, columns, kept)},
        experts=_experts(table, columns, kept, experts),
        gold=len(table) - len(kept),
    )


def _column(table: Table, name: str) -> Sequence[str]:
    return table.columns.get(name) or [""] * len(table)


def _grades(table: Table, name: str) -> Sequence[str]:
    """The column of the grades, all of them numbers from 0 on."""
    column = table.columns[name]
    values = cells.grades(column, table.lines, path=table.path, what=name)
    for row in np.flatnonzero(values < 0)[:1]:
        raise InputError(
            f"the {name} is {quoted(column[row])}; expected a number from 0 on, since grades below"
            " 0 are codes",
            path=table.path,
            line=table.lines[row],
        )
    return column


def _check_scores(table: Table, name: str, scales: Sequence[str]) -> None:
    """Raise at a score that is off its scale, where that is one of the published ones."""
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
    table: Table, columns: Mapping[str, Sequence[str]], rows: Sequence[int]
) -> Judgments:
    """The judgments of some rows, each assessor's first of a doc."""
    first: dict[tuple[str, str, str], int] = {}
    for row in rows:
        key = (columns["topic"][row], columns["doc"][row], columns["assessor"][row])
        first.setdefault(key, row)
    if len(first) < len(rows):
        warnings.warn(
            f"{table.path}: {len(rows) - len(first)} rows are of a doc that their assessor had"
            " labelled before; the first label counts",
            InputWarning,
            stacklevel=4,
        )
    kept = list(first.values())
    return Judgments.from_table(
        Table(
            table.path,
            {name: [column[row] for row in kept] for name, column in columns.items()},
            [table.lines[row] for row in kept],
        )
    )


def _experts(
    table: Table,
    columns: Mapping[str, Sequence[str]],
    rows: Sequence[int],
    named: Mapping[str, str],
) -> dict[str, Qrels]:
    """The labels of every expert who gave any."""
    found = {}
    for name, column in named.items():
        level = _level_of(name, table)
        labels = _column(table, column)
        grades: dict[tuple[str, str], float] = {}
        for row in rows:
            if labels[row].strip().lower() in _NOTHING:
                continue
            pair, grade = (columns["topic"][row], columns["doc"][row]), level(labels[row], row)
            if grades.setdefault(pair, grade) != grade:
                raise InputError(
                    f"topic {quoted(pair[0])} doc {quoted(pair[1])} has two labels in {column}:"
                    f" {grade_text(grades[pair])} and {grade_text(grade)}",
                    path=table.path,
                    line=table.lines[row],
                )
        if grades:
            triples = ((topic, doc, grade) for (topic, doc), grade in grades.items())
            found[name] = Qrels.from_rows(triples, name=name)
    return found


def _level_of(expert: str, table: Table) -> Callable[[str, int], float]:
    words = _EXPERTS[expert]

    def level(label: str, row: int) -> float:
        word = label.strip().lower()
        if word in words:
            return words[word]
        value = finite_number(word.encode("utf-8"))
        if value != value:
            expected = ", ".join(words) if words else "a number"
            raise InputError(
                f"the label of {expert} is {quoted(label)}; expected {expected}",
                path=table.path,
                line=table.lines[row],
            )
        return value

    return level

"""Conversion from and to data frames of pandas and polars, which are imported only when needed.

The columns have the names of ir_measures (`query_id`, `doc_id`, `relevance`, `score`), of PyTerrier
(`qid`, `docno`, `label`, `score`, `rank`) or of qrelsmith (`topic`, `doc`, `grade`, `score`).
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, cast

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.named_rows import columns_of_rows
from qrelsmith.base.optional import optional_package
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.docnos import PlainDocs
from qrelsmith.collection.run_lines import RunPart
from qrelsmith.io.given_values import id_text, is_finite_number

Names = Literal["ir_measures", "pyterrier", "qrelsmith"]
QREL_NAMES: Mapping[Names, tuple[str, str, str]] = {
    "ir_measures": ("query_id", "doc_id", "relevance"),
    "pyterrier": ("qid", "docno", "label"),
    "qrelsmith": ("topic", "doc", "grade"),
}
RUN_NAMES: Mapping[Names, tuple[str, str, str]] = {
    names: (topic, doc, "score") for names, (topic, doc, _) in QREL_NAMES.items()
}

# Columns that distinguish the systems in a frame of several runs; the first one present is used.
SYSTEM_COLUMNS = ("run", "name", "system", "run_id", "tag")
_SHOWN = 5  # maximum number of systems named in an error


def qrel_columns(rows: Iterable[tuple[str, str, float]], *, names: Names) -> dict[str, Any]:
    """Return the columns of qrels; whole grades become integers.

    Raises
    ------
    UsageError
        If there is no such set of column names.
    """
    topic, doc, grade = _names(names, QREL_NAMES)
    topics, docs, values = zip(*rows, strict=True) if (rows := list(rows)) else ((), (), ())
    grades: FloatArray = np.array(values, dtype=np.float64)
    whole = bool(((grades == np.floor(grades)) & (abs(grades) < 2**53)).all())
    return {
        topic: list(topics),
        doc: list(docs),
        grade: grades.astype(np.int64) if whole else grades,
    }


def qrel_rows(frame: Any) -> Iterator[tuple[str, str, float]]:
    """Yield the topic, doc and grade of each row of a DataFrame.

    Raises
    ------
    UsageError
        If a column is missing, an id is not text, or a grade is not a finite number.
    """
    topics, docs, grades = _matching_columns(columns_of(frame), QREL_NAMES)
    return zip(topics, docs, grades.tolist(), strict=True)


def run_columns(
    docs: Mapping[str, Sequence[str]], scores: Mapping[str, FloatArray], *, names: Names
) -> dict[str, Any]:
    """Return the columns of a run, best docs first per topic; PyTerrier's ranks start from 0.

    Raises
    ------
    UsageError
        If there is no such set of column names.
    """
    topic, doc, score = _names(names, RUN_NAMES)
    columns: dict[str, Any] = {
        topic: [name for name, ranking in docs.items() for _ in ranking],
        doc: [each for ranking in docs.values() for each in ranking],
        score: np.concatenate([np.empty(0), *scores.values()]),
    }
    if names == "pyterrier":
        ranks = [np.arange(len(ranking), dtype=np.int64) for ranking in docs.values()]
        columns["rank"] = np.concatenate([np.empty(0, dtype=np.int64), *ranks])
    return columns


def run_scores(frame: Any) -> tuple[dict[str, dict[str, float]], IntArray | None]:
    """Return {topic: {doc: score}} from a DataFrame, and the ranks of its docs.

    The ranks come from the column `rank`, topic by topic; None unless all are whole numbers.

    Raises
    ------
    UsageError
        If a column is missing, an id is not text, a score is not a finite number, a doc appears
        twice, or there are several systems.
    """
    columns = columns_of(frame)
    column, systems = systems_of(columns)
    if len(systems) > 1:
        named = ", ".join(map(quoted, systems[:_SHOWN])) + (", …" if len(systems) > _SHOWN else "")
        raise UsageError(
            f"the data frame has {len(systems)} systems (column {column}: {named}); "
            "expected one. Use read_runs to read several"
        )
    topics, docs, scores = _matching_columns(columns, RUN_NAMES)
    ranking: dict[str, dict[str, float]] = {}
    rows: dict[str, list[int]] = {}
    for row, (topic, doc, score) in enumerate(zip(topics, docs, scores.tolist(), strict=True)):
        if doc in ranking.setdefault(topic, {}):
            raise UsageError(
                f"doc {quoted(doc)} appears twice in topic {quoted(topic)}; expected "
                "it once per topic"
            )
        ranking[topic][doc] = score
        rows.setdefault(topic, []).append(row)
    ranks = columns.get("rank", [None])
    if not all(is_finite_number(rank) and float(str(rank)).is_integer() for rank in ranks):
        return ranking, None
    numbers = np.array(ranks, dtype=np.int64)
    return ranking, numbers[[row for of in rows.values() for row in of]]


def part_from_dict(scores: Mapping[str, Mapping[str, float]], *, name: str) -> RunPart:
    """Return {topic: {doc: score}} as rows, in the order of the mappings."""
    topics = [id_text(topic, "topic") for topic in scores]
    docs = [id_text(doc, "doc") for ranking in scores.values() for doc in ranking]
    values = [score for ranking in scores.values() for score in ranking.values()]
    for doc, score in zip(docs, values, strict=True):
        if not is_finite_number(score):
            raise UsageError(
                f"the score of doc {quoted(doc)} in run {quoted(name)} is {quoted(score)}; expected"
                " a finite number"
            )
    return RunPart(
        topics=topics,
        starts=np.cumsum([0, *(len(ranking) for ranking in scores.values())])[:-1],
        docs=PlainDocs(docs),
        scores=np.array(values, dtype=np.float64),
        ranks=None,
        tags=(name,),
        extra_lines=0,
    )


def systems_of(columns: Mapping[str, Sequence[object]]) -> tuple[str, list[str]]:
    """Return the system column's name, and the systems; both are empty if the column is missing."""
    for name in SYSTEM_COLUMNS:
        if name in columns:
            return name, list(dict.fromkeys(map(str, columns[name])))
    return "", []


def columns_of(frame: Any) -> dict[str, list[object]]:
    """Return the columns of a data frame (pandas, polars, pyarrow), mapping or rows, as lists.

    Raises
    ------
    UsageError
        If the object has none of these types.
    """
    if hasattr(frame, "collect_schema") and hasattr(frame, "collect"):
        raise UsageError("the data frame is lazy and has no rows yet. Pass the result of collect()")
    frame = columns_of_rows(frame)
    names: Any = getattr(frame, "column_names", None) or getattr(frame, "columns", ())
    if len(set(names)) < len(names):
        raise UsageError(
            "the data frame has two columns with the same name; expected different names"
        )
    if isinstance(frame, Mapping):
        columns: Any = frame
    elif hasattr(frame, "to_pydict"):
        columns = frame.to_pydict()
    elif hasattr(frame, "to_dict"):
        try:
            columns = frame.to_dict(as_series=False)
        except TypeError:
            columns = frame.to_dict(orient="list")
    else:
        raise UsageError(
            f"{type(frame).__name__} is not a data frame; expected a data frame or a mapping"
        )
    return {str(name): list(values) for name, values in columns.items()}


def pandas_frame(columns: Mapping[str, Any]) -> Any:
    """Return columns as a pandas data frame; times are in UTC."""
    pandas = optional_package("pandas", purpose="a pandas data frame")
    return pandas.DataFrame(
        {
            name: pandas.Series(values).dt.tz_localize("UTC") if _is_times(values) else values
            for name, values in columns.items()
        }
    )


def polars_frame(columns: Mapping[str, Any]) -> Any:
    """Return columns as a polars data frame; times are in UTC."""
    polars = optional_package("polars", purpose="a polars data frame")
    return polars.DataFrame(
        {
            name: polars.Series(values).dt.replace_time_zone("UTC") if _is_times(values) else values
            for name, values in columns.items()
        }
    )


def id_cells(values: Sequence[object], name: str) -> list[str]:
    """Return the values of an id column.

    Raises
    ------
    UsageError
        If a value is not text, because 001 would have become 1 as a number.
    """
    for row, value in enumerate(values, start=1):
        if not isinstance(value, str):
            raise UsageError(
                f"row {row} of the column {name} contains {quoted(value)}, of type "
                f"{type(value).__name__}; expected ids as text. Read the file with "
                "dtype=str; astype(str) does not restore leading zeros"
            )
        if not value:
            raise UsageError(f"row {row} of the column {name} is empty; expected an id")
    return [str(value) for value in values]


def cell_text(value: object) -> str:
    """Return a value of a data frame as text for a file; missing values become empty text."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return ""
    if isinstance(value, str):
        return str(value)
    if not isinstance(value, bool) and isinstance(value, numbers.Real):
        number = float(value)
        if math.isnan(number):
            return ""
        return str(int(value)) if isinstance(value, numbers.Integral) else _float_text(number)
    if isinstance(value, datetime):
        return value.isoformat()
    return repr(value)


def _float_text(number: float) -> str:
    return grade_text(number) if math.isfinite(number) else repr(number)


def _is_times(values: object) -> bool:
    return isinstance(values, np.ndarray) and values.dtype.kind == "M"


def _names(names: str, known: Mapping[Names, tuple[str, str, str]]) -> tuple[str, str, str]:
    if names not in known:
        raise UsageError(f"names={quoted(names)}; expected one of {', '.join(map(quoted, known))}")
    return known[cast("Names", names)]


def _matching_columns(
    columns: Mapping[str, list[object]], name_sets: Mapping[Names, tuple[str, str, str]]
) -> tuple[list[str], list[str], FloatArray]:
    """Return topics, docs and values; exactly one set of column names must be complete."""
    there = [triple for triple in name_sets.values() if set(triple) <= columns.keys()]
    if len(there) != 1:
        choices = ", or ".join(" ".join(triple) for triple in name_sets.values())
        problem = "several complete sets of columns" if there else "no complete set of columns"
        others, swapped = (
            (RUN_NAMES, "a run, not qrels,")
            if name_sets is QREL_NAMES
            else (QREL_NAMES, "qrels, not a run,")
        )
        if not there and any(set(triple) <= columns.keys() for triple in others.values()):
            problem = swapped
        raise UsageError(f"found {problem} in {quoted(' '.join(columns))}; expected {choices}")
    topic, doc, value = there[0]
    return (
        id_cells(columns[topic], topic),
        id_cells(columns[doc], doc),
        _finite(columns[value], value),
    )


def _finite(values: Sequence[object], name: str) -> FloatArray:
    for row, value in enumerate(values, start=1):
        if not is_finite_number(value):
            raise UsageError(
                f"row {row} of the column {name} contains {quoted(value)}; expected a finite number"
            )
    return np.array(values, dtype=np.float64)

"""Run files of other programs: JSON, JSONL, CSV, Parquet, and MS MARCO's lines with ranks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import InputError, quoted
from qrelsmith.collection.docnos import PlainDocs
from qrelsmith.collection.run_lines import RunPart
from qrelsmith.forms.recognising import locate_errors, recognise, tell
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.table_reading import TextTable, check_form_ids
from qrelsmith.io.text import FilePath


def recognised_runs(path: FilePath) -> list[RunPart] | None:
    """Return the runs of another program's file, one per system; None for a file in TREC's format.

    Raises
    ------
    InputError
        If an id or a score is malformed, or a doc appears twice in a topic.
    """
    found = recognise(path, "runs", kept=("rank",))
    if found is None:
        return None
    table = tell(found)
    with locate_errors(found):
        for what in ("topic", "doc"):
            check_form_ids(table.columns[what], table.lines, path=path, what=what)
        scores = _numbers(table, "score")
        systems = table.columns.get("run", [""] * len(table))
        rows: dict[str, list[int]] = {}
        for row, system in enumerate(systems):
            rows.setdefault(system, []).append(row)
        return [_part(table, scores, of, system) for system, of in rows.items()]


def one_run(path: FilePath, parts: Sequence[RunPart]) -> RunPart:
    """Return the only run of a file.

    Raises
    ------
    InputError
        If there are several runs.
    """
    if len(parts) != 1:
        names = ", ".join(quoted(part.tags[0]) for part in parts[:5] if part.tags)
        raise InputError(f"{len(parts)} runs in the file ({names}); expected one", path=path)
    return parts[0]


def _part(table: TextTable, scores: FloatArray, rows: Sequence[int], system: str) -> RunPart:
    """Return the rows of one system, grouped by topic."""
    topics, docs = table.columns["topic"], table.columns["doc"]
    by_topic: dict[str, dict[str, int]] = {}
    for row in rows:
        ranking = by_topic.setdefault(topics[row], {})
        if docs[row] in ranking:
            raise InputError(
                f"doc {quoted(docs[row])} appears twice in topic {quoted(topics[row])}; expected"
                " it once",
                path=table.path,
                line=table.lines[row],
            )
        ranking[docs[row]] = row
    order = np.array([row for ranking in by_topic.values() for row in ranking.values()], dtype=int)
    sizes = [len(ranking) for ranking in by_topic.values()]
    return RunPart(
        topics=list(by_topic),
        starts=np.cumsum([0, *sizes])[:-1],
        docs=PlainDocs([docs[row] for row in order.tolist()]),
        scores=scores[order],
        ranks=_ranks(table, order),
        tags=(system,) if system else (),
        extra_lines=0,
    )


def _ranks(table: TextTable, order: np.ndarray) -> np.ndarray | None:
    """Return the rank column, or None if it is missing or contains numbers that are not whole."""
    cells = table.columns.get("rank")
    if cells is None:
        return None
    values = [finite_number(cells[row].encode()) for row in order.tolist()]
    if any(value != value or value % 1 for value in values):
        return None
    return np.array(values, dtype=np.int64)


def _numbers(table: TextTable, what: str) -> FloatArray:
    values = np.array([finite_number(cell.encode()) for cell in table.columns[what]])
    wrong = np.flatnonzero(np.isnan(values))
    if len(wrong):
        row = int(wrong[0])
        raise InputError(
            f"the {what} is {quoted(table.columns[what][row])}; expected a finite decimal number",
            path=table.path,
            line=table.lines[row],
        )
    return values

"""Reading of scores written by another program or by `qrelsmith evaluate --per-topic`.

The header distinguishes two forms: long (`run,topic,measure,score`, further columns allowed) and
wide (topics in the first column, one column per system). Cells are separated by commas, or by tabs
if the header contains a tab.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.evaluation.answer_options import are_of_answers
from qrelsmith.io.csv_records import CsvRecords
from qrelsmith.io.given_values import as_path
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.table_reading import check_ids, decoded_text, first_data_line
from qrelsmith.io.text import FilePath, read_bytes

#: Larger numbers are rejected because their squares, used in tests, overflow.
LARGEST = 1e100
_LONG = ["run", "topic", "measure", "score"]
_ALL = "all"
_GROUP = "group"
_UNNAMED = "score"
_EXPECTED = (
    "expected topics in the first column and a column for each system, or the columns"
    f" {','.join(_LONG)}"
)

Record = tuple[int, list[str]]


def read_scores(path: FilePath) -> tuple[ScoreMatrix, ...]:
    """Return the score matrices of a csv file, one per measure, sorted by measure name.

    Rows of the topic `all` are means and are ignored. In the wide form the measure is called
    `score`.

    Raises
    ------
    InputError
        At the first empty name, invalid number (also beyond ±1e100) or duplicate score, or if
        systems have different topics.
    """
    as_path(path, "the path of a csv file of scores")
    text = decoded_text(read_bytes(path), path=path)
    first = first_data_line(text)
    if first is None:
        raise InputError(f"the file is empty; {_EXPECTED}", path=path)
    records = CsvRecords(text, "\t" if "\t" in first else ",", path)
    rows: list[Record] = []
    for record in records:
        rows.append((records.first, record))
        if len(record) != len(rows[0][1]):
            raise InputError(
                f"found {len(record)} cells; expected {len(rows[0][1])}, as in the header",
                path=path,
                line=records.first,
            )
    records.warn_of_comments(len(rows[0][1]))
    line, header = rows[0]
    if header[:4] == _LONG:
        return _long(rows[1:], path)
    if len(header) < 2 or len(rows) < 2:
        raise InputError(f"no scores found; {_EXPECTED}", path=path, line=line)
    if header[0] == _GROUP:
        raise InputError(
            f"the first column is {_GROUP}, as in a file of independent samples; {_EXPECTED}",
            path=path,
            line=line,
        )
    return (_wide(rows, path),)


def _long(rows: Sequence[Record], path: FilePath) -> tuple[ScoreMatrix, ...]:
    scores: dict[str, dict[tuple[str, str], float]] = {}
    means: set[tuple[str, str]] = set()
    for line, (system, topic, measure, text, *_) in rows:
        _check_names({"run": system, "topic": topic, "measure": measure}, path, line)
        if topic == _ALL:
            if (system, measure) in means:
                raise InputError(
                    f"{quoted(system)} has two means of {measure}; expected one. A "
                    f"topic named {_ALL} counts as the mean",
                    path=path,
                    line=line,
                )
            means.add((system, measure))
            continue
        if text.strip() == "nan" and _is_of_answers(measure):
            continue  # no aspects to judge
        cells = scores.setdefault(measure, {})
        if (system, topic) in cells:
            raise InputError(
                f"{quoted(system)} has two scores of {measure} in topic {quoted(topic)}",
                path=path,
                line=line,
            )
        cells[system, topic] = _number(text, path, line)
    if not scores:
        raise InputError(
            "no scores of single topics found; expected scores as written by qrelsmith "
            "evaluate --per-topic",
            path=path,
        )
    return tuple(_matrix(measure, cells, path) for measure, cells in sorted(scores.items()))


def _is_of_answers(measure: str) -> bool:
    try:
        return are_of_answers([measure])
    except UsageError:
        return False  # a measure of another program


def _matrix(measure: str, cells: dict[tuple[str, str], float], path: FilePath) -> ScoreMatrix:
    """Return the scores of one measure, complete for every system and topic."""
    systems = tuple(sorted({system for system, _ in cells}))
    topics = tuple(sorted({topic for _, topic in cells}))
    for system in systems:
        for topic in topics:
            if (system, topic) not in cells:
                raise InputError(
                    f"{quoted(system)} has no score of {measure} in topic "
                    f"{quoted(topic)}; expected a score of every system in every topic",
                    path=path,
                )
    values = [[cells[system, topic] for topic in topics] for system in systems]
    return ScoreMatrix(measure, systems, topics, np.array(values, dtype=np.float64))


def _wide(rows: Sequence[Record], path: FilePath) -> ScoreMatrix:
    (first, header), *others = rows
    systems = header[1:]
    lines: dict[str, int] = {}
    values: list[list[float]] = []
    for place, system in enumerate(systems):
        _check_names({"system": system}, path, first)
        if system in systems[:place]:
            raise InputError(f"the system {quoted(system)} appears twice", path=path, line=first)
    for line, (topic, *cells) in others:
        _check_names({"topic": topic}, path, line)
        if topic == _ALL:
            continue
        if lines.setdefault(topic, line) != line:
            raise InputError(
                f"the topic {quoted(topic)} is also on line {lines[topic]}; expected it once",
                path=path,
                line=line,
            )
        values.append([_number(cell, path, line) for cell in cells])
    if not values:
        raise InputError("found only means; expected scores of single topics", path=path)
    return ScoreMatrix(_UNNAMED, tuple(systems), tuple(lines), np.array(values, dtype=np.float64).T)


def _check_names(names: dict[str, str], path: FilePath, line: int) -> None:
    for what, name in names.items():
        if not name:
            raise InputError(f"the {what} is empty; expected a name", path=path, line=line)
        check_ids([name], [line], path=path, what=what)


def _number(text: str, path: FilePath, line: int) -> float:
    value = finite_number(text.strip().encode("utf-8", "replace"))
    if math.isnan(value):
        raise InputError(
            f"the score is {quoted(text)}; expected a finite number", path=path, line=line
        )
    if abs(value) > LARGEST:
        raise InputError(
            f"the score is {quoted(text)}; expected at most {LARGEST:g} in absolute value",
            path=path,
            line=line,
        )
    return value

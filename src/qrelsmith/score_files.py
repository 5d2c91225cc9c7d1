"""Scores that another program, or `qrelsmith evaluate --per-topic`, has written.

Two forms are told apart by the header: long (`run,topic,measure,score`) and wide (topics in the
first column, a column for each system).
"""

from __future__ import annotations

import csv
import math

import numpy as np

from qrelsmith.data.run_lines import finite_number
from qrelsmith.data.text import FilePath, text_stream
from qrelsmith.errors import InputError, quoted
from qrelsmith.evaluation import ScoreMatrix

_LONG = ["run", "topic", "measure", "score"]
_ALL = "all"
_UNNAMED = "score"


def read_scores(path: FilePath) -> tuple[ScoreMatrix, ...]:
    """The score matrices of a csv file, one a measure.

    In the long form the means (topic `all`) are passed over. In the wide form the measure is called
    `score`.

    Raises
    ------
    InputError
        At the first cell that is no finite number, at a score that is there twice, or if a system
        lacks a topic that another one has.
    """
    with text_stream(path) as stream:
        reader = csv.reader(stream, strict=True)
        try:
            rows = [(reader.line_num, row) for row in reader if row]
        except csv.Error as error:
            raise InputError(f"{error}; expected csv", path=path, line=reader.line_num) from None
    if not rows:
        raise InputError("the file is empty; expected a csv table with a header", path=path)
    header = rows[0][1]
    for number, row in rows[1:]:
        if len(row) != len(header):
            raise InputError(
                f"{len(row)} cells; expected {len(header)}, as in the header",
                path=path,
                line=number,
            )
    if header[:4] == _LONG:
        return _long(rows, path)
    return (_wide(rows, path),)


def _long(rows: list[tuple[int, list[str]]], path: FilePath) -> tuple[ScoreMatrix, ...]:
    scores: dict[str, dict[tuple[str, str], float]] = {}
    for number, (system, topic, measure, text, *_) in rows[1:]:
        if topic == _ALL:
            continue
        cells = scores.setdefault(measure, {})
        if (system, topic) in cells:
            raise InputError(
                f"{quoted(system)} has two scores of {measure} in topic {quoted(topic)}",
                path=path,
                line=number,
            )
        cells[system, topic] = _number(text, path, number)
    if not scores:
        raise InputError(
            "there are only means; expected scores of topics, as from evaluate --per-topic",
            path=path,
        )
    matrices = []
    for measure, cells in sorted(scores.items()):
        systems = tuple(sorted({system for system, _ in cells}))
        topics = tuple(sorted({topic for _, topic in cells}))
        for system in systems:
            for topic in topics:
                if (system, topic) not in cells:
                    raise InputError(
                        f"{quoted(system)} has no score of {measure} in topic {quoted(topic)};"
                        " expected every system to have every topic",
                        path=path,
                    )
        values = [[cells[system, topic] for topic in topics] for system in systems]
        matrices.append(ScoreMatrix(measure, systems, topics, np.array(values, dtype=np.float64)))
    return tuple(matrices)


def _wide(rows: list[tuple[int, list[str]]], path: FilePath) -> ScoreMatrix:
    systems = tuple(rows[0][1][1:])
    if len(systems) < 1 or len(rows) < 2:
        raise InputError(
            "expected topics in the first column and a column for each system, or the columns"
            f" {','.join(_LONG)}",
            path=path,
            line=1,
        )
    for names, what in ((systems, "system"), ([row[0] for _, row in rows[1:]], "topic")):
        if len(set(names)) < len(names):
            twice = next(name for name in names if list(names).count(name) > 1)
            raise InputError(f"the {what} {quoted(twice)} stands twice", path=path)
    values = [[_number(cell, path, number) for cell in row[1:]] for number, row in rows[1:]]
    topics = tuple(row[0] for _, row in rows[1:])
    return ScoreMatrix(_UNNAMED, systems, topics, np.array(values, dtype=np.float64).T)


def _number(text: str, path: FilePath, line: int) -> float:
    value = finite_number(text.strip().encode("utf-8", "replace"))
    if math.isnan(value):
        raise InputError(
            f"the score is {quoted(text)}; expected a finite number", path=path, line=line
        )
    return value

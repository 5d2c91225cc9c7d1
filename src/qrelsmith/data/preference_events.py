"""Answers to pairs of docs in the order in which they were given: the log of a judging session.

A log is a table `topic,left,right,outcome,assessor,round`, a line for each answer, added at the
end. The outcome `undo` withdraws what the assessor said of the pair in the round. Any file of
preferences is a log without rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from qrelsmith.data.cells import whole_numbers
from qrelsmith.data.csv_records import csv_line
from qrelsmith.data.outcomes import Way, outcome_array
from qrelsmith.data.parquet import is_parquet
from qrelsmith.data.preference_text import TEXT_FORMS, parsed_text
from qrelsmith.data.preferences import Preferences
from qrelsmith.data.tables import (
    Columns,
    TextTable,
    first_data_line,
    has_header,
    is_named_jsonl,
    parse_table,
    parsed_in_order,
    read_table,
)
from qrelsmith.data.text import FilePath, read_bytes
from qrelsmith.data.writing import replacing
from qrelsmith.errors import InputError, quoted

COLUMNS = Columns(
    required=("topic", "left", "right", "outcome"),
    optional=("assessor", "round"),
    ids=("topic", "left", "right", "assessor"),
)
UNDO = "undo"


class PreferenceEvent(NamedTuple):
    """An answer, or its withdrawal.

    Attributes
    ----------
    topic, left, right : str
        What was compared.
    outcome : int or None
        From −2 (left much better) to 2; None: what the assessor said before is withdrawn.
    assessor : str
        Who answered; empty if that is not known.
    round : int
        The round of judging that asked; 0 if that is not known.
    """

    topic: str
    left: str
    right: str
    outcome: int | None
    assessor: str = ""
    round: int = 0


def read_preference_events(path: FilePath, *, way: Way | None = None) -> list[PreferenceEvent]:
    """Read a log, or preferences in any of their forms, in the order of the file.

    Parameters
    ----------
    path : path
        The file, plain or compressed.
    way : {'numbers', 'sides', 'winner'}, optional
        How a table writes its outcomes, where more than one way fits.

    Raises
    ------
    InputError
        At the first line that is not as it should be.
    """
    if is_parquet(path):
        return _events(read_table(path, COLUMNS), way)

    def parse(content: bytes) -> list[PreferenceEvent]:
        first = first_data_line(content.decode("utf-8", "replace"))
        if first is None and not is_named_jsonl(path):
            raise InputError(f"the file is empty; {COLUMNS.expected}, or {TEXT_FORMS}", path=path)
        if first is None or has_header(first, COLUMNS):
            return _events(parse_table(content, COLUMNS, path=path), way)
        return _events(*parsed_text(content, path=path))

    return parsed_in_order(parse, read_bytes(path), path=path)


def events_text(events: Iterable[PreferenceEvent]) -> str:
    """A log as CSV, in the order of the events."""
    return csv_line(COLUMNS.names, ",") + _lines(events)


def add_preference_events(path: FilePath, events: Sequence[PreferenceEvent]) -> None:
    """Add events at the end of a log; one that does not exist begins with them.

    What stands in the log is kept to the byte, and is there whole whatever happens.

    Raises
    ------
    InputError
        If the file is there and is no log in CSV.
    """
    if not Path(path).exists():
        content = b""
    else:
        content = read_bytes(path)
        first = first_data_line(content.decode("utf-8", "replace"))
        if first is not None and first.split(",") != list(COLUMNS.names):
            raise InputError(
                f"begins with {quoted(first)}; expected a log with the header"
                f" {','.join(COLUMNS.names)}",
                path=path,
            )
        read_preference_events(path)
    text = _lines(events) if content else events_text(events)
    ending = b"" if not content or content.endswith(b"\n") else b"\n"
    with replacing(path) as out:
        out.write(content + ending + text.encode("utf-8"))


def preferences_of(events: Iterable[PreferenceEvent]) -> Preferences:
    """The answers that stand, as preferences: the last one of each assessor to a pair in a round.

    Answers of unknown assessors in unknown rounds all stand, since nobody knows whether one
    replaces the other.
    """
    standing: dict[tuple[object, ...], PreferenceEvent] = {}
    for number, event in enumerate(events):
        pair = frozenset((event.left, event.right))
        known = event.assessor or event.round or event.outcome is None
        key = (event.topic, pair, event.round, event.assessor, None if known else number)
        standing.pop(key, None)
        if event.outcome is not None:
            standing[key] = event
    return Preferences.from_rows(
        (event.topic, event.left, event.right, event.outcome, event.assessor)
        for event in standing.values()
        if event.outcome is not None
    )


def _lines(events: Iterable[PreferenceEvent]) -> str:
    return "".join(
        csv_line(
            (
                event.topic, event.left, event.right,
                UNDO if event.outcome is None else str(event.outcome),
                event.assessor, str(event.round) if event.round else "",
            ),
            ",",
        )
        for event in events
    )  # fmt: skip


def _events(table: TextTable, way: Way | None) -> list[PreferenceEvent]:
    topics, lefts, rights, cells = (table.columns[name] for name in COLUMNS.required)
    pairs = list(zip(lefts, rights, strict=True))
    for (left, right), line in zip(pairs, table.lines, strict=True):
        if left == right:
            raise InputError(
                f"the doc {quoted(left)} is compared with itself; expected two docs",
                path=table.path,
                line=line,
            )
    given = [
        row
        for row, (cell, pair) in enumerate(zip(cells, pairs, strict=True))
        if cell != UNDO or UNDO in pair
    ]
    outcomes: list[int | None] = [None] * len(cells)
    read = outcome_array(
        [cells[row] for row in given],
        [pairs[row] for row in given],
        [table.lines[row] for row in given],
        path=table.path,
        way=way,
    )
    for row, outcome in zip(given, read.tolist(), strict=True):
        outcomes[row] = outcome
    rounds = _rounds(table)
    assessors = table.columns.get("assessor", [""] * len(table))
    rows = zip(topics, lefts, rights, outcomes, assessors, rounds, strict=True)
    return [PreferenceEvent(*row) for row in rows]


def _rounds(table: TextTable) -> list[int]:
    cells = table.columns.get("round")
    if cells is None:
        return [0] * len(table)
    values = whole_numbers(cells, table.lines, path=table.path, what="round")
    return [int(value) for value in np.nan_to_num(values).tolist()]

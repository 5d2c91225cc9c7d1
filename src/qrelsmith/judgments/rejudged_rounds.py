"""Rounds of judging after the first round: one judgments file per round, and a table of rounds.

The rounds are in the folder `rejudging` of a campaign: `round-2.csv`, … and, if the reasons for the
rounds are known, `rounds.csv`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from qrelsmith.io import cells
from qrelsmith.io.table_reading import Columns, read_table
from qrelsmith.io.table_writing import write_table
from qrelsmith.io.text import FilePath

FOLDER, TABLE = "rejudging", "rounds.csv"
HIDDEN, SHOWN = "hidden", "shown"
# The reason of a round that repeats a sample of each assessor's own docs.
REPEAT = "repeat"
_FILE = re.compile(r"round-([0-9]{1,6})\.(?:csv|tsv|jsonl|parquet)")
_COLUMNS = Columns(
    required=("round",), optional=("reason", "rule", "reference", "labels", "assigned"), ids=()
)


@dataclass(frozen=True, slots=True)
class RejudgedRound:
    """A round.

    Attributes
    ----------
    number : int
        The number of the round, from 2 on.
    judgments : path or None
        The file of its judgments; None if there are none yet.
    reason, rule, reference : str
        The reason, the selection of docs, and the group concerned; empty if unknown.
    labels : str
        Whether its assessors saw the labels of the first round: `hidden`, `shown`, or empty.
    assigned : int or None
        The number of requested labels; None if unknown.
    """

    number: int
    judgments: Path | None = None
    reason: str = ""
    rule: str = ""
    reference: str = ""
    labels: str = ""
    assigned: int | None = None


def read_rejudged_rounds(folder: FilePath) -> tuple[RejudgedRound, ...]:
    """Return the rounds in a campaign's folder by number, or () without a folder `rejudging`.

    Raises
    ------
    InputError
        If the table cannot be read.
    """
    place = Path(folder) / FOLDER
    rounds: dict[int, RejudgedRound] = {}
    table = place / TABLE
    if table.exists():
        for each in _read(table):
            rounds[each.number] = each
    for path in sorted(place.iterdir()) if place.is_dir() else ():
        match = _FILE.fullmatch(path.name)
        if match is not None:
            number = int(match[1])
            known = rounds.get(number, RejudgedRound(number))
            rounds[number] = RejudgedRound(
                number, path, known.reason, known.rule, known.reference, known.labels,
                known.assigned,
            )  # fmt: skip
    return tuple(rounds[number] for number in sorted(rounds))


def write_rejudged_rounds(rounds: Iterable[RejudgedRound], path: FilePath) -> None:
    """Write the table of rounds, by number."""
    rows = sorted(rounds, key=lambda each: each.number)
    columns = {
        "round": [str(row.number) for row in rows],
        "reason": [row.reason for row in rows],
        "rule": [row.rule for row in rows],
        "reference": [row.reference for row in rows],
        "labels": [row.labels for row in rows],
        "assigned": ["" if row.assigned is None else str(row.assigned) for row in rows],
    }
    write_table(path, columns, numbers={"round": "int", "assigned": "int"})


def _read(path: Path) -> list[RejudgedRound]:
    table = read_table(path, _COLUMNS)
    numbers = cells.whole_numbers(
        table.columns["round"], table.lines, path=path, what="round"
    ).tolist()
    empty = [""] * len(numbers)
    reason, rule, reference, labels, assigned = (
        table.columns.get(name, empty) for name in _COLUMNS.optional
    )
    rows = zip(numbers, reason, rule, reference, labels, assigned, strict=True)
    return [
        RejudgedRound(
            int(number), None, why, what, of, seen, int(count) if count.isdigit() else None
        )
        for number, why, what, of, seen, count in rows
    ]

"""The record of a round's HITs: which pairs each of them shows, in order, challenge pairs included.

The record stays with the organiser, since it tells which pairs are challenge pairs; what goes to a
platform is made from it (`hit_platforms`), and what comes back is read against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from qrelsmith.data.cells import whole_numbers
from qrelsmith.data.table_writing import table_bytes
from qrelsmith.data.tables import Columns, TextTable, read_table
from qrelsmith.data.text import FilePath
from qrelsmith.errors import InputError, quoted

COLUMNS = Columns(
    required=("hit", "position", "topic", "round", "left", "right"),
    optional=("challenge",),
    ids=("hit", "topic", "left", "right"),
)
_SIDES = ("", "left", "right")


class HitRow(NamedTuple):
    """A pair of a HIT.

    Attributes
    ----------
    hit : str
        The key of the HIT.
    position : int
        From 1 on, in the order in which the pairs are shown.
    topic : str
        The topic.
    round : int
        The round that asks; 0 for a challenge pair.
    left, right : str
        The docs on their sides.
    challenge : str
        For a challenge pair the side of the better doc, else empty.
    """

    hit: str
    position: int
    topic: str
    round: int
    left: str
    right: str
    challenge: str


def read_hit_rows(path: FilePath) -> list[HitRow]:
    """Read the record of HITs, in the order of the file.

    Raises
    ------
    InputError
        At the first line that is not as it should be: a column is missing, a HIT's lines are not
        together and numbered from 1 on, a doc is compared with itself.
    """
    table = read_table(path, COLUMNS)
    columns = table.columns
    positions = whole_numbers(columns["position"], table.lines, path=path, what="position")
    rounds = whole_numbers(columns["round"], table.lines, path=path, what="round")
    challenges = columns.get("challenge", [""] * len(table))
    rows = [
        HitRow(hit, int(position), topic, int(number), left, right, challenge)
        for hit, position, topic, number, left, right, challenge in zip(
            columns["hit"], positions.tolist(), columns["topic"], rounds.tolist(),
            columns["left"], columns["right"], challenges, strict=True,
        )
    ]  # fmt: skip
    _check(rows, table)
    return rows


def hit_rows_columns(rows: Iterable[HitRow]) -> dict[str, list[str]]:
    """The record of HITs as columns of text, in the order of the rows."""
    cells = [tuple(map(str, row)) for row in rows]
    return {name: [row[place] for row in cells] for place, name in enumerate(HitRow._fields)}


def hit_rows_bytes(rows: Iterable[HitRow], *, form: str = "csv") -> bytes:
    """The record of HITs as a table, in the order of the rows."""
    numbers = {"position": "int", "round": "int"}
    return table_bytes(hit_rows_columns(rows), form=form, numbers=numbers)


def rows_by_hit(rows: Sequence[HitRow]) -> dict[str, list[HitRow]]:
    """The rows of each HIT, in their order."""
    found: dict[str, list[HitRow]] = {}
    for row in rows:
        found.setdefault(row.hit, []).append(row)
    return found


def _check(rows: Sequence[HitRow], table: TextTable) -> None:
    last, seen = ("", 0), set[str]()
    for row, line in zip(rows, table.lines, strict=True):
        begins = row.hit != last[0]
        expected = 1 if begins else last[1] + 1
        problem = ""
        if begins and row.hit in seen:
            problem = f"the HIT {quoted(row.hit)} goes on after another one"
        elif row.position != expected:
            problem = f"the position is {row.position}; expected {expected}"
        elif row.left == row.right:
            problem = f"the doc {quoted(row.left)} is compared with itself"
        elif row.challenge not in _SIDES:
            problem = f"the challenge is {quoted(row.challenge)}; expected left, right or nothing"
        if problem:
            raise InputError(problem, path=table.path, line=line)
        seen.add(row.hit)
        last = (row.hit, row.position)

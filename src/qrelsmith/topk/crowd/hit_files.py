"""The record of a round's HITs: the pairs of each HIT in order, with attention checks.

The organiser keeps the record private, because the record identifies the attention checks. Platform
files are created from the record (`platforms`), and results are checked against the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.io.cells import whole_numbers
from qrelsmith.io.table_reading import Columns, TextTable, read_table
from qrelsmith.io.table_writing import table_bytes
from qrelsmith.io.text import FilePath
from qrelsmith.pairs.hits import HitPair, PairHit

COLUMNS = Columns(
    required=("hit", "position", "topic", "round", "left", "right"),
    optional=("challenge",),
    ids=("hit", "topic", "left", "right"),
)
_SIDES = ("", "left", "right")


def read_hits(path: FilePath) -> list[PairHit]:
    """Read the record of HITs, in the order of the file.

    Raises
    ------
    InputError
        At the first malformed line: a column is missing, a HIT's lines are not
        together and numbered from 1 on, a doc is compared with itself.
    """
    table = read_table(path, COLUMNS)
    columns = table.columns
    positions = whole_numbers(columns["position"], table.lines, path=path, what="position")
    rounds = whole_numbers(columns["round"], table.lines, path=path, what="round")
    challenges = columns.get("challenge", [""] * len(table))
    pairs = [
        HitPair(topic, left, right, int(number), challenge)
        for topic, left, right, number, challenge in zip(
            columns["topic"], columns["left"], columns["right"], rounds.tolist(), challenges,
            strict=True,
        )
    ]  # fmt: skip
    _check(columns["hit"], [int(position) for position in positions.tolist()], pairs, table)
    hits: dict[str, list[HitPair]] = {}
    for key, pair in zip(columns["hit"], pairs, strict=True):
        hits.setdefault(key, []).append(pair)
    return [PairHit(key, tuple(of_hit)) for key, of_hit in hits.items()]


def hit_columns(hits: Iterable[PairHit]) -> dict[str, list[str]]:
    """Return the record of HITs as columns of text, with a row for each pair."""
    rows = [
        (hit.key, str(place), pair.topic, str(pair.round), pair.left, pair.right, pair.challenge)
        for hit in hits
        for place, pair in enumerate(hit.pairs, start=1)
    ]
    return {name: [row[place] for row in rows] for place, name in enumerate(COLUMNS.names)}


def hits_bytes(hits: Iterable[PairHit], *, form: str = "csv") -> bytes:
    """Return the record of HITs as a table, with a row for each pair."""
    numbers = {"position": "int", "round": "int"}
    return table_bytes(hit_columns(hits), form=form, numbers=numbers)


def _check(
    keys: Sequence[str], positions: Sequence[int], pairs: Sequence[HitPair], table: TextTable
) -> None:
    last, seen = ("", 0), set[str]()
    for key, position, pair, line in zip(keys, positions, pairs, table.lines, strict=True):
        begins = key != last[0]
        expected = 1 if begins else last[1] + 1
        problem = ""
        if begins and key in seen:
            problem = f"the HIT {quoted(key)} continues after another HIT"
        elif position != expected:
            problem = f"the position is {position}; expected {expected}"
        elif pair.left == pair.right:
            problem = f"the doc {quoted(pair.left)} is compared with itself"
        elif pair.challenge not in _SIDES:
            problem = f"the challenge is {quoted(pair.challenge)}; expected “left”, “right” or “”"
        if problem:
            raise InputError(problem, path=table.path, line=line)
        seen.add(key)
        last = (key, position)

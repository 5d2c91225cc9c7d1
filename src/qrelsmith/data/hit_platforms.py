"""HITs as crowd platforms take them, and what workers did as platforms hand it back.

A platform is a class under `@PLATFORMS.add` with `columns`, what is handed to it, and `results`,
what comes back. What a platform shows to workers never tells which pairs are challenge pairs. What
comes back is held against the record of the HITs: if a pair is not where it was sent, nothing is
read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from qrelsmith.data.csv_records import CsvRecords
from qrelsmith.data.hit_files import HitRow, rows_by_hit
from qrelsmith.data.tables import decoded_text, first_data_line
from qrelsmith.data.text import FilePath, read_bytes
from qrelsmith.errors import InputError, quoted
from qrelsmith.registry import Registry

_SIDES = {"left": -1, "tie": 0, "right": 1, "": None}


class HitResult(NamedTuple):
    """A HIT as a worker did it.

    Attributes
    ----------
    hit, worker : str
        Which one, and who.
    outcomes : tuple of int or None
        For each pair −1 (left), 0 (tie) or 1 (right); None: no answer.
    assignment : str
        What the platform calls this piece of work; empty if it does not say.
    is_paid : bool
        Whether it is paid; the organiser may have rejected it on the platform.
    """

    hit: str
    worker: str
    outcomes: tuple[int | None, ...]
    assignment: str = ""
    is_paid: bool = True


@dataclass(frozen=True, slots=True)
class Texts:
    """What workers are shown for ids; an id without text is shown as it is.

    Attributes
    ----------
    topics, docs : mapping of str to str
        Text by id.
    """

    topics: Mapping[str, str]
    docs: Mapping[str, str]


class Platform(Protocol):
    """Where HITs are published."""

    def columns(self, rows: Sequence[HitRow], texts: Texts | None) -> dict[str, list[str]]:
        """The table to hand to the platform."""

    def results(self, path: FilePath, rows: Sequence[HitRow]) -> list[HitResult]:
        """What workers did, from the file that the platform hands back."""


PLATFORMS: Registry[Callable[[], Platform]] = Registry("crowd platform")


@PLATFORMS.add("mturk", source="Amazon Mechanical Turk: batch input and batch results")
class MechanicalTurk:
    """A line for each HIT with numbered columns, which a template of the project names.

    Its form has an input `pair_1`, `pair_2`, … for each pair with the value left, right or tie. The
    results repeat the input as `Input.…` and hold the worker's as `Answer.…`.
    """

    def columns(self, rows: Sequence[HitRow], texts: Texts | None) -> dict[str, list[str]]:
        """One row a HIT; a last HIT with fewer pairs leaves columns empty."""
        hits = rows_by_hit(rows)
        table: dict[str, list[str]] = {
            "hit": list(hits),
            "pairs": [str(len(pairs)) for pairs in hits.values()],
        }
        for place in range(max(map(len, hits.values()), default=0)):
            pairs = [pairs[place] if place < len(pairs) else None for pairs in hits.values()]
            for name, cells in _shown(pairs, texts).items():
                table[f"{name}_{place + 1}"] = cells
        return table

    def results(self, path: FilePath, rows: Sequence[HitRow]) -> list[HitResult]:
        """One result a line."""
        table = _read(path, ("Input.hit", "WorkerId"))
        hits, results = rows_by_hit(rows), []
        for number in range(len(table)):
            pairs = table.hit(number, "Input.hit", hits)
            outcomes = []
            for place, row in enumerate(pairs, start=1):
                names = {name: f"Input.{name}_{place}" for name in ("topic", "left", "right")}
                table.check(number, row, names)
                outcomes.append(table.outcome(number, table.column(f"Answer.pair_{place}")))
            worker = table.cell(number, "WorkerId", required=True)
            results.append(
                HitResult(
                    pairs[0].hit,
                    worker,
                    tuple(outcomes),
                    assignment=table.cell(number, "AssignmentId"),
                    is_paid=table.cell(number, "AssignmentStatus").strip().lower() != "rejected",
                )
            )
        return results


@PLATFORMS.add("prolific", source="Prolific, or any form of one's own that shows pairs one by one")
class Prolific:
    """A line for each pair; whoever shows the pairs adds a worker's lines with the answer.

    Comes back with the columns `participant_id,hit,position,answer`; others may stand there too.
    """

    def columns(self, rows: Sequence[HitRow], texts: Texts | None) -> dict[str, list[str]]:
        """One row a pair."""
        return {
            "hit": [row.hit for row in rows],
            "position": [str(row.position) for row in rows],
            **_shown(rows, texts),
        }

    def results(self, path: FilePath, rows: Sequence[HitRow]) -> list[HitResult]:
        """One result for each worker and HIT; a pair without a line has no answer."""
        table = _read(path, ("participant_id", "hit", "position", "answer"))
        hits = rows_by_hit(rows)
        given: dict[tuple[str, str], dict[int, int | None]] = {}
        for number in range(len(table)):
            pairs = table.hit(number, "hit", hits)
            cell = table.cell(number, "position")
            known = {str(row.position): row for row in pairs}
            if cell not in known:
                expected = f"expected 1 to {len(pairs)}"
                raise table.fault(number, f"the position is {quoted(cell)}; {expected}")
            table.check(number, known[cell], {n: n for n in ("topic", "left", "right")})
            worker = table.cell(number, "participant_id", required=True)
            answers = given.setdefault((pairs[0].hit, worker), {})
            if int(cell) in answers:
                raise table.fault(number, f"the pair {cell} of the HIT has a second answer")
            answers[int(cell)] = table.outcome(number, "answer")
        return [
            HitResult(hit, worker, tuple(answers.get(row.position) for row in hits[hit]))
            for (hit, worker), answers in given.items()
        ]


def _shown(rows: Sequence[HitRow | None], texts: Texts | None) -> dict[str, list[str]]:
    """Topic and docs of pairs, and their texts if there are any; None: empty cells."""
    ids = {
        "topic": [row.topic if row else "" for row in rows],
        "left": [row.left if row else "" for row in rows],
        "right": [row.right if row else "" for row in rows],
    }
    if texts is None:
        return ids
    return ids | {
        "topic_text": [texts.topics.get(topic, topic) for topic in ids["topic"]],
        "left_text": [texts.docs.get(doc, doc) for doc in ids["left"]],
        "right_text": [texts.docs.get(doc, doc) for doc in ids["right"]],
    }


@dataclass(frozen=True, slots=True)
class _Results:
    """A table of results, of whose columns only some are known."""

    path: FilePath
    columns: Mapping[str, Sequence[str]]
    lines: Sequence[int]

    def __len__(self) -> int:
        return len(self.lines)

    def fault(self, number: int, problem: str) -> InputError:
        return InputError(problem, path=self.path, line=self.lines[number])

    def cell(self, number: int, name: str, *, required: bool = False) -> str:
        cell = self.columns[name][number] if name in self.columns else ""
        if required and not cell.strip():
            raise self.fault(number, f"the {name} is empty")
        return cell

    def hit(self, number: int, name: str, hits: Mapping[str, Sequence[HitRow]]) -> Sequence[HitRow]:
        key = self.cell(number, name)
        if key not in hits:
            raise self.fault(number, f"the HIT {quoted(key)} is not in the record of the HITs")
        return hits[key]

    def check(self, number: int, row: HitRow, names: Mapping[str, str]) -> None:
        """Raise unless the line shows the pair that the record has."""
        for what, name in names.items():
            shown, sent = self.cell(number, name), getattr(row, what)
            if name in self.columns and shown != sent:
                problem = f"{name} is {quoted(shown)}, but {quoted(sent)} in the record of the HITs"
                raise self.fault(number, problem)

    def column(self, name: str) -> str:
        """The name of a column that must be there: without it nobody would have answered."""
        if name not in self.columns:
            raise InputError(
                f"there is no column {name}; expected one for each pair of a HIT", path=self.path
            )
        return name

    def outcome(self, number: int, name: str) -> int | None:
        cell = self.cell(number, name).strip().lower()
        if cell not in _SIDES:
            expected = "expected left, right, tie or nothing"
            raise self.fault(number, f"{name} is {quoted(cell)}; {expected}")
        return _SIDES[cell]


def _read(path: FilePath, required: Sequence[str]) -> _Results:
    """A table in CSV or TSV with columns of the platform's own."""
    text = decoded_text(read_bytes(path), path=path)
    first = first_data_line(text)
    if first is None:
        raise InputError(f"the file is empty; expected {', '.join(required)}", path=path)
    records = CsvRecords(text, "\t" if "\t" in first else ",", path)
    rows: list[list[str]] = []
    lines: list[int] = []
    for record in records:
        if rows and len(record) != len(rows[0]):
            problem = f"{len(record)} cells; expected {len(rows[0])}"
            raise InputError(problem, path=path, line=records.first)
        rows.append(record)
        lines.append(records.first)
    names = rows[0]
    for name in required:
        if name not in names:
            raise InputError(f"the column {name} is missing", path=path, line=lines[0])
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the column {quoted(twice)} stands twice", path=path, line=lines[0])
    columns = {name: [row[place] for row in rows[1:]] for place, name in enumerate(names)}
    return _Results(path, columns, lines[1:])


def platform(name: str) -> Platform:
    """The platform of a name.

    Raises
    ------
    UnknownNameError
        If there is none.
    """
    found: Platform = PLATFORMS.get(name)()
    return found

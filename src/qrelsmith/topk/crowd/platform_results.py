"""The results of a crowd platform, compared with the record of HITs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.io.csv_records import CsvRecords
from qrelsmith.io.table_reading import decoded_text, first_data_line
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.pairs.hits import HitPair, PairHit

_SIDES = {"left": -1, "tie": 0, "right": 1, "": None}


@dataclass(frozen=True, slots=True)
class PlatformResults:
    """A table of results with some known columns."""

    path: FilePath
    columns: Mapping[str, Sequence[str]]
    lines: Sequence[int]

    def __len__(self) -> int:
        return len(self.lines)

    def fault(self, number: int, problem: str) -> InputError:
        """Return an error that names a line."""
        return InputError(problem, path=self.path, line=self.lines[number])

    def cell(self, number: int, name: str, *, required: bool = False) -> str:
        """Return a cell, or an empty string if the column is missing."""
        cell = self.columns[name][number] if name in self.columns else ""
        if required and not cell.strip():
            raise self.fault(number, f"the {name} is empty")
        return cell

    def hit(self, number: int, name: str, hits: Mapping[str, PairHit]) -> PairHit:
        """Return the HIT named in a line."""
        key = self.cell(number, name)
        if key not in hits:
            raise self.fault(number, f"the HIT {quoted(key)} is not in the record of the HITs")
        return hits[key]

    def check(self, number: int, pair: HitPair, names: Mapping[str, str]) -> None:
        """Check that the line shows the recorded pair."""
        for what, name in names.items():
            shown, sent = self.cell(number, name), getattr(pair, what)
            if name in self.columns and shown != sent:
                problem = f"{name} is {quoted(shown)}, but {quoted(sent)} in the record of the HITs"
                raise self.fault(number, problem)

    def column(self, name: str) -> str:
        """Return the name of a required column."""
        if name not in self.columns:
            raise InputError(
                f"the column {name} is missing; expected one for each pair of a HIT", path=self.path
            )
        return name

    def outcome(self, number: int, name: str) -> int | None:
        """Return the answer in a cell, or None if there is no answer."""
        cell = self.cell(number, name).strip().lower()
        if cell not in _SIDES:
            expected = "expected “left”, “right”, “tie” or an empty cell"
            raise self.fault(number, f"{name} is {quoted(cell)}; {expected}")
        return _SIDES[cell]


def read_platform_results(path: FilePath, required: Sequence[str]) -> PlatformResults:
    """Return a CSV or TSV table with the platform's own columns."""
    text = decoded_text(read_bytes(path), path=path)
    first = first_data_line(text)
    if first is None:
        raise InputError(f"the file is empty; expected columns {', '.join(required)}", path=path)
    records = CsvRecords(text, "\t" if "\t" in first else ",", path)
    rows: list[list[str]] = []
    lines: list[int] = []
    for record in records:
        if rows and len(record) != len(rows[0]):
            problem = f"found {len(record)} cells; expected {len(rows[0])}"
            raise InputError(problem, path=path, line=records.first)
        rows.append(record)
        lines.append(records.first)
    names = rows[0]
    for name in required:
        if name not in names:
            raise InputError(f"the column {name} is missing", path=path, line=lines[0])
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the column {quoted(twice)} appears twice", path=path, line=lines[0])
    columns = {name: [row[place] for row in rows[1:]] for place, name in enumerate(names)}
    return PlatformResults(path, columns, lines[1:])

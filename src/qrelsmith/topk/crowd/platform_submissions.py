"""Submissions listed by a crowd platform: worker, assignment and code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.io.csv_records import CsvRecords
from qrelsmith.io.table_reading import decoded_text, first_data_line
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.topk.crowd.platforms import PLATFORMS, platform_of


class PlatformSubmission(NamedTuple):
    """A line of a platform's results.

    Attributes
    ----------
    worker, reference : str
        The platform's ids of the worker and of the assignment.
    code : str
        The submitted code; may be empty.
    line : int
        The line number.
    """

    worker: str
    reference: str
    code: str
    line: int


def read_platform_submissions(path: FilePath) -> list[PlatformSubmission]:
    """Read the results that Mechanical Turk or Prolific gives an organiser.

    Raises
    ------
    InputError
        If the columns match neither platform, or a line does not match the header.
    """
    text = decoded_text(read_bytes(path), path=path)
    first = first_data_line(text)
    expected = " or ".join(", ".join(names[0] for names in known) for known in _columns())
    if first is None:
        raise InputError(f"the file is empty; expected the columns {expected}", path=path)
    records = CsvRecords(text, "\t" if "\t" in first else ",", path)
    places: Sequence[int] | None = None
    width = 0
    submissions = []
    for record in records:
        if places is None:
            places, width = _places(record), len(record)
            if places is None:
                problem = f"the columns match no platform; expected {expected}"
                raise InputError(problem, path=path, line=records.first)
            twice = [record[place] for place in places if record.count(record[place]) > 1]
            if twice:
                problem = f"the column {quoted(twice[0])} appears twice"
                raise InputError(problem, path=path, line=records.first)
            continue
        if len(record) != width:
            problem = f"found {len(record)} cells; expected {width}"
            raise InputError(problem, path=path, line=records.first)
        worker, reference, code = (record[place].strip() for place in places)
        submissions.append(PlatformSubmission(worker, reference, code, records.first))
    return submissions


def _columns() -> list[tuple[tuple[str, ...], ...]]:
    """Return the names of the columns for worker, assignment and code, by platform."""
    return [platform_of(name).submitted for name in PLATFORMS.names()]


def _places(header: Sequence[str]) -> list[int] | None:
    """Return the positions of the three columns, or None if a column is missing."""
    for known in _columns():
        places = [
            next((header.index(name) for name in names if name in header), None) for names in known
        ]
        if None not in places:
            return [place for place in places if place is not None]
    return None

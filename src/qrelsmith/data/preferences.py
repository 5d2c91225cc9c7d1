"""Preferences: which of two docs an assessor finds better for a topic."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qrelsmith.arrays import IntArray
from qrelsmith.data import frames
from qrelsmith.data.cells import whole_numbers
from qrelsmith.data.content_digest import content_digest
from qrelsmith.data.outcomes import Sign, Way, outcome_array
from qrelsmith.data.parquet import is_parquet
from qrelsmith.data.preference_text import TEXT_FORMS, parsed_text
from qrelsmith.data.table_writing import table_bytes, write_table
from qrelsmith.data.tables import (
    Columns,
    TextTable,
    first_data_line,
    has_control,
    has_header,
    is_named_jsonl,
    parse_table,
    parsed_in_order,
    read_table,
)
from qrelsmith.data.text import FilePath, read_bytes
from qrelsmith.errors import InputError, UsageError, quoted

COLUMNS = Columns(
    required=("topic", "left", "right", "outcome"),
    optional=("assessor",),
    ids=("topic", "left", "right", "assessor"),
)
# A log of a session is read as well; its rounds say nothing here.
_READ = Columns(COLUMNS.required, (*COLUMNS.optional, "round"), COLUMNS.ids)
_NUMBERS = {"outcome": "int"}


@dataclass(frozen=True, eq=False)
class Preferences:
    """Preferences, sorted by topic, left, right, assessor and outcome; repeats are all kept.

    Attributes
    ----------
    topics, docs, assessors : tuple of str
        The distinct ones, sorted; an assessor who is not known is the empty text.
    topic, left, right, assessor : int array [preference]
        Places in them; left and right in `docs`.
    outcome : int array [preference]
        From −2 (left much better) over 0 (tie) to 2 (right much better).
    """

    topics: tuple[str, ...]
    docs: tuple[str, ...]
    assessors: tuple[str, ...]
    topic: IntArray
    left: IntArray
    right: IntArray
    outcome: IntArray
    assessor: IntArray

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, str, str, int, str]]) -> Preferences:
        """Preferences from (topic, left, right, outcome, assessor).

        Raises
        ------
        UsageError
            If an id is empty or holds a control character, a doc is compared with itself, or an
            outcome is none of −2, −1, 0, 1, 2.
        """
        columns: tuple[list[Any], ...] = ([], [], [], [], [])
        for row in rows:
            topic, left, right, outcome, assessor = row
            if "" in (topic, left, right) or any(map(has_control, (topic, left, right, assessor))):
                raise UsageError(f"{quoted(row)} holds an empty id or a control character")
            if left == right or outcome not in (-2, -1, 0, 1, 2):
                raise UsageError(
                    f"{quoted(row)}; expected two different docs and an outcome from -2 to 2"
                )
            for column, value in zip(columns, row, strict=True):
                column.append(value)
        topics, lefts, rights, outcomes, assessors = columns
        return _coded(topics, lefts, rights, np.array(outcomes, dtype=np.int64), assessors)

    @classmethod
    def from_frame(cls, frame: Any, *, way: Way | None = None) -> Preferences:
        """Preferences from a data frame with the columns of a preferences file.

        Raises
        ------
        UsageError
            If a column is unknown or missing, or an id is no text.
        InputError
            As `read_preferences`, with the number of the row for the line.
        """
        columns = frames.columns_of(frame)
        if not set(COLUMNS.required) <= columns.keys() <= set(COLUMNS.names):
            raise UsageError(f"the columns are {', '.join(columns)}; {COLUMNS.expected}")
        cells = {
            name: frames.id_cells(values, name)
            if name in ("topic", "left", "right")
            else [frames.cell_text(value) for value in values]
            for name, values in columns.items()
        }
        return _from_table(TextTable("preferences", cells, range(1, len(cells["topic"]) + 1)), way)

    def __len__(self) -> int:
        return len(self.outcome)

    def digest(self) -> str:
        """The SHA-256 of all preferences."""
        return content_digest(self._columns())

    def rows(self) -> Iterator[tuple[str, str, str, int, str]]:
        """Topic, left, right, outcome and assessor of every preference, sorted."""
        yield from zip(*self._columns().values(), strict=True)

    def restricted_to(self, topics: Collection[str]) -> Preferences:
        """The preferences of some topics only; topics without any are passed over."""
        wanted = set(topics)
        return Preferences.from_rows(row for row in self.rows() if row[0] in wanted)

    def to_pandas(self) -> Any:
        """A pandas data frame with the columns of a preferences file.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        """
        return frames.pandas_frame(self._columns())

    def to_polars(self) -> Any:
        """A polars data frame; see `to_pandas`."""
        return frames.polars_frame(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        return {
            "topic": [self.topics[place] for place in self.topic.tolist()],
            "left": [self.docs[place] for place in self.left.tolist()],
            "right": [self.docs[place] for place in self.right.tolist()],
            "outcome": self.outcome.tolist(),
            "assessor": [self.assessors[place] for place in self.assessor.tolist()],
        }


def read_preferences(
    path: FilePath,
    *,
    way: Way | None = None,
    sign: Sign = "negative-left",
    assessor: str = "",
) -> Preferences:
    """Read preferences: a table with a header, or lines of text.

    A column `round`, as a session's log has it, is passed over.

    Text is `topic a b winner` (or `tie` for winner), `topic winner loser`, where the winner is
    taken to have stood on the left, or `@ topic a b` and `!` (a won), `=` (tie) or `?` (no answer:
    passed over and counted in a warning).

    Parameters
    ----------
    path : path
        The file, plain or compressed.
    way : {'numbers', 'sides', 'winner'}, optional
        How a table writes its outcomes, where more than one way fits.
    sign : {'negative-left', 'positive-left'}
        What a negative number says: left is better, or (as in pdp 3.4.2) right is.
    assessor : str
        Whose preferences they are where the file does not say.

    Raises
    ------
    InputError
        At the first line that is not as it should be.
    """
    if is_parquet(path):
        return _from_table(read_table(path, _READ), way, sign, assessor)

    def parse(content: bytes) -> Preferences:
        first = first_data_line(content.decode("utf-8", "replace"))
        if first is None and not is_named_jsonl(path):
            raise InputError(f"the file is empty; {COLUMNS.expected}, or {TEXT_FORMS}", path=path)
        if first is None or has_header(first, COLUMNS):
            return _from_table(parse_table(content, _READ, path=path), way, sign, assessor)
        table, written = parsed_text(content, path=path)
        return _from_table(table, written, "negative-left", assessor)

    return parsed_in_order(parse, read_bytes(path), path=path)


def write_preferences(preferences: Preferences, path: FilePath, *, form: str | None = None) -> None:
    """Write preferences as CSV, TSV, JSONL or Parquet, sorted, whole or not at all.

    Raises
    ------
    UsageError
        If neither `form` nor the suffix of the path says the form.
    """
    write_table(path, _cells(preferences), form=form, numbers=_NUMBERS)


def preferences_text(preferences: Preferences, *, form: str = "csv") -> str:
    """The content of a preferences file in a form that is text."""
    return table_bytes(_cells(preferences), form=form, numbers=_NUMBERS).decode("utf-8")


def _cells(preferences: Preferences) -> dict[str, list[str]]:
    return {name: list(map(str, column)) for name, column in preferences._columns().items()}


def _from_table(
    table: TextTable, way: Way | None, sign: Sign = "negative-left", assessor: str = ""
) -> Preferences:
    topics, lefts, rights, cells = (table.columns[name] for name in COLUMNS.required)
    pairs = list(zip(lefts, rights, strict=True))
    for (left, right), line in zip(pairs, table.lines, strict=True):
        if left == right:
            raise InputError(
                f"the doc {quoted(left)} is compared with itself; expected two docs",
                path=table.path,
                line=line,
            )
    whole_numbers(table.columns.get("round", ()), table.lines, path=table.path, what="round")
    outcome = outcome_array(cells, pairs, table.lines, path=table.path, way=way, sign=sign)
    assessors = [name or assessor for name in table.columns.get("assessor", [""] * len(table))]
    return _coded(topics, lefts, rights, outcome, assessors)


def _coded(
    topics: Sequence[str],
    lefts: Sequence[str],
    rights: Sequence[str],
    outcome: IntArray,
    assessors: Sequence[str],
) -> Preferences:
    topic_names, topic = _places(topics)
    doc_names, doc = _places([*lefts, *rights])
    assessor_names, assessor = _places(assessors)
    left, right = doc[: len(lefts)], doc[len(lefts) :]
    order = np.lexsort((outcome, assessor, right, left, topic))
    return Preferences(
        topics=topic_names,
        docs=doc_names,
        assessors=assessor_names,
        topic=topic[order],
        left=left[order],
        right=right[order],
        outcome=outcome[order],
        assessor=assessor[order],
    )


def _places(names: Sequence[str]) -> tuple[tuple[str, ...], IntArray]:
    """The sorted distinct names, and the place of each name among them."""
    distinct = tuple(sorted(set(names)))
    place = {name: code for code, name in enumerate(distinct)}
    return distinct, np.fromiter((place[name] for name in names), np.int64, len(names))

"""Files of preferences: one function reads all formats, and one function writes them.

A log is a table with one appended line per answer; the outcome `undo` withdraws the assessor's
answer to the pair. Any file of preferences can be read as a log without rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import InputError, UnknownNameError, UsageError, quoted
from qrelsmith.base.registry import Registry
from qrelsmith.forms.recognising import locate_errors, tell
from qrelsmith.io.csv_records import csv_line
from qrelsmith.io.given_values import describe, is_frame
from qrelsmith.io.parquet import is_parquet
from qrelsmith.io.table_reading import (
    check_table,
    first_data_line,
    has_header,
    is_named_jsonl,
    parse_table,
    parsed_in_order,
    read_table,
)
from qrelsmith.io.table_writing import FORMS as TABLES
from qrelsmith.io.table_writing import form_of, table_bytes
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.io.times import time_array, time_texts
from qrelsmith.io.writing import check_ids, replacing
from qrelsmith.pairs.outcomes import UNDO, Sign, Way
from qrelsmith.pairs.preference_forms import preferences_table
from qrelsmith.pairs.preference_text import TEXT_FORMS, parsed_text
from qrelsmith.pairs.preferences import (
    COLUMNS,
    TOPIC_NAMES,
    Preference,
    Preferences,
    preferences_of_table,
)

LineFunction = Callable[[Preference], tuple[str, ...]]

# Text formats with one line per preference, without assessor and strength of preference.
TEXTS: Registry[LineFunction] = Registry("form of preferences", arguments=("row",))

# The columns of a file of current answers, and of the log of a session.
WRITTEN = ("topic", "left", "right", "outcome", "assessor")
LOG = (*WRITTEN, "round")
_SIDES = {-1: "left", 0: "tie", 1: "right"}


def read_preferences(
    source: FilePath | Any,
    *,
    way: Way | None = None,
    sign: Sign = "negative-left",
    assessor: str = "",
) -> Preferences:
    """Read preferences from a file, a data frame, {topic: answers}, or rows.

    A file is a table with a header, such as the log of a session, or lines of text. A line of text
    is `topic a b winner` (or `tie` for winner), or `topic winner loser`, where the winner counts as
    the left doc. In a third text format, `@ topic a b` is followed by `!` (a won), `=` (tie) or `?`
    (no answer: ignored, with a count in a warning). A data frame has the columns of a table, or
    `topic, a, b, winner`, or `topic, winner, loser`. {topic: answers} has answers (winner, loser),
    (a, b, winner) or (a, b, outcome). A row is (topic, left, right, outcome) and optionally
    assessor and round.

    Parameters
    ----------
    source : path, data frame, mapping, or rows
        The file, plain or compressed; or the preferences themselves.
    way : {'numbers', 'sides', 'winner'}, optional
        The notation of outcomes in a table, if several notations fit.
    sign : {'negative-left', 'positive-left'}
        The better side for negative numbers: left (as in section 5.1.1 of the PDP paper and in
        the program of its authors), or right (as in section 3.4.2).
    assessor : str
        The assessor of the preferences, if the file does not name one.

    Returns
    -------
    Preferences
        The preferences in the order of the file; `current()` returns the current ones.

    Raises
    ------
    InputError
        At the first malformed line.
    UsageError
        If a DataFrame, a mapping or a row is malformed.

    Examples
    --------
    >>> frame = {"qid": ["t1", "t1"], "winner": ["a", "c"], "loser": ["b", "a"]}
    >>> [(row.left, row.right, row.outcome) for row in read_preferences(frame).rows()]
    [('a', 'b', -1), ('c', 'a', -1)]

    Undos are left out, as are answers that were undone or replaced by later answers:

    >>> log = read_preferences(
    ...     [
    ...         ("t1", "a", "b", -1, "ann", 1),
    ...         ("t1", "a", "b", 1, "ann", 1),
    ...         ("t1", "a", "c", -1, "ann", 1),
    ...         ("t1", "a", "c", None, "ann", 1),
    ...     ]
    ... )
    >>> len(log), [(row.left, row.right, row.outcome) for row in log.current().rows()]
    (4, [('a', 'b', 1)])
    """
    if not isinstance(source, str | PathLike):
        return _preferences_of_object(source, way=way, sign=sign, assessor=assessor)
    path = source
    if (answers := preferences_table(path)) is not None:
        with locate_errors(answers):
            table = check_table(tell(answers), COLUMNS)
            return preferences_of_table(table, way=way, sign=sign, assessor=assessor)
    if is_parquet(path):
        table = read_table(path, COLUMNS)
        return preferences_of_table(table, way=way, sign=sign, assessor=assessor)

    def parse(content: bytes) -> Preferences:
        first = first_data_line(content.decode("utf-8", "replace"))
        if first is None and not is_named_jsonl(path):
            raise InputError(f"the file is empty; {COLUMNS.expected}, or {TEXT_FORMS}", path=path)
        if first is None or has_header(first, COLUMNS):
            table = parse_table(content, COLUMNS, path=path)
            return preferences_of_table(table, way=way, sign=sign, assessor=assessor)
        table, written = parsed_text(content, path=path)
        return preferences_of_table(table, way=written, assessor=assessor)

    return parsed_in_order(parse, read_bytes(path), path=path)


def _preferences_of_object(
    source: Any, *, way: Way | None, sign: Sign, assessor: str
) -> Preferences:
    """Return preferences from a Python object."""
    if isinstance(source, Preferences):
        return source
    is_columns = not isinstance(source, Mapping) or not TOPIC_NAMES.isdisjoint(source)
    if is_frame(source) and is_columns:
        return Preferences.from_frame(source, way=way, sign=sign, assessor=assessor)
    if isinstance(source, Mapping) and all(isinstance(rows, Iterable) for rows in source.values()):
        return Preferences.from_dict(source, assessor=assessor)
    if isinstance(source, list | tuple) and all(isinstance(row, list | tuple) for row in source):
        return Preferences.from_rows(source)
    raise UsageError(
        "expected preferences: a path, Preferences, a data frame, {topic: answers} or "
        f"rows; found {describe(source)}"
    )


def write_preferences(
    preferences: Preferences, path: FilePath, *, form: str | None = None, way: Way = "numbers"
) -> None:
    """Write the current preferences atomically; see `preferences_bytes`.

    If `form` is missing, the suffix of the path determines the format.
    """
    chosen = form_of(path) if form is None else form
    content = preferences_bytes(preferences, form=chosen, way=way, path=path)
    with replacing(path) as out:
        out.write(content)


def preferences_bytes(
    preferences: Preferences,
    *,
    form: str = "csv",
    way: Way = "numbers",
    path: FilePath | None = None,
) -> bytes:
    """Return the content of a file of current preferences, sorted and reproducible.

    Parameters
    ----------
    preferences : Preferences
        The preferences, of which only current ones are written.
    form : str
        A table (`csv`, `tsv`, `jsonl`, `parquet`) or one of `TEXTS`: `winner` (`topic a b winner`),
        `pairs` (`topic winner loser`), `signs` (`@ topic a b` and `!`, a won, or `=`). If b won,
        `signs` writes b first.
    way : {'numbers', 'sides', 'winner'}
        The notation of outcomes in a table; only numbers express strength of preference.
    path : path, optional
        The target path, for errors.

    Raises
    ------
    UsageError
        If the form or notation is unknown, or cannot express a tie or an id.
    InputError
        If an id cannot be written in a line of text.
    """
    stand = preferences.current()
    if form in TABLES:
        columns = {name: cells for name, cells in stand.columns().items() if name in WRITTEN}
        columns["outcome"] = [_outcome_text(row, way) for row in stand.rows()]
        numbers = {"outcome": "int"} if way == "numbers" else {}
        return table_bytes(columns, form=form, numbers=numbers)
    if form not in TEXTS.names():
        raise UnknownNameError("form of preferences", form, (*TABLES, *TEXTS.names()))
    check_ids(stand.topics, what="topic", path=path)
    check_ids(stand.docs, what="doc", path=path)
    line = TEXTS.get(form)
    return "".join(" ".join(line(row)) + "\n" for row in stand.rows()).encode("utf-8")


def log_text(preferences: Preferences) -> str:
    """Return a log as CSV: every answer and undo, in order."""
    known = preferences.columns()
    columns = (*LOG, *(name for name in COLUMNS.names if name in known and name not in LOG))
    return csv_line(columns, ",") + _lines(preferences, columns)


def add_to_log(path: FilePath, preferences: Preferences) -> None:
    """Append answers to a log, creating it if necessary.

    The existing content is kept byte for byte, even if writing fails.

    Raises
    ------
    InputError
        If the file exists and is not a CSV log.
    """
    columns: Sequence[str] = ()
    content = read_bytes(path) if Path(path).exists() else b""
    if content:
        first = first_data_line(content.decode("utf-8", "replace"))
        columns = () if first is None else first.split(",")
        if first is not None and not set(LOG) <= set(columns) <= set(COLUMNS.names):
            raise InputError(
                f"the file begins with {quoted(first)}; expected a log with the header "
                f"{','.join(LOG)}",
                path=path,
            )
        read_preferences(path)
    text = _lines(preferences, columns) if columns else log_text(preferences)
    ending = b"" if not content or content.endswith(b"\n") else b"\n"
    with replacing(path) as out:
        out.write(content + ending + text.encode("utf-8"))


def _lines(preferences: Preferences, columns: Sequence[str]) -> str:
    """Return one line per answer, with an empty field for each unknown value."""

    def cells(row: Preference) -> dict[str, str]:
        time = None if row.judged_at is None else int(row.judged_at.astype(int))
        return {
            "topic": row.topic,
            "left": row.left,
            "right": row.right,
            "outcome": UNDO if row.outcome is None else str(row.outcome),
            "assessor": row.assessor,
            "round": str(row.round or ""),
            "revision": str(row.revision or ""),
            "judged_at": time_texts(time_array([time]))[0],
        }

    written = map(cells, preferences.rows())
    return "".join(csv_line([row[name] for name in columns], ",") for row in written)


@TEXTS.add("winner", formula="topic a b winner")
def _winner(row: Preference) -> tuple[str, ...]:
    """Return the two docs, and the better doc or the word `tie`."""
    return (row.topic, row.left, row.right, _better(row))


@TEXTS.add("pairs", formula="topic winner loser")
def _pairs(row: Preference) -> tuple[str, ...]:
    """Return the topic and the two docs, the better doc first."""
    if row.outcome == 0:
        raise UsageError(
            f"topic {quoted(row.topic)}: {quoted(row.left)} and {quoted(row.right)} "
            "are tied; expected a format that allows ties, not `topic winner loser`"
        )
    return (row.topic, *_better_first(row))


@TEXTS.add("signs", formula="@ topic a b and ! or =")
def _signs(row: Preference) -> tuple[str, ...]:
    """Return the two docs, the better doc first, and a sign for a win or a tie."""
    return ("@", row.topic, *_better_first(row), "!" if row.outcome else "=")


def _better_first(row: Preference) -> tuple[str, str]:
    """Return the two docs, the better doc first; in a tie, the left doc first."""
    return (row.right, row.left) if (row.outcome or 0) > 0 else (row.left, row.right)


def _outcome_text(row: Preference, way: Way) -> str:
    """Return the outcome in the notation of a table."""
    outcome = row.outcome or 0
    if way == "numbers":
        return str(outcome)
    if way == "sides":
        return _SIDES[(outcome > 0) - (outcome < 0)]
    if way == "winner":
        return _better(row)
    raise UnknownNameError("notation", way, ("numbers", "sides", "winner"))


def _better(row: Preference) -> str:
    """Return the id of the better doc, or `tie`."""
    if row.outcome:
        return _better_first(row)[0]
    if "tie" in (row.left, row.right):
        raise UsageError(
            f"topic {quoted(row.topic)}: the doc 'tie' makes the outcome 'tie' "
            "ambiguous; expected numbers as outcomes"
        )
    return "tie"

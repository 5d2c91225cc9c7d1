"""Preferences written in every form that is read: tables and lines of text."""

from __future__ import annotations

from collections.abc import Callable

from qrelsmith.data.outcomes import Way
from qrelsmith.data.preferences import COLUMNS, Preferences
from qrelsmith.data.table_writing import FORMS as TABLES
from qrelsmith.data.table_writing import table_bytes
from qrelsmith.data.text import FilePath
from qrelsmith.data.writing import check_ids, replacing
from qrelsmith.errors import UnknownNameError, UsageError, quoted
from qrelsmith.registry import Registry

Row = tuple[str, str, str, int, str]
LineFunction = Callable[[Row], tuple[str, ...]]

# Forms of text, a line each preference; who answered is not told, nor how much better a doc is.
TEXTS: Registry[LineFunction] = Registry("form of preferences", arguments=("row",))

_SIDES = {-1: "left", 0: "tie", 1: "right"}


def preferences_bytes(
    preferences: Preferences,
    *,
    form: str = "csv",
    way: Way = "numbers",
    path: FilePath | None = None,
) -> bytes:
    """The content of a preferences file, sorted; the same preferences always give the same bytes.

    Parameters
    ----------
    preferences : Preferences
        What is written.
    form : str
        A table (`csv`, `tsv`, `jsonl`, `parquet`) or one of `TEXTS`: `winner` (`topic a b winner`),
        `pairs` (`topic winner loser`), `signs` (`@ topic a b` and `!`, a won, or `=`). Where b won,
        `signs` writes b first.
    way : {'numbers', 'sides', 'winner'}
        How a table writes outcomes; only numbers tell how much better a doc is.
    path : path, optional
        Where it will stand, for errors.

    Raises
    ------
    UsageError
        If the form or the way is unknown, or a tie or an id cannot be told in it.
    InputError
        If an id cannot stand in a line of text.
    """
    rows = list(preferences.rows())
    if form in TABLES:
        numbers = {"outcome": "int"} if way == "numbers" else {}
        cells = [[*row[:3], _written(row, way), row[4]] for row in rows]
        columns = dict(zip(COLUMNS.names, map(list, zip(*cells, strict=True)), strict=False))
        return table_bytes(
            columns or {name: [] for name in COLUMNS.names}, form=form, numbers=numbers
        )
    if form not in TEXTS.names():
        raise UnknownNameError("form of preferences", form, (*TABLES, *TEXTS.names()))
    check_ids(preferences.topics, what="topic", path=path)
    check_ids(preferences.docs, what="doc", path=path)
    line = TEXTS.get(form)
    return "".join(" ".join(line(row)) + "\n" for row in rows).encode("utf-8")


def write_preferences_as(
    preferences: Preferences, path: FilePath, *, form: str, way: Way = "numbers"
) -> None:
    """Write preferences in a form, whole or not at all; see `preferences_bytes`."""
    content = preferences_bytes(preferences, form=form, way=way, path=path)
    with replacing(path) as out:
        out.write(content)


@TEXTS.add("winner", formula="topic a b winner")
def _winner(row: Row) -> tuple[str, ...]:
    """The docs and the better one, or the word tie."""
    return (*row[:3], _better(row))


@TEXTS.add("pairs", formula="topic winner loser")
def _pairs(row: Row) -> tuple[str, ...]:
    """The better doc before the other."""
    topic, left, right, outcome, _ = row
    if outcome == 0:
        raise UsageError(
            f"topic {quoted(topic)}: {quoted(left)} and {quoted(right)} tie, which the form"
            " `topic winner loser` cannot say; expected another form"
        )
    return (topic, left, right) if outcome < 0 else (topic, right, left)


@TEXTS.add("signs", formula="@ topic a b and ! or =")
def _signs(row: Row) -> tuple[str, ...]:
    """The better doc first, with a sign for a win or a tie."""
    topic, left, right, outcome, _ = row
    docs = (left, right) if outcome <= 0 else (right, left)
    return ("@", topic, *docs, "=" if outcome == 0 else "!")


def _written(row: Row, way: Way) -> str:
    """The outcome as a table writes it."""
    if way == "numbers":
        return str(row[3])
    if way == "sides":
        return _SIDES[(row[3] > 0) - (row[3] < 0)]
    if way == "winner":
        return _better(row)
    raise UnknownNameError("way", way, ("numbers", "sides", "winner"))


def _better(row: Row) -> str:
    """The id of the better doc, or tie."""
    topic, left, right, outcome, _ = row
    if outcome == 0 and "tie" in (left, right):
        raise UsageError(
            f"topic {quoted(topic)}: a tie of a doc that is called 'tie' cannot be told from its"
            " win; expected numbers as outcomes"
        )
    return "tie" if outcome == 0 else left if outcome < 0 else right

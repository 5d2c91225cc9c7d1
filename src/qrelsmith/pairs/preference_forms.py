"""Preference files of other programs, with different column names."""

from __future__ import annotations

from dataclasses import replace

from qrelsmith.forms.recognising import recognise
from qrelsmith.forms.registry import FormTable
from qrelsmith.io.format_marks import first_line
from qrelsmith.io.parquet import is_parquet
from qrelsmith.io.text import FilePath
from qrelsmith.pairs.preferences import COLUMNS

_LETTERS = {"a": "left", "b": "right", "tie": "tie", "left": "left", "right": "right"}


def preferences_table(path: FilePath) -> FormTable | None:
    """Return preferences in another program's format, or None if the format is qrelsmith's."""
    line = first_line(path).decode("utf-8", "replace")
    if not is_parquet(path) and not _is_table(line):
        return None
    answers = recognise(path, "preferences", kept=COLUMNS.optional)
    if answers is None or (
        not answers.ignored and all(role == name for role, name in answers.taken.items())
    ):
        return None
    columns = dict(answers.table.columns)
    if "left" not in columns:  # the winner is assumed to be on the left
        columns |= {"left": columns["winner"], "right": columns["loser"]}
    if "outcome" not in columns:
        columns["outcome"] = columns["winner"]
    elif {cell.lower() for cell in columns["outcome"]} <= _LETTERS.keys():
        columns["outcome"] = [_LETTERS[cell.lower()] for cell in columns["outcome"]]
    columns = {name: cells for name, cells in columns.items() if name in COLUMNS.names}
    return replace(answers, table=replace(answers.table, columns=columns))


def _is_table(line: str) -> bool:
    """Return whether a line shows that a preference file is a table, not in a text format."""
    return line[:1] in ("{", "[") or any(delimiter in line for delimiter in ",;\t")

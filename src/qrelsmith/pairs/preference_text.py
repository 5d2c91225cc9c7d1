"""Preferences as lines of text without a header."""

from __future__ import annotations

import warnings

from qrelsmith.base.errors import InputError, InputWarning, quoted
from qrelsmith.io.table_reading import TextTable
from qrelsmith.io.text import FilePath, data_lines, decode_fields
from qrelsmith.pairs.outcomes import Way

TEXT_FORMS = "topic a b winner, or topic winner loser, or @ topic a b and one of ! = ?"
_COLUMNS = ("topic", "left", "right", "outcome")
_SIGNS = {"!": -1, "=": 0}


def parsed_text(content: bytes, *, path: FilePath) -> tuple[TextTable, Way]:
    """Return a table of topic, left, right and outcome, and the notation of the outcomes.

    Raises
    ------
    InputError
        At the first line with a different format. Pairs without an answer (`?`) are ignored, with a
        count in a warning.
    """
    numbers, lines = data_lines(content, path=path)
    rows = [line.split() for line in lines]
    width = len(rows[0])
    for number, line, row in zip(numbers, lines, rows, strict=True):
        if len(row) != width or width not in (3, 4, 5) or (width == 5 and row[0] != b"@"):
            raise InputError(
                f"found {len(row)} fields in {quoted(line)}; expected {TEXT_FORMS}, in "
                "the whole file",
                path=path,
                line=number,
            )
    texts = [
        decode_fields(list(column), numbers, path=path, what="field")
        for column in zip(*rows, strict=True)
    ]
    columns = dict(zip(_COLUMNS, texts[width == 5 :], strict=False))
    if width == 3:
        return TextTable(path, columns | {"outcome": columns["left"]}, numbers), "winner"
    if width == 4:
        return TextTable(path, columns, numbers), "winner"
    return _answered_rows(TextTable(path, columns, numbers)), "numbers"


def _answered_rows(table: TextTable) -> TextTable:
    """Return the rows with an answer, in the format with `@`."""
    answers = table.columns["outcome"]
    for answer, line in zip(answers, table.lines, strict=True):
        if answer not in ("!", "=", "?"):
            raise InputError(
                f"the outcome is {quoted(answer)}; expected !, = or ?", path=table.path, line=line
            )
    rows = [row for row, answer in enumerate(answers) if answer != "?"]
    if len(rows) < len(answers):
        warnings.warn(
            f"{table.path}: {len(answers) - len(rows)} pairs have no answer (?) and were ignored",
            InputWarning,
            stacklevel=4,
        )
    columns = {name: [column[row] for row in rows] for name, column in table.columns.items()}
    columns["outcome"] = [str(_SIGNS[answer]) for answer in columns["outcome"]]
    return TextTable(table.path, columns, [table.lines[row] for row in rows])

"""Outcomes of preferences, in the three notations used by files.

An outcome is a number from −2 to 2 (negative: left is better), the word left, right or tie, or the
id of the winner (or tie). A file uses one notation throughout. A log may also contain the word
`undo`, which withdraws an answer. If a doc of the pair is called `tie` or `undo`, the word means
that doc.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from qrelsmith.base.arrays import IntArray
from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.text import FilePath

Way = Literal["numbers", "sides", "winner"]
Sign = Literal["negative-left", "positive-left"]

UNDO = "undo"
_SIDES = {"left": -1, "tie": 0, "right": 1}


def logged_outcomes(
    cells: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    lines: Sequence[int],
    *,
    path: FilePath,
    way: Way | None = None,
    sign: Sign = "negative-left",
) -> list[int | None]:
    """Return cells of a log as outcomes from −2 to 2, None for an undo; see `outcome_array`."""
    answered = [
        row
        for row, (cell, pair) in enumerate(zip(cells, pairs, strict=True))
        if cell != UNDO or UNDO in pair
    ]
    read = outcome_array(
        [cells[row] for row in answered],
        [pairs[row] for row in answered],
        [lines[row] for row in answered],
        path=path,
        way=way,
        sign=sign,
    )
    outcomes: list[int | None] = [None] * len(cells)
    for row, outcome in zip(answered, read.tolist(), strict=True):
        outcomes[row] = outcome
    return outcomes


def outcome_array(
    cells: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    lines: Sequence[int],
    *,
    path: FilePath,
    way: Way | None = None,
    sign: Sign = "negative-left",
) -> IntArray:
    """Return an outcome from −2 (left much better) to 2 (right much better) for each cell.

    Parameters
    ----------
    cells : sequence of str [row]
        The cells of the file.
    pairs : sequence of (str, str) [row]
        The left and right docs.
    lines : sequence of int [row]
        For errors.
    path : path
        For errors.
    way : {'numbers', 'sides', 'winner'}, optional
        The notation of the outcomes; by default the only notation that fits all cells.
    sign : {'negative-left', 'positive-left'}
        The better side for negative numbers: left, or (as in pdp 3.4.2) right.

    Raises
    ------
    InputError
        At the first invalid outcome, or if two notations fit with different meanings.
    """
    if sign not in ("negative-left", "positive-left"):
        raise UsageError(f"the sign is {quoted(sign)}; expected 'negative-left' or 'positive-left'")
    if way is not None and way not in _WAYS:
        raise UsageError(f"unknown notation {quoted(way)}; expected one of {', '.join(_WAYS)}")
    number_sign = 1 if sign == "negative-left" else -1
    read: dict[str, list[int]] = {}
    for name in _WAYS if way is None else (way,):
        values = _read(_WAYS[name], cells, pairs)
        read[name] = [number_sign * value for value in values] if name == "numbers" else values
    fitting = [name for name, values in read.items() if len(values) == len(cells)]
    if not fitting:
        row = max(map(len, read.values()))
        left, right = pairs[row]
        winners = f"the winner's id ({quoted(left)} or {quoted(right)}) or tie"
        expected = {"numbers": "-2, -1, 0, 1 or 2", "sides": "left, right or tie"}
        shown = ", or ".join(expected.get(name, winners) for name in read)
        several = ", with one notation in the whole file" if way is None else ""
        raise InputError(
            f"the outcome is {quoted(cells[row])}; expected {shown}{several}",
            path=path,
            line=lines[row],
        )
    values = read[fitting[0]]
    for row, value in enumerate(values):
        if any(read[name][row] != value for name in fitting):
            raise InputError(
                f"the outcome {quoted(cells[row])} is ambiguous: it can be "
                f"{' or '.join(fitting)}; set the notation with the option outcomes",
                path=path,
                line=lines[row],
            )
    return np.array(values, dtype=np.int64)


def _read(
    reading: Callable[[str, str, str], int | None],
    cells: Sequence[str],
    pairs: Sequence[tuple[str, str]],
) -> list[int]:
    """Return the outcomes up to the first invalid cell."""
    values = []
    for cell, (left, right) in zip(cells, pairs, strict=True):
        value = reading(cell, left, right)
        if value is None:
            break
        values.append(value)
    return values


def _number(cell: str, _left: str, _right: str) -> int | None:
    value = finite_number(cell.encode("utf-8"))
    return int(value) if value in (-2, -1, 0, 1, 2) else None


def _side(cell: str, _left: str, _right: str) -> int | None:
    return _SIDES.get(cell)


def _winner(cell: str, left: str, right: str) -> int | None:
    if cell in (left, right):
        return -1 if cell == left else 1
    return 0 if cell == "tie" else None


_WAYS: Mapping[str, Callable[[str, str, str], int | None]] = {
    "numbers": _number,
    "sides": _side,
    "winner": _winner,
}

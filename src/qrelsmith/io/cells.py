"""Conversion of table cells to numbers and times; errors name the line."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Literal

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.errors import InputError, InputWarning, quoted
from qrelsmith.base.scales import Scale, grade_text
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.text import FilePath
from qrelsmith.io.times import EXPECTED, TimeArray, microseconds, time_array

OffScale = Literal["error", "missing"]
_LARGEST = 2.0**53


def grades(
    cells: Sequence[str], lines: Sequence[int], *, path: FilePath, what: str = "grade"
) -> FloatArray:
    """Convert cells to finite numbers [row].

    Raises
    ------
    InputError
        At the first cell that cannot be converted.
    """
    values = _numbers(cells)
    for row in np.flatnonzero(np.isnan(values))[:1]:
        raise InputError(
            f"the {what} is {quoted(cells[row])}; expected a finite decimal number",
            path=path,
            line=lines[row],
        )
    return values


def on_scale(
    values: FloatArray,
    scale: Scale,
    lines: Sequence[int],
    *,
    path: FilePath,
    off_scale: OffScale = "error",
) -> BoolArray:
    """Return a mask of the grades that are levels of a scale or codes below 0 [row].

    Raises
    ------
    InputError
        At the first grade that is neither, if `off_scale` is 'error'; otherwise a warning counts
        such grades.
    """
    is_level = scale.holds(values) | (values < 0)
    for row in np.flatnonzero(~is_level)[:1]:
        shown = grade_text(values[row])
        problem = f"the grade is {shown}; expected a level of the scale {scale}"
        if off_scale == "error":
            raise InputError(problem, path=path, line=lines[row])
        count = int((~is_level).sum())
        warnings.warn(
            f"{path}:{lines[row]}: {problem}; {count} such grades are treated as missing",
            InputWarning,
            stacklevel=2,
        )
    return is_level


def whole_numbers(
    cells: Sequence[str], lines: Sequence[int], *, path: FilePath, what: str
) -> FloatArray:
    """Convert cells to non-negative integers, with nan for empty cells [row].

    Raises
    ------
    InputError
        At the first cell that cannot be converted. `12.0` is accepted.
    """
    values = _numbers(cells)
    filled = np.array([cell != "" for cell in cells], dtype=bool)
    sound = (values >= 0) & (values <= _LARGEST) & (values == np.floor(values))
    for row in np.flatnonzero(filled & ~sound)[:1]:
        raise InputError(
            f"the {what} is {quoted(cells[row])}; expected a whole number, 0 or more",
            path=path,
            line=lines[row],
        )
    return values


def times(cells: Sequence[str], lines: Sequence[int], *, path: FilePath, what: str) -> TimeArray:
    """Convert cells to points in time, with NaT for empty cells [row].

    Raises
    ------
    InputError
        At the first cell that cannot be converted.
    """
    values = [microseconds(cell) if cell else None for cell in cells]
    for cell, value, line in zip(cells, values, lines, strict=True):
        if cell and value is None:
            raise InputError(f"the {what} is {quoted(cell)}; {EXPECTED}", path=path, line=line)
    return time_array(values)


def number_texts(values: FloatArray) -> list[str]:
    """Format numbers for a file: integers without a decimal point, missing numbers empty [row]."""
    return ["" if math.isnan(value) else grade_text(value) for value in values.tolist()]


def _numbers(cells: Sequence[str]) -> FloatArray:
    """Return the numbers, with nan for cells without a finite number [row]."""
    distinct = {cell: finite_number(cell.encode("utf-8")) for cell in set(cells)}
    return np.fromiter((distinct[cell] for cell in cells), np.float64, len(cells))

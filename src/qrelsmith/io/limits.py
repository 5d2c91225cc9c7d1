"""How large a compressed file may become, so that a small one of a stranger does no harm.

The limits follow the file's size: what people compress becomes some ten times as large, what is
made to do harm a thousand times. `qrelsmith --limits 10`, or the variable, makes them ten times as
wide.
"""

from __future__ import annotations

import os
from math import inf, isfinite
from pathlib import Path

from qrelsmith.base.errors import InputError, UsageError, quoted

VARIABLE = "QRELSMITH_LIMITS"
# What any file may hold, and how much more for each of its bytes.
_BYTES = (64 << 20, 40)
_LINES = (1_000_000, 2)
_CELLS = (2_000_000, 8)


def limit_factor() -> float:
    """Return the factor by which all limits are wider than usual.

    Raises
    ------
    UsageError
        If the variable holds no number from 1 on.
    """
    text = os.environ.get(VARIABLE, "") or "1"
    try:
        factor = float(text)
    except ValueError:
        factor = 0.0
    if not (factor >= 1 and isfinite(factor)):
        raise UsageError(f"the limits are {quoted(text)}; expected a number, 1 or more")
    return factor


def most_bytes(path: str | os.PathLike[str]) -> float:
    """How many bytes a file may hold, decompressed."""
    return _most(path, *_BYTES)


def most_lines(path: str | os.PathLike[str]) -> float:
    """How many lines a compressed file may hold."""
    return _most(path, *_LINES)


def most_cells(path: str | os.PathLike[str]) -> float:
    """How many cells a table in binary form may have."""
    return _most(path, *_CELLS)


def beyond(path: str | os.PathLike[str], what: str) -> InputError:
    """Return the error for a file beyond its limits."""
    return InputError(
        f"{what} for a file of its size. If this is intended, `qrelsmith --limits 10 "
        "…` allows ten times as many",
        path=path,
    )


def _most(path: str | os.PathLike[str], free: int, per_byte: int) -> float:
    try:
        size = Path(path).stat().st_size
    except (OSError, ValueError):
        size = 0
    # A pipe does not say how long it is.
    return limit_factor() * (free + per_byte * size) if size else inf

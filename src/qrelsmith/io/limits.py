"""Limits of the decompressed size, which protect against small malicious files.

The limits depend on the file's size: ordinary files become about ten times as large when they are
decompressed, but malicious files become a thousand times as large. `qrelsmith --limits 10`, or the
environment variable `QRELSMITH_LIMITS`, multiplies the limits by ten.
"""

from __future__ import annotations

import os
from math import inf, isfinite
from pathlib import Path

from qrelsmith.base.errors import InputError, UsageError, quoted

VARIABLE = "QRELSMITH_LIMITS"
# The limit for any file, and the additional limit per byte of the file.
_BYTES = (64 << 20, 40)
_LINES = (1_000_000, 2)
_CELLS = (2_000_000, 8)


def limit_factor() -> float:
    """Return the factor by which all limits are multiplied.

    Raises
    ------
    UsageError
        If the environment variable is not a number of at least 1.
    """
    text = os.environ.get(VARIABLE, "") or "1"
    try:
        factor = float(text)
    except ValueError:
        factor = 0.0
    if not (factor >= 1 and isfinite(factor)):
        raise UsageError(f"the limit factor is {quoted(text)}; expected a number, 1 or more")
    return factor


def most_bytes(path: str | os.PathLike[str]) -> float:
    """Return the maximum number of decompressed bytes of a file."""
    return _most(path, *_BYTES)


def most_lines(path: str | os.PathLike[str]) -> float:
    """Return the maximum number of lines of a compressed file."""
    return _most(path, *_LINES)


def most_cells(path: str | os.PathLike[str]) -> float:
    """Return the maximum number of cells of a binary table."""
    return _most(path, *_CELLS)


def beyond(path: str | os.PathLike[str], what: str) -> InputError:
    """Return the error for a file that exceeds its limits."""
    return InputError(
        f"{what}, too many for its size. If this is intended, `qrelsmith --limits 10 "
        "…` allows ten times as many",
        path=path,
    )


def _most(path: str | os.PathLike[str], free: int, per_byte: int) -> float:
    try:
        size = Path(path).stat().st_size
    except (OSError, ValueError):
        size = 0
    # The size of a pipe is unknown.
    return limit_factor() * (free + per_byte * size) if size else inf

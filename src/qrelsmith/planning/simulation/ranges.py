"""Ranges of two numbers as users type them: LOW:HIGH."""

from __future__ import annotations

import math

from qrelsmith.base.errors import UsageError, quoted


def parse_range(
    text: str, *, flag: str, example: str, alone: bool = False, least: float = -math.inf
) -> tuple[float, float]:
    """Return the two ends of a range; if `alone` is true, a single number counts as both ends.

    Raises
    ------
    UsageError
        If the text is not two numbers in ascending order.
    """
    low, colon, high = text.partition(":")
    try:
        ends = float(low), float(high if colon or not alone else low)
    except ValueError:
        ends = math.nan, math.nan
    if not (least <= ends[0] <= ends[1] < math.inf) or ends[0] == -math.inf:
        raise UsageError(f"{flag} {quoted(text)}; expected LOW:HIGH such as {example}")
    return ends

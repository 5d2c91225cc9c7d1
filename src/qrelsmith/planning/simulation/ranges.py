"""Two numbers that are the ends of a range, as they are typed: LOW:HIGH."""

from __future__ import annotations

import math

from qrelsmith.base.errors import UsageError, quoted


def parse_range(
    text: str, *, flag: str, example: str, alone: bool = False, least: float = -math.inf
) -> tuple[float, float]:
    """Return the two ends of a range; where it may stand alone, one number is both.

    Raises
    ------
    UsageError
        If it is not two numbers in ascending order.
    """
    low, colon, high = text.partition(":")
    try:
        ends = float(low), float(high if colon or not alone else low)
    except ValueError:
        ends = math.nan, math.nan
    if not (least <= ends[0] <= ends[1] < math.inf) or ends[0] == -math.inf:
        raise UsageError(f"{flag} {quoted(text)}; expected LOW:HIGH such as {example}")
    return ends

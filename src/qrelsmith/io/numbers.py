"""Numbers as files write them."""

from __future__ import annotations

import math
import re

_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def finite_number(field: bytes) -> float:
    """Return the number that a field holds, nan if it holds none that is finite and decimal."""
    if _NUMBER.fullmatch(field) is None:
        return math.nan
    value = float(field)
    return value if math.isfinite(value) else math.nan

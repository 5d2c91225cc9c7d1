"""Numbers in files."""

from __future__ import annotations

import math
import re

_NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def finite_number(field: bytes) -> float:
    """Parse a field as a decimal number; return nan if the field is not a finite decimal."""
    if _NUMBER.fullmatch(field) is None:
        return math.nan
    value = float(field)
    return value if math.isfinite(value) else math.nan

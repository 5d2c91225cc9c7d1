"""Numbers in sentences, cards, figures and pages: with the minus sign −, and 0 without a sign."""

from __future__ import annotations

import math
import re

from qrelsmith.base.tables import NOT_DEFINED

# A hyphen before a number, outside of names, ranges and dates.
_HYPHEN = re.compile(r"(?<![\w.)\]-])-(?=\.?\d)")


def true_minus(text: str) -> str:
    """Replace hyphens before negative numbers by the minus sign −.

    >>> true_minus("-.2 [-0.4, .1] of run-1 and 2021-07-01")
    '−.2 [−0.4, .1] of run-1 and 2021-07-01'
    """
    return _HYPHEN.sub("−", text)


def number(value: float, decimals: int) -> str:
    """Format a number with a fixed number of decimals.

    >>> number(-0.6241, 2), number(float("nan"), 2), number(-0.001, 2)
    ('−0.62', 'not defined', '0.00')
    """
    if math.isnan(value):
        return NOT_DEFINED
    text = f"{value:.{decimals}f}"
    return text.lstrip("-") if not text.strip("-0.") else true_minus(text).replace("-inf", "−inf")


def short(value: float, decimals: int = 3) -> str:
    """Format a number without the zero before its decimal point.

    >>> short(-0.25), short(1.0), short(-0.0004)
    ('−.250', '1.000', '.000')
    """
    return re.sub(r"^(−?)0\.", r"\1.", number(value, decimals))


def percent(share: float, decimals: int = 0) -> str:
    """Format a share in percent.

    >>> percent(-0.004), percent(-0.0123, 1)
    ('0%', '−1.2%')
    """
    return f"{number(100 * share, decimals)}%"

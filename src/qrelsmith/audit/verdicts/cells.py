"""Cells of the scorecard, made of a figure and its rule."""

from __future__ import annotations

import math

from qrelsmith.base.content import ScorecardCell


def no_cell(name: str, question: str, reason: str, *, topics: int = 0) -> ScorecardCell:
    """The cell of a question that has no value for a label set, and why."""
    nan = math.nan
    return ScorecardCell(name, question, "none", nan, nan, nan, "", topics, f"{reason}.")

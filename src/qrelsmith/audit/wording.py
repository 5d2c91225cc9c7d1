"""Wording of numbers and lists."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from qrelsmith.base.content import Finding, Verdict
from qrelsmith.base.figure_text import short
from qrelsmith.base.tables import NOT_DEFINED


def figure(value: float, low: float, high: float) -> str:
    """Format a value with its interval.

    >>> figure(0.6213, 0.363, 0.791)
    '.621 [.363, .791]'
    """
    if math.isnan(value):
        return NOT_DEFINED
    if math.isnan(low) or math.isnan(high):
        return f"{short(value)} [no interval]"
    return f"{short(value)} [{short(low)}, {short(high)}]"


def name_list(names: Sequence[str]) -> str:
    """Join names to a list.

    >>> name_list(["a", "b", "c"])
    'a, b and c'
    """
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def count(number: int, singular: str, plural: str) -> str:
    """Return a number with its noun.

    >>> count(1, "topic", "topics"), count(0, "topic", "topics")
    ('1 topic', '0 topics')
    """
    return f"{number:,} {singular if number == 1 else plural}"


GUESSED_TEAMS = "teams guessed from the runs' names"


def figures_finding(
    sentence: str, figures: Mapping[str, tuple[float, float, float]], *, section: str
) -> Finding:
    """Return a finding that lists named values with their intervals.

    Parameters
    ----------
    figures : mapping of str to (value, low, high)
        The figure with its interval, by name.
    section : str
        Key of the section that has the numbers.
    """
    named = [f"{name} {figure(*numbers)}" for name, numbers in figures.items()]
    return Finding(section, Verdict.FACT, f"{sentence}: {name_list(named)}.", section)

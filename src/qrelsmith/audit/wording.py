"""Words for figures and lists."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from qrelsmith.audit.rules import VerdictRule
from qrelsmith.base.content import Finding, Verdict
from qrelsmith.base.tables import NOT_DEFINED


def figure(value: float, low: float, high: float) -> str:
    """A value with its interval.

    >>> figure(0.6213, 0.363, 0.791)
    '.621 [.363, .791]'
    """
    if math.isnan(value):
        return NOT_DEFINED
    if math.isnan(low) or math.isnan(high):
        return f"{short(value)} [no interval]"
    return f"{short(value)} [{short(low)}, {short(high)}]"


def short(value: float) -> str:
    """Three decimals, without the leading zero.

    >>> short(-0.25), short(1.0), short(-0.0004)
    ('-.250', '1.000', '.000')
    """
    if math.isnan(value):
        return NOT_DEFINED
    text = f"{value:.3f}"
    if not text.strip("-0."):
        return ".000"
    if text.startswith("0."):
        return text[1:]
    return "-" + text[2:] if text.startswith("-0.") else text


def name_list(names: Sequence[str]) -> str:
    """Names as a list.

    >>> name_list(["a", "b", "c"])
    'a, b and c'
    """
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def count(number: int, singular: str, plural: str) -> str:
    """A number with its noun.

    >>> count(1, "topic", "topics"), count(0, "topic", "topics")
    ('1 topic', '0 topics')
    """
    return f"{number:,} {singular if number == 1 else plural}"


GUESSED_TEAMS = "teams guessed from the runs' names"


def thresholds(rule: VerdictRule, symbol: str) -> dict[Verdict, str]:
    """The figures at which each verdict begins, in brackets after a sentence.

    >>> from qrelsmith.audit.rules import RANKING
    >>> thresholds(RANKING, "τ")[Verdict.DOUBTFUL]
    'τ is from .8 to .9'
    """
    good, bad = (re.sub(r"^(-?)0\.", r"\1.", f"{value:g}") for value in (rule.good, rule.bad))
    return {
        Verdict.GOOD: f"{symbol} is at least {good}",
        Verdict.DOUBTFUL: f"{symbol} is from {bad} to {good}",
        Verdict.BAD: f"{symbol} is below {bad}",
        Verdict.CANNOT_TELL: f"the interval of {symbol} crosses {bad} or {good}, or there is none",
    }


def findings_by_verdict(
    rule: VerdictRule,
    figures: Mapping[str, tuple[float, float, float]],
    sentences: Mapping[Verdict, str],
    *,
    symbol: str,
    section: str,
    asides: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Finding, ...]:
    """One finding for each verdict that a rule reaches, with the names and figures it is about.

    Parameters
    ----------
    rule : Rule
        The rule.
    figures : mapping of str to (value, low, high)
        The figure of each name, with its interval.
    sentences : mapping of Verdict to str
        What is said before the list of names.
    symbol : str
        What the figure is called in a sentence.
    section : str
        Key of the section with the numbers.
    asides : mapping of str to str
        What stands in brackets after the figure of a name.
    """
    by_verdict: dict[Verdict, list[str]] = {}
    for name, (value, low, high) in figures.items():
        text = f"{name} {figure(value, low, high)}"
        if name in asides:
            text += f" ({asides[name]})"
        by_verdict.setdefault(rule.verdict(low, high), []).append(text)
    order = (Verdict.GOOD, Verdict.DOUBTFUL, Verdict.BAD, Verdict.CANNOT_TELL)
    why = thresholds(rule, symbol)
    return tuple(
        Finding(
            rule.name,
            verdict,
            f"{sentences[verdict]} ({why[verdict]}): {name_list(by_verdict[verdict])}.",
            section,
        )
        for verdict in order
        if verdict in by_verdict
    )

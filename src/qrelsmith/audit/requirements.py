"""Requirements on the scorecard, such as `agrees!=bad:judge` or `agrees.value>=.6:judge`."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args

from qrelsmith.base.content import CellVerdict, Scorecard
from qrelsmith.base.errors import UsageError, quoted

FORM = "QUESTION=VERDICT:LABEL_SET"
NUMBERS = ("value", "low", "high", "p_good", "p_bad", "topics")
_VERDICTS: tuple[str, ...] = get_args(CellVerdict)
_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq,
    "!=": operator.ne,
}  # fmt: skip
_PARTS = re.compile(r"([a-z-]+)(?:\.([a-z_]+))?(>=|<=|!=|=|>|<)([^:]+):(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Requirement:
    """A requirement on one cell of the scorecard.

    Attributes
    ----------
    text : str
        The requirement as it was written.
    question, label_set : str
        The question and the label set of the cell.
    column : str
        The number that is compared; empty for the verdict.
    comparison : str
        The comparison operator.
    words : tuple of str
        The verdicts that are allowed (`=`) or forbidden (`!=`).
    number : float
        The number to compare with.
    """

    text: str
    question: str
    label_set: str
    column: str
    comparison: str
    words: tuple[str, ...] = ()
    number: float = math.nan

    def failure(self, card: Scorecard) -> str:
        """Return why the scorecard fails the requirement, or an empty string if it passes."""
        cell = card.cell(self.label_set, self.question)
        if self.column:
            value = float(getattr(cell, self.column))
            met = not math.isnan(value) and _COMPARISONS[self.comparison](value, self.number)
            answer = f"{value:g}"
        else:
            met = (cell.verdict in self.words) == (self.comparison == "=")
            answer = cell.verdict
        if cell.verdict == "none":
            answer = f"none ({cell.sentence.rstrip('.')})"
        return "" if met else f"{self.text}, but it is {answer}"


def requirement_of(text: str) -> Requirement:
    """Parse a requirement.

    Raises
    ------
    UsageError
        If the text is not a requirement.

    Examples
    --------
    >>> requirement_of("agrees=good,probably good:judge").words
    ('good', 'probably good')
    """
    parts = _PARTS.fullmatch(text)
    if parts is None:
        raise _refusal(text, f"expected {FORM}")
    question, column, comparison, right, label_set = parts.groups()
    if column is None:
        words = tuple(word.strip().replace("-", " ") for word in right.split(","))
        if comparison not in ("=", "!="):
            raise _refusal(text, f"found {comparison} before a verdict; expected = or !=")
        if unknown := [word for word in words if word not in _VERDICTS]:
            raise _refusal(
                text, f"unknown verdict {quoted(unknown[0])} (choices: {_list(_VERDICTS)})"
            )
        return Requirement(text, question, label_set, "", comparison, words)
    if column not in NUMBERS:
        raise _refusal(text, f"unknown column {quoted(column)} (choices: {_list(NUMBERS)})")
    try:
        number = float(right)
    except ValueError:
        raise _refusal(text, f"expected a number, found {quoted(right)}") from None
    return Requirement(text, question, label_set, column, comparison, number=number)


def _refusal(text: str, why: str) -> UsageError:
    return UsageError(f"--require {quoted(text)}: {why}")


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)

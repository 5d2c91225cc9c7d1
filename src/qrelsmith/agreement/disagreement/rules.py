"""Rules for serious disagreements, parsed from text and never executed as code.

A rule is a list of conditions joined by `and`; several lists are joined by `or`. Each condition
compares a grade with the Gold grade (`gold`), every Bronze grade (`all`) or at least one Bronze
grade (`any`). The word `relevant` stands for the lowest relevant grade, and `high` for the lowest
highly relevant grade:

    gold < relevant and all >= relevant and any >= high
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.io.numbers import finite_number

#: The docs that were judged again in ordering-gold-bronze 8: Gold says not relevant, the two Bronze
#: assessors say highly relevant and (highly) relevant.
SERIOUS = "gold < relevant and all >= relevant and any >= high"
#: The reverse: Gold says highly relevant, every Bronze assessor less, and one not relevant.
SERIOUS_REVERSED = "gold >= high and all < high and any < relevant"
SERIOUS_EITHER_WAY = f"{SERIOUS} or {SERIOUS_REVERSED}"

_OPERATORS: dict[str, Callable[[Any, float], Any]] = {
    "<=": np.less_equal,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    ">": np.greater,
}
_WHO = ("gold", "all", "any")
_WORDS = ("relevant", "high")
_CONDITION = re.compile(r"\s*(\w+)\s*(<=|>=|==|!=|<|>)\s*(\S+)\s*")
_EXAMPLE = f"such as {quoted(SERIOUS)}"


@dataclass(frozen=True, slots=True)
class RuleCondition:
    """One comparison of a rule.

    Attributes
    ----------
    who : str
        `gold`, `all` or `any`.
    level : float or str
        A grade, or `relevant` or `high`.
    """

    who: str
    operator: str
    level: float | str


@dataclass(frozen=True, slots=True)
class Rule:
    """Lists of conditions; the rule holds if all conditions of at least one list hold.

    Attributes
    ----------
    text : str
        The source text of the rule.
    alternatives : tuple of tuple of RuleCondition
        One or more lists, each with one or more conditions.
    """

    text: str
    alternatives: tuple[tuple[RuleCondition, ...], ...]

    @classmethod
    def parse(cls, text: str) -> Rule:
        """Parse a rule.

        Raises
        ------
        UsageError
            If a condition cannot be parsed; the message quotes it.

        Examples
        --------
        >>> Rule.parse("gold == 2 and all < relevant").alternatives[0][0]
        RuleCondition(who='gold', operator='==', level=2.0)
        """
        lists = [re.split(r"\band\b", each) for each in re.split(r"\bor\b", text)]
        return cls(text, tuple(tuple(map(_condition, each)) for each in lists))

    def holds(
        self, gold: FloatArray, bronze: FloatArray, *, relevant: float, high: float
    ) -> BoolArray:
        """Return the docs for which the rule holds [doc].

        Parameters
        ----------
        gold : float array [doc]
            The Gold grades.
        bronze : float array [doc, voice]
            The Bronze grades, without nan.
        relevant, high : float
            The lowest relevant grade, and the lowest highly relevant grade.
        """
        words = {"relevant": relevant, "high": high}

        def holds(condition: RuleCondition) -> BoolArray:
            level = condition.level
            grade = words[level] if isinstance(level, str) else level
            compare = _OPERATORS[condition.operator]
            if condition.who == "gold":
                return np.asarray(compare(gold, grade))
            each = np.asarray(compare(bronze, grade))
            return np.asarray(each.all(axis=1) if condition.who == "all" else each.any(axis=1))

        lists = [np.logical_and.reduce([*map(holds, each)]) for each in self.alternatives]
        result: BoolArray = np.logical_or.reduce(lists)
        return result


def _condition(text: str) -> RuleCondition:
    match = _CONDITION.fullmatch(text)
    if match is None or match[1] not in _WHO:
        raise UsageError(
            f"the condition {quoted(text.strip())} cannot be read; expected 'gold', 'all' or 'any',"
            f" then one of {' '.join(_OPERATORS)}, then a grade, {_EXAMPLE}"
        )
    who, operator, written = match.groups()
    if written in _WORDS:
        return RuleCondition(who, operator, written)
    grade = finite_number(written.encode("utf-8", "replace"))
    if np.isnan(grade):
        raise UsageError(
            f"the grade {quoted(written)} in the condition {quoted(text.strip())} "
            f"cannot be read; expected a number, {' or '.join(map(quoted, _WORDS))}"
        )
    return RuleCondition(who, operator, grade)

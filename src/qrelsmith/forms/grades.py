"""Grades of annotation tools: numbers, choices that begin with a number, or objects with either."""

from __future__ import annotations

import re
from collections.abc import Iterable

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.forms.registry import Looked

_CHOICE = re.compile(
    r"\s*(-?[0-9]+(?:\.[0-9]+)?)"
    r"(?:(?P<mark>\s*[:)]\s*|\.\s+|\s+[-–—]\s+|\s*\(|\s+)[^\s\d+.:()–—-].*)?\s*",
    re.DOTALL | re.ASCII,
)
# Keys of an object's value.
_VALUES = ("choices", "rating", "number", "value", "values", "label")


def grade_of_choice(choice: str, *, is_named: bool = False) -> str:
    """Return the grade at the start of a choice.

    If only a blank separates grade and label, the question must be named `grade`, because `3 days
    old` is not a grade.

    Raises
    ------
    UsageError
        If the choice does not begin with a grade.
    """
    number = _CHOICE.fullmatch(choice)
    if number is None or (number["mark"] and number["mark"].isspace() and not is_named):
        raise UsageError(
            f"the choice is {quoted(choice)}; expected a grade, optionally followed by "
            "its label, such as '2: relevant' (or '2 relevant' in a result named grade)"
        )
    return number[1]


def grade_of(value: object) -> str:
    """Return the grade in a value of an annotation tool, or an empty string for an empty value.

    Raises
    ------
    UsageError
        If the value has no grade, or several.
    """
    if isinstance(value, list):
        if len(value) > 1:
            raise UsageError(f"{len(value)} grades in {quoted(value)}; expected one")
        return grade_of(value[0]) if value else ""
    if isinstance(value, dict):
        held = [value[name] for name in _VALUES if name in value]
        if len(held) == 1:
            return grade_of(held[0])
        chosen = [(name, said) for name, said in value.items() if said not in (False, "", "false")]
        if len(chosen) == 1:
            return _grade_of_pair(*chosen[0])
        raise UsageError(f"{len(chosen)} answers in {quoted(value)}; expected one")
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return str(int(value))
    text = str(value)
    if text.lstrip()[:1] in ("[", "{"):
        raise UsageError(f"the grade is {quoted(text)}; expected a number")
    return _begin(text)


def _begin(text: str) -> str:
    """Return the grade at the start of a text, or the whole text if it has no grade there."""
    truth = text.strip().lower()
    if truth in ("true", "false"):
        return str(int(truth == "true"))
    number = _CHOICE.fullmatch(text)
    return text if number is None or (number["mark"] or "").isspace() else number[1]


def _grade_of_pair(name: str, said: object) -> str:
    """Return the grade of one ticked answer, from the start of its name or of its value."""
    return _begin(name) if _CHOICE.fullmatch(name) else grade_of(said)


def grades_of(values: Iterable[object], lines: Iterable[int], looked: Looked) -> list[str]:
    """Return the grade in each value.

    Raises
    ------
    InputError
        At the first value with no grade, or with several.
    """
    grades = []
    for value, line in zip(values, lines, strict=True):
        try:
            grades.append(grade_of(value))
        except UsageError as error:
            raise InputError(str(error), path=looked.path, line=line) from None
    return grades

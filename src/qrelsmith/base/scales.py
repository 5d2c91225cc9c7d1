"""Relevance scales: ordered lists of levels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.errors import UsageError, quoted

_RANGE = re.compile(r"(-?[0-9]{1,15})\.\.(-?[0-9]{1,15})")
_MOST_LEVELS = 100_001
_GREATEST = 1e15  # highest level; much larger integers are not exact as floats
_SHOWN = 12  # maximum number of levels listed in a note


@dataclass(frozen=True, slots=True)
class Scale:
    """An ordered list of levels, lowest first.

    Attributes
    ----------
    levels : tuple of float
        Ascending levels from 0; codes below 0 are not levels.
    """

    levels: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.levels:
            raise UsageError("a scale needs at least one level")
        if any(not np.isfinite(level) for level in self.levels) or min(self.levels) < 0:
            raise UsageError(f"the levels {self} must be finite and 0 or more")
        if max(self.levels) > _GREATEST:
            raise UsageError(
                f"the level {grade_text(max(self.levels))} is too large; expected "
                f"{_GREATEST:,.0f} at most"
            )
        if any(low >= high for low, high in zip(self.levels, self.levels[1:], strict=False)):
            raise UsageError(f"the levels {self} must ascend")

    @classmethod
    def parse(cls, text: str) -> Scale:
        """Parse a scale: `0..3`, `0..100` or `0,1,2,3`.

        >>> Scale.parse("0..3").levels
        (0.0, 1.0, 2.0, 3.0)
        """
        match = _RANGE.fullmatch(text.strip())
        if match is not None:
            low, high = map(int, match.groups())
            if not 0 <= high - low < _MOST_LEVELS:
                raise UsageError(
                    f"the scale {quoted(text)} is empty or too large; expected at most "
                    f"0..{_MOST_LEVELS - 1}"
                )
            return cls(tuple(float(level) for level in range(low, high + 1)))
        try:
            return cls(_numbers(text, ","))
        except ValueError as error:
            if isinstance(error, UsageError):
                raise
            raise UsageError(
                f"the scale {quoted(text)} cannot be read; expected, for example, 0..3 or 0,1,2,3"
            ) from None

    @property
    def top(self) -> float:
        """The highest level."""
        return self.levels[-1]

    def holds(self, grades: FloatArray) -> BoolArray:
        """Return whether each grade is a level [grade]."""
        return np.isin(grades, self.levels)

    def __str__(self) -> str:
        texts = [grade_text(level) for level in self.levels]
        first = self.levels[0] if self.levels else 0.0
        whole = float(first).is_integer() and all(
            level == first + place for place, level in enumerate(self.levels)
        )
        return f"{texts[0]}..{texts[-1]}" if whole and len(texts) > 2 else ",".join(texts)


@dataclass(frozen=True, slots=True)
class Gains:
    """The gain that measures give to each level of a scale of integer grades.

    Attributes
    ----------
    values : tuple of float
        The gains of grade 1, 2, …; grade 0 and codes below 0 have gain 0.
    """

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.values or any(not np.isfinite(value) or value < 0 for value in self.values):
            raise UsageError(f"the gains {self} must be finite numbers, 0 or more")

    @classmethod
    def parse(cls, text: str) -> Gains:
        """Parse gains: `1:2:3` for the grades 1, 2 and 3.

        >>> Gains.parse("1:4:9").scale.top
        3.0
        """
        try:
            return cls(_numbers(text, ":"))
        except ValueError as error:
            if isinstance(error, UsageError):
                raise
            raise UsageError(
                f"the gains {quoted(text)} cannot be read; expected gains such as 1:2:3"
            ) from None

    @property
    def scale(self) -> Scale:
        """The grades with a gain."""
        return Scale(tuple(float(grade) for grade in range(len(self.values) + 1)))

    @property
    def top(self) -> float:
        """The gain of the highest grade."""
        return self.values[-1]

    def of(self, grades: FloatArray) -> FloatArray:
        """Return the gains of grades; nan stays nan.

        Raises
        ------
        UsageError
            If a grade has no gain.
        """
        known = np.isnan(grades) | (grades < 0) | self.scale.holds(grades)
        if not known.all():
            wrong = grades[~known].flat[0]
            raise UsageError(
                f"the grade {wrong:g} has no gain; the gains {self} are for the grades {self.scale}"
            )
        table = np.array([0.0, *self.values])
        places = np.where(grades > 0, grades, 0.0).astype(np.int64)
        return np.where(np.isnan(grades), np.nan, table[places])

    def __str__(self) -> str:
        return ":".join(grade_text(value) for value in self.values)


def _numbers(text: str, separator: str) -> tuple[float, ...]:
    if "_" in text:
        raise ValueError  # float() accepts 1_000, which is not allowed in files
    return tuple(float(part) for part in text.split(separator))


def grade_text(grade: float) -> str:
    """Format a grade for files, with integers without a decimal point.

    >>> grade_text(2.0), grade_text(0.25)
    ('2', '0.25')
    """
    return str(int(grade)) if float(grade).is_integer() else repr(float(grade))


def levels_seen(grades: Sequence[float] | FloatArray) -> tuple[float, ...]:
    """Return the distinct grades, ascending, without codes and missing grades."""
    values = np.asarray(grades, dtype=np.float64)
    seen: list[float] = np.unique(values[values >= 0]).tolist()
    return tuple(seen)


def assumed_note(scale: Scale) -> str:
    """Return a note on the levels assumed for results if no scale is given."""
    return f"no scale given: the levels are assumed to be {scale_text(scale)}"


def scale_text(scale: Scale) -> str:
    """Format a scale for a note; a long scale is given as its number of levels."""
    text = str(scale)
    if text.count(",") < _SHOWN:
        return text
    first, last = grade_text(scale.levels[0]), grade_text(scale.top)
    return f"the {len(scale.levels)} distinct grades from {first} to {last}"

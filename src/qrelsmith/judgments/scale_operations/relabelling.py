"""Replacement of levels by other numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.scales import Scale, grade_text
from qrelsmith.judgments.scale_operations.codes import has_grade


@dataclass(frozen=True, slots=True)
class Relabelling:
    """New grades for old grades, in any order.

    Attributes
    ----------
    pairs : tuple of (float, float)
        Old and new grade; each old grade once. Codes below 0 can become grades (an error that
        counts as not relevant: −2 becomes 0), and grades can become codes.
    """

    pairs: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        if not self.pairs:
            raise UsageError("no grades to relabel were given; expected at least one")
        if not all(math.isfinite(old) and math.isfinite(new) for old, new in self.pairs):
            raise UsageError(f"the relabelling {self} must contain finite numbers")
        if len({old for old, _ in self.pairs}) < len(self.pairs):
            raise UsageError(f"the relabelling {self} repeats a grade; expected each grade once")

    @classmethod
    def parse(cls, text: str) -> Relabelling:
        """Parse a relabelling: `0=0,1=0,2=1`.

        >>> Relabelling.parse("-2=0,1=2").pairs
        ((-2.0, 0.0), (1.0, 2.0))
        """
        try:
            pairs = [tuple(float(side) for side in pair.split("=")) for pair in text.split(",")]
        except ValueError:
            pairs = [()]
        if "_" in text or any(len(pair) != 2 for pair in pairs):
            raise UsageError(f"the relabelling {quoted(text)} cannot be read; expected 0=0,1=0,2=1")
        return cls(tuple((pair[0], pair[1]) for pair in pairs))

    @property
    def target(self) -> Scale:
        """The scale of the new grades."""
        levels = sorted({new for _, new in self.pairs if new >= 0})
        if not levels:
            raise UsageError(f"the relabelling {self} has only codes; expected at least one grade")
        return Scale(tuple(levels))

    def apply(self, grades: ArrayLike) -> FloatArray:
        """Return the new grades.

        Parameters
        ----------
        grades : array_like, [...]
            Grades; nan does not change, nor do codes below 0 that are not named.

        Returns
        -------
        ndarray, [...]

        Raises
        ------
        UsageError
            If a grade is not named.
        """
        values = float_array(grades, name="grades")
        old, new = np.array(sorted(self.pairs)).T
        place = np.minimum(np.searchsorted(old, values), old.size - 1)
        is_named = old[place] == values
        unnamed = has_grade(values) & ~is_named
        if unnamed.any():
            raise UsageError(
                f"the grade {grade_text(float(values[unnamed].flat[0]))} is not in the "
                f"relabelling {self}; expected a new grade for each grade"
            )
        return np.where(is_named, new[place], values)

    def __str__(self) -> str:
        return ",".join(f"{grade_text(old)}={grade_text(new)}" for old, new in self.pairs)

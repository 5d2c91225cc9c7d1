"""Reduction of scales: thresholds between the levels of a finer scale."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.scales import Scale, grade_text
from qrelsmith.judgments.scale_operations.codes import on_scale, place_grades

NAMED_CUTS = ("relaxed", "middle", "rigid")
_ALSO = {"left": "relaxed", "right": "rigid"}
_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"


@dataclass(frozen=True, slots=True)
class Cuts:
    """Thresholds between the levels 0 … m−1 of a target scale.

    Attributes
    ----------
    values : tuple of float
        The m−1 cuts, strictly ascending, all at least 0.

    References
    ----------
    Han et al. 2019, On transforming relevance scales, section 3.
    """

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.values:
            raise UsageError("no cuts given; expected at least one")
        if any(not math.isfinite(cut) or cut < 0 for cut in self.values):
            raise UsageError(f"the cuts {self} must be finite and 0 or more")
        if any(low >= high for low, high in zip(self.values, self.values[1:], strict=False)):
            raise UsageError(f"the cuts {self} must be strictly ascending")

    @classmethod
    def parse(cls, text: str, *, source: Scale | None = None) -> Cuts:
        """Parse cuts: `28:58:82`, or a name if the source scale is known.

        >>> Cuts.parse("28:58:82").values
        (28.0, 58.0, 82.0)
        >>> Cuts.parse("rigid", source=Scale.parse("0..3")).values
        (2.0,)
        """
        word = text.strip().lower()
        if word in NAMED_CUTS or word in _ALSO:
            if source is None:
                raise UsageError(f"the cut {quoted(word)} needs the scale of the grades")
            return cls.by_name(word, source)
        parts = text.strip().split(":")
        if not all(re.fullmatch(_NUMBER, part) for part in parts):
            raise UsageError(
                f"the cuts {quoted(text)} cannot be read; expected the form '28:58:82', "
                f"or one of {', '.join(NAMED_CUTS)}"
            )
        return cls(tuple(float(part) for part in parts))

    @classmethod
    def by_name(cls, name: str, source: Scale) -> Cuts:
        """Return the one cut that makes a scale binary, by its name.

        `relaxed` or `left` is just above the lowest level, and `rigid` or `right` is just below the
        highest. `middle` is the middle cut, or the lower of the two middle cuts. Early NTCIR
        rounds, and the introduction of Han et al. 2019, call the middle cut of four levels `rigid`.

        Raises
        ------
        UsageError
            If there is no such name, or the scale has fewer than two levels.
        """
        levels = source.levels
        if len(levels) < 2:
            raise UsageError(f"the scale {source} has one level; expected at least two levels")
        places = {"relaxed": 0, "middle": (len(levels) - 2) // 2, "rigid": len(levels) - 2}
        key = _ALSO.get(name, name)
        if key not in places:
            raise UsageError(f"the cut is {quoted(name)}; expected one of {', '.join(NAMED_CUTS)}")
        return cls((levels[places[key]],))

    @property
    def target(self) -> Scale:
        """The target scale: 0 … m−1."""
        return Scale(tuple(float(level) for level in range(len(self.values) + 1)))

    def label(self, source: Scale) -> str:
        """Return the operation as a label: `101to4(28:58:82)`."""
        return f"{len(source.levels)}to{len(self.values) + 1}({self})"

    def apply(self, grades: ArrayLike, *, source: Scale | None = None) -> FloatArray:
        """Count the cuts below each grade.

        Parameters
        ----------
        grades : array_like, [...]
            Grades; nan and codes below 0 do not change.
        source : Scale, optional
            If given, grades must be on it, and it must reach every target level.

        Returns
        -------
        ndarray, [...]
            Levels 0 … m−1.

        Raises
        ------
        UsageError
            If a grade is infinite or not on the scale, or no level of the scale is between two
            cuts.
        """
        if source is None:
            values = float_array(grades, name="grades")
            if np.isinf(values).any():
                raise UsageError("a grade is infinite; expected finite numbers or nan")
        else:
            values = on_scale(grades, source)
            reached = np.unique(np.searchsorted(self.values, source.levels, side="left"))
            if reached.size <= len(self.values):
                raise UsageError(
                    f"with the cuts {self}, some level gets no grade of the scale "
                    f"{source}; expected at least one grade per level"
                )
        return place_grades(
            values, np.searchsorted(self.values, values, side="left").astype(np.float64)
        )

    def __str__(self) -> str:
        return ":".join(grade_text(cut) for cut in self.values)


@dataclass(frozen=True, slots=True)
class Reduction:
    """Conversion of a graded scale to a binary scale: a grade of at least M is relevant.

    Attributes
    ----------
    minimum : float
        M, above 0.

    References
    ----------
    Chu et al. 2021, Evaluating relevance judgments with pairwise discriminative power, 5.1.1
    (4to2(≥M)).
    """

    minimum: float

    def __post_init__(self) -> None:
        if not math.isfinite(self.minimum) or self.minimum <= 0:
            raise UsageError(f"the reduction is >={self.minimum:g}; expected a number above 0")

    @classmethod
    def parse(cls, text: str) -> Reduction:
        """Parse a reduction: `>=1`.

        >>> Reduction.parse(">=1").minimum
        1.0
        """
        match = re.fullmatch(rf"\s*(?:>=|≥)?\s*({_NUMBER})\s*", text)
        if match is None:
            raise UsageError(f"the reduction {quoted(text)} cannot be read; expected '>=1'")
        return cls(float(match[1]))

    @property
    def target(self) -> Scale:
        """The target scale: 0 and 1."""
        return Scale((0.0, 1.0))

    def label(self, source: Scale) -> str:
        """Return the operation as a label: `4to2(>=1)`."""
        return f"{len(source.levels)}to2({self})"

    def apply(self, grades: ArrayLike, *, source: Scale | None = None) -> FloatArray:
        """Return 1 for a grade of at least M, else 0; nan and codes below 0 do not change.

        Parameters
        ----------
        grades : array_like, [...]
            Grades.
        source : Scale, optional
            If given, grades must be on it, and M between its lowest and highest level.

        Returns
        -------
        ndarray, [...]

        Raises
        ------
        UsageError
            If a grade is not on the scale, or M merges all its levels.
        """
        if source is None:
            values = float_array(grades, name="grades")
        else:
            values = on_scale(grades, source)
            if not source.levels[0] < self.minimum <= source.top:
                raise UsageError(
                    f"the reduction {self} merges all levels of the scale {source}; "
                    "expected at least two levels"
                )
        return place_grades(values, (values >= self.minimum).astype(np.float64))

    def __str__(self) -> str:
        return f">={grade_text(self.minimum)}"

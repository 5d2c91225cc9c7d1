"""The registry of aggregations, and the arguments of every aggregation.

An aggregation combines several grades into one: a function `f(ratings, *, levels, …)` that is
registered with `AGGREGATIONS.add`.

ratings : array_like, [assessor, unit]
    Grades; nan means missing. A unit is a (topic, doc). Negative grades are allowed: callers that
    read files turn negative codes into nan first.
levels : array_like, [level], optional
    Every level of the scale, ascending; any other grade is an error. Users cannot set the levels in
    the aggregation's name.
returns : float array, [unit]
    One grade for each unit; nan for a unit without ratings.

An aggregation that sums grades, so that units with more grades get higher values, is registered
with `adds_up=True`. For such an aggregation, callers report differences in the number of ratings
between units.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import UsageError
from qrelsmith.base.registry import Registry


class Aggregation(Protocol):
    """The interface of a registered aggregation."""

    def __call__(self, ratings: ArrayLike, *, levels: ArrayLike | None = None) -> FloatArray:
        """Return one grade for each unit of `ratings[assessor, unit]`."""
        ...


AGGREGATIONS: Registry[Aggregation] = Registry(
    "aggregation", arguments=("ratings",), context=["levels"], facts={"adds_up": False}
)


def checked_ratings(ratings: ArrayLike, levels: ArrayLike | None) -> FloatArray:
    """Return the ratings as floats, [assessor, unit].

    Parameters
    ----------
    ratings : array_like, [assessor, unit]
        Grades; nan means missing.
    levels : array_like, [level], optional
        Every level of the scale, ascending.

    Raises
    ------
    ShapeError
        If the ratings are not numbers in two dimensions, or the levels not in one.
    UsageError
        If a rating is infinite or not on the scale, or the levels do not ascend.
    """
    grades = float_array(ratings, name="ratings", ndim=2)
    wrong = np.isinf(grades)
    expected = "a finite number or nan"
    if levels is not None:
        scale = checked_levels(levels)
        expected = "a level of the scale " + ", ".join(f"{level:g}" for level in scale[:12])
        expected += ", …" if scale.size > 12 else ""
        wrong = ~np.isin(grades, scale) & ~np.isnan(grades)
    if wrong.any():
        assessor, unit = np.argwhere(wrong)[0]
        raise UsageError(
            f"ratings[{assessor}, {unit}] = {grades[assessor, unit]:g}; expected {expected}"
        )
    return grades


def checked_levels(levels: ArrayLike) -> FloatArray:
    """Return the levels of a scale as floats, [level]; they must be finite and ascending."""
    scale = float_array(levels, name="levels", ndim=1)
    if scale.size == 0:
        raise UsageError("no levels given; expected at least one")
    if not np.isfinite(scale).all() or (np.diff(scale) <= 0).any():
        shown = ", ".join(f"{level:g}" for level in scale[:12])
        raise UsageError(f"the levels are {shown}; expected finite, strictly ascending numbers")
    return scale

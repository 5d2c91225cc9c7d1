"""Codes that scale operations do not change: missing grades, and values below 0."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray, float_array
from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Scale, grade_text


def has_grade(grades: FloatArray) -> BoolArray:
    """Return whether each value is a grade, not nan or a code (−1 unjudged, −2 not shown)."""
    return np.greater_equal(grades, 0)


def on_scale(grades: ArrayLike, source: Scale) -> FloatArray:
    """Check that grades are on a scale, and return them as an array of floats.

    Raises
    ------
    UsageError
        If a grade (not a code) is not on the source scale.
    """
    values = float_array(grades, name="grades")
    wrong = has_grade(values) & ~source.holds(values)
    if wrong.any():
        raise UsageError(
            f"the grade {grade_text(float(values[wrong].flat[0]))} is not on the scale {source}"
        )
    return values


def level_numbers(grades: FloatArray, source: Scale) -> IntArray:
    """Return the level of each grade as a number from 0; missing grades and codes give 0."""
    safe = np.where(has_grade(grades), grades, source.levels[0])
    return np.searchsorted(np.asarray(source.levels), safe).astype(np.int64)


def place_grades(grades: FloatArray, new: FloatArray) -> FloatArray:
    """Return the new values in place of the grades, with nan and codes unchanged."""
    return np.where(has_grade(grades), new, grades)

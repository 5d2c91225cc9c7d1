"""Grades as positions on a scale, and the middle grades of each doc."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import IntArray, float_array
from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.base.scales import Scale, grade_text, levels_seen

MOST_LEVELS = 101


def level_codes(
    grades: ArrayLike, *, levels: ArrayLike | None
) -> tuple[IntArray, tuple[float, ...]]:
    """Return each grade as its position among the levels.

    Parameters
    ----------
    grades : array_like [topic, doc, assessor]
        nan and codes below 0 (such as −1, unjudged) are missing.
    levels : array_like [level], optional
        The levels, ascending. By default, the distinct grades that occur.

    Returns
    -------
    codes : int array [topic, doc, assessor]
        Positions from 0; −1 is missing.
    levels : tuple of float
        The levels.

    Raises
    ------
    UsageError
        If there are more than 101 levels, or a grade is not one of the levels.
    """
    values = float_array(grades, name="grades", ndim=3)
    if levels is None:
        scale = levels_seen(values)
        if not scale:
            raise UsageError("no grades found; expected at least one")
    else:
        scale = Scale(tuple(float_array(levels, name="levels", ndim=1).tolist())).levels
    if len(scale) > MOST_LEVELS:
        raise UsageError(
            f"found {len(scale)} distinct grades; expected at most {MOST_LEVELS}, "
            "because each pair of grades needs its own preference tests. Group "
            "continuous grades into bins first"
        )
    return positions(values, scale), scale


def positions(grades: ArrayLike, levels: tuple[float, ...]) -> IntArray:
    """Return each grade as its position among any number of levels.

    Parameters
    ----------
    grades : array_like [topic, doc, assessor]
        nan and codes below 0 are missing.
    levels : tuple of float
        The levels, ascending.

    Returns
    -------
    int array [topic, doc, assessor]
        Positions from 0; −1 is missing.

    Raises
    ------
    UsageError
        If a grade is not one of the levels.
    """
    values = float_array(grades, name="grades", ndim=3)
    missing = np.isnan(values) | (values < 0)
    known = np.array(levels)
    codes = np.searchsorted(known, np.where(missing, known[0], values)).clip(max=known.size - 1)
    off = ~missing & (known[codes] != values)
    if off.any():
        raise UsageError(
            f"the grade {grade_text(values[off][0])} is not one of the {known.size} "
            f"levels from {grade_text(levels[0])} to {grade_text(levels[-1])}. Group "
            "continuous grades into bins first"
        )
    return np.where(missing, -1, codes)


def middle_codes(codes: IntArray) -> IntArray:
    """Return the two middle grades of each doc: the lower and the upper median.

    Parameters
    ----------
    codes : int array [..., assessor]
        Positions of grades; −1 is missing.

    Returns
    -------
    int array [..., 2]
        The same grade twice for an odd number of assessors; −1 without assessors.
    """
    if codes.shape[-1] == 0:
        raise ShapeError("no assessor has grades; expected at least one")
    # Missing grades are sorted to the end, after the middle.
    ordered = np.sort(np.where(codes < 0, np.iinfo(np.int64).max, codes), axis=-1)
    count = (codes >= 0).sum(axis=-1)
    places = np.stack([np.maximum(count - 1, 0) // 2, np.where(count, count // 2, 0)], axis=-1)
    middle = np.take_along_axis(ordered, places, axis=-1)
    return np.where(count[..., None] > 0, middle, -1)

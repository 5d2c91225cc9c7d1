"""Continuous relevance, sliced into grades."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import UsageError


def slice_grades(relevance: ArrayLike, levels: int) -> FloatArray:
    """Return the grade of each relevance: the number of its slice among G equal slices of [0, 1].

    Parameters
    ----------
    relevance : array_like, [...]
        True or perceived relevance. Values below 0 belong to the lowest slice, values above 1 to
        the highest; nan is missing and stays nan.
    levels : int
        G, the number of slices: [0, 1/G), [1/G, 2/G), …, [(G−1)/G, 1].

    Returns
    -------
    ndarray, [...]
        Grades 0 … G−1.

    Raises
    ------
    UsageError
        If `levels` is below 1.

    References
    ----------
    Chu et al. 2021, section 4.1.
    """
    if levels < 1:
        raise UsageError(f"levels={levels!r}; expected 1 or more")
    values = float_array(relevance, name="relevance")
    grades = np.floor(values * levels)
    # The product may round across a bound: 0.29 · 100 is below 29, and 0.29 is not below 29/100.
    grades += (grades + 1.0) / levels <= values
    grades -= grades / levels > values
    return np.clip(grades, 0.0, levels - 1.0, out=grades)

"""The logarithm of a sum of grades: a coarse scale for the sums of several assessors."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Scale


def log_sum(sums: ArrayLike) -> FloatArray:
    """Return the integer part of log2(S + 1) for sums S of grades.

    The result is exact, because it is the exponent of a power of two and not a rounded logarithm.

    Parameters
    ----------
    sums : array_like, [...]
        Sums of grades, at least 0; nan is missing and stays nan.

    Returns
    -------
    ndarray, [...]

    Raises
    ------
    UsageError
        If a sum is below 0 or infinite.

    References
    ----------
    Chu et al. 2021, Evaluating relevance judgments with pairwise discriminative power, 5.1.2
    (3to5); after the overview of NTCIR-15 WWW-3 (Sakai et al. 2020).

    Examples
    --------
    >>> log_sum([0, 1, 2, 3, 6, 7, 16])
    array([0., 1., 1., 2., 2., 3., 4.])
    """
    values = float_array(sums, name="sums")
    wrong = (values < 0) | np.isinf(values)
    if wrong.any():
        raise UsageError(
            f"the sum {values[wrong].flat[0]:g} has no log-sum; expected a finite number, 0 or more"
        )
    # x = m · 2^e with ½ ≤ m < 1, so that the integer part of log2(x) is e − 1.
    _, exponent = np.frexp(np.where(np.isnan(values), 0.0, values) + 1.0)
    return np.where(np.isnan(values), np.nan, exponent - 1.0)


def log_sum_scale(source: Scale, assessors: int) -> Scale:
    """Return the scale of log-sums, given the scale and the number of the assessors.

    >>> str(log_sum_scale(Scale.parse("0..2"), 8))
    '0..4'
    """
    if assessors < 1:
        raise UsageError(f"assessors={assessors}; expected 1 or more")
    top = int(log_sum(np.float64(source.top * assessors)))
    return Scale(tuple(float(level) for level in range(top + 1)))

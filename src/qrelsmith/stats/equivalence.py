"""Equivalence tests: whether a difference is smaller than a margin."""

from __future__ import annotations

import math

from qrelsmith.base.errors import UsageError
from qrelsmith.base.scipy_parts import special


def two_one_sided(difference: float, error: float, *, margin: float, freedom: float) -> float:
    """Test equivalence by two one-sided t tests.

    Parameters
    ----------
    difference : float
        The estimated difference.
    error : float
        The standard error of the difference.
    margin : float
        Equivalence margin, above 0.
    freedom : float
        Degrees of freedom of the standard error; infinite for a normal test.

    Returns
    -------
    float
        The larger one-sided p-value of |true difference| ≥ margin; nan if the error is nan or 0.

    Raises
    ------
    UsageError
        If the margin is not above 0.

    References
    ----------
    Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach.

    Examples
    --------
    >>> round(two_one_sided(1.0, 1.0, margin=4.0, freedom=20), 4)
    0.0035
    """
    if not margin > 0:
        raise UsageError(f"margin={margin}; expected a number above 0")
    if not error > 0:
        return math.nan
    t = (abs(difference) - margin) / error
    return float(special.ndtr(t) if math.isinf(freedom) else special.stdtr(freedom, t))

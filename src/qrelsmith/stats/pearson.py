"""Pearson's correlation of two properties of the same items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import float_array
from qrelsmith.base.errors import ShapeError
from qrelsmith.base.scipy_parts import special


@dataclass(frozen=True, slots=True)
class PearsonResult:
    """A linear correlation with its test.

    Attributes
    ----------
    r : float
        The correlation, in [−1, 1]; nan where one side does not vary.
    p : float
        Two-sided p of no correlation; nan where r is, and for fewer than three pairs.
    n : int
        Number of complete pairs.
    """

    r: float
    p: float
    n: int


def pearson(first: ArrayLike, second: ArrayLike) -> PearsonResult:
    """Pearson's r of two lists, with a t test.

    Parameters
    ----------
    first, second : array_like, shape (n,)
        Paired values; pairs with nan are ignored.

    Raises
    ------
    ShapeError
        If the lists have different lengths.

    Notes
    -----
    t = r·√((n − 2)/(1 − r²)) with n − 2 degrees of freedom.

    Examples
    --------
    >>> result = pearson([1, 2, 3, 4], [1, 3, 2, 4])
    >>> round(result.r, 6), round(result.p, 6)
    (0.8, 0.2)
    """
    x = float_array(first, name="first", ndim=1)
    y = float_array(second, name="second", ndim=1)
    if x.shape != y.shape:
        raise ShapeError(
            f"“first” has {x.size} values, “second” has {y.size}; expected equal sizes"
        )
    known = ~(np.isnan(x) | np.isnan(y))
    x, y = x[known], y[known]
    n = int(x.size)
    if n < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return PearsonResult(float("nan"), float("nan"), n)
    u, v = x - x.mean(), y - y.mean()
    r = float(np.clip((u @ v) / np.sqrt((u @ u) * (v @ v)), -1.0, 1.0))
    if n < 3:
        return PearsonResult(r, float("nan"), n)
    t = abs(r) * np.sqrt((n - 2) / (1 - r * r)) if abs(r) < 1 else np.inf
    return PearsonResult(r, float(2 * special.stdtr(n - 2, -t)), n)

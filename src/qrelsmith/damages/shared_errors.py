"""The agreement of two raters beyond the part that a third rater's grades explain."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import IntArray


def kappa_given(first: IntArray, second: IntArray, third: IntArray) -> tuple[float, float, int]:
    """Return κ of two raters within each grade of a third: (o − e)/(1 − e), its SE, and n.

    e is the chance agreement among the docs of each grade of the third rater.

    Parameters
    ----------
    first, second, third : ndarray of int, [doc]
        Level numbers, on a common scale for the first two raters; docs with −1 (no grade) are
        ignored.
    """
    shared = (first >= 0) & (second >= 0) & (third >= 0)
    count = int(shared.sum())
    if not count:
        return float("nan"), float("nan"), 0
    levels = int(max(first.max(), second.max())) + 1
    grades = int(third.max()) + 1
    code = (third[shared] * levels + first[shared]) * levels + second[shared]
    table = np.bincount(code, minlength=grades * levels**2).reshape(grades, levels, levels)
    margins = (table.sum(axis=2) * table.sum(axis=1)).sum(axis=1)
    expected = float((margins / np.maximum(table.sum(axis=(1, 2)), 1)).sum()) / count
    observed = float(np.trace(table, axis1=1, axis2=2).sum()) / count
    if expected > 1 - 1e-9:
        return float("nan"), float("nan"), count
    error = np.sqrt(max(observed * (1 - observed), 1 / count) / count) / (1 - expected)
    return (observed - expected) / (1 - expected), float(error), count

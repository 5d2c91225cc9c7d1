"""p-values adjusted for the number of tests: Holm, Benjamini–Hochberg."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, float_array
from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.registries import ADJUSTMENTS

__all__ = ["ADJUSTMENTS", "benjamini_hochberg", "holm"]


@ADJUSTMENTS.add("holm", formula="max_{j≤i} min(1, (m−j+1)·p_(j))", source="Holm 1979")
def holm(p: ArrayLike) -> FloatArray:
    """Holm's step-down adjustment, which controls the probability of any false discovery.

    Returns
    -------
    float array, shape (...)
        Adjusted p-values: at least p, at most 1, in the order of p, equal for equal p. nan stays
        nan and does not count as a test.

    Notes
    -----
    p̃_(i) = max_{j≤i} min(1, (m−j+1)·p_(j)) for p sorted ascending (Holm 1979).

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    return _adjust(p, _holm_steps)


@ADJUSTMENTS.add(
    "bh",
    formula="min_{j≥i} min(1, m/j·p_(j))",
    source="Benjamini & Hochberg 1995",
    aliases=("benjamini-hochberg", "fdr"),
)
def benjamini_hochberg(p: ArrayLike) -> FloatArray:
    """Benjamini and Hochberg's step-up adjustment, which controls the share of false discoveries.

    Returns
    -------
    float array, shape (...)
        Adjusted p-values: at least p, at most 1, in the order of p, equal for equal p. nan stays
        nan and does not count as a test.

    Notes
    -----
    p̃_(i) = min_{j≥i} min(1, m/j·p_(j)) for p sorted ascending (Benjamini & Hochberg 1995).

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.04])
    """
    return _adjust(p, _bh_steps)


def _holm_steps(ordered: FloatArray) -> FloatArray:
    tests = len(ordered)
    return np.asarray(np.maximum.accumulate(ordered * np.arange(tests, 0, -1)))


def _bh_steps(ordered: FloatArray) -> FloatArray:
    tests = len(ordered)
    scaled = ordered * (tests / np.arange(1, tests + 1))
    return np.asarray(np.minimum.accumulate(scaled[::-1])[::-1])


def _adjust(p: ArrayLike, steps: Callable[[FloatArray], FloatArray]) -> FloatArray:
    values = float_array(p, name="p")
    wrong = (values < 0) | (values > 1)
    if wrong.any():
        raise ShapeError(f"a p-value must be between 0 and 1; found {values[wrong][0]}")
    done = np.flatnonzero(~np.isnan(values))
    order = done[np.argsort(values.ravel()[done], kind="stable")]
    result = np.full(values.size, np.nan)
    result[order] = np.minimum(steps(values.ravel()[order]), 1.0)
    return result.reshape(values.shape)

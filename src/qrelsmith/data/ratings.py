"""Grades as the coefficients of agreement and the aggregations take them."""

from __future__ import annotations

from typing import NamedTuple

from qrelsmith.arrays import FloatArray


class Ratings(NamedTuple):
    """Current grades as the coefficients of agreement take them.

    Attributes
    ----------
    values : float array [assessor, unit]
        Grades, nan where there is none.
    assessors : tuple of str
        Who the rows are.
    units : tuple of (str, str)
        Topic and doc of each column, sorted.
    """

    values: FloatArray
    assessors: tuple[str, ...]
    units: tuple[tuple[str, str], ...]

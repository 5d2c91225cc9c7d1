"""Grades as the coefficients of agreement and the aggregations take them."""

from __future__ import annotations

from typing import Literal, NamedTuple

from qrelsmith.base.arrays import FloatArray

Errors = Literal["missing", "nonrelevant"]
"""What a grade of −2 is: a doc that could not be displayed, so missing; or not relevant."""


class Ratings(NamedTuple):
    """Current grades as the coefficients of agreement take them.

    Attributes
    ----------
    values : float array [assessor, unit]
        Grades, nan where undefined.
    assessors : tuple of str
        Who the rows are.
    units : tuple of (str, str)
        Topic and doc of each column, sorted.
    """

    values: FloatArray
    assessors: tuple[str, ...]
    units: tuple[tuple[str, str], ...]

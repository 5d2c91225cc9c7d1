"""Grades as arrays for the coefficients of agreement and the aggregations."""

from __future__ import annotations

from typing import Literal, NamedTuple

from qrelsmith.base.arrays import FloatArray

Errors = Literal["missing", "nonrelevant"]
"""The meaning of a grade of −2, a doc that could not be displayed: missing, or not relevant."""


class Ratings(NamedTuple):
    """Current grades as an array for the coefficients of agreement.

    Attributes
    ----------
    values : float array [assessor, unit]
        Grades, nan where undefined.
    assessors : tuple of str
        The assessors of the rows.
    units : tuple of (str, str)
        Topic and doc of each column, sorted.
    """

    values: FloatArray
    assessors: tuple[str, ...]
    units: tuple[tuple[str, str], ...]

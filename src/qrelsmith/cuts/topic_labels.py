"""The labels of one topic for a search for cuts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import FloatArray, IntArray, float_array
from qrelsmith.base.errors import ShapeError, UnknownNameError, UsageError
from qrelsmith.judgments.aggregation import AGGREGATIONS

BY_PLACE = ("median", "median-upper", "min", "max")
"""Aggregations that select a label by position: cutting before or after gives the same level."""

AGGREGATED_BY = (*BY_PLACE, "median-mean", "majority", "mean")
"""Aggregations whose result is on the scale, or between two levels of the scale."""

ASSESSOR = "assessor"
"""Used in place of an aggregation if each assessor has separate cuts."""


@dataclass(frozen=True, eq=False)
class TopicLabels:
    """Labels of docs in a source scale, with optional grades on the target scale.

    Attributes
    ----------
    grade : ndarray, [label]
        Labels on the source scale.
    doc : ndarray of int, [label]
        The doc index of each label.
    unit : ndarray of int, [label]
        The unit index (assessor and HIT) of each label, for HIT-centric methods.
    target : ndarray, [doc]
        Levels 0 … m−1 on the target scale; nan for docs without a target grade.
    """

    grade: FloatArray
    doc: IntArray
    unit: IntArray
    target: FloatArray

    @classmethod
    def of(
        cls,
        grade: ArrayLike,
        doc: ArrayLike,
        unit: ArrayLike,
        *,
        docs: int | None = None,
        target: ArrayLike | None = None,
    ) -> TopicLabels:
        """Check labels, and sort them by doc and unit.

        Parameters
        ----------
        grade, doc, unit : array_like, [label]
            Grades without nan, with their doc and unit indices from 0.
        docs : int, optional
            Number of docs; by default the number of labelled docs.
        target : array_like, [doc], optional
            Grades on the target scale; nan for docs without a grade.

        Raises
        ------
        ShapeError
            If the arrays do not fit together.
        UsageError
            If a grade is not finite or an index is negative.
        """
        grades = float_array(grade, name="grade", ndim=1)
        of_doc = float_array(doc, name="doc", ndim=1).astype(np.int64)
        of_unit = float_array(unit, name="unit", ndim=1).astype(np.int64)
        if not grades.shape == of_doc.shape == of_unit.shape:
            raise ShapeError(
                f"grade, doc and unit must have the same length; found {grades.size}, "
                f"{of_doc.size} and {of_unit.size}"
            )
        if not np.isfinite(grades).all():
            raise UsageError("a grade is missing or infinite; expected finite numbers")
        if min(of_doc.min(initial=0), of_unit.min(initial=0)) < 0:
            raise UsageError("the index of a doc or unit is below 0; expected 0 or more")
        most = int(of_doc.max(initial=-1)) + 1
        count = most if docs is None else docs
        aim = np.full(count, np.nan)
        if target is not None:
            aim = float_array(target, name="target", ndim=1)
            count = aim.size if docs is None else docs
        if count < most or aim.size != count:
            raise ShapeError(
                f"found labels of {most} docs and {aim.size} targets; expected {count} docs"
            )
        order = np.lexsort((of_unit, of_doc))
        return cls(grades[order], of_doc[order], of_unit[order], aim)

    @property
    def docs(self) -> int:
        """The number of docs, with and without labels."""
        return self.target.size

    @cached_property
    def ratings(self) -> FloatArray:
        """The labels of each doc [slot, doc], padded with nan; slots do not identify assessors."""
        sizes = np.bincount(self.doc, minlength=self.docs)
        slot = np.arange(self.doc.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        ratings = np.full((int(sizes.max(initial=0)), self.docs), np.nan)
        ratings[slot, self.doc] = self.grade
        return ratings

    @cached_property
    def others(self) -> FloatArray:
        """The other labels of each label's doc [slot, label], padded with nan."""
        around = self.ratings[:, self.doc]
        sizes = np.bincount(self.doc, minlength=self.docs)
        own = np.arange(self.doc.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        around[own, np.arange(self.doc.size)] = np.nan
        return around


def aggregate(ratings: FloatArray, by: str) -> FloatArray:
    """Return one grade per column of `ratings[slot, unit]`; nan if undefined.

    Raises
    ------
    UnknownNameError
        If the aggregation is not in `AGGREGATED_BY`. A sum leaves the scale, and Dawid and Skene's
        model needs all docs at once.
    """
    named = AGGREGATIONS.get(by)
    if named.entry.name not in AGGREGATED_BY:
        raise UnknownNameError("aggregation", by, AGGREGATED_BY)
    return np.asarray(named(ratings))


def name_of(by: str) -> str:
    """Return the registered name of an aggregation, given its name or an alias."""
    return AGGREGATIONS.get(by).entry.name

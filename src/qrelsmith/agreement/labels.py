"""The labels of assessors, validated and stored as level indices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray, float_array
from qrelsmith.base.errors import UsageError
from qrelsmith.base.scipy_parts import sparse

MISSING = -1


@dataclass(frozen=True, eq=False)
class Labels:
    """The level that each assessor gave to each unit.

    Attributes
    ----------
    codes : ndarray of int, [assessor, unit]
        Index of the level, from 0; −1 if the label is missing.
    levels : ndarray, [level]
        The levels in ascending order.
    scale_given : bool
        Whether the levels are a given scale, or only the values that occur.
    most : int
        The largest number of labels per unit in the complete data.
    """

    codes: IntArray
    levels: FloatArray
    scale_given: bool
    most: int

    @classmethod
    def of(cls, ratings: ArrayLike, *, scale: ArrayLike | None = None) -> Labels:
        """Check ratings and scale.

        Parameters
        ----------
        ratings : array_like, [assessor, unit]
            Grades; nan means missing. Negative grades are valid grades; readers of qrels convert
            negative codes to nan first.
        scale : array_like, [level], optional
            Every level, ascending. Without it, the levels are the values that occur.

        Raises
        ------
        ShapeError
            If the ratings are not numbers in two dimensions, or the scale not in one.
        UsageError
            If a rating is infinite or outside the scale, or the scale is empty, not finite or not
            strictly ascending.
        """
        grades = float_array(ratings, name="ratings", ndim=2)
        present = ~np.isnan(grades)
        if np.isinf(grades).any():
            raise UsageError(f"{_place(grades, np.isinf(grades))}; expected a finite number or nan")
        levels = np.unique(grades[present]) if scale is None else _checked_scale(scale)
        codes = np.full(grades.shape, MISSING, dtype=np.int64)
        codes[present] = np.searchsorted(levels, grades[present])
        # The index of a grade above the scale is past the last level; nan there equals no grade.
        off = present & (np.append(levels, np.nan)[codes] != grades)
        if off.any():
            shown = ", ".join(f"{level:g}" for level in levels[:12])
            more = ", …" if levels.size > 12 else ""
            raise UsageError(f"{_place(grades, off)}; expected a level of the scale {shown}{more}")
        return cls(
            codes=codes,
            levels=levels,
            scale_given=scale is not None,
            most=int(present_per_column(present).max(initial=0)),
        )

    @cached_property
    def per_unit(self) -> IntArray:
        """Number of labels of each unit, [unit]."""
        return present_per_column(self.codes != MISSING)

    @cached_property
    def pairable(self) -> BoolArray:
        """Whether a unit has two labels or more, [unit]."""
        return self.per_unit >= 2

    @cached_property
    def counts(self) -> sparse.csr_array:
        """Number of labels at each level, [unit, level]."""
        assessor, unit = np.nonzero(self.codes != MISSING)
        ones = np.ones(unit.size)
        shape = (self.codes.shape[1], self.levels.size)
        return sparse.csr_array((ones, (unit, self.codes[assessor, unit])), shape=shape)

    @cached_property
    def packed(self) -> IntArray:
        """The codes of each unit in ascending order, missing labels last, [place, unit].

        A missing label is `levels.size` here, so that `np.append(x, nan)[packed]` looks up
        coordinates. The number of places is the largest number of labels of a unit.
        """
        filled = np.where(self.codes == MISSING, self.levels.size, self.codes)
        most = int(self.per_unit.max(initial=0))
        return np.ascontiguousarray(np.sort(filled, axis=0)[:most])

    @property
    def grades(self) -> FloatArray:
        """The labels as grades, [assessor, unit]; nan means missing."""
        return np.append(self.levels, np.nan)[self.codes]

    @property
    def units(self) -> int:
        """Number of units with two labels or more."""
        return int(np.count_nonzero(self.pairable))

    @property
    def assessors(self) -> int:
        """Number of assessors who labelled a unit that has two labels or more."""
        return int(np.count_nonzero((self.codes[:, self.pairable] != MISSING).any(axis=1)))

    @property
    def pairs(self) -> int:
        """Number of pairs of labels of one unit, summed over units."""
        return int((self.per_unit * (self.per_unit - 1)).sum()) // 2

    @property
    def active(self) -> IntArray:
        """The assessors with at least one label."""
        return np.flatnonzero((self.codes != MISSING).any(axis=1))

    def take(self, units: IntArray | BoolArray) -> Labels:
        """Return the labels of the given units, with the same levels."""
        return replace(self, codes=self.codes[:, units])

    def distinct(self, *, by_assessor: bool) -> tuple[Labels, IntArray]:
        """Merge units with identical labels.

        Parameters
        ----------
        by_assessor : bool
            As in `patterns`.

        Returns
        -------
        labels : Labels
            One unit per pattern of labels; units without any label are left out.
        counts : ndarray of int, [unit]
            Number of units with the pattern.
        """
        labels, pattern = self.patterns(by_assessor=by_assessor)
        labelled = pattern[pattern != MISSING]
        return labels, np.bincount(labelled, minlength=labels.codes.shape[1])

    def patterns(self, *, by_assessor: bool) -> tuple[Labels, IntArray]:
        """Return the distinct patterns of labels, and the pattern index of each unit.

        Parameters
        ----------
        by_assessor : bool
            Whether to distinguish who gave a label. If not, units with the same labels are merged,
            and the rows of the result no longer correspond to assessors.

        Returns
        -------
        labels : Labels
            One unit per pattern of labels.
        pattern : ndarray of int, [unit]
            The pattern of each unit; −1 for a unit without any label.
        """
        labelled = np.flatnonzero(self.per_unit)
        rows = self.codes if by_assessor else self.packed
        rows = np.where(rows == self.levels.size, MISSING, rows)[:, labelled]
        pattern = np.full(self.codes.shape[1], MISSING, dtype=np.int64)
        if rows.size == 0:
            return replace(self, codes=rows), pattern
        order = np.lexsort(rows)
        rows = rows[:, order]
        first = np.append(True, (rows[:, 1:] != rows[:, :-1]).any(axis=0))
        pattern[labelled[order]] = np.cumsum(first) - 1
        return replace(self, codes=rows[:, first]), pattern


def present_per_column(present: BoolArray) -> IntArray:
    """Return the number of true cells per column [column]."""
    counts: IntArray = np.count_nonzero(present, axis=0)
    return counts


def indicators(codes: IntArray, rows: int) -> sparse.csr_array:
    """Return a 0/1 matrix [row, column] that assigns each column to a row."""
    ones, column = np.ones(codes.size), np.arange(codes.size)
    return sparse.csr_array((ones, (codes, column)), shape=(rows, codes.size))


def _checked_scale(scale: ArrayLike) -> FloatArray:
    levels = float_array(scale, name="scale", ndim=1)
    if levels.size == 0:
        raise UsageError("the scale has no levels; expected at least one")
    if not np.isfinite(levels).all() or (np.diff(levels) <= 0).any():
        shown = ", ".join(f"{level:g}" for level in levels[:12])
        raise UsageError(f"scale {shown}; expected finite levels in strictly ascending order")
    return levels


def _place(grades: FloatArray, wrong: BoolArray) -> str:
    """Return a text with the first invalid grade and the grade's position."""
    assessor, unit = np.argwhere(wrong)[0]
    return f"ratings[{assessor}, {unit}] = {grades[assessor, unit]:g}"

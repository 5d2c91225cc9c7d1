"""Agreement of each label with the other labels of the same doc."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.base.arrays import IntArray


def others_alike(units: ArrayLike, grades: ArrayLike) -> tuple[IntArray, IntArray]:
    """Count, for each label, the unit's other labels with the same grade, and all other labels.

    Parameters
    ----------
    units : array of int, shape [label]
        The labelled units; each assessor labels a unit once.
    grades : array of float, shape [label]
        The grades, without nan.

    Returns
    -------
    alike, others : int arrays, shape [label]
        Number of other labels of the unit with the same grade, and of all other labels. The ratio
        of the two sums over an assessor's labels is the share of agreeing pairs with other
        assessors.
    """
    unit = np.unique(np.asarray(units), return_inverse=True)[1]
    grade = np.unique(np.asarray(grades, dtype=float), return_inverse=True)[1]
    if not unit.size:
        empty = np.zeros(0, dtype=np.int64)
        return empty, empty
    cell = unit * (int(grade.max()) + 1) + grade
    _, cells, alike = np.unique(cell, return_inverse=True, return_counts=True)
    return alike[cells] - 1, np.bincount(unit)[unit] - 1

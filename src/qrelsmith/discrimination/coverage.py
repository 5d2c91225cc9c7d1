"""Coverage of pairs of grades by the preference tests of a PDP."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.discrimination.preferences.coding import middle_codes, positions
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix


def untested_pairs(matrix: GradeMatrix, grades: ArrayLike) -> tuple[int, int]:
    """Count the pairs of the docs' grades that no test compares, and all pairs of grades.

    Parameters
    ----------
    matrix : GradeMatrix
        A matrix that was estimated from tests; a test in any batch counts. In a given matrix, all
        pairs count as tested.
    grades : array_like [topic, doc, assessor]
        nan and codes below 0 are missing. In aggregate mode, the medians of a doc's grades are
        used.

    Returns
    -------
    untested, pairs : int
        The numbers of pairs of different grades.

    Raises
    ------
    UsageError
        If a grade is not on the scale of the matrix.
    """
    codes = positions(grades, matrix.levels)
    if matrix.mode == "aggregate":
        codes = middle_codes(codes)
    seen = np.unique(codes[codes >= 0])
    tests = matrix.tests.sum(axis=0)[np.ix_(seen, seen)][np.triu_indices(seen.size, 1)]
    return int((tests == 0).sum()), int(tests.size)

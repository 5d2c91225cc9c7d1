from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.discrimination import untested_pairs
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix, grade_matrix
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests

# Three docs, three assessors; grades 0 … 3, of which 1 is never a median.
GRADES = [[[0.0, 0.0, 1.0], [2.0, 2.0, 2.0], [3.0, 3.0, 2.0]]]
TESTS = PreferenceTests(*(np.array(values) for values in ([0], [0], [1], [1.0])))


@pytest.mark.parametrize(
    ("mode", "untested", "pairs"),
    # Tested pairs are 0–2 and 1–2; in aggregate mode, only 0–2 of the medians 0, 2, 3.
    [("individual", 4, 6), ("aggregate", 2, 3)],
)
def test_pairs_of_grades_of_docs_are_found(mode: str, untested: int, pairs: int) -> None:
    matrix = grade_matrix(TESTS, GRADES, levels=range(5), mode=mode)  # type: ignore[arg-type]
    assert untested_pairs(matrix, GRADES) == (untested, pairs)


def test_one_grade_makes_no_pair_and_a_given_matrix_leaves_no_pair_untested() -> None:
    matrix = grade_matrix(TESTS, GRADES, levels=range(4))
    assert untested_pairs(matrix, [[[2.0], [2.0]]]) == (0, 0)
    assert untested_pairs(matrix, [[[np.nan], [-1.0]]]) == (0, 0)
    given = GradeMatrix.from_values([[0.5, 0.2], [0.8, 0.5]], mode="individual")
    assert untested_pairs(given, [[[0.0], [1.0]]]) == (0, 1)


def test_a_grade_outside_the_scale_is_refused() -> None:
    matrix = grade_matrix(TESTS, GRADES, levels=range(4))
    with pytest.raises(UsageError, match="the grade 4 is not one of the 4 levels"):
        untested_pairs(matrix, [[[4.0]]])

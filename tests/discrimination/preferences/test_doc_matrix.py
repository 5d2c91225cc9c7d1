from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import ShapeError, UndefinedError, UsageError
from qrelsmith.discrimination.preferences.doc_matrix import doc_matrix
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix, grade_matrix
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests

NAN = float("nan")
# Paper on PDP, Eq. 14.
SEVEN = np.array(
    [
        [0.50, 0.20, 0.15, 0.10, 0.06, 0.03, 0.01],
        [0.80, 0.50, 0.20, 0.15, 0.10, 0.06, 0.03],
        [0.85, 0.80, 0.50, 0.20, 0.15, 0.10, 0.06],
        [0.90, 0.85, 0.80, 0.50, 0.20, 0.15, 0.10],
        [0.94, 0.90, 0.85, 0.80, 0.50, 0.20, 0.15],
        [0.97, 0.94, 0.90, 0.85, 0.80, 0.50, 0.20],
        [0.99, 0.97, 0.94, 0.90, 0.85, 0.80, 0.50],
    ]
)
# Paper on PDP, Figure 1: five images, three assessors, seven grades.
IMAGES = np.array([[[5, 6, 5], [4, 5, 5], [3, 5, 3], [6, 6, 6], [5, 5, 4]]], dtype=float)


def test_the_example_of_the_paper_is_reproduced() -> None:
    # Paper on PDP, 3.5: individual ⅓ · [P(5, 4) + P(6, 5) + P(5, 5)] = 0.70; aggregate P(5, 5) =
    # 0.50.
    individual = doc_matrix(GradeMatrix.from_values(SEVEN, mode="individual"), IMAGES)
    aggregate = doc_matrix(GradeMatrix.from_values(SEVEN, mode="aggregate"), IMAGES)
    assert individual.p[0, 0, 1] == pytest.approx(0.70)
    assert aggregate.p[0, 0, 1] == 0.50
    assert np.isnan(individual.tests[0, 0, 1:]).all()


@given(
    seed=st.integers(0, 2**32 - 1),
    mode=st.sampled_from(["individual", "aggregate"]),
    assessors=st.integers(1, 4),
)
def test_preferences_between_docs_are_complementary(seed: int, mode: str, assessors: int) -> None:
    rng = np.random.default_rng(seed)
    grades = rng.integers(0, 7, size=(4, 5, assessors)).astype(float)
    grades[rng.random(grades.shape) < 0.3] = NAN
    p = doc_matrix(GradeMatrix.from_values(SEVEN, mode=mode), grades).p  # type: ignore[arg-type]
    known = ~np.isnan(p)
    assert (known == known.swapaxes(1, 2)).all()
    assert (p + p.swapaxes(1, 2))[known] == pytest.approx(1)
    diagonal = np.diagonal(p, axis1=1, axis2=2)
    assert (np.isnan(diagonal) == np.isnan(grades).all(axis=2)).all()
    assert (diagonal[~np.isnan(diagonal)] == 0.5).all()


def test_numbers_of_assessors_may_differ() -> None:
    grades = [[[6, 5, NAN], [4, NAN, 5], [NAN, NAN, 3]]]
    individual = doc_matrix(GradeMatrix.from_values(SEVEN, mode="individual"), grades).p[0]
    # Only the first assessor graded both of the first two docs.
    assert individual[0, 1] == SEVEN[6, 4]
    assert individual[1, 2] == SEVEN[5, 3]
    # No assessor graded both the first and the third doc.
    assert np.isnan(individual[0, 2])
    aggregate = doc_matrix(GradeMatrix.from_values(SEVEN, mode="aggregate"), grades).p[0]
    # Middle grades {5, 6} against {4, 5}, and against {3}.
    assert aggregate[0, 1] == pytest.approx((SEVEN[5, 4] + SEVEN[5, 5] + SEVEN[6, 4] + 0.8) / 4)
    assert aggregate[0, 2] == pytest.approx((SEVEN[5, 3] + SEVEN[6, 3]) / 2)


def test_one_assessor_gives_the_same_result_in_both_modes() -> None:
    grades = IMAGES[:, :, :1]
    modes = [
        doc_matrix(GradeMatrix.from_values(SEVEN, mode=mode), grades).p  # type: ignore[arg-type]
        for mode in ("individual", "aggregate")
    ]
    assert modes[0] == pytest.approx(modes[1])


def test_equal_grades_need_no_test() -> None:
    nothing = PreferenceTests(*(np.zeros(0, dtype=np.int64) for _ in range(3)), np.zeros(0))
    grades = np.full((1, 3, 2), 1.0)
    docs = doc_matrix(grade_matrix(nothing, grades, levels=range(4)), grades)
    assert (docs.p == 0.5).all()
    assert np.isinf(docs.tests).all()


def test_preferences_between_docs_are_clipped_as_in_the_paper() -> None:
    certain = [[0.5, 0.0], [1.0, 0.5]]
    clipped = doc_matrix(
        GradeMatrix.from_values(certain, mode="individual", clip=0.01), [[[1], [0]]]
    ).p
    assert clipped[0].tolist() == [[0.5, 0.99], [0.01, 0.5]]
    assert (
        doc_matrix(GradeMatrix.from_values(certain, mode="individual"), [[[1], [0]]]).p[0, 0, 1]
        == 1
    )


def test_the_number_of_tests_of_a_doc_pair_is_that_of_its_weakest_cell() -> None:
    grades = np.array([[[0, 0], [1, 1], [2, 1]]], dtype=float)
    zero, tests = np.zeros(3, dtype=np.int64), [(0, 1), (0, 1), (0, 2)]
    left, right = np.array(tests).T
    matrix = grade_matrix(PreferenceTests(zero, left, right, np.ones(3)), grades, untested="half")
    assert matrix.tests[0].tolist() == [[0, 3, 1], [3, 0, 0], [1, 0, 0]]
    docs = doc_matrix(matrix, grades)
    assert docs.tests[0].tolist() == [[np.inf, 3, 1], [3, np.inf, 0], [1, 0, np.inf]]


def test_untested_pairs_that_are_needed_are_named_with_the_next_step() -> None:
    grades = np.array([[[0], [1]], [[2], [3]], [[3], [0]]], dtype=float)
    tests = PreferenceTests(np.array([0]), np.array([0]), np.array([1]), np.ones(1))
    matrix = grade_matrix(tests, grades)
    with pytest.raises(UndefinedError) as refused:
        doc_matrix(matrix, grades)
    assert str(refused.value) == (
        "no preference test compares docs of the grades 0 and 3, 2 and 3. Add about "
        "385 tests for each pair (p within ±0.05 with probability 0.95), or use "
        "--untested half or --untested interpolate"
    )
    # A pair of grades that no doc pair needs is not an error.
    assert doc_matrix(matrix, grades[:1]).p.shape == (1, 2, 2)


def test_untested_pairs_name_their_batch_and_the_list_is_limited() -> None:
    grades = np.arange(6.0)[None, :, None].repeat(2, axis=0)
    tests = PreferenceTests(*(np.zeros(0, dtype=np.int64) for _ in range(3)), np.zeros(0))
    matrix = grade_matrix(tests, grades, batches=[0, 1])
    with pytest.raises(UndefinedError, match=r"0 and 1 \(batch 0\), 0 and 2.* and 22 more\. Add"):
        doc_matrix(matrix, grades, batches=[0, 1])


def test_middle_grades_of_one_doc_need_no_test_between_them() -> None:
    grades = [[[0, 2]]]
    tests = PreferenceTests(*(np.zeros(0, dtype=np.int64) for _ in range(3)), np.zeros(0))
    matrix = grade_matrix(tests, grades, mode="aggregate")
    assert doc_matrix(matrix, grades).p.tolist() == [[[0.5]]]


def test_batches_use_separate_matrices() -> None:
    grades = [[[1], [0]], [[1], [0]]]
    zero, one = np.zeros(2, dtype=np.int64), np.ones(2, dtype=np.int64)
    tests = PreferenceTests(np.array([0, 1]), zero, one, np.array([-1.0, 1.0]))
    matrix = grade_matrix(tests, grades, smoothing="none", batches=[0, 1])
    assert doc_matrix(matrix, grades, batches=[0, 1]).p[:, 0, 1].tolist() == [1, 0]
    assert doc_matrix(matrix, grades, batches=[1, 1]).p[:, 0, 1].tolist() == [0, 0]
    with pytest.raises(ShapeError, match=r"has 2 batches\. Pass the batch of each topic"):
        doc_matrix(matrix, grades)
    with pytest.raises(ShapeError, match="batch 2 is not one of the 2"):
        doc_matrix(matrix, grades, batches=[0, 2])


def test_wrong_grades_are_refused() -> None:
    matrix = GradeMatrix.from_values(SEVEN, mode="individual")
    with pytest.raises(UsageError, match="the grade 7 is not one of the 7 levels from 0 to 6"):
        doc_matrix(matrix, [[[7]]])
    with pytest.raises(ShapeError, match="no assessor has grades"):
        doc_matrix(matrix, np.zeros((1, 2, 0)))

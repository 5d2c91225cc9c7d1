from __future__ import annotations

from math import factorial, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.discrimination import topic_pdp
from qrelsmith.discrimination.preferences.doc_matrix import doc_matrix
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix, grade_matrix
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests

NAN = float("nan")
# Eq. 13 and 14 of the paper on PDP, and the labels of Figure 1: five images, three assessors.
FOUR = [
    [0.50, 0.15, 0.10, 0.05],
    [0.85, 0.50, 0.15, 0.10],
    [0.90, 0.85, 0.50, 0.15],
    [0.95, 0.90, 0.85, 0.50],
]
SEVEN = [
    [0.50, 0.20, 0.15, 0.10, 0.06, 0.03, 0.01],
    [0.80, 0.50, 0.20, 0.15, 0.10, 0.06, 0.03],
    [0.85, 0.80, 0.50, 0.20, 0.15, 0.10, 0.06],
    [0.90, 0.85, 0.80, 0.50, 0.20, 0.15, 0.10],
    [0.94, 0.90, 0.85, 0.80, 0.50, 0.20, 0.15],
    [0.97, 0.94, 0.90, 0.85, 0.80, 0.50, 0.20],
    [0.99, 0.97, 0.94, 0.90, 0.85, 0.80, 0.50],
]
FOUR_GRADES = [[3, 3, 3], [2, 3, 3], [2, 2, 2], [3, 3, 3], [3, 3, 3]]
SEVEN_GRADES = [[5, 6, 5], [4, 5, 5], [3, 5, 3], [6, 6, 6], [5, 5, 4]]


@pytest.mark.parametrize(
    ("p", "grades", "mode", "exact", "printed"),
    [
        (FOUR, FOUR_GRADES, "individual", 4.21752, 4.2142),
        (FOUR, FOUR_GRADES, "aggregate", 4.16448, 4.1705),
        (SEVEN, SEVEN_GRADES, "individual", 4.02394, 4.0249),
        (SEVEN, SEVEN_GRADES, "aggregate", 3.81306, 3.8180),
    ],
)
def test_the_worked_example_of_the_paper_is_reproduced(
    p: object, grades: object, mode: str, exact: float, printed: float
) -> None:
    # The paper (3.5) prints results of stochastic gradient descent and 50,000 rankings; these are
    # the exact entropies at the optimum.
    matrix = GradeMatrix.from_values(p, mode=mode, clip=0.01)  # type: ignore[arg-type]
    docs = doc_matrix(matrix, [grades])  # type: ignore[list-item]
    found = topic_pdp(docs)
    assert found.value == pytest.approx([exact], abs=5e-6)
    assert found.value == pytest.approx([printed], abs=0.007)
    assert found.exact.all()
    assert found.se.tolist() == [0]
    sampled = topic_pdp(
        docs, exact_docs=1, samples=5000, estimator="plain", rng=np.random.default_rng(0)
    )
    assert np.abs(sampled.value - found.value) < 3 * sampled.se


def test_random_annotation_has_the_entropy_of_the_paper() -> None:
    # Paper on PDP, 4.2.1: 4.7875 for five docs.
    assert topic_pdp(np.full((1, 5, 5), 0.5)).value == pytest.approx([4.7875], abs=5e-5)


@given(seed=st.integers(0, 2**32 - 1), docs=st.integers(1, 8))
def test_pdp_is_between_0_and_that_of_random_labels_whatever_the_order_of_docs(
    seed: int, docs: int
) -> None:
    rng = np.random.default_rng(seed)
    p = preferences(rng, docs)
    value = topic_pdp(p).value
    assert (value >= 0).all()
    assert (value <= log(factorial(docs)) + 1e-9).all()
    order = rng.permutation(docs)
    assert topic_pdp(p[:, order][:, :, order]).value == pytest.approx(value, abs=1e-9)


def test_clearer_preferences_discriminate_more() -> None:
    place = np.arange(5)
    order = np.sign(place - place[:, None]) / 2
    values = topic_pdp(np.stack([0.5 + share * order for share in (0, 0.3, 0.6, 0.9, 1.0)])).value
    assert (np.diff(values) < 0).all()
    assert values[-1] == 0


def test_all_grades_equal_discriminate_nothing() -> None:
    nothing = PreferenceTests(*(np.zeros(0, dtype=np.int64) for _ in range(3)), np.zeros(0))
    grades = np.full((1, 5, 3), 2.0)
    found = topic_pdp(doc_matrix(grade_matrix(nothing, grades), grades))
    assert found.value == pytest.approx([log(120)])
    assert np.isinf(found.tests).all()


def test_one_doc_has_pdp_0_and_a_topic_without_grades_is_undefined() -> None:
    grades = [[[1, 2], [NAN, NAN]], [[NAN, -1], [NAN, NAN]], [[1, 2], [2, 1]]]
    found = topic_pdp(doc_matrix(GradeMatrix.from_values(FOUR, mode="individual"), grades))
    assert found.value[0] == 0
    assert np.isnan(found.value[1])
    assert found.value[2] == pytest.approx(log(2))
    assert found.docs.tolist() == [1, 0, 2]
    assert np.isnan(found.se[1])
    assert np.isnan(found.tests[1])


def test_docs_without_a_common_assessor_leave_the_topic_undefined_in_individual_mode() -> None:
    grades = [[[1, NAN], [NAN, 2]], [[1, NAN], [2, NAN]]]
    individual = topic_pdp(doc_matrix(GradeMatrix.from_values(FOUR, mode="individual"), grades))
    assert np.isnan(individual.value).tolist() == [True, False]
    assert individual.docs.tolist() == [0, 2]
    aggregate = topic_pdp(doc_matrix(GradeMatrix.from_values(FOUR, mode="aggregate"), grades))
    assert not np.isnan(aggregate.value).any()


def test_the_number_of_tests_of_a_topic_is_that_of_its_weakest_cell() -> None:
    grades = np.array([[[0], [1], [2]], [[0], [1], [1]], [[1], [1], [NAN]]])
    zero = np.zeros(6, dtype=np.int64)
    tests = PreferenceTests(
        zero, np.array([0, 0, 0, 0, 0, 1]), np.array([1, 1, 1, 2, 2, 2]), np.ones(6)
    )
    found = topic_pdp(doc_matrix(grade_matrix(tests, grades), grades))
    assert found.tests.tolist() == [1, 3, np.inf]
    assert np.isnan(topic_pdp(np.full((1, 2, 2), 0.5)).tests).all()


def test_preferences_need_three_dimensions() -> None:
    with pytest.raises(ShapeError, match="preferences must have 3 dimensions; found 2"):
        topic_pdp([[0.5]])


def preferences(rng: np.random.Generator, docs: int) -> FloatArray:
    upper = np.triu(rng.beta(0.3, 0.3, (3, docs, docs)).round(2), 1)
    return upper + np.tril(1 - upper.swapaxes(1, 2), -1) + 0.5 * np.eye(docs)

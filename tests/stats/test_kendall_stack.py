from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.kendall import kendall_tau_b
from qrelsmith.stats.kendall_stack import kendall_tau_b_stack


def test_a_published_example_with_ties_is_reproduced():
    # Kendall 1970, example 3.1: τ_b of two rankings with ties; scipy gives the same.
    first = [1, 2.5, 2.5, 4.5, 4.5, 6.5, 6.5, 8, 9.5, 9.5]
    second = [1, 2, 4.5, 4.5, 4.5, 4.5, 8, 8, 8, 10]
    (tau,) = kendall_tau_b_stack([first], [second])
    assert tau == pytest.approx(0.859, abs=5e-4)
    assert tau == pytest.approx(stats.kendalltau(first, second).statistic)


@given(
    st.integers(0, 7).flatmap(
        lambda n: st.lists(
            st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2), max_size=6
        ).map(lambda rows: (n, rows))
    )
)
def test_the_result_equals_that_of_a_simple_implementation(case):
    n, rows = case
    first, second = (
        np.array([row[side] for row in rows], float).reshape(len(rows), n) / 7 for side in (0, 1)
    )
    expected = kendall_tau_b(first, second)
    np.testing.assert_array_equal(kendall_tau_b_stack(first, second), expected)


def test_means_that_differ_in_their_last_bits_are_tied():
    (tau,) = kendall_tau_b_stack([[0.3, 0.1 + 0.2, 0.1]], [[0.3, 0.3, 0.1]])
    assert tau == 1


def test_complete_ties_and_too_few_systems_have_no_tau():
    assert np.isnan(kendall_tau_b_stack([[1, 1, 1]], [[1, 2, 3]])).all()
    assert np.isnan(kendall_tau_b_stack([[1], [2]], [[1], [2]])).all()
    assert kendall_tau_b_stack(np.empty((0, 3)), np.empty((0, 3))).shape == (0,)


def test_two_systems_are_1_or_minus_1():
    assert kendall_tau_b_stack([[1, 2], [1, 2]], [[3, 4], [4, 3]]).tolist() == [1, -1]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([[1, 2]], [[1, 2, 3]], "the same shape"),
        ([1, 2], [1, 2], "2 dimensions"),
        ([[1, np.nan]], [[1, 2]], "finite numbers"),
    ],
)
def test_mismatched_input_is_refused(first, second, message):
    with pytest.raises(ShapeError, match=message):
        kendall_tau_b_stack(first, second)

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import UsageError
from qrelsmith.planning.simulation import slice_grades


def test_slices_contain_their_lower_bound_and_the_last_one_its_upper_bound():
    # Chu et al. (2021), 4.1: [0, 1/G), [1/G, 2/G), …, [(G−1)/G, 1], here with G = 4.
    relevance = [0, 0.2499, 0.25, 0.4999, 0.5, 0.75, 1]
    assert slice_grades(relevance, 4).tolist() == [0, 0, 1, 1, 2, 3, 3]


def test_values_outside_go_to_the_end_slices_and_nan_stays():
    np.testing.assert_array_equal(
        slice_grades([[-0.3, 1.2], [np.nan, -np.inf]], 7), [[0, 6], [np.nan, 0]]
    )
    assert slice_grades([-1, 0.5, 2], 1).tolist() == [0, 0, 0]


def test_a_bound_is_not_lost_to_rounding():
    assert 0.29 * 100 < 29
    assert slice_grades([0.29], 100).tolist() == [29]


@given(
    values=st.lists(st.floats(0, 1), max_size=20),
    levels=st.integers(1, 120),
    places=st.lists(st.integers(0, 120), max_size=5),
)
def test_slices_match_their_bounds(values, levels, places):
    values = [*values, *(place / levels for place in places if place < levels)]
    bounds = np.arange(1, levels) / levels
    expected = np.searchsorted(bounds, values, side="right")
    assert slice_grades(values, levels).tolist() == expected.tolist()


def test_zero_slices_are_an_error():
    with pytest.raises(UsageError, match="levels=0"):
        slice_grades([0.5], 0)

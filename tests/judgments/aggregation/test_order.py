import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from qrelsmith.base.errors import UsageError
from qrelsmith.judgments.aggregation import highest, lowest, majority, median

_ = np.nan
RATINGS = arrays(
    np.float64,
    array_shapes(min_dims=2, max_dims=2, max_side=7),
    elements=st.one_of(st.integers(0, 4).map(float), st.just(np.nan)),
)


def test_the_medians_are_those_of_figure_1():
    # Chu et al. (2021), Figure 1 and section 3.5: three assessors (columns as printed: one row per
    # doc), four and seven grades; r̂ of d1 and d2 on seven grades are 5 and 5.
    four = np.array([[3, 3, 3], [2, 3, 3], [2, 2, 2], [3, 3, 3], [3, 3, 3]], dtype=float).T
    seven = np.array([[5, 6, 5], [4, 5, 5], [3, 5, 3], [6, 6, 6], [5, 5, 4]], dtype=float).T
    assert median(four, levels=range(4)).tolist() == [3, 3, 2, 3, 3]
    assert median(seven, levels=range(7)).tolist() == [5, 5, 3, 6, 5]
    assert majority(seven).tolist() == [5, 5, 3, 6, 5]


def test_of_two_middle_grades_the_lower_the_upper_or_the_mean_is_taken():
    ratings = [[3, 0, 1, _], [0, 1, _, _], [2, _, _, _], [0, _, _, _]]
    assert median(ratings)[:3].tolist() == [0, 0, 1]
    assert median(ratings, middle="upper")[:3].tolist() == [2, 1, 1]
    assert median(ratings, middle="mean")[:3].tolist() == [1, 0.5, 1]
    assert np.isnan(median(ratings)[3])


def test_a_tied_vote_goes_to_the_lowest_of_the_tied_grades():
    ratings = [[3, 1, 0, 2], [1, 3, 0, _], [3, 2, 1, _], [1, 2, 1, 0], [0, 1, 2, _]]
    assert majority(ratings).tolist() == [1, 1, 0, 0]


def test_the_extremes_ignore_missing_grades():
    assert lowest([[2, _], [1, 3]]).tolist() == [1, 3]
    assert highest([[2, _], [1, 3]]).tolist() == [2, 3]


@given(ratings=RATINGS)
def test_each_unit_equals_a_simple_count(ratings):
    for unit, column in enumerate(ratings.T):
        given_grades = sorted(column[~np.isnan(column)])
        if not given_grades:
            continue
        count = len(given_grades)
        winner = min(set(given_grades), key=lambda g: (-given_grades.count(g), g))
        assert majority(ratings)[unit] == winner
        assert median(ratings)[unit] == given_grades[(count - 1) // 2]
        assert median(ratings, middle="upper")[unit] == given_grades[count // 2]
        assert median(ratings, middle="mean")[unit] == np.median(given_grades)
        assert lowest(ratings)[unit] == given_grades[0]
        assert highest(ratings)[unit] == given_grades[-1]


def test_an_unknown_middle_is_an_error():
    with pytest.raises(UsageError, match=r"middle='low'; expected one of lower, upper, mean"):
        median([[1.0]], middle="low")

import numpy as np
import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.judgments.scale_operations import log_sum, log_sum_scale


def test_sums_of_eight_assessors_with_three_grades_give_five_grades():
    # Chu et al. (2021), 5.1.2.
    grades = log_sum(np.arange(17))
    assert grades.tolist() == [0] + [1] * 2 + [2] * 4 + [3] * 8 + [4] * 2
    assert log_sum_scale(Scale.parse("0..2"), 8) == Scale.parse("0..4")


def test_powers_of_two_are_exact():
    powers = 2.0 ** np.arange(50)
    assert log_sum(powers - 1).tolist() == list(range(50))
    assert log_sum(powers[2:] - 2).tolist() == list(range(1, 49))


def test_missing_sums_stay_missing_and_fractions_are_truncated():
    np.testing.assert_array_equal(log_sum([np.nan, 0.5, 2.5]), [np.nan, 0, 1])
    assert log_sum(np.empty((0, 2))).shape == (0, 2)


@pytest.mark.parametrize("wrong", [-1.0, np.inf])
def test_a_sum_without_a_logarithm_is_an_error(wrong):
    with pytest.raises(UsageError, match="has no log-sum"):
        log_sum([1.0, wrong])


def test_without_assessors_there_is_an_error():
    with pytest.raises(UsageError, match="assessors=0"):
        log_sum_scale(Scale.parse("0..2"), 0)

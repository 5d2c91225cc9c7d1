import numpy as np
import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.judgments.aggregation import log_of_sum, mean, total

_ = np.nan


def test_sums_and_means_ignore_missing_grades():
    ratings = [[2, _, 1], [1, 3, 1], [0, _, 2]]
    assert total(ratings).tolist() == [3, 3, 4]
    assert mean(ratings) == pytest.approx([1, 3, 4 / 3])


def test_eight_assessors_with_three_grades_give_five_grades():
    # Chu et al. (2021), 5.1.2: the integer part of log2(S + 1), S the sum of eight raw labels of
    # NTCIR-15 WWW-3, 0 to 2: S = 0; 1, 2; 3 to 6; 7 to 14; 15, 16.
    sums = np.arange(17)
    ratings = np.array([np.clip(sums - 2 * k, 0, 2) for k in range(8)], dtype=float)
    assert total(ratings).tolist() == sums.tolist()
    assert log_of_sum(ratings, levels=range(3)).tolist() == (
        [0] + [1] * 2 + [2] * 4 + [3] * 8 + [4] * 2
    )


def test_a_negative_sum_has_no_logarithm():
    with pytest.raises(UsageError, match="the sum -1 has no log-sum"):
        log_of_sum([[-1.0, 2.0]])

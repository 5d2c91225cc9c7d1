from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from qrelsmith.errors import UsageError
from qrelsmith.stats.mean_interval import t_interval


def test_hand_made_interval() -> None:
    # 1, 2, 3: mean 2, s = 1, t(2, .975) = 4.302653 (any t table): 2 ± 4.302653/√3.
    low, high = t_interval(np.array([1.0, 2.0, 3.0]))
    assert low == pytest.approx(2 - 4.302652729911275 / np.sqrt(3), abs=1e-9)
    assert high == pytest.approx(2 + 4.302652729911275 / np.sqrt(3), abs=1e-9)


def test_equals_scipy_row_by_row_and_leaves_nan_out() -> None:
    scores = np.random.default_rng(0).random((4, 30))
    scores[2, :7] = np.nan
    low, high = t_interval(scores, level=0.9)
    for row, left, right in zip(scores, low, high, strict=True):
        kept = row[~np.isnan(row)]
        expected = stats.t.interval(0.9, kept.size - 1, kept.mean(), stats.sem(kept))
        assert (left, right) == pytest.approx(expected, abs=1e-12)


def test_undefined_below_two_scores() -> None:
    low, high = t_interval(np.array([[0.3, np.nan], [np.nan, np.nan]]))
    assert np.isnan([low, high]).all()


@pytest.mark.parametrize("level", [0.0, 1.0, -1, 95])
def test_a_level_that_is_no_probability_is_refused(level: float) -> None:
    with pytest.raises(UsageError, match="level"):
        t_interval(np.ones(3), level=level)

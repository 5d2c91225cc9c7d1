import numpy as np
import pytest
from scipy import stats

from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.stats.intervals import t_interval
from qrelsmith.stats.resampling import resample_counts


def test_the_t_interval_of_darwins_maize_is_as_published():
    # Fisher 1935, The Design of Experiments, §16–17: 15 differences, mean 20.93, s/√n = 9.746,
    # t = 2.145, so 0.03 to 41.84 eighths of an inch.
    maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    low, high = t_interval(maize)
    assert low == pytest.approx(0.03, abs=0.005)
    assert high == pytest.approx(41.84, abs=0.005)


def test_the_t_interval_equals_scipy_row_by_row():
    values = np.random.default_rng(0).random((3, 4, 9))
    low, high = t_interval(values, level=0.9)
    assert low.shape == (3, 4)
    for i, j in np.ndindex(3, 4):
        row = values[i, j]
        expected = stats.t.interval(0.9, 8, row.mean(), stats.sem(row))
        assert (low[i, j], high[i, j]) == pytest.approx(expected)


def test_one_topic_has_no_interval_and_equal_scores_one_without_width():
    ends = t_interval([[0.5], [0.7]])
    assert np.isnan(ends).all()
    assert ends[0].shape == (2,)
    assert [float(end) for end in t_interval([0.5, 0.5, 0.5])] == [0.5, 0.5]


def test_options_out_of_range_are_refused():
    with pytest.raises(UsageError, match="level must be between 0 and 1"):
        t_interval([0.1, 0.2], level=95)
    with pytest.raises(ShapeError, match="index 1 = nan"):
        t_interval([0.1, np.nan])


def test_samples_of_topics_do_not_depend_on_the_number_of_samples():
    long = resample_counts(rng_for(3, "draws"), 900, 3000)
    short = resample_counts(rng_for(3, "draws"), 100, 3000)
    assert (long[:100] == short).all()
    assert (long.sum(axis=1) == 3000).all()
    assert long.mean() == pytest.approx(1)

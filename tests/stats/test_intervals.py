import numpy as np
import pytest
from scipy import stats

from qrelsmith.errors import ShapeError, UsageError
from qrelsmith.rng import rng_for
from qrelsmith.stats.intervals import bootstrap_interval, t_interval
from qrelsmith.stats.resampling import resample_counts


def test_the_t_interval_of_darwins_maize():
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


def test_the_bootstrap_interval_comes_near_the_t_interval():
    values = np.random.default_rng(1).normal(size=(2, 200))
    low, high = bootstrap_interval(values, rng=rng_for(0, "ci"), trials=4000)
    expected = t_interval(values)
    assert low == pytest.approx(expected[0], abs=0.02)
    assert high == pytest.approx(expected[1], abs=0.02)


def test_the_bootstrap_interval_equals_a_plain_loop_over_the_same_samples():
    values = np.random.default_rng(2).random(7)
    low, high = bootstrap_interval(values, rng=rng_for(1, "ci"), trials=300, level=0.8)
    draws = rng_for(1, "ci").integers(0, 7, size=(300, 7))
    means = [values[draw].mean() for draw in draws]
    assert (low, high) == pytest.approx(tuple(np.quantile(means, [0.1, 0.9])))


def test_every_row_sees_the_same_topics():
    values = np.random.default_rng(3).random(20)
    low, high = bootstrap_interval([values, 2 * values], rng=rng_for(2, "ci"), trials=200)
    assert low[1] == pytest.approx(2 * low[0])
    assert high[1] == pytest.approx(2 * high[0])


def test_one_topic_has_no_interval_and_equal_scores_an_empty_one():
    for ends in (
        t_interval([[0.5], [0.7]]),
        bootstrap_interval([[0.5], [0.7]], rng=rng_for(0, "ci")),
    ):
        assert np.isnan(ends).all()
        assert ends[0].shape == (2,)
    assert [float(end) for end in t_interval([0.5, 0.5, 0.5])] == [0.5, 0.5]
    low, high = bootstrap_interval([0.5, 0.5, 0.5], rng=rng_for(0, "ci"))
    assert low == pytest.approx(0.5)
    assert high == pytest.approx(0.5)


def test_what_is_out_of_range_is_refused():
    with pytest.raises(UsageError, match="level must lie between 0 and 1"):
        t_interval([0.1, 0.2], level=95)
    with pytest.raises(UsageError, match="trials must be a whole number"):
        bootstrap_interval([0.1, 0.2], rng=rng_for(0, "ci"), trials=0)
    with pytest.raises(ShapeError, match="index 1 holds nan"):
        t_interval([0.1, np.nan])


def test_samples_of_topics_do_not_depend_on_how_many_are_drawn():
    long = resample_counts(rng_for(3, "draws"), 900, 3000)
    short = resample_counts(rng_for(3, "draws"), 100, 3000)
    assert (long[:100] == short).all()
    assert (long.sum(axis=1) == 3000).all()
    assert long.mean() == pytest.approx(1)

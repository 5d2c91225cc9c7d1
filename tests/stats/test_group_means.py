"""Groups compared over assessors: Welch's and the paired t-test as special cases, false alarms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.group_means import compare_assessors
from qrelsmith.stats.two_sample_t import two_sample_t, welch_t


def sessions(
    rng: np.random.Generator, assessors: int, *, topics: int = 6, first: int = 0, faster: float = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Return seconds of assessors with different speeds on some topics, and the assessors."""
    speed = 20 * np.exp(0.4 * rng.normal(size=(assessors, 1)))
    seconds = faster * speed * np.exp(0.5 * rng.normal(size=(assessors, topics)))
    return seconds.ravel(), np.repeat(np.arange(first, first + assessors), topics)


def test_assessors_of_one_group_only_are_compared_by_welch() -> None:
    rng = np.random.default_rng(0)
    (one, who), (two, others) = sessions(rng, 4), sessions(rng, 5, topics=3, first=4)
    found = compare_assessors([one, two], [who, others])
    means = one.reshape(4, 6).mean(axis=1), two.reshape(5, 3).mean(axis=1)
    oracle = stats.ttest_ind(*means, equal_var=False)
    assert float(found.p[0]) == pytest.approx(oracle.pvalue)
    assert float(found.freedom[0]) == pytest.approx(oracle.df)
    assert found.sizes.tolist() == [4, 5]
    welch = welch_t(means)
    assert float(found.effect_size[0]) == pytest.approx(float(welch.effect_size[0]))
    assert found.means == pytest.approx(welch.means)


def test_assessors_who_worked_in_both_groups_are_compared_with_themselves() -> None:
    rng = np.random.default_rng(1)
    (one, who), (two, _) = sessions(rng, 6), sessions(rng, 6)
    found = compare_assessors([one, two], [who, who[::-1]])
    means = one.reshape(6, 6).mean(axis=1), two.reshape(6, 6).mean(axis=1)[::-1]
    oracle = stats.ttest_rel(*means)
    assert float(found.p[0]) == pytest.approx(oracle.pvalue)
    assert float(found.freedom[0]) == pytest.approx(5)


def test_the_test_of_groups_with_common_assessors_is_as_computed_by_hand() -> None:
    # a, b, c in the first group (1, 2, 6), c, d in the second (4, 8): n = 3, m = 2. In the first
    # only: 1/3 and 2/3, variance 1/18, two of them: 1/9. d in the second only: the variance 8 of
    # the second group divided by 2², 2. c, the only one in both: variance 7 of the first divided by
    # 3², and 2: 25/9.
    found = compare_assessors([[1, 2, 6], [4, 8]], [["a", "b", "c"], ["c", "d"]])
    variance = 1 / 9 + 2 + 25 / 9
    freedom = variance**2 / ((1 / 9) ** 2 / 1 + 2**2 / 1 + (25 / 9) ** 2 / 1)
    assert float(found.freedom[0]) == pytest.approx(freedom)
    assert float(found.p[0]) == pytest.approx(2 * stats.t.sf(3 / math.sqrt(variance), freedom))


def test_three_groups_are_compared_as_by_games_and_howell() -> None:
    rng = np.random.default_rng(2)
    groups = [sessions(rng, 5, first=5 * g, faster=1 + g) for g in range(3)]
    found = compare_assessors([v for v, _ in groups], [who for _, who in groups])
    for pair, (a, b) in enumerate([(0, 1), (0, 2), (1, 2)]):
        one, two = (groups[g][0].reshape(5, 6).mean(axis=1) for g in (a, b))
        oracle = stats.ttest_ind(one, two, equal_var=False)
        expected = stats.studentized_range.sf(math.sqrt(2) * abs(oracle.statistic), 3, oracle.df)
        assert float(found.p[pair]) == pytest.approx(expected, abs=1e-6)


def test_equal_speeds_rarely_differ_over_assessors_but_often_over_sessions() -> None:
    wolf = {"assessors": 0, "sessions": 0}
    for seed in range(200):
        rng = np.random.default_rng(seed)
        (one, who), (two, others) = sessions(rng, 4), sessions(rng, 4, first=4)
        wolf["assessors"] += compare_assessors([one, two], [who, others]).p[0] < 0.05
        wolf["sessions"] += two_sample_t([one, two]).p[0] < 0.05
    assert wolf["assessors"] <= 16
    assert wolf["sessions"] > 40


def test_a_real_difference_is_found() -> None:
    rng = np.random.default_rng(3)
    (one, who), (two, others) = sessions(rng, 12), sessions(rng, 12, first=12, faster=2.5)
    assert compare_assessors([one, two], [who, others]).p[0] < 0.01


def test_groups_without_variance_have_no_effect_size_and_one_assessor_has_no_p() -> None:
    single = compare_assessors([[1, 2], [3, 4]], [["a", "a"], ["b", "c"]])
    assert math.isnan(single.p[0])
    same = compare_assessors([[1, 1], [1, 1]], [["a", "b"], ["c", "d"]])
    assert (float(same.p[0]), math.isnan(same.effect_size[0])) == (1.0, True)
    apart = compare_assessors([[1, 1], [2, 2]], [["a", "b"], ["c", "d"]])
    assert float(apart.p[0]) == 0.0
    with pytest.raises(ShapeError, match=r"the groups have \[2, 1\] values but \[2, 2\]"):
        compare_assessors([[1, 2], [3]], [["a", "b"], ["c", "d"]])

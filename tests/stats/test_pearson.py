from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.pearson import pearson


@pytest.mark.parametrize("seed", range(4))
def test_r_and_p_equal_those_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=5 + 4 * seed)
    y = 0.4 * x + rng.normal(size=x.size)
    expected = stats.pearsonr(x, y)
    found = pearson(x, y)
    assert (found.r, found.p) == pytest.approx((expected.statistic, expected.pvalue))
    assert found.n == x.size


# The paper (Han et al. 2019, 4.3.2) has 18 topics, r = 0.54 and −0.5, and p < 0.05 for both.
def test_the_papers_correlations_are_significant_over_its_topics() -> None:
    x = np.linspace(-1, 1, 18)
    other = x**2 - (x**2).mean()
    x, other = x / np.linalg.norm(x), other / np.linalg.norm(other)
    for r in (0.54, -0.5):
        found = pearson(x, r * x + math.sqrt(1 - r * r) * other)
        assert found.r == pytest.approx(r)
        assert found.p < 0.05


def test_pairs_with_nan_do_not_count() -> None:
    with_nan = pearson([1, 2, math.nan, 3, 4], [2, 1, 5, 4, math.nan])
    assert with_nan == pearson([1, 2, 3], [2, 1, 4])
    assert with_nan.n == 3


def test_correlations_in_edge_cases_are_1_or_undefined() -> None:
    assert math.isnan(pearson([1, 1, 1], [1, 2, 3]).r)
    assert math.isnan(pearson([], []).r)
    two = pearson([1, 2], [5, 3])
    assert two.r == -1
    assert math.isnan(two.p)
    assert pearson([1, 2, 3], [2, 4, 6]).p == 0
    with pytest.raises(ShapeError, match="2 values, “second” has 3;"):
        pearson([1, 2], [1, 2, 3])

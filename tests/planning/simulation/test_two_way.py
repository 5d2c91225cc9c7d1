from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import QrelsmithError
from qrelsmith.base.rng import rng_for
from qrelsmith.planning.simulation.two_way import two_way_rows
from qrelsmith.stats.effects import residual_variance_two_way


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=6), st.floats(0.01, 4), st.integers(2, 30))
def test_means_and_residual_variance_are_exactly_as_given(means, variance, rows) -> None:
    drawn = two_way_rows(means, variance, rows=rows, rng=rng_for(1, "two way"))
    assert drawn.shape == (rows, len(means))
    assert drawn.mean(axis=0) == pytest.approx(means, abs=1e-9)
    assert residual_variance_two_way(drawn) == pytest.approx(variance, rel=1e-6)


def test_without_residual_variance_every_row_has_the_same_differences() -> None:
    drawn = two_way_rows([1, 2, 4], 0.0, rows=5, rng=rng_for(2, "two way"))
    assert np.diff(drawn, axis=1) == pytest.approx(np.array([[1.0, 2.0]] * 5))
    assert drawn[:, 0].std() > 0
    still = two_way_rows([1, 2], 0.0, rows=3, rng=rng_for(2, "two way"), row_deviation=0.0)
    assert still.tolist() == [[1, 2]] * 3


@pytest.mark.parametrize(
    ("means", "variance", "rows"),
    [([1.0], 1.0, 3), ([[1.0, 2.0]], 1.0, 3), ([1, np.nan], 1.0, 3), ([1, 2], -1.0, 3),
     ([1, 2], 1.0, 1)],
)  # fmt: skip
def test_impossible_arguments_are_refused(means, variance, rows) -> None:
    with pytest.raises(QrelsmithError):
        two_way_rows(means, variance, rows=rows, rng=rng_for(0, "two way"))

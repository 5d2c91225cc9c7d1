from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from qrelsmith.cuts import CutSets
from qrelsmith.cuts import boxes as boxes_module
from qrelsmith.cuts.boxes import not_above, sum_over_units


def summed(positions: np.ndarray, sets: CutSets, weights: np.ndarray) -> np.ndarray:
    """Sum a function of the levels over units that no shortcut can guess."""

    def evaluate(
        units: np.ndarray, ranks: np.ndarray, intervals: Sequence[np.ndarray]
    ) -> list[np.ndarray]:
        levels = sum((ranks[:, :, None] > i[:, None, :]).astype(float) for i in intervals)
        return [np.sin((weights[units][:, :, None] * levels).sum(axis=1))]

    return sum_over_units(positions, sets, evaluate, values=1)[0]


@examples(40)
@given(
    seed=st.integers(0, 10_000),
    targets=st.integers(2, 5),
    units=st.integers(0, 6),
    labels=st.integers(0, 5),
)
def test_the_sum_equals_a_loop_over_units(seed: int, targets: int, units: int, labels: int) -> None:
    rng = np.random.default_rng(seed)
    sets = CutSets.of(range(9), targets=targets)
    positions = rng.integers(0, 9, (units, labels))  # 8 is above every cut
    weights = rng.normal(size=(units, labels))
    expected = [
        sum(
            np.sin((weights[unit] * (positions[unit, :, None] > row).sum(axis=1)).sum())
            for unit in range(units)
        )
        for row in sets.places
    ]
    np.testing.assert_allclose(summed(positions, sets, weights), expected, atol=1e-12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boxes_module, "_MOST_CELLS", 0)
        np.testing.assert_allclose(summed(positions, sets, weights), expected, atol=1e-12)


def test_many_units_are_processed_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    sets = CutSets.of(range(9), targets=3)
    positions, weights = rng.integers(0, 9, (50, 4)), rng.normal(size=(50, 4))
    at_once = summed(positions, sets, weights)
    monkeypatch.setattr(boxes_module, "_AT_ONCE", 64)
    np.testing.assert_allclose(summed(positions, sets, weights), at_once, atol=1e-12)


def test_labels_not_above_a_cut_are_counted_by_interval() -> None:
    ranks = np.array([[1, 3, 3, 9], [2, 1, 2, 2]])
    counts = np.array([[True, True, True, True], [True, False, True, True]])
    assert not_above(ranks, counts, 3).tolist() == [[0, 1, 1, 3], [0, 0, 3, 3]]

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.discrimination.preferences.tally import tally_tests


@pytest.mark.parametrize("mode", ["individual", "aggregate"])
@pytest.mark.parametrize("strength", ["sign", "share"])
@pytest.mark.parametrize("assessors", [1, 2, 3])
def test_tests_with_the_same_statements_can_be_merged(
    mode: str, strength: str, assessors: int
) -> None:
    rng = np.random.default_rng(assessors)
    grades = rng.integers(-1, 4, size=(5, 8, assessors)).astype(float)  # −1: missing
    left = rng.integers(0, 8, 300)
    tests = PreferenceTests(
        topics=rng.integers(0, 5, 300),
        left=left,
        right=(left + rng.integers(1, 8, 300)) % 8,
        outcomes=rng.integers(-2, 3, 300).astype(float),
    )
    batches = np.array([0, 1, 0, 1, 1])
    tally = tally_tests(
        tests,
        grades,
        levels=range(4),
        mode=mode,
        strength=strength,
        batches=batches,  # type: ignore[arg-type]
    )
    together, classes = tally.collapse()
    assert together.test_count == classes.max() + 1 < len(tests)
    weights = rng.exponential(size=len(tests))
    summed = np.bincount(classes, weights=weights)
    assert together.wins(summed) == pytest.approx(tally.wins(weights))
    # A statement is made by some test if and only if its weight is above 0.
    some = np.where(rng.random(len(tests)) < 0.02, weights, 0.0)
    held = np.bincount(classes, weights=some)
    assert ((together.test_counts(held) > 0) == (tally.test_counts(some) > 0)).all()


def test_tests_without_grades_make_one_statement() -> None:
    nothing = np.full((1, 3, 1), np.nan)
    tests = PreferenceTests(
        *(np.array(values) for values in ([0, 0], [0, 1], [1, 2])), outcomes=np.array([1.0, -1.0])
    )
    together, classes = tally_tests(tests, nothing, levels=[0, 1]).collapse()
    assert together.test_count == 1
    assert classes.tolist() == [0, 0]
    assert not together.wins(np.array([2.0])).any()


def test_no_tests_make_no_statement() -> None:
    none = np.array([], dtype=np.int64)
    tests = PreferenceTests(none, none, none, none.astype(float))
    together, classes = tally_tests(tests, np.zeros((1, 2, 1)), levels=[0, 1]).collapse()
    assert together.test_count == 0
    assert not classes.size

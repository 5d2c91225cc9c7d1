from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from qrelsmith.base.errors import UsageError
from qrelsmith.discrimination.preferences.needed import exact_coverage, needed_tests


def test_equation_12_is_used_with_its_square() -> None:
    # p = 0.5, δ = 0.05, P = 0.95 needs 384.1 tests, not 196.
    plan = needed_tests(0.5, delta=0.05, probability=0.95)
    assert plan.normal == pytest.approx(384.1459, abs=1e-4)
    assert plan.tests == 385


def test_the_exact_coverage_is_that_of_the_binomial_distribution() -> None:
    # |X − 192.5| < 19.25 for n = 385: X from 174 to 211.
    expected = binom.cdf(211, 385, 0.5) - binom.cdf(173, 385, 0.5)
    assert needed_tests().coverage == pytest.approx(expected)


def test_a_share_at_the_distance_delta_is_outside() -> None:
    # n = 20, p = 0.5, δ = 0.1: X from 9 to 11, not 8 to 12.
    expected = binom.cdf(11, 20, 0.5) - binom.cdf(8, 20, 0.5)
    assert exact_coverage(np.array([20]), 0.5, delta=0.1) == pytest.approx([expected])


@pytest.mark.parametrize("p", [0.5, 0.8, 0.97])
@pytest.mark.parametrize("delta", [0.05, 0.1])
def test_coverage_suffices_from_the_exact_number_on(p: float, delta: float) -> None:
    plan = needed_tests(p, delta=delta, probability=0.9)
    counts = np.arange(1, 2000)
    short = counts[exact_coverage(counts, p, delta=delta) < 0.9]
    assert plan.exact == short[-1] + 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"p": 1.0}, "p is 1.0; expected a number between 0 and 1"),
        ({"delta": 0.0}, "delta is 0.0"),
        ({"probability": 95.0}, "probability is 95.0"),
        ({"delta": 1e-5}, "tests per pair; expected a larger delta"),
    ],
)
def test_arguments_out_of_range_are_refused(arguments: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        needed_tests(**arguments)

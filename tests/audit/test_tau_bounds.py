import math

import pytest

from qrelsmith.audit.tau_bounds import tau_bounds
from qrelsmith.stats.tau_intervals import fieller_limits

NAN = math.nan


def test_an_existing_interval_is_kept() -> None:
    assert tau_bounds(0.9, 0.8, 0.95, systems=8) == (0.8, 0.95)


def test_the_bound_for_eight_systems_in_the_same_order_assumes_one_swap_of_28_pairs() -> None:
    # tanh(atanh(26/28) − 1.96·√(.437/4)), by hand.
    low, high = tau_bounds(1.0, NAN, NAN, systems=8)
    assert low == pytest.approx(
        math.tanh(math.atanh(26 / 28) - 1.96 * math.sqrt(0.437 / 4)), abs=1e-4
    )
    assert high == 1.0


def test_the_same_order_of_many_systems_is_good() -> None:
    low, _ = tau_bounds(1.0, NAN, NAN, systems=63)
    assert low == pytest.approx(float(fieller_limits(1 - 2 / 1953, 63)[0]))


def test_the_reversed_order_is_bounded_from_above() -> None:
    low, high = tau_bounds(-1.0, NAN, NAN, systems=63)
    assert low == -1.0
    assert -1 < high < -0.9


@pytest.mark.parametrize("systems", [2, 3, 4])
def test_few_systems_have_no_interval(systems: int) -> None:
    low, _ = tau_bounds(1.0, NAN, NAN, systems=systems)
    assert math.isnan(low)


def test_an_undefined_tau_has_no_interval() -> None:
    assert all(math.isnan(end) for end in tau_bounds(NAN, NAN, NAN, systems=9))

from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.rankings.ranking_comparison import compared_rankings
from qrelsmith.stats.tau_intervals import fieller_limits


def matrix(systems: str, *means: float, measure: str = "AP") -> ScoreMatrix:
    """Return two topics with the given means."""
    scores = np.array([[mean - 0.1, mean + 0.1] for mean in means])
    return ScoreMatrix(measure, tuple(systems), ("1", "2"), scores)


# B ranks b, c, a, d: two of six pairs have the opposite order.
A, B = matrix("abcd", 0.8, 0.6, 0.4, 0.2), matrix("abcd", 0.4, 0.8, 0.6, 0.2)


def test_tau_of_four_systems_is_as_computed_by_hand() -> None:
    one, two = compared_rankings([("A", A), ("B", B)])
    assert (one.measure, one.first, one.second, one.systems) == ("AP", "A", "B", 4)
    assert one.tau_a == one.tau_b == pytest.approx(1 / 3)
    # Down B's ranking, the share of systems above that are above in A, too: c 1 of 1, a 0 of 2, d 3
    # of 3.
    assert one.tau_ap == pytest.approx(2 / 3 * (1 + 0 + 1) - 1)
    assert (one.interval, two.interval) == ("fieller", "consistent")
    # No interval for fewer than five systems.
    assert all(map(math.isnan, (one.low, one.high, two.low, two.high)))


def test_the_first_ranking_is_the_reference_of_tau_ap() -> None:
    one, _ = compared_rankings([("B", B), ("A", A)])
    # Down A's ranking: b 0 of 1, c 1 of 2, d 3 of 3.
    assert one.tau_ap == pytest.approx(2 / 3 * (0 + 1 / 2 + 1) - 1)


def test_systems_are_matched_by_name() -> None:
    shuffled = ScoreMatrix("AP", ("c", "a", "d", "b"), B.topics, B.scores[[2, 0, 3, 1]])
    straight, crossed = (
        next(compared_rankings([("A", A), ("B", other)])) for other in (B, shuffled)
    )
    assert straight.tau_b == crossed.tau_b
    assert straight.tau_ap == crossed.tau_ap


def test_ties_change_tau_a_and_tau_b_differently() -> None:
    tied = matrix("abcd", 0.4, 0.8, 0.8, 0.2)
    one, _ = compared_rankings([("A", A), ("tied", tied)])
    # Six pairs: a–b and a–c discordant, b–c tied, three concordant.
    assert one.tau_a == pytest.approx(1 / 6)
    assert one.tau_b == pytest.approx(1 / math.sqrt(6 * 5))


def test_five_systems_have_intervals() -> None:
    first = matrix("abcde", 0.9, 0.8, 0.6, 0.4, 0.2)
    second = matrix("abcde", 0.8, 0.9, 0.4, 0.6, 0.2)
    one, two = compared_rankings([("A", first), ("B", second)])
    assert one.tau_b == pytest.approx(0.6)
    low, high = fieller_limits(0.6, 5)
    assert (one.low, one.high) == pytest.approx((float(low), float(high)))
    assert two.low < 0.6 < two.high


def test_identical_rankings_have_tau_1_and_no_interval() -> None:
    systems = matrix("abcde", 0.9, 0.8, 0.6, 0.4, 0.2)
    for one in compared_rankings([("A", systems), ("B", systems)]):
        assert (one.tau_a, one.tau_b, one.tau_ap) == (1, 1, 1)
        assert math.isnan(one.low)
        assert math.isnan(one.high)


def test_one_system_has_no_tau() -> None:
    one = next(compared_rankings([("A", matrix("a", 0.5)), ("B", matrix("a", 0.6))]))
    assert one.systems == 1
    assert all(map(math.isnan, (one.tau_a, one.tau_b, one.tau_ap, one.low, one.high)))


def test_any_two_rankings_are_compared_in_their_order() -> None:
    named = [("x", A), ("z", B), ("y", A)]
    found = list(compared_rankings(named, intervals=["fieller"]))
    assert [(one.first, one.second) for one in found] == [("x", "z"), ("x", "y"), ("z", "y")]


@pytest.mark.parametrize("turned", [False, True])
def test_a_missing_system_is_named(turned: bool) -> None:
    named = [("full", A), ("short", matrix("abc", 0.4, 0.8, 0.6))]
    with pytest.raises(UsageError, match="the system 'd' is in 'full', but not in 'short'"):
        list(compared_rankings(named[::-1] if turned else named))


def test_two_measures_are_refused() -> None:
    other = matrix("abcd", 0.4, 0.8, 0.6, 0.2, measure="P@5")
    with pytest.raises(UsageError, match="'A' has scores of AP, but 'B' has scores of P@5"):
        list(compared_rankings([("A", A), ("B", other)]))

"""Rank correlations: published numbers, simple loops for comparison, properties and edge cases."""

import itertools
import json
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from tests.examples import examples
from tests.stats.strict_orders import orders

from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.correlation import (
    CORRELATIONS,
    kendall_tau_a,
    kendall_tau_b,
    spearman_rho,
    tau_ap,
    tau_ap_a,
    tau_ap_b,
)

SYMMETRIC = [e.name for e in CORRELATIONS.entries() if e.about["symmetric"]]
# ircor 1.0 (MIT), examples of its manual page tauAP and of its README.
URBANO_X = [0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54]
URBANO_Y = [0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84]
README_X = [0.06, 0.2, 0.27, 0.37, 0.57, 0.63, 0.66, 0.9, 0.91, 0.94]
README_Y = [0.37, 0.06, 0.2, 0.27, 0.57, 0.66, 0.63, 0.91, 0.9, 0.94]

few = st.integers(2, 8).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2)
)
strict = st.integers(2, 8).flatmap(
    lambda n: st.tuples(st.permutations(range(n)), st.permutations(range(n)))
)


def sign(x):
    return (x > 0) - (x < 0)


def loop_tau(a, b, variant):
    """Compute Kendall's τ by counting pairs."""
    balance = untied_a = untied_b = pairs = 0
    for i, j in itertools.combinations(range(len(a)), 2):
        s, t = sign(a[i] - a[j]), sign(b[i] - b[j])
        balance += s * t
        untied_a += s != 0
        untied_b += t != 0
        pairs += 1
    if variant == "a":
        return balance / pairs if pairs else math.nan
    return balance / math.sqrt(untied_a * untied_b) if untied_a * untied_b else math.nan


def loop_tau_ap(reference_order, estimate_order):
    """Compute τ_AP of two strict orders from its definition."""
    n = len(estimate_order)
    place = {system: rank for rank, system in enumerate(reference_order)}
    total = 0.0
    for i in range(1, n):
        here = estimate_order[i]
        total += sum(place[above] < place[here] for above in estimate_order[:i]) / i
    return 2 * total / (n - 1) - 1


def loop_tau_ap_b(x, y):
    """Compute τ_AP,b from its definition."""

    def one_way(weighing, other):
        terms = []
        for i in range(len(weighing)):
            above = [j for j in range(len(weighing)) if weighing[j] > weighing[i]]
            if above:
                terms.append(2 * sum(other[j] > other[i] for j in above) / len(above) - 1)
        return sum(terms) / len(terms) if terms else math.nan

    return (one_way(x, y) + one_way(y, x)) / 2


def test_tau_ap_b_equals_the_values_of_autojudge_evaluate(shared):
    # Without ties, the mean of both directions; the file does not say which list is the reference.
    cases = json.loads((shared / "oracles/autojudge_evaluate/expected.json").read_text())
    for case in cases["tauap_b"]:
        assert tau_ap_b(case["a"], case["b"]) == pytest.approx(case["value"], abs=1e-7)


def test_kendall_and_ap_correlation_equal_the_values_of_ircors_readme():
    assert kendall_tau_a(README_X, README_Y) == pytest.approx(0.7777778, abs=5e-8)
    assert tau_ap(README_X, README_Y) == pytest.approx(0.7491182, abs=5e-8)


def test_ap_correlation_with_ties_equals_the_values_of_ircors_manual():
    x, y = np.array(URBANO_X), np.array(URBANO_Y)
    assert tau_ap(x, y) == pytest.approx(0.3928571, abs=5e-8)
    assert tau_ap_a(x, y) == pytest.approx(0.3928571, abs=5e-8)
    assert tau_ap_a(x, y.round(1)) == pytest.approx(0.39903, abs=5e-6)
    assert tau_ap_b(x, y.round(1)) == pytest.approx(0.3317019, abs=5e-8)
    assert tau_ap_b(x.round(1), y.round(1)) == pytest.approx(0.339418, abs=5e-7)


def test_the_first_list_of_tau_ap_is_the_reference():
    # The estimate puts the worst system first: every system below it has the wrong order relative
    # to it.
    reference, estimate = [3, 2, 1], [2, 1, 3]
    assert tau_ap(reference, estimate) == pytest.approx(2 / 2 * (0 + 1 / 2) - 1)
    assert tau_ap(estimate, reference) == pytest.approx(2 / 2 * (1 + 0) - 1)


@settings(deadline=None)
@given(few)
def test_tau_equals_simple_loops_and_scipy(lists):
    a, b = lists
    assert kendall_tau_a(a, b) == pytest.approx(loop_tau(a, b, "a"))
    assert kendall_tau_b(a, b) == pytest.approx(loop_tau(a, b, "b"), nan_ok=True)
    assert kendall_tau_b(a, b) == pytest.approx(stats.kendalltau(a, b).statistic, nan_ok=True)


@settings(deadline=None)
@given(few)
def test_spearman_equals_scipy(lists):
    a, b = lists
    assume(len(set(a)) > 1 and len(set(b)) > 1)
    assert spearman_rho(a, b) == pytest.approx(stats.spearmanr(a, b).statistic)


@settings(deadline=None)
@given(strict)
def test_tau_ap_equals_simple_loops(lists):
    a, b = lists
    expected = loop_tau_ap(*(next(orders(scores)) for scores in (a, b)))
    assert tau_ap(a, b) == pytest.approx(expected)
    assert tau_ap_a(a, b) == pytest.approx(expected)


@examples(60)
@given(
    st.integers(2, 5).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)
    )
)
def test_tau_a_and_tau_ap_a_are_means_over_all_ways_to_break_ties(lists):
    a, b = lists
    taus, aps = [], []
    for one, other in itertools.product(orders(a), orders(b)):
        aps.append(loop_tau_ap(one, other))
        taus.append(
            loop_tau(*([-order.index(i) for i in range(len(a))] for order in (one, other)), "a")
        )
    assert kendall_tau_a(a, b) == pytest.approx(np.mean(taus))
    assert tau_ap_a(a, b) == pytest.approx(np.mean(aps))


@settings(deadline=None)
@given(few)
def test_tau_ap_b_equals_simple_loops(lists):
    assert tau_ap_b(*lists) == pytest.approx(loop_tau_ap_b(*lists), nan_ok=True)


@pytest.mark.parametrize("name", SYMMETRIC)
@settings(deadline=None)
@given(lists=few)
def test_a_symmetric_coefficient_does_not_depend_on_which_list_is_first(name, lists):
    a, b = lists
    f = CORRELATIONS.get(name)
    assert f(a, b) == pytest.approx(float(f(b, a)), nan_ok=True)


@pytest.mark.parametrize("name", CORRELATIONS.names())
@settings(deadline=None)
@given(lists=few)
def test_only_the_ranking_counts_but_not_the_scores(name, lists):
    a, b = (np.array(scores, dtype=float) for scores in lists)
    f = CORRELATIONS.get(name)
    assert f(np.exp(a), b**3 - 7) == pytest.approx(float(f(a, b)), nan_ok=True)


@pytest.mark.parametrize("name", CORRELATIONS.names())
@settings(deadline=None)
@given(lists=few)
def test_a_coefficient_is_in_its_range(name, lists):
    value = float(CORRELATIONS.get(name)(*lists))
    assert math.isnan(value) or -1 - 1e-12 <= value <= 1 + 1e-12


@pytest.mark.parametrize("name", CORRELATIONS.names())
@settings(deadline=None)
@given(lists=strict)
def test_equal_rankings_have_1(name, lists):
    ranking = lists[0]
    assert CORRELATIONS.get(name)(ranking, ranking) == pytest.approx(1)


@pytest.mark.parametrize("name", ["tau-b", "spearman"])
@settings(deadline=None)
@given(lists=few)
def test_equal_rankings_have_exactly_1_with_ties_too(name, lists):
    ranking = lists[0]
    assume(len(set(ranking)) > 1)
    assert CORRELATIONS.get(name)(ranking, ranking) == 1


@pytest.mark.parametrize("name", CORRELATIONS.names())
def test_a_stack_equals_its_rows(name):
    rng = np.random.default_rng(3)
    a, b = rng.integers(0, 6, size=(2, 5, 9)), rng.integers(0, 6, size=(5, 9))
    f = CORRELATIONS.get(name)
    together = f(a, b)
    assert together.shape == (2, 5)
    for i, j in np.ndindex(2, 5):
        assert together[i, j] == pytest.approx(float(f(a[i, j], b[j])), nan_ok=True)


@pytest.mark.parametrize("name", CORRELATIONS.names())
def test_a_long_list_is_processed_in_blocks(name):
    rng = np.random.default_rng(4)
    a, b = rng.permutation(1500), rng.permutation(1500)
    value = float(CORRELATIONS.get(name)(a, b))
    if name == "tau-b":
        assert value == pytest.approx(stats.kendalltau(a, b).statistic)
    assert -0.2 < value < 0.7


def test_means_equal_within_1e_12_are_tied_in_every_coefficient():
    a, b = [0.3, 0.1 + 0.2, 0.1], [3.0, 3.0, 1.0]
    for name in CORRELATIONS.names():
        f = CORRELATIONS.get(name)
        assert f(a, [1.0, 2.0, 3.0]) == pytest.approx(float(f(b, [1.0, 2.0, 3.0])), nan_ok=True)


def test_ties_of_all_systems_leave_tau_b_and_rho_undefined():
    for f in (kendall_tau_b, spearman_rho, tau_ap_b, tau_ap):
        assert math.isnan(f([1, 1, 1], [3, 2, 1]))
        assert math.isnan(f([1, 1, 1], [1, 1, 1]))
    assert kendall_tau_a([1, 1, 1], [3, 2, 1]) == 0
    assert tau_ap_a([3, 2, 1], [1, 1, 1]) == pytest.approx(0)


@pytest.mark.parametrize("name", CORRELATIONS.names())
@pytest.mark.parametrize("systems", [0, 1])
def test_fewer_than_two_systems_have_no_rank_correlation(name, systems):
    value = CORRELATIONS.get(name)(np.ones((3, systems)), np.ones((3, systems)))
    assert value.shape == (3,)
    if name == "rbo" and systems == 1:
        assert (value == 1).all()
    else:
        assert np.isnan(value).all()


def test_an_empty_stack_gives_an_empty_result():
    for name in CORRELATIONS.names():
        assert CORRELATIONS.get(name)(np.ones((0, 4)), np.ones(4)).shape == (0,)


def test_mismatched_lists_are_refused():
    with pytest.raises(ShapeError, match="same systems; found 3 and 2"):
        kendall_tau_b([1, 2, 3], [1, 2])
    with pytest.raises(ShapeError, match="expected matching shapes"):
        kendall_tau_b(np.ones((2, 3)), np.ones((4, 3)))
    with pytest.raises(ShapeError, match="second must contain finite numbers; found index 2 = nan"):
        kendall_tau_b([1, 2, 3], [1, 2, np.nan])

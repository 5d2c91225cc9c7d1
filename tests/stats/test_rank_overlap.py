"""RBO: numbers published with Corsi & Urbano 2024, its expectation, and edge cases."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.stats.strict_orders import orders

from qrelsmith.base.errors import UnknownNameError, UsageError
from qrelsmith.stats.correlation import CORRELATIONS, rank_biased_overlap

few = st.integers(1, 5).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)
)


def loop_rbo(one, other, p, k):
    """Compute extrapolated RBO of two strict orders from its definition."""
    agreement = [len(set(one[:d]) & set(other[:d])) / d for d in range(1, k + 1)]
    return (1 - p) * sum(p**d * a for d, a in enumerate(agreement)) + p**k * agreement[-1]


@pytest.mark.parametrize(
    ("ties", "expected"),
    [("w", 0.580287544332462), ("a", 0.580994268838527), ("b", 0.583518284931614)],
)
def test_the_authors_values_for_two_rankings_of_five_are_reproduced(ties, expected):
    # julian-urbano/sigir2024-rbo, rbo/test.csv: i2 i5 i3 (i1 i4) and i5 i8 i2 (i3 i9), RBO_EXT. The
    # two items that a list lacks are below its fifth rank, and cutoff 5 excludes them.
    systems = ["i1", "i2", "i3", "i4", "i5", "i8", "i9"]
    first = {"i2": 5, "i5": 4, "i3": 3, "i1": 2, "i4": 2, "i8": 0, "i9": 0}
    second = {"i5": 5, "i8": 4, "i2": 3, "i3": 2, "i9": 2, "i1": 0, "i4": 0}
    value = rank_biased_overlap(
        [first[s] for s in systems],
        [second[s] for s in systems],
        p=0.968922741966306,
        ties=ties,
        cutoff=5,
    )
    assert value == pytest.approx(expected, abs=1e-14)


def test_rbo_is_as_computed_by_hand():
    # Agreement 0, 1, 1 at depths 1, 2, 3; weights ½, ¼, ⅛, and ⅛ for the rest.
    first, second = [3, 2, 1], [2, 3, 1]
    assert rank_biased_overlap(first, second, p=0.5) == pytest.approx(1 / 2)
    assert rank_biased_overlap(first, second, p=0.5, tail="truncated") == pytest.approx(3 / 8)
    assert rank_biased_overlap(first, second, p=0.5, tail="normalised") == pytest.approx(3 / 7)
    assert rank_biased_overlap(first, second, p=0.5, cutoff=1) == 0


@examples(60)
@given(few)
def test_variant_a_is_the_mean_over_all_ways_to_break_ties(lists):
    a, b = lists
    n = len(a)
    values = [loop_rbo(x, y, 0.8, n) for x, y in itertools.product(orders(a), orders(b))]
    assert rank_biased_overlap(a, b, p=0.8, ties="a") == pytest.approx(np.mean(values))


@settings(deadline=None)
@given(few)
def test_variants_b_and_w_of_equal_rankings_are_1_and_b_is_never_below_a(lists):
    a, b = lists
    for ties in ("b", "w"):
        assert rank_biased_overlap(a, a, ties=ties) == pytest.approx(1)
    low, high = (float(rank_biased_overlap(a, b, ties=ties)) for ties in ("a", "b"))
    assert low <= high + 1e-12


@settings(deadline=None)
@given(few)
def test_the_tail_is_a_reweighting_of_the_same_list(lists):
    a, b = lists
    truncated, normalised, extrapolated = (
        float(rank_biased_overlap(a, b, p=0.7, tail=tail))
        for tail in ("truncated", "normalised", "extrapolated")
    )
    rest = 0.7 ** len(a)
    assert truncated <= 1 - rest + 1e-12
    assert normalised == pytest.approx(truncated / (1 - rest))
    # At the last depth both rankings contain every system, so agreement is 1 there.
    assert extrapolated == pytest.approx(truncated + rest)


def test_a_name_contains_p_ties_and_cutoff():
    label = CORRELATIONS.label("RBO(p=0.8, ties='w')@10")
    assert label == "rbo(p=0.8,ties='w')@10"
    assert CORRELATIONS.label("rbo") == "rbo(p=0.9)"
    value = CORRELATIONS.get("rbo(p=0.5)@1")([3, 2, 1], [2, 3, 1])
    assert value == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"p": 1.0}, "p must be between 0 and 1; found 1.0"),
        ({"ties": "c"}, "ties must be one of a, b, w; found 'c'"),
        ({"tail": "cut"}, "tail must be one of"),
        ({"cutoff": 4}, "cutoff must be between 1 and 3; found 4"),
        ({"cutoff": 0}, "cutoff must be between 1 and 3; found 0"),
    ],
)
def test_an_option_out_of_range_is_named(options, message):
    with pytest.raises(UsageError, match=message):
        rank_biased_overlap([1, 2, 3], [1, 2, 3], **options)


def test_an_unknown_coefficient_is_refused_with_the_choices():
    with pytest.raises(UnknownNameError, match="did you mean tau-b"):
        CORRELATIONS.get("tau-bb")

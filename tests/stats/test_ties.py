import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrelsmith.base.errors import ShapeError
from qrelsmith.stats.ties import pair_differences, tied_ranks

scores = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=12)


def test_means_that_differ_only_by_the_order_of_summation_are_tied():
    values = np.random.default_rng(1).random(1000)
    means = [values.mean(), values[::-1].cumsum()[-1] / 1000, sum(sorted(values)) / 1000]
    assert len(set(means)) > 1
    assert tied_ranks([*means, means[0] + 1e-9]).tolist() == [0, 0, 0, 1]


def test_the_tolerance_is_1e_12_relative_on_both_sides():
    for scale in (1.0, -1.0, 1e-9, 1e9):
        assert len(set(tied_ranks([scale, scale * (1 + 0.9e-12)]).tolist())) == 1
        assert len(set(tied_ranks([scale, scale * (1 + 1.1e-12)]).tolist())) == 2


def test_zero_is_only_tied_with_zero():
    assert tied_ranks([0.0, -0.0, 1e-300, -1e-300]).tolist() == [1, 1, 2, 0]


def test_a_chain_of_neighbours_is_one_tie():
    chain = 1 + np.arange(5) * 0.9e-12
    assert tied_ranks(chain).tolist() == [0, 0, 0, 0, 0]


def test_the_last_axis_is_ranked_and_the_others_are_a_stack():
    stack = np.array([[[3.0, 1.0, 3.0], [0.0, 0.0, 0.0]]])
    assert tied_ranks(stack).tolist() == [[[1, 0, 1], [0, 0, 0]]]
    assert tied_ranks(np.zeros((2, 0))).shape == (2, 0)


def test_huge_values_do_not_overflow():
    assert tied_ranks([-1.7e308, 1.7e308, 1.7e308]).tolist() == [0, 1, 1]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_value_that_is_not_a_number_is_named(bad):
    with pytest.raises(ShapeError, match="means must contain finite numbers; found index 1 ="):
        tied_ranks([0.5, bad], name="means")


def test_a_single_number_and_text_are_refused():
    with pytest.raises(ShapeError, match="at least one dimension"):
        tied_ranks(0.5)
    with pytest.raises(ShapeError, match="must contain numbers"):
        tied_ranks(["a"])


@settings(deadline=None)
@given(scores)
def test_ranks_agree_with_the_order_without_gaps(values):
    ranks = tied_ranks(values)
    assert sorted(set(ranks.tolist())) == list(range(ranks.max() + 1))
    for x, r in zip(values, ranks, strict=True):
        for y, s in zip(values, ranks, strict=True):
            if r < s:
                assert x < y
            if abs(x - y) <= 1e-12 * max(abs(x), abs(y)):
                assert r == s


@settings(deadline=None)
@given(scores)
def test_changing_the_sign_reverses_the_ranks(values):
    ranks = tied_ranks(values)
    assert (tied_ranks(-np.array(values)) == ranks.max() - ranks).all()


def test_the_difference_of_tied_means_is_exactly_zero():
    first, second = np.array([0, 0]), np.array([1, 2])
    assert pair_differences(np.array([0.3, 0.1 + 0.2, 0.1]), first, second)[0] == 0


def test_computing_ties_does_not_import_scipy():
    code = "import sys, qrelsmith.stats.ties; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"

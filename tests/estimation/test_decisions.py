"""Decided pairs: how few of them are wrong, single pairs, pairs without error."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.estimation.decisions import WRONG, compare_systems, decide_pairs
from qrelsmith.estimation.estimator import ScoreEstimates

REACH = 1.96
MANY = 1e9  # degrees of freedom


@pytest.mark.parametrize("spread", [1.0, 1.5, 2.0, 20.0])
def test_the_share_of_wrong_decisions_is_as_low_as_stated(spread: float) -> None:
    """Normal differences and errors: exact intervals decide at least 1% wrongly, the rule .5%."""
    rng = np.random.default_rng(1)
    true = rng.normal(scale=spread, size=100_000)
    said = true + rng.normal(size=true.size)
    one = np.ones(true.size)
    decided = decide_pairs(said, one, MANY * one, REACH * one)
    wrong = np.sign(said) != np.sign(true)
    outside = np.abs(said) > REACH
    assert not decided[~outside].any()
    assert wrong[decided].mean() == pytest.approx(min(WRONG, wrong[outside].mean()), abs=0.002)
    # If systems are far apart, the intervals alone keep the promise, and nothing is lost.
    if spread == 20:
        assert decided.sum() == outside.sum()
    else:
        assert wrong[outside].mean() > 1.5 * WRONG


def test_systems_that_differ_only_by_noise_are_not_decided() -> None:
    said = np.linspace(-2.2, 2.2, 41) / 2
    one = np.ones(said.size)
    said[0] = -2.2
    assert not decide_pairs(said, one, MANY * one, REACH * one).any()


def test_a_single_pair_is_decided_by_its_interval() -> None:
    one = np.ones(1)
    assert decide_pairs(np.array([2.0]), one, MANY * one, REACH * one).tolist() == [True]
    assert decide_pairs(np.array([1.9]), one, MANY * one, REACH * one).tolist() == [False]


def test_differences_without_error_are_decided_but_equal_systems_are_not() -> None:
    noise = np.zeros((3, 2))
    sure = ScoreEstimates(np.array([0.4, 0.4, 0.3]), noise, over_topics=False)
    first, second = np.triu_indices(3, 1)
    assert compare_systems(sure, first, second, labels=9).decided.tolist() == [False, True, True]

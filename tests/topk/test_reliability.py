from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy.special import expit

from qrelsmith.base.errors import NotConvergedWarning, ShapeError, UndefinedError, UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.topk.reliability import ByDistance, Constant, right_by_distance
from qrelsmith.topk.reliability_fit import TopicAnswers, _Likelihood, fit_reliability


def answered(truth: ByDistance, topics: int, *, seed: int, again: int = 2) -> list[TopicAnswers]:
    """Return topics of seven docs with grades 1 to 3; all pairs are answered `again` times."""
    rng, found = rng_for(seed, "test"), []
    for _ in range(topics):
        grades = rng.integers(1, 4, 7).astype(float)
        worth = truth.worth(grades, rng)
        wins = np.zeros((7, 7))
        for one, two in combinations(range(7), 2):
            won = rng.binomial(again, expit(worth[one] - worth[two]))
            wins[one, two], wins[two, one] = won, again - won
        found.append(TopicAnswers(grades, wins))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("truth", "topics"),
    [
        (ByDistance(0.6, 0.9), 20),
        pytest.param(ByDistance(0.6, 0.9), 60, marks=pytest.mark.full),
        pytest.param(ByDistance(1.0, 0.3), 60, marks=pytest.mark.full),
        pytest.param(ByDistance(0.0, 1.5), 60, marks=pytest.mark.full),
    ],
)
def test_the_reliability_behind_answers_is_estimated(truth: ByDistance, topics: int) -> None:
    fit = fit_reliability(answered(truth, topics, seed=2))
    assert fit.converged
    # Three standard deviations of the estimates from 24 such sets of answers on 60 topics.
    off = math.sqrt(60 / topics)
    assert fit.reliability.grade == pytest.approx(truth.grade, abs=0.22 * off)
    assert fit.reliability.spread == pytest.approx(truth.spread, abs=0.25 * off)
    assert (fit.answers, fit.repeated, fit.triads) == (topics * 42, topics * 21, topics * 35)


def test_the_likelihood_equals_a_numerical_integral() -> None:
    # Two docs, one grade apart: ∫ p^3 (1 − p) over the difference of their worths, by quadrature.
    wins = np.array([[0.0, 3.0], [1.0, 0.0]])
    likelihood = _Likelihood([TopicAnswers(np.array([1.0, 0.0]), wins)])
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    p = expit(0.7 + np.sqrt(2) * 1.2 * nodes)
    plain = np.log((weights * p**3 * (1 - p)).sum() / weights.sum())
    assert -likelihood.negative(np.array([0.7, np.log(1.2)])) == pytest.approx(plain, abs=0.04)


def test_ties_count_as_half_a_win_each() -> None:
    wins = np.array([[0.0, 0.5], [0.5, 0.0]])
    one = _Likelihood([TopicAnswers(np.zeros(2), wins)]).negative(np.array([0.5, 0.0]))
    assert np.isfinite(one)


def test_answers_without_contradictions_have_no_spread_and_are_reported() -> None:
    wins = np.triu(np.full((5, 5), 4.0), 1)
    with pytest.warns(NotConvergedWarning, match="contradict each other too rarely"):
        fit = fit_reliability([TopicAnswers(np.ones(5), wins)] * 5)
    assert not fit.converged


@pytest.mark.full
def test_random_answers_have_no_spread_and_no_effect_of_grades() -> None:
    fit = fit_reliability(answered(ByDistance(0.0, 0.0), 40, seed=2, again=4))
    assert fit.reliability.grade == pytest.approx(0.0, abs=0.1)
    assert fit.reliability.spread < 0.15


def test_without_repeated_pairs_and_triads_errors_cannot_be_estimated() -> None:
    wins = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    with pytest.raises(UndefinedError, match="cannot be estimated"):
        fit_reliability([TopicAnswers(np.ones(3), wins)])
    with pytest.raises(UndefinedError):
        fit_reliability([])


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"\[doc, doc\]"):
        TopicAnswers(np.ones(3), np.zeros((2, 2)))
    with pytest.raises(ShapeError, match="not below 0"):
        TopicAnswers(np.ones(2), np.full((2, 2), -1.0))


def test_the_probability_of_a_right_answer_increases_with_both_distances() -> None:
    pools = [np.repeat([1.0, 2.0, 3.0], 4)] * 4
    found = right_by_distance(ByDistance(0.6, 0.9), pools, rng=rng_for(0, "test"), draws=400)

    def right(grade: int, rank: int) -> float:
        (at,) = np.flatnonzero((found.grade_distance == grade) & (found.rank_distance == rank))
        return float(found.right[at])

    assert 0.5 < right(0, 1) < right(0, 4) < right(0, 8) < 1
    # Answers depend on worth: grades with the opposite order do not make a pair harder to judge
    # than its worths, but worths of different grades differ more.
    alike = right_by_distance(
        ByDistance(0.6, 0.9), [np.ones(12)] * 4, rng=rng_for(0, "test"), draws=400
    )
    assert right(2, 3) > alike.right[alike.rank_distance == 3][0]
    assert found.share.sum() == pytest.approx(1)
    assert set(found.grade_distance.tolist()) == {-2, -1, 0, 1, 2}


def test_a_constant_probability_does_not_depend_on_any_distance() -> None:
    found = right_by_distance(Constant(0.8), [[1, 2, 3]], rng=rng_for(0, "test"), draws=5)
    assert found.right.tolist() == pytest.approx([0.8] * len(found.right))


def test_the_better_doc_is_preferred_with_the_given_probability() -> None:
    assert Constant(0.9).preference(np.array([0.1, -3.0])).tolist() == pytest.approx([0.9, 0.1])
    assert ByDistance(1, 1).preference(np.array([0.0])).tolist() == [0.5]


@pytest.mark.parametrize("right", [0.4, 1.1, float("nan")])
def test_a_probability_below_that_of_random_answers_is_refused(right: float) -> None:
    with pytest.raises(UsageError, match=r"expected 0\.5 to 1"):
        Constant(right)


def test_a_spread_below_0_is_refused() -> None:
    with pytest.raises(UsageError, match="a spread of 0 or more"):
        ByDistance(1.0, -1.0)

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.discrimination.plackett_luce import PlackettLuce, fit_scores, sample_rankings


def test_rankings_are_drawn_with_the_probabilities_of_the_model() -> None:
    # Paper on PDP, Eq. 4: the probability of a ranking is the product of its draws.
    weights = np.array([4.0, 2.0, 1.0])
    drawn = sample_rankings(
        PlackettLuce.from_scores(np.log(weights)), samples=60_000, rng=np.random.default_rng(0)
    )
    for ranking in permutations(range(3)):
        first, second = weights[ranking[0]], weights[ranking[1]]
        chance = first / 7 * second / (7 - first)
        share = (drawn == ranking).all(axis=1).mean()
        assert share == pytest.approx(chance, abs=4 * np.sqrt(chance / 60_000))


def test_certain_groups_keep_their_order() -> None:
    p = np.full((4, 4), 0.5)
    p[2:, :2], p[:2, 2:] = 1, 0
    drawn = sample_rankings(fit_scores(p), samples=200, rng=np.random.default_rng(0))
    assert np.sort(drawn[:, :2], axis=1).tolist() == [[2, 3]] * 200
    assert {tuple(row) for row in drawn.tolist()} == {
        (2, 3, 0, 1),
        (2, 3, 1, 0),
        (3, 2, 0, 1),
        (3, 2, 1, 0),
    }


def test_absent_docs_are_minus_one_at_the_end() -> None:
    model = PlackettLuce.from_scores([[0.0, np.nan, 1.0], [np.nan, np.nan, np.nan]])
    drawn = sample_rankings(model, samples=50, rng=np.random.default_rng(0))
    assert drawn.shape == (2, 50, 3)
    assert (drawn[0, :, 2] == -1).all()
    assert np.sort(drawn[0, :, :2], axis=1).tolist() == [[0, 2]] * 50
    assert (drawn[1] == -1).all()


def test_the_same_generator_draws_the_same_rankings() -> None:
    model = PlackettLuce.from_scores(np.zeros((3, 6)))
    first, second = (
        sample_rankings(model, samples=5, rng=np.random.default_rng(9)) for _ in range(2)
    )
    assert (first == second).all()
    assert sample_rankings(model, samples=0, rng=np.random.default_rng(9)).shape == (3, 0, 6)
    with pytest.raises(UsageError, match="samples is -1"):
        sample_rankings(model, samples=-1, rng=np.random.default_rng(9))

"""The rounds of one topic compared with thousands of simultaneous campaigns, and by hand."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.base.rng import rng_for
from qrelsmith.topk.crowd_simulation import CrowdDesign, simulate_crowd
from qrelsmith.topk.reliability import ByDistance, Constant
from qrelsmith.topk.simulated_top import simulate_top

ALWAYS = Constant(1.0)


def test_counts_for_all_pairs_of_few_candidates_are_as_computed_by_hand() -> None:
    found = simulate_top([0.3, 0.9, 0.1, 0.7], CrowdDesign(2, 9, 7), ALWAYS, rng=rng_for(0))
    assert found.pairs.tolist() == [6]
    assert found.docs.tolist() == [1, 3]
    assert found.rank.tolist() == [1, 2]


@pytest.mark.parametrize("size", [12, 23, 40])
def test_cost_and_success_equal_those_of_campaigns_with_many_topics(size: int) -> None:
    design, reliability = CrowdDesign(), ByDistance(1.0, 0.0)
    worth = np.linspace(0, 6, size)

    class Known:
        """Worths equal to the grades."""

        def worth(self, grades, rng):
            return np.asarray(grades, dtype=float)

        preference = staticmethod(reliability.preference)

    search = simulate_crowd([worth], design, Known(), campaigns=600, seed=1)
    drawn = [
        simulate_top(worth, design, reliability, rng=rng_for(number, "one"))
        for number in range(300)
    ]
    pairs = np.array([one.pairs.sum() for one in drawn])
    recall = np.array([np.isin(np.arange(size)[-5:], one.docs).mean() for one in drawn])
    for mine, theirs in ((pairs, search.judgments.sum(axis=1)), (recall, search.recall)):
        error = np.sqrt(mine.var() / mine.size + theirs.var() / theirs.size + 1e-12)
        assert abs(mine.mean() - theirs.mean()) < 4 * error


def test_right_answers_find_the_best_and_ties_share_a_rank() -> None:
    worth = rng_for(3).permutation(30.0 * np.arange(20))
    found = simulate_top(worth, CrowdDesign(), ALWAYS, rng=rng_for(1))
    assert worth[found.docs[0]] == worth.max()
    assert found.rank[0] == 1
    circle = simulate_top([1.0, 1.0, 1.0], CrowdDesign(1, 9, 7), Constant(0.5), rng=rng_for(5))
    assert circle.rank.tolist() == [1] * len(circle.docs)


@pytest.mark.parametrize("size", [0, 1])
def test_too_few_candidates_need_no_comparison(size: int) -> None:
    found = simulate_top(np.ones(size), CrowdDesign(), ALWAYS, rng=rng_for(0))
    assert found.docs.tolist() == list(range(size))
    assert found.pairs.sum() == 0

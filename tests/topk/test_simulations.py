"""Simulated campaigns and trees compared with the schedulers that they represent."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.topk import Answer, Rounds, Tournament
from qrelsmith.topk.crowd_simulation import CrowdDesign, simulate_block, simulate_crowd
from qrelsmith.topk.reliability import ByDistance, Constant
from qrelsmith.topk.simulated_search import join_searches
from qrelsmith.topk.tournament_simulation import play_trees, simulate_tournaments

POOLS = [np.repeat([3.0, 2.0], [5, count - 5]) for count in (6, 10, 14, 23)] + [np.ones(1)]


def plain(make, pools, reliability, campaigns: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return judgments, found and first docs of each campaign, with the scheduler of a session."""
    rows = []
    for campaign in range(campaigns):
        rng, judged, found, first = rng_for(campaign, "plain"), 0, [], []
        for grades in pools:
            docs = [f"d{number:02d}" for number in range(grades.size)]
            worth = dict(zip(docs, reliability.worth(grades, rng), strict=True))
            scheduler = make(docs, campaign)
            answers: list[Answer] = []
            state = scheduler.replay(answers)
            while not state.done:
                for p in state.open_pairs:
                    chance = reliability.preference(np.array(worth[p.left] - worth[p.right]))
                    answers.append(
                        Answer(p.left, p.right, -1 if rng.random() < chance else 1, "", p.round)
                    )
                state = scheduler.replay(answers)
            judged += state.comparisons
            order = sorted(docs, key=worth.__getitem__, reverse=True)
            found.append(set(order[:5]) <= {place.doc for place in state.result})
            first.append(order[0] in {place.doc for place in state.result if place.rank == 1})
        rows.append((judged, np.mean(found), np.mean(first)))
    return tuple(np.array(column) for column in zip(*rows, strict=True))


def alike(plain_values: np.ndarray, simulated: np.ndarray) -> bool:
    error = math.sqrt(
        plain_values.var() / plain_values.size + simulated.var() / simulated.size + 1e-12
    )
    return abs(plain_values.mean() - simulated.mean()) < 4 * error


@pytest.mark.parametrize("reliability", [Constant(0.8), ByDistance(0.6, 0.9)])
@pytest.mark.parametrize("keep", ["majority", "half"])
def test_simulated_rounds_equal_those_of_the_scheduler(reliability, keep) -> None:
    judged, found, first = plain(
        lambda docs, seed: Rounds(docs, k=5, seed=seed, keep=keep), POOLS, reliability, 60
    )
    search = simulate_crowd(POOLS, CrowdDesign(keep=keep), reliability, campaigns=600, seed=1)
    assert alike(judged, search.judgments.sum(axis=1))
    assert alike(found, search.found)
    assert alike(first, search.first)
    assert (search.found <= search.recall + 1e-12).all()


@pytest.mark.parametrize("reliability", [Constant(0.8), ByDistance(0.6, 0.9)])
def test_simulated_trees_equal_those_of_the_scheduler(reliability) -> None:
    judged, found, first = plain(
        lambda docs, seed: Tournament(docs, k=5, seed=seed), POOLS, reliability, 60
    )
    search = simulate_tournaments(POOLS, 5, reliability, campaigns=600, seed=1)
    assert alike(judged, search.judgments.sum(axis=1))
    assert alike(found, search.found)
    assert alike(first, search.first)


# Lost under the floor rule in 31,300 of 286,884 pairings of ten, k = 5, P = 7.
def test_right_answers_lose_the_fifth_best_of_ten_as_often_as_counted() -> None:
    share, campaigns = 1 - 31_300 / 286_884, 4000
    search = simulate_crowd(
        [np.ones(10)], CrowdDesign(), Constant(1.0), campaigns=campaigns, seed=3
    )
    assert search.found.mean() == pytest.approx(
        share, abs=4 * math.sqrt(share * (1 - share) / campaigns)
    )
    assert (search.first == 1).all()


# The mean number of comparisons of a winner tree.
@pytest.mark.parametrize(("candidates", "mean"), [(10, 17.8), (55, 73.2), (112, 134.3)])
def test_right_answers_need_the_mean_number_of_comparisons(candidates: int, mean: float) -> None:
    search = simulate_tournaments([np.ones(candidates)], 5, Constant(1.0), campaigns=400, seed=0)
    assert search.judgments.mean() == pytest.approx(mean, rel=0.005)
    assert (search.found == 1).all()


def test_trees_find_the_best_docs_in_order() -> None:
    for size in (1, 2, 3, 7):
        worth = np.tile(np.arange(size, 0, -1.0), (50, 1))
        best, _ = play_trees(worth, 5, Constant(1.0), rng_for(0, "test"))
        assert (best == np.arange(min(5, size))).all()


def test_random_answers_find_the_best_as_often_as_chance() -> None:
    search = simulate_crowd([np.ones(9)], CrowdDesign(), Constant(0.5), campaigns=3000, seed=0)
    assert search.recall.mean() == pytest.approx(search.size.mean() / 9, abs=0.01)


def test_blocks_do_not_depend_on_each_other() -> None:
    def block(number: int, count: int):
        return simulate_block(
            POOLS, CrowdDesign(), Constant(0.9), campaigns=count, seed=5, block=number
        )

    whole = simulate_crowd(POOLS, CrowdDesign(), Constant(0.9), campaigns=130, seed=5)
    again = join_searches([block(1, 30), block(0, 100)])
    assert again.found.tolist()[30:] == whole.found.tolist()[:100]
    assert again.found.tolist()[:30] == whole.found.tolist()[100:]
    assert simulate_crowd(
        POOLS, CrowdDesign(), Constant(0.9), campaigns=130, seed=6
    ).found.tolist() != (whole.found.tolist())


def test_topics_with_k_or_fewer_docs_are_always_found() -> None:
    search = simulate_crowd([[1, 1], [], [2]], CrowdDesign(), Constant(0.5), campaigns=20, seed=0)
    assert (search.found == 1).all()
    assert search.judgments.sum(axis=1).tolist() == [1] * 20


def test_progress_is_reported_for_every_block() -> None:
    steps: list[int] = []
    simulate_crowd(
        [[1, 1]],
        CrowdDesign(),
        Constant(1.0),
        campaigns=250,
        seed=0,
        advance=lambda: steps.append(1),
    )
    assert len(steps) == 3


def test_no_campaigns_or_no_candidates_are_refused() -> None:
    with pytest.raises(UsageError, match="campaigns=0"):
        simulate_crowd([[1]], CrowdDesign(), Constant(1.0), campaigns=0, seed=0)
    with pytest.raises(UsageError, match="no topic has candidates"):
        simulate_crowd([[]], CrowdDesign(), Constant(1.0), campaigns=1, seed=0)
    with pytest.raises(UsageError, match="expected both above 0"):
        simulate_tournaments([[]], 5, Constant(1.0), campaigns=1, seed=0)
    with pytest.raises(UsageError, match="F > P > k"):
        CrowdDesign(k=9)

from __future__ import annotations

import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.topk.budget import crowd_cost, crowd_pairs, dedicated_cost, tournament_pairs
from qrelsmith.topk.crowd_simulation import CrowdDesign


def test_few_candidates_cost_all_their_pairs() -> None:
    assert crowd_pairs([9, 5, 1, 0], CrowdDesign()).tolist() == [36 + 10]


def test_each_round_eliminates_half_and_the_final_comes_as_soon_as_possible() -> None:
    # 23 → 12 → 6: ⌈23·7/2⌉, 12·7/2, then 6·5/2; the topic with 9 has its final in the first round.
    assert crowd_pairs([23, 9], CrowdDesign()).tolist() == [81 + 36, 42, 15]


def test_with_an_even_number_of_opponents_fewer_docs_win_more_than_half() -> None:
    # 0 … 6 wins are equally likely: 4, 5 and 6 wins stay, or 3 as well.
    assert crowd_pairs([21], CrowdDesign(pairings=6)).tolist() == [63, 36]
    assert crowd_pairs([21], CrowdDesign(pairings=6, keep="half")).tolist() == [63, 36, 21]


def test_half_is_never_fewer_than_k() -> None:
    design = CrowdDesign(k=8, finalists=8, pairings=3, forced=True)
    assert crowd_pairs([10], design).tolist() == [15, 28]


def test_with_few_candidates_all_pairs_are_the_maximum() -> None:
    design = CrowdDesign(k=2, finalists=3, pairings=7, forced=True)
    assert crowd_pairs([4], design).tolist() == [6, 1]


def test_no_topics_cost_nothing() -> None:
    assert crowd_pairs([], CrowdDesign()).sum() == 0
    assert tournament_pairs([], 5).sum() == 0


def test_tournaments_cost_the_bound_of_the_paper() -> None:
    assert tournament_pairs([112, 10], 5).tolist() == [140, 26]


# topk-preferences 4.3: $2.00 and $0.40 per HIT of ten pairs.
def test_the_cost_is_that_of_whole_hits() -> None:
    cost = crowd_cost([[100, 25]], size=10, challenge_pairs=3, price=2.4, seconds=60)
    assert cost.hits.tolist() == [13]
    assert cost.money.tolist() == pytest.approx([31.2])
    assert cost.hours.tolist() == pytest.approx([(125 + 39) / 60])


def test_failed_hits_are_paid_and_repeated() -> None:
    cost = crowd_cost([100], failing=0.2)
    assert float(cost.hits) == pytest.approx(12.5)
    with pytest.raises(UsageError, match="failing"):
        crowd_cost([100], failing=1.0)
    with pytest.raises(UsageError, match="expected at least one pair"):
        crowd_cost([100], size=0)


# topk-preferences 4.2: 2,498 judgments, "approximately 27 hours".
def test_dedicated_assessors_are_paid_by_the_hour() -> None:
    cost = dedicated_cost(2498, seconds=39, wage=10)
    assert float(cost.hours) == pytest.approx(27, abs=0.1)
    assert float(cost.money) == pytest.approx(270, abs=1)
    assert float(cost.hits) == 0

from __future__ import annotations

import math

import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.topk.crowd_simulation import CrowdDesign
from qrelsmith.topk.topk_losses import round_losses


# 10/36 and 31,300/286,884, counted over all pairings (tests/topk/test_culling.py).
def test_the_fifth_best_of_ten_is_lost_as_often_as_counted() -> None:
    draws = 20_000
    rows = round_losses(10, CrowdDesign(), draws=draws, seed=0).rows
    for found, share in zip(rows[4][2:], (10 / 36, 31_300 / 286_884), strict=True):
        # Twice the usual tolerance: the pairings are drawn from 128 shapes.
        assert found == pytest.approx(share, abs=8 * math.sqrt(share * (1 - share) / draws))


def test_the_best_is_never_lost_and_each_rank_more_often_than_the_previous_one() -> None:
    rows = round_losses(12, CrowdDesign(), draws=5_000, seed=1).rows
    assert [row[0] for row in rows] == [1, 2, 3, 4, 5]
    assert rows[0][2:] == (0, 0)
    for column in (2, 3):
        shares = [row[column] for row in rows]
        assert shares == sorted(shares)
    assert all(lost <= fails for _, _, fails, lost in rows)


def test_half_of_the_wins_is_enough_if_the_design_says_so() -> None:
    # 11 candidates with 7 opponents: one of them has 8, and four wins of eight are half.
    shares = [
        round_losses(11, CrowdDesign(keep=keep), draws=5_000, seed=2).rows[4][2]
        for keep in ("majority", "half")
    ]
    assert shares[1] < shares[0]


def test_too_few_candidates_or_draws_are_refused() -> None:
    for candidates, draws in ((5, 10), (10, 0)):
        with pytest.raises(UsageError, match="expected more than k = 5"):
            round_losses(candidates, CrowdDesign(), draws=draws, seed=0)

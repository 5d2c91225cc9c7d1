"""The simulated campaign has the moments of the paper that it was fitted to."""

from __future__ import annotations

import pytest

from qrelsmith_papers.judging_order.draws import moments_of_draw
from qrelsmith_papers.judging_order.moments import Moment, printed_moments

# Within so much of the print in one draw; the means of 20 are nearer (docs/papers/ordering.md).
NEAR: dict[Moment, float] = {
    ("Table 1", "docs"): 500,
    ("Table 2", "L2 of Gold, %"): 6,
    ("Table 2", "L1 of Gold, %"): 5,
    ("Table 4", "ATBJ of Gold"): 6,
    ("Table 4", "ATBJ of BronzeW"): 4,
    ("Table 4", "ATBJ of BronzeT"): 7,
    ("Table 4", "ATBJ, V_E1"): 60,  # 3.2 before the sessions had a pace of their own
    ("Table 4", "NREJ, V_E1"): 110,
    ("Table 5", "κ PRI-BronzeW, PRI-BronzeT"): 0.08,
    ("Table 5", "κ, V_E1"): 0.012,
    ("Tables 11, 12", "halves, PRI-BronzeT-nDCG"): 0.15,
}


def test_a_draw_comes_near_the_print() -> None:
    printed = printed_moments()
    table = moments_of_draw(paper_size=True, number=0, seed=0)
    drawn = {(str(row[0]), str(row[1])): float(str(row[2])) for row in table.rows}
    assert drawn.keys() == printed.keys()
    for moment, near in NEAR.items():
        assert drawn[moment] == pytest.approx(printed[moment], abs=near), moment
    # The κ of the paper say that BronzeT is the least noisy group, and BronzeW the noisiest.
    kappas = [drawn["Table 5", f"κ PRI-Gold, PRI-{group}"] for group in ("BronzeW", "BronzeT")]
    assert kappas == sorted(kappas)

"""The paper's numbers on its 42 automatic runs of TREC CAsT 2019."""

from __future__ import annotations

from typing import NamedTuple

from qrelsmith_papers.published import printed_table

_COLLECTION = "CAsT 2019 (published)"
RUNS, _TOPICS = 42, 173


class Sensitivities(NamedTuple):
    """A row of Table 1 or 3: sensitivities and consistency.

    Attributes
    ----------
    ideal : str
        The basis of the ideal rankings.
    cutoff : int
        The cutoff of nDCG.
    p : float
        The p of compatibility.
    ndcg, compat : float
        The shares of pairs separated by each measure.
    tau : float
        Kendall's τ between the two rankings.
    """

    ideal: str
    cutoff: int
    p: float
    ndcg: float
    compat: float
    tau: float

    def row(self) -> tuple[str | int | float | None, ...]:
        """Return a row with the columns of `beside.COLUMNS`."""
        return (
            _COLLECTION, self.ideal, RUNS, _TOPICS, self.cutoff, self.p, self.ndcg, self.compat,
            self.tau, None, None, None, None,
        )  # fmt: skip


GRADED, COMBINED, TOP, BEST = "graded only", "combined", "top-5 only", "best only"
TABLE1, TABLE3 = (
    tuple(Sensitivities(*row) for row in printed_table("topk_preferences", name)[1])
    for name in ("table1", "table3")
)
# Section 4.3: dollars in total and per HIT, pairs per HIT, preferences judged; graded passages.
COST, HIT_COST, HIT_PAIRS, PREFERENCES, GRADED_JUDGMENTS = 3_879.60, 2.40, 10, 15_349, 29_350
# Section 3.1: smallest and largest number of ideal rankings of a question.
IDEALS = (192, 26_842_725)
# Table 2: k and the additional judgments.
TABLE2 = {3: 3_456, 5: 5_429, 10: 10_691}

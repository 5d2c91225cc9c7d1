"""The paper's numbers of its 42 automatic runs of TREC CAsT 2019."""

from __future__ import annotations

from typing import NamedTuple

_COLLECTION = "CAsT 2019 (published)"
RUNS, _TOPICS = 42, 173


class Published(NamedTuple):
    """A row of Table 1 or 3.

    Attributes
    ----------
    ideal : str
        What the ideal rankings are made of.
    cutoff : int
        Of nDCG.
    p : float
        Of compatibility.
    ndcg, compat : float
        The shares of pairs that each tells apart.
    tau : float
        Kendall's τ between the two.
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
TABLE1 = (
    Published(GRADED, 3, 0.80, 0.717, 0.710, 0.907),
    Published(GRADED, 5, 0.85, 0.726, 0.735, 0.920),
    Published(GRADED, 10, 0.90, 0.766, 0.765, 0.910),
    Published(GRADED, 20, 0.95, 0.782, 0.794, 0.956),
)
TABLE3 = (
    TABLE1[0],
    Published(COMBINED, 3, 0.80, 0.717, 0.765, 0.851),
    Published(TOP, 3, 0.80, 0.717, 0.733, 0.814),
    Published(BEST, 3, 0.80, 0.717, 0.552, 0.775),
    TABLE1[1],
    Published(COMBINED, 5, 0.85, 0.726, 0.778, 0.851),
)
# Section 4.3: dollars in all and for a HIT, its pairs, preferences judged; passages with grades.
COST, HIT_COST, HIT_PAIRS, PREFERENCES, GRADED_JUDGMENTS = 3_879.60, 2.40, 10, 15_349, 29_350
# Section 3.1: ideal rankings of a question, the fewest and the most.
IDEALS = (192, 26_842_725)
# Table 2: k and the extra judgments.
TABLE2 = {3: 3_456, 5: 5_429, 10: 10_691}

"""Compatibility with ideal rankings compared with nDCG of grades, on the same runs and topics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from qrelsmith.base.content import Figure, Points
from qrelsmith.base.tables import Cell
from qrelsmith.collection.qrels import Qrels
from qrelsmith.evaluation import ScoreMatrix, score_runs
from qrelsmith.rankings.measure_power import MeasurePower, measure_power
from qrelsmith_papers.topk_preferences.collection import TopkCollection
from qrelsmith_papers.topk_preferences.published import Sensitivities

# The paper's p for each cutoff of nDCG (Table 1).
MATCHES = {3: 0.80, 5: 0.85, 10: 0.90, 20: 0.95}
COLUMNS = (
    "collection|ideal|runs|topics|nDCG@k|p|nDCG sensitivity|compat sensitivity|tau|low|high"
    "|only compat|only nDCG"
)


@dataclass(frozen=True, slots=True)
class Beside:
    """A comparison of compatibility with nDCG.

    Attributes
    ----------
    collection, ideal : str
        The collection, and the basis of the ideal rankings.
    cutoff : int
        The cutoff of nDCG.
    compat, ndcg : ScoreMatrix
        The scores of the runs.
    power : MeasurePower
        The discriminative power of both, compatibility first.
    """

    collection: str
    ideal: str
    cutoff: int
    compat: ScoreMatrix
    ndcg: ScoreMatrix
    power: MeasurePower

    def row(self) -> tuple[Cell, ...]:
        """Return a row with the columns of `COLUMNS`."""
        power = self.power
        return (
            self.collection, self.ideal, power.systems, power.topics, self.cutoff,
            MATCHES[self.cutoff], power.other_sensitivity, power.sensitivity, power.tau, power.low,
            power.high, len(power.only), len(power.only_other),
        )  # fmt: skip

    def sensitivities(self) -> Sensitivities:
        """Return the numbers printed in the paper."""
        one, p = self.power, MATCHES[self.cutoff]
        return Sensitivities(
            self.ideal, self.cutoff, p, one.other_sensitivity, one.sensitivity, one.tau
        )

    def top(self, count: int | None = None) -> list[str]:
        """Return the runs by compatibility, the best first; by default, return all runs."""
        means = dict(zip(self.compat.systems, self.compat.means().tolist(), strict=True))
        return sorted(means, key=lambda name: (-means[name], name))[:count]

    def figure(self, key: str) -> Figure:
        """Return a chart of the runs under both measures."""
        ndcg, power = self.ndcg.sorted(), self.power
        return Figure(
            key=key,
            title=f"{self.collection}: {power.measure} ({self.ideal}) and {power.other}",
            drawing=Points(
                names=ndcg.systems,
                x=ndcg.means().tolist(),
                y=self.compat.sorted().means().tolist(),
                x_label=power.other,
                y_label=f"{power.measure}, {self.ideal}",
            ),
            caption=f"A point is one of {power.systems} runs, on {power.topics} topics;"
            f" τ = {power.tau:.3f}.",
        )


def compare_with_ndcg(
    collection: TopkCollection, ideal: Qrels, name: str, cutoffs: Iterable[int]
) -> list[Beside]:
    """Compare compatibility with nDCG at each cutoff, on the topics of the ideal rankings."""
    wanted = {cutoff: (f"Compat(p={MATCHES[cutoff]})", f"nDCG@{cutoff}") for cutoff in cutoffs}
    graded = collection.graded.restricted_to(ideal.topics)
    one = score_runs(ideal, collection.runs, [compat for compat, _ in wanted.values()])
    two = score_runs(graded, collection.runs, [ndcg for _, ndcg in wanted.values()])
    found: list[Beside] = []
    for cutoff, (compat, ndcg) in wanted.items():
        mine, other = one.matrix(compat), two.matrix(ndcg)
        power = measure_power(mine, other)
        found.append(Beside(collection.name, name, cutoff, mine, other, power))
    return found


def lowest_step(values: Sequence[float]) -> float:
    """Return the smallest step up in a sequence; negative if the sequence falls."""
    return min(after - before for before, after in pairwise(values))

"""The result of `compare`: rank correlations between label sets or topic sets."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from qrelsmith.base.content import Figure, Points
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.rankings.ranking_comparison import RankingComparison
from qrelsmith.rankings.ranking_figures import ranking_figures
from qrelsmith.rankings.top_comparison import TopComparison, tops_table
from qrelsmith.stats.ties import mean_ranks

_COLUMNS = (
    "measure", "qrels_a", "qrels_b", "systems", "tau_a", "tau_b", "tau_ap", "tau_low",
    "tau_high", "interval", "over",
)  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class RankingComparisons(Result):
    """Comparisons of rankings by all pairs of label sets (or topic sets).

    Attributes
    ----------
    comparisons : tuple of RankingComparison
        One for each measure, pair and kind of interval, sorted by measure and names.
    sides : mapping of str to mapping of str to ScoreMatrix
        Scores by name and measure, the reference first, other label sets on common topics.
    over : str
        The population of the intervals, except the papers'.
    tops : tuple of TopComparison
        The reference's best systems under each label set, if requested instead of comparisons.
    """

    comparisons: tuple[RankingComparison, ...]
    sides: dict[str, dict[str, ScoreMatrix]] = field(repr=False)
    over: str
    tops: tuple[TopComparison, ...] = field(default=(), repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the label sets or topic sets, starting with the reference."""
        return tuple(self.sides)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that rank the systems."""
        compared = [one.measure for one in self.comparisons]
        return tuple(dict.fromkeys([*compared, *(top.measure for top in self.tops)]))

    def table(self) -> Table:
        """Return one row per measure, pair and kind of interval, or per best system."""
        return (self.top_table if self.tops else self.table_of)(*self.measures)

    def top_table(self, *measures: str) -> Table:
        """Return the rows of the best systems by some measures."""
        return tops_table([top for top in self.tops if top.measure in measures], self.notes)

    def table_of(self, *measures: str, only_with: str = "") -> Table:
        """Return the rows of the given measures, optionally only pairs with a given label set."""
        rows = [
            (
                one.measure, one.first, one.second, one.systems, one.tau_a, one.tau_b, one.tau_ap,
                one.low, one.high, one.interval, one.over,
            )
            for one in self.comparisons
            if one.measure in measures and only_with in ("", one.first, one.second)
        ]  # fmt: skip
        return Table.of(_COLUMNS, rows, notes=self.notes)

    def with_reference(self, measure: str) -> list[RankingComparison]:
        """Return a measure's comparisons with the reference, with intervals over the population."""
        reference = self.names[0]
        return [
            one
            for one in self.comparisons
            if (one.measure, one.interval) == (measure, self.over)
            and reference in (one.first, one.second)
        ]

    def tops_by(self, measure: str) -> dict[str, TopComparison]:
        """Return the reference's best systems by a measure, under each label set."""
        return {top.label_set: top for top in self.tops if top.measure == measure}

    def ranks(self, measure: str) -> dict[str, list[float]]:
        """Return ranks by label or topic set (1: highest mean); tied systems share the mean rank.

        The systems are in the order of their names.
        """
        return {
            name: mean_ranks(matrices[measure].means()).tolist()
            if matrices[measure].topics
            else [math.nan] * len(matrices[measure].systems)
            for name, matrices in self.sides.items()
        }

    def figures(self, measure: str) -> tuple[Figure, ...]:
        """Return charts of τ to the reference, τ of all pairs, and ranks of systems."""
        if len(self.names) < 2:
            return ()
        systems = next(iter(self.sides.values()))[measure].systems
        every = [
            one
            for one in self.comparisons
            if (one.measure, one.interval) == (measure, self.comparisons[0].interval)
        ]
        return ranking_figures(
            measure, self.names, every, systems, list(self.ranks(measure).values())
        )

    def figure(self) -> Figure | None:
        """Return a chart of τ to the reference, or of scores if there are only two rankings."""
        if len(self.names) == 2 and self.measures:
            measure = self.measures[0]
            x, y = (
                dict(zip(side[measure].systems, side[measure].means().tolist(), strict=True))
                for side in self.sides.values()
            )
            return Figure(
                "scores",
                f"The systems under {self.names[0]} and {self.names[1]}",
                Points(
                    names=list(x),
                    x=list(x.values()),
                    y=[y[system] for system in x],
                    x_label=f"{measure} under {self.names[0]}",
                    y_label=f"{measure} under {self.names[1]}",
                    diagonal=True,
                ),
                "A system on the line has the same mean under both label sets.",
            )
        figures = self.figures(self.measures[0]) if self.comparisons else ()
        return figures[0] if figures else None

"""The result of `cut`: the chosen cuts and all alternatives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.cuts import ASSESSOR
from qrelsmith.cuts.cut_rankings import CutRankings
from qrelsmith.cuts.cut_results import all_cuts, chosen_table, cuts_of, halving_table
from qrelsmith.cuts.cut_sources import CutSource
from qrelsmith.cuts.cut_tables import CutTable, cut_assessor_qrels, cut_qrels
from qrelsmith.cuts.cut_topics import CutTopics
from qrelsmith.cuts.cut_validation import Halving
from qrelsmith.cuts.label_cuts import ChosenCuts, LabelCuts
from qrelsmith.io.array_tables import Part
from qrelsmith.judgments.label_transforms import ErrorCodes


@dataclass(frozen=True, eq=False, kw_only=True)
class CutSearch(Result):
    """The chosen cuts and all alternatives.

    Attributes
    ----------
    chosen : tuple of ChosenCuts
        The cuts of each topic, or only those of the collection; empty after validation.
    halvings : tuple of Halving
        Cuts chosen on half of the topics and evaluated on the other half; empty unless requested.
    source : CutSource
        The labels, their scale, and the tested sets of cuts.
    search : LabelCuts
        Computes α of every set of cuts.
    rankings : CutRankings or None
        The runs joined with the labels.
    errors : str
        Treatment of the code −2.
    """

    chosen: tuple[ChosenCuts, ...]
    halvings: tuple[Halving, ...]
    source: CutSource = field(repr=False)
    search: LabelCuts = field(repr=False)
    rankings: CutRankings | None = field(repr=False)
    errors: ErrorCodes = "missing"

    @property
    def cut_table(self) -> CutTable:
        """The cuts for `transform`.

        Raises
        ------
        UsageError
            If no cuts were chosen.
        """
        return cuts_of(self.chosen, by_assessor=self.source.by_assessor)

    @property
    def qrels(self) -> Qrels:
        """The cut labels, one level per doc; topics without cuts are left out."""
        if self.source.by_assessor:
            return cut_assessor_qrels(
                self.source.judgments, self.cut_table, source=self.source.scale, errors=self.errors
            )
        whole = CutTopics.of(self.source.judgments, errors=self.errors)
        options = self.search.options
        return cut_qrels(whole, self.cut_table, by=options.by, order=options.order)

    def table(self) -> Table:
        """Columns: topic, cuts, alpha, tied, degenerate, units; with runs tau, measure, systems.

        By assessor, the first column is `assessor`. After validation, the columns are repeat, cuts,
        alpha_chosen, alpha_held_out, optimism, alpha_best, tau_chosen, tau_held_out; the first row
        is the mean.
        """
        if self.halvings:
            return halving_table(self.halvings)
        table = chosen_table(self.chosen, self.source.topics, self.rankings)
        if self.source.by_assessor:
            return Table.of((ASSESSOR, *table.columns[1:]), table.rows)
        return table

    def all_cuts(self) -> Iterator[Part]:
        """Return α under every set of cuts as columns: by topic, by assessor or overall."""
        topics = self.search.topics.topics
        of = ASSESSOR if self.source.by_assessor else "topic"
        if [one.topic for one in self.chosen] != list(topics):
            yield all_cuts(self.chosen[0].topic, self.search.sets, self.search.mean())
            return
        for place, topic in enumerate(topics):
            yield all_cuts(topic, self.search.sets, self.search.alphas(place), of=of)

    def figure(self) -> Figure:
        """Return a chart of α by cut, averaged over topics: the best set that includes each cut."""
        sets = self.search.sets
        alpha = self.search.mean().alpha
        lines = [
            Line(
                f"cut {number}" if sets.targets > 2 else "α",
                sets.candidates.tolist(),
                _highest(alpha, column, sets.candidates.size).tolist(),
            )
            for number, column in enumerate(sets.columns, start=1)
        ]
        method = self.search.options.method
        over = "assessors" if self.source.by_assessor else "topics"
        return Figure(
            key="cuts",
            title=f"α of every cut by {method}, mean over {over}",
            drawing=Lines(lines, x_label="cut", y_label=f"α ({self.search.options.level})"),
            caption="Each point is the highest mean α among the sets with a cut at this position.",
        )


def _highest(alpha: FloatArray, column: np.ndarray, size: int) -> FloatArray:
    """Return the highest α of the sets with a cut at each candidate; nan where undefined."""
    highest = np.full(size, -np.inf)
    known = ~np.isnan(alpha)
    np.maximum.at(highest, column[known], alpha[known])
    return np.where(np.isfinite(highest), highest, np.nan)

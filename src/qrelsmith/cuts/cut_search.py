"""The result of `cut`: the chosen cuts and all alternatives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from qrelsmith.base.arrays import AnyArray, FloatArray
from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Cell, Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.cuts import ASSESSOR, CutAlphas, CutSets
from qrelsmith.cuts.cut_rankings import CutRankings
from qrelsmith.cuts.cut_sources import CutSource
from qrelsmith.cuts.cut_tables import (
    COLUMNS,
    NO_CUTS,
    OWN_CUTS,
    RANKING_COLUMNS,
    CutTable,
    cut_assessor_qrels,
    cut_qrels,
)
from qrelsmith.cuts.cut_topics import ALL, CutTopics
from qrelsmith.cuts.cut_validation import Halving, means_of
from qrelsmith.cuts.label_cuts import ChosenCuts, CollectionAlphas, LabelCuts
from qrelsmith.io.array_tables import Part
from qrelsmith.judgments.label_transforms import ErrorCodes

HALVING_COLUMNS = (
    "repeat", "cuts", "alpha_chosen", "alpha_held_out", "optimism", "alpha_best", "tau_chosen",
    "tau_held_out",
)  # fmt: skip


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
        """Columns: topic, cuts, alpha, tied, degenerate, units.

        If there are runs, the columns tau, measure and systems follow.

        If cuts are by assessor, the first column is `assessor`. After validation, the columns are
        repeat, cuts, alpha_chosen, alpha_held_out, optimism, alpha_best, tau_chosen, tau_held_out;
        the first row is the mean.
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
        """Return a chart of the highest mean α over topics among the sets that include each cut."""
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
    """Return, for each candidate, the highest α of the sets with this cut; nan if undefined."""
    highest = np.full(size, -np.inf)
    known = ~np.isnan(alpha)
    np.maximum.at(highest, column[known], alpha[known])
    return np.where(np.isfinite(highest), highest, np.nan)


def cuts_of(chosen: Sequence[ChosenCuts], *, by_assessor: bool = False) -> CutTable:
    """Return the chosen cuts for `transform`."""
    found = {one.topic: one.cuts for one in chosen if one.cuts is not None}
    if by_assessor:
        return CutTable({}, of_assessor=found)
    return CutTable({t: cuts for t, cuts in found.items() if t != ALL}, found.get(ALL))


def chosen_table(
    chosen: Sequence[ChosenCuts], topics: CutTopics, rankings: CutRankings | None = None
) -> Table:
    """Return a row per chosen set of cuts; if there are rankings, also τ and an overall row.

    Parameters
    ----------
    chosen : sequence of ChosenCuts
        The cuts of each topic, or only those of the collection.
    topics : CutTopics
        The labels by topic, even if they were pooled for the choice.
    rankings : CutRankings, optional
        The runs joined with these labels.
    """
    rows: list[tuple[Cell, ...]] = [
        (
            choice.topic, NO_CUTS if choice.cuts is None else str(choice.cuts), choice.alpha,
            choice.tied, choice.degenerate, choice.units,
        )
        for choice in chosen
    ]  # fmt: skip
    if rankings is None:
        return Table.of(COLUMNS, rows)
    places = {topic: place for place, topic in enumerate(topics.topics)}
    if chosen[0].topic == ALL and ALL not in places:
        taus = [rankings.tau_of(dict.fromkeys(places.values(), chosen[0].place))]
    else:
        taus = [rankings.tau_of({places[choice.topic]: choice.place}) for choice in chosen]
        own = rankings.tau_of({places[choice.topic]: choice.place for choice in chosen})
        alphas = [choice.alpha for choice in chosen if choice.cuts is not None]
        mean = float(np.mean(alphas)) if alphas else float("nan")
        degenerate, units = (
            sum(getattr(choice, n) for choice in chosen) for n in ("degenerate", "units")
        )
        rows.append((ALL, OWN_CUTS, mean, None, degenerate, units))
        taus.append(own)
    ranked = (rankings.measure, rankings.systems)
    return Table.of(
        COLUMNS + RANKING_COLUMNS,
        [(*row, tau, *ranked) for row, tau in zip(rows, taus, strict=True)],
    )


def halving_table(halvings: Sequence[Halving]) -> Table:
    """Return a table with a row of means, followed by one row per random half of the topics."""
    names = HALVING_COLUMNS[2:]
    means = means_of(halvings)
    rows: list[tuple[Cell, ...]] = [("mean", "", *(means[name] for name in names))]
    rows += [
        (
            str(one.repeat), NO_CUTS if one.cuts is None else str(one.cuts),
            *(getattr(one, name) for name in names),
        )
        for one in halvings
    ]  # fmt: skip
    return Table.of(HALVING_COLUMNS, rows)


def all_cuts(
    name: str, sets: CutSets, alphas: CutAlphas | CollectionAlphas, *, of: str = "topic"
) -> dict[str, AnyArray | Sequence[str]]:
    """α of a topic (or assessor) under every set of cuts, as table columns."""
    columns: dict[str, AnyArray | Sequence[str]] = {of: [name] * len(sets)}
    for place, column in enumerate(sets.columns, start=1):
        columns[f"cut_{place}"] = sets.candidates[column]
    columns["alpha"] = alphas.alpha
    columns["units"] = alphas.units.astype(np.int64)
    columns["degenerate"] = alphas.degenerate.astype(np.int64)
    return columns

"""Tables of the result of a search for cuts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrelsmith.base.arrays import AnyArray
from qrelsmith.base.tables import Cell, Table
from qrelsmith.cuts import CutAlphas, CutSets
from qrelsmith.cuts.cut_rankings import CutRankings
from qrelsmith.cuts.cut_tables import COLUMNS, NO_CUTS, OWN_CUTS, RANKING_COLUMNS, CutTable
from qrelsmith.cuts.cut_topics import ALL, CutTopics
from qrelsmith.cuts.cut_validation import Halving, means_of
from qrelsmith.cuts.label_cuts import ChosenCuts, CollectionAlphas

HALVING_COLUMNS = (
    "repeat", "cuts", "alpha_chosen", "alpha_held_out", "optimism", "alpha_best", "tau_chosen",
    "tau_held_out",
)  # fmt: skip


def cuts_of(chosen: Sequence[ChosenCuts], *, by_assessor: bool = False) -> CutTable:
    """Return the chosen cuts for `transform`."""
    found = {one.topic: one.cuts for one in chosen if one.cuts is not None}
    if by_assessor:
        return CutTable({}, of_assessor=found)
    return CutTable({t: cuts for t, cuts in found.items() if t != ALL}, found.get(ALL))


def chosen_table(
    chosen: Sequence[ChosenCuts], topics: CutTopics, rankings: CutRankings | None = None
) -> Table:
    """Return a row per chosen set of cuts; with rankings, also τ and an overall row.

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
    """Return the row of the means, then one row per half."""
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

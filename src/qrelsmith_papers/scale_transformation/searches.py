"""The search for the best cuts of a transformation: a cell of the sweep, and its result."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table
from qrelsmith.cuts import CutSets, best_cuts
from qrelsmith.cuts.label_cuts import ChosenCuts
from qrelsmith.judgments.scale_operations import Cuts
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.scale_transformation.collection import cell_of, collection
from qrelsmith_papers.scale_transformation.methods import Transformation, expert_of

_Row = tuple[TableCell, ...]
EXPERTS = tuple(map(expert_of, (2, 4)))
_COLUMNS = ("kind", "topic", "cuts", "alpha", "is best", "degenerate", *EXPERTS)
_ALL, _OWN = "all", "own"
_FEW = 100  # most sets of cuts with individual results


@dataclass(frozen=True, slots=True)
class Chosen:
    """The best cuts of a topic, or of the collection.

    Attributes
    ----------
    cuts : tuple of float
        The cuts; empty if α is undefined for all.
    alpha : float
        α under them.
    degenerate : int
        See `ChosenCuts`.
    taus : dict of str to float
        τ to the ranking under each expert; nan for topics.
    """

    cuts: tuple[float, ...]
    alpha: float
    degenerate: int
    taus: dict[str, float]

    @property
    def written(self) -> str:
        """The cuts as text."""
        return str(Cuts(self.cuts)) if self.cuts else "nan"


@dataclass(frozen=True, slots=True, eq=False)
class Searched:
    """The result of the search for a transformation.

    Attributes
    ----------
    topics : dict of str to Chosen
        The best cuts of each topic.
    own, single : Chosen
        The collection with cuts per topic (here empty), and with one set of cuts for all topics.
    alphas : ndarray, [topic, set]
        α of every single cut, if there are at most 100; the last row is the mean.
    best : ndarray of bool, [topic, set]
        The cuts that are as good as the best cut.
    """

    topics: dict[str, Chosen]
    own: Chosen
    single: Chosen
    alphas: FloatArray
    best: BoolArray

    @property
    def tops(self) -> FloatArray:
        """The highest cut of each topic [topic]; nan if a topic has no cut."""
        return np.array([one.cuts[-1] if one.cuts else np.nan for one in self.topics.values()])


def search_all(
    inputs: StudyInputs, wanted: Sequence[Transformation], *, undefined: str = "nan"
) -> list[Searched]:
    """Search transformations in parallel, reusing earlier results."""
    cells = [cell_of(inputs, search_rows, one, undefined=undefined) for one in wanted]
    return [_searched_of(table) for table in inputs.sweep(cells)]


def search_rows(
    *, method: str, source: int, levels: int, target: str, undefined: str, labels: str, seed: int
) -> Table:
    """Return the rows of a transformation with all results that the artefacts need."""
    data = collection(labels=labels, seed=seed)
    search = data.search(Transformation(method, source, levels, target), undefined=undefined)
    rankings = data.rankings(search)

    def row(kind: str, choice: ChosenCuts, places: Mapping[int, int] | None = None) -> _Row:
        taus = {
            name: math.nan if places is None else of.tau_of(places) for name, of in rankings.items()
        }
        cuts = "" if choice.cuts is None else str(choice.cuts)
        ranked = (taus.get(expert, math.nan) for expert in EXPERTS)
        return (kind, choice.topic, cuts, choice.alpha, None, choice.degenerate, *ranked)

    chosen: list[ChosenCuts] = []
    rows: list[_Row] = []
    for choice, found in search.per_topic():
        chosen.append(choice)
        rows += [row("topic", choice), *_cut_rows(choice.topic, search.sets, found.alpha)]
    single, mean = search.single()
    rows += _cut_rows(_ALL, search.sets, mean.alpha)
    own = {place: choice.place for place, choice in enumerate(chosen)}
    rows.append(row("single", single, dict.fromkeys(own, single.place)))
    alphas = [choice.alpha for choice in chosen if choice.cuts is not None]
    degenerate = sum(choice.degenerate for choice in chosen)
    every = replace(
        single, cuts=None, alpha=float(np.mean(alphas)) if alphas else math.nan,
        degenerate=degenerate,
    )  # fmt: skip
    rows.append(row(_OWN, every, own))
    return Table.of(_COLUMNS, rows)


def _cut_rows(topic: str, sets: CutSets, alpha: FloatArray) -> list[_Row]:
    """Return each cut's α and whether it is among the best, or no rows if there are many cuts."""
    if len(sets) > _FEW:
        return []
    best = np.isin(np.arange(len(sets)), best_cuts(alpha, sets).tied)
    return [
        ("every", topic, str(sets.cuts(place)), value, int(best[place]), 0, math.nan, math.nan)
        for place, value in enumerate(alpha.tolist())
    ]


def _searched_of(table: Table) -> Searched:
    """Read the result of a search from the rows of a cell."""
    by_kind: dict[str, list[_Row]] = {}
    for row in table.rows:
        by_kind.setdefault(str(row[0]), []).append(row)
    topics = {str(row[1]): _choice_of_row(row) for row in by_kind["topic"]}
    every = by_kind.get("every", [])
    shape = (len(topics) + 1, len(every) // (len(topics) + 1))
    return Searched(
        topics=topics,
        own=_choice_of_row(by_kind[_OWN][0]),
        single=_choice_of_row(by_kind["single"][0]),
        alphas=np.array([row[3] for row in every], dtype=np.float64).reshape(shape),
        best=np.array([row[4] for row in every], dtype=np.bool_).reshape(shape),
    )


def _choice_of_row(row: _Row) -> Chosen:
    _, _, cuts, alpha, _, degenerate, *taus = row
    return Chosen(
        cuts=Cuts.parse(str(cuts)).values if cuts else (),
        alpha=float(str(alpha)),
        degenerate=int(str(degenerate)),
        taus=dict(zip(EXPERTS, (float(str(tau)) for tau in taus), strict=True)),
    )

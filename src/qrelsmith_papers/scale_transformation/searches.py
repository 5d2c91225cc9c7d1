"""One transformation searched for its best cuts: a cell of the sweep, and what it found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table
from qrelsmith.cuts import CutSets, best_cuts
from qrelsmith.cuts.label_cuts import ChosenCuts
from qrelsmith.judgments.scale_operations import Cuts
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.sweep import Cell
from qrelsmith_papers.scale_transformation.collection import collection, labels_of
from qrelsmith_papers.scale_transformation.methods import Transformation, expert_of

_WORK = "qrelsmith_papers.scale_transformation.searches:search_rows"
EXPERTS = tuple(map(expert_of, (2, 4)))
_COLUMNS = ("kind", "topic", "cuts", "alpha", "tied", "degenerate", "units", "of", *EXPERTS)
_ALL, _OWN = "all", "own"
_FEW = 100  # sets of cuts that are kept one by one


@dataclass(frozen=True, slots=True)
class Chosen:
    """The best cuts of a topic, or of the collection.

    Attributes
    ----------
    cuts : tuple of float
        The cuts; empty where none has a value.
    alpha : float
        α under them.
    tied, degenerate, units, of : int
        As in `ChosenCuts`.
    taus : dict of str to float
        τ to the ranking under each expert; of topics none.
    """

    cuts: tuple[float, ...]
    alpha: float
    tied: int
    degenerate: int
    units: int
    of: int
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
        The collection where each topic has its own cuts (which are then none), and with one set of
        cuts for all topics.
    alphas : ndarray, [topic, set]
        α of every single cut, where there are 100 or fewer; the last row is the mean.
    best : ndarray of bool, [topic, set]
        The cuts that are as good as the best.
    """

    topics: dict[str, Chosen]
    own: Chosen
    single: Chosen
    alphas: FloatArray
    best: BoolArray

    @property
    def tops(self) -> FloatArray:
        """The highest cut of each topic, [topic]; nan where it has none."""
        return np.array([one.cuts[-1] if one.cuts else np.nan for one in self.topics.values()])


def search_all(
    inputs: StudyInputs, wanted: Sequence[Transformation], *, undefined: str = "nan"
) -> list[Searched]:
    """Search transformations, in parallel; what was searched before is taken from where it lies."""
    cells = [
        Cell(
            _WORK,
            {
                "method": transformation.method,
                "source": transformation.source,
                "levels": transformation.levels,
                "target": transformation.target,
                "undefined": undefined,
                "labels": labels_of(inputs),
            },
            inputs.seed,
        )
        for transformation in wanted
    ]
    return [_searched_of(table) for table in inputs.sweep(cells)]


def search_rows(
    *, method: str, source: int, levels: int, target: str, undefined: str, labels: str, seed: int
) -> Table:
    """Return the rows of one transformation: all that the artefacts say of it."""
    data = collection(labels=labels, seed=seed)
    search = data.search(Transformation(method, source, levels, target), undefined=undefined)
    rankings = data.rankings(search)
    sets = search.sets
    chosen: list[ChosenCuts] = []
    rows: list[tuple[TableCell, ...]] = []

    for choice, found in search.per_topic():
        chosen.append(choice)
        rows.append(_chosen_row("topic", choice))
        rows += _cut_rows(choice.topic, sets, found.alpha)
    single, mean = search.single()
    rows += _cut_rows(_ALL, sets, mean.alpha)
    alphas = [choice.alpha for choice in chosen if choice.cuts is not None]
    own = {place: choice.place for place, choice in enumerate(chosen)}
    same = dict.fromkeys(own, single.place)
    rows.append(
        _chosen_row(
            "single", single, {name: ranked.tau_of(same) for name, ranked in rankings.items()}
        )
    )
    rows.append(
        _row(
            _OWN, _ALL, "", float(np.mean(alphas)) if alphas else math.nan,
            degenerate=sum(choice.degenerate for choice in chosen),
            units=sum(choice.units for choice in chosen),
            of=sum(choice.of for choice in chosen),
            taus={name: ranked.tau_of(own) for name, ranked in rankings.items()},
        ),
    )  # fmt: skip
    return Table.of(_COLUMNS, rows)


def _cut_rows(topic: str, sets: CutSets, alpha: FloatArray) -> list[tuple[TableCell, ...]]:
    """Return α of every cut, and whether it is as good as the best, where there are few."""
    if len(sets) > _FEW:
        return []
    best = np.isin(np.arange(len(sets)), best_cuts(alpha, sets).tied)
    return [
        _row("every", topic, str(sets.cuts(place)), value, tied=int(best[place]))
        for place, value in enumerate(alpha.tolist())
    ]


def _chosen_row(
    kind: str, one: ChosenCuts, taus: Mapping[str, float] | None = None
) -> tuple[TableCell, ...]:
    cuts = "" if one.cuts is None else str(one.cuts)
    return _row(
        kind, one.topic, cuts, one.alpha, tied=one.tied, degenerate=one.degenerate,
        units=one.units, of=one.of, taus=taus,
    )  # fmt: skip


def _row(
    kind: str,
    topic: str,
    cuts: str,
    alpha: float,
    *,
    tied: int = 0,
    degenerate: int = 0,
    units: int = 0,
    of: int = 0,
    taus: Mapping[str, float] | None = None,
) -> tuple[TableCell, ...]:
    known = {} if taus is None else taus
    ranked = (known.get(expert, math.nan) for expert in EXPERTS)
    return (kind, topic, cuts, alpha, tied, degenerate, units, of, *ranked)


def _searched_of(table: Table) -> Searched:
    """Return the result that the rows of a cell hold."""
    by_kind: dict[str, list[tuple[TableCell, ...]]] = {}
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


def _choice_of_row(row: Sequence[TableCell]) -> Chosen:
    _, _, cuts, alpha, tied, degenerate, units, unit_count, *taus = row
    return Chosen(
        cuts=Cuts.parse(str(cuts)).values if cuts else (),
        alpha=float(str(alpha)),
        tied=int(str(tied)),
        degenerate=int(str(degenerate)),
        units=int(str(units)),
        of=int(str(unit_count)),
        taus=dict(zip(EXPERTS, (float(str(tau)) for tau in taus), strict=True)),
    )

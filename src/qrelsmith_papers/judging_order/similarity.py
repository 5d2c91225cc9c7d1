"""Two rankings compared by Kendall's τ, as Tables 9 and 10 do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qrelsmith.base.tables import Cell, Table
from qrelsmith.rankings.ranking_comparison import compared_rankings
from qrelsmith_papers.judging_order.collection import MEASURES, JudgedCollection
from qrelsmith_papers.judging_order.published_rankings import Tau

Taus = Mapping[str, Mapping[str, Tau]]
# What nERR and iRBU look at, and what nDCG and Q do: the paper calls the former shallow.
SHALLOW, DEEP = ("nERR", "iRBU"), ("nDCG", "Q")

Side = tuple[str, Sequence[str]]


def ranking_taus(collection: JudgedCollection, columns: Mapping[str, tuple[Side, Side]]) -> Taus:
    """τ-b with Fieller's interval, by measure and column.

    Parameters
    ----------
    collection : JudgedCollection
        The runs and label sets.
    columns : mapping of str to two sides
        The two rankings of each column: a label set and the topics.
    """
    by_measure: dict[str, dict[str, Tau]] = {}
    for measure in MEASURES:
        for column, sides in columns.items():
            named = [
                (str(place), collection.scores(group, measure, topics))
                for place, (group, topics) in enumerate(sides)
            ]
            (one,) = compared_rankings(named, intervals=["fieller"])
            by_measure.setdefault(measure, {})[column] = Tau(one.tau_b, one.low, one.high)
    return by_measure


def taus_beside(
    published: Mapping[str, Sequence[Tau]], taus_by_source: Mapping[str, Taus]
) -> Table:
    """The published τ and what came out, a row for each measure, column and source."""
    names = list(next(iter(next(iter(taus_by_source.values())).values())))
    rows: list[tuple[Cell, ...]] = []
    for measure in MEASURES:
        for place, column in enumerate(names):
            rows.append((measure, column, "published", *published[measure][place]))
            rows += [
                (measure, column, source, *of[measure][column])
                for source, of in taus_by_source.items()
            ]
    return Table.of(("measure", "rankings", "source", "tau_b", "low", "high"), rows)


def is_above_zero(tau: Tau) -> bool:
    """Whether the interval says that the rankings are alike rather than not."""
    return tau.low > 0 or tau.tau == 1


def in_words(taus: Mapping[str, Tau]) -> str:
    """τ by measure, as a sentence has it."""
    return ", ".join(f"{measure} {tau.tau:.3f}" for measure, tau in taus.items())


def mean_tau(found: Taus, measures: Sequence[str]) -> float:
    """The mean τ of some measures over all columns."""
    taus = [tau.tau for measure in measures for tau in found[measure].values()]
    return sum(taus) / len(taus)

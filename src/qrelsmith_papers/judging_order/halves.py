"""Consistency of rankings over random halves of topics, which Tables 11 and 12 show."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.base.content import NamedTable
from qrelsmith.base.tables import Table
from qrelsmith.rankings.ranking_consistency import (
    Consistency,
    RankedHalves,
    compare_consistencies,
    split_half_taus,
)
from qrelsmith.stats.letters import letter
from qrelsmith_papers.judging_order.collection import MEASURES, JudgedCollection
from qrelsmith_papers.judging_order.published_rankings import Consistent

_SPLITS = 1000

# An environment: its name, the label set and the topics.
Environment = tuple[str, str, Sequence[str]]


def consistency_of(
    collection: JudgedCollection, environments: Sequence[Environment]
) -> Consistency:
    """Mean τ of every environment and measure, with the letters of those it outperforms."""
    named = [
        (
            RankedHalves(group, name, measure, len(topics), len(collection.runs)),
            collection.scores(group, measure, topics),
        )
        for name, group, topics in environments
        for measure in MEASURES
    ]
    taus = split_half_taus(named, splits=_SPLITS, seed=collection.seed)
    return compare_consistencies([condition for condition, _ in named], taus, seed=collection.seed)


def halves_table(key: str, collection: JudgedCollection, result: Consistency) -> NamedTable:
    """The result in the form of the paper's table."""
    columns = ("letter", "environment", "measure", "mean tau", "sd", "outperforms")
    rows = [
        (
            row.letter, row.condition.topic_set, row.condition.measure, row.tau, row.deviation,
            row.outperforms,
        )
        for row in result.rows
    ]  # fmt: skip
    variance = "" if result.test is None else f" V_E2 = {result.test.residual_variance:.4g}."
    return NamedTable(
        key,
        f"Consistency on {collection.name}",
        Table.of(columns, rows),
        f"{_SPLITS:,} splits; randomised Tukey HSD.{variance}",
    )


def printed_table(key: str, printed: Sequence[Consistent], variance: float) -> NamedTable:
    """The paper's table."""
    columns = ("letter", "environment", "measure", "mean tau", "sd", "outperforms")
    rows = [
        (letter(place), row.environment, row.measure, row.tau, row.deviation, row.outperforms)
        for place, row in enumerate(printed)
    ]
    return NamedTable(key, "As published", Table.of(columns, rows), f"V_E2 = {variance}.")


def outperforms(found: Consistency, better: tuple[str, str], worse: tuple[str, str]) -> bool:
    """Whether one (environment, measure) is significantly more consistent than another."""
    rows = {(row.condition.topic_set, _short(row.condition.measure)): row for row in found.rows}
    return rows[worse].letter in rows[better].outperforms.split(",")


def mean_of(found: Consistency, environment: str, measure: str) -> float:
    """The mean τ of an environment and measure."""
    return next(
        row.tau
        for row in found.rows
        if (row.condition.topic_set, _short(row.condition.measure)) == (environment, measure)
    )


def _short(measure: str) -> str:
    return measure.partition("@")[0]

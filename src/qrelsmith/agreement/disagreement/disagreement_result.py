"""The result of `disagree`, and its tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from qrelsmith.agreement.disagreement.disagreements import (
    DisagreementCount,
    OrderingsCompared,
    cross_counts,
)
from qrelsmith.agreement.disagreement.gold_bronze import GoldBronze
from qrelsmith.agreement.disagreement.rejudging import Rejudged
from qrelsmith.base.items import MARK, item_parts
from qrelsmith.base.results import Result
from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Table

Show = Literal["disagreements", "grades", "tests", "serious", "rejudged"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Disagreements(Result):
    """Disagreements of Gold and Bronze.

    Attributes
    ----------
    labels : GoldBronze
        The docs that Gold and every Bronze voice judged.
    counts : tuple of DisagreementCount
        Table 8 of ordering-gold-bronze.
    tests : tuple of OrderingsCompared
        Tests of equal disagreement rates between pairs of orderings.
    serious : GoldBronze
        The docs to which a rule applies.
    relevant, high : float
        The lowest relevant grade, and the lowest highly relevant grade.
    rejudged : Rejudged or None
        The second-round labels of these docs, if there are any.
    show : str
        The name of the table to print.
    depth : int or None
        The depth of the pools of a new round; None without a new round.
    """

    labels: GoldBronze
    counts: tuple[DisagreementCount, ...]
    tests: tuple[OrderingsCompared, ...]
    serious: GoldBronze
    relevant: float
    high: float
    rejudged: Rejudged | None = None
    show: Show = "disagreements"
    depth: int | None = None

    def table(self) -> Table:
        """Return the table that `show` names: counts, all grades, tests, serious, or rejudged."""
        makers = {
            "disagreements": self._counts,
            "grades": self._grades,
            "tests": self._tests,
            "serious": self._serious,
            "rejudged": self._rejudged_rows,
        }
        columns, rows = makers[self.show]()
        return Table.of(columns, rows, notes=self.notes)

    def _counts(self) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        return ("gold_says", "ordering", "gold", "bronze", "docs", "of"), [
            (
                row.gold_says, row.ordering, None if row.gold is None else grade_text(row.gold),
                row.bronze, row.docs, row.of,
            )
            for row in self.counts
        ]  # fmt: skip

    def _grades(self) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        return ("ordering", self.labels.gold_name, *self.labels.voices, "docs"), [
            (ordering, grade_text(gold), *map(grade_text, bronze), docs)
            for ordering, gold, bronze, docs in cross_counts(self.labels)
        ]

    def _tests(self) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        columns = (
            "gold_says", "ordering_a", "ordering_b", "docs_a", "of_a", "docs_b", "of_b", "share_a",
            "share_b", "difference", "low", "high", "p",
        )  # fmt: skip
        return columns, [
            (
                row.gold_says, row.first, row.second, row.hits[0], row.totals[0], row.hits[1],
                row.totals[1], row.test.first, row.test.second, row.test.difference, row.test.low,
                row.test.high, row.test.p,
            )
            for row in self.tests
        ]  # fmt: skip

    def _serious(self) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        listed = self.serious
        several = any(MARK in key for _, key in listed.docs)
        columns = (
            "topic", "doc", *(["aspect"] if several else []), "position", "ordering", "assessor",
            listed.gold_name, *listed.voices,
        )  # fmt: skip
        items = [(topic, *item_parts(key)[: 1 + several]) for topic, key in listed.docs]
        return columns, [
            (
                *items[row], _whole(float(listed.positions[row])), listed.orderings[row],
                listed.assessors[row], grade_text(listed.gold[row]),
                *map(grade_text, listed.bronze[row].tolist()),
            )
            for row in listed.in_original_order().tolist()
        ]  # fmt: skip

    def _rejudged_rows(self) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
        new_labels = () if self.rejudged is None else self.rejudged.rows
        return ("assessor", "topic", "rejudged", "grade", "docs", "share"), [
            (
                row.assessor, row.topic, row.rejudged, grade_text(grade), docs,
                docs / row.rejudged if row.rejudged else math.nan,
            )
            for row in new_labels
            for grade, docs in row.counts.items()
        ]  # fmt: skip


def _whole(position: float) -> int | None:
    return None if math.isnan(position) else int(position)

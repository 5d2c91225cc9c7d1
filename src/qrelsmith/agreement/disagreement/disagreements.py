"""Docs on which Gold and Bronze disagree, counted and tested.

ordering-gold-bronze, section 5 (Table 8).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from qrelsmith.agreement.disagreement.gold_bronze import GoldBronze
from qrelsmith.base.arrays import BoolArray
from qrelsmith.stats.proportions import ProportionTest, equal_proportions

RELEVANT, NOT_RELEVANT = "relevant", "not relevant"
ANY = "any"  # the row of a total


@dataclass(frozen=True, slots=True)
class DisagreementCount:
    """Number of docs with one kind of disagreement between Gold and Bronze.

    Attributes
    ----------
    gold_says : str
        Gold's verdict: `relevant`, while at least one Bronze voice says not relevant (part I of
        Table 8), or `not relevant`, while every Bronze voice says relevant (part II).
    ordering : str
        The order in which Gold saw the docs; empty if unknown.
    gold : float or None
        Gold's grade; None: any.
    bronze : str
        The Bronze verdict: the number of voices for not relevant or, in part II, highly relevant;
        `any` in the row of a total.
    of : int
        Number of docs in this ordering with that Gold verdict.
    """

    gold_says: str
    ordering: str
    gold: float | None
    bronze: str
    docs: int
    of: int


@dataclass(frozen=True, slots=True)
class OrderingsCompared:
    """A test of whether Gold and Bronze disagree equally often under two orderings.

    Attributes
    ----------
    gold_says : str
        As in `DisagreementCount`.
    hits, totals : (int, int)
        Docs in disagreement, and all docs with that Gold verdict.
    test : ProportionTest
        The test of equal proportions.
    """

    gold_says: str
    first: str
    second: str
    hits: tuple[int, int]
    totals: tuple[int, int]
    test: ProportionTest


def disagreement_counts(
    labels: GoldBronze, *, relevant: float, high: float
) -> Iterator[DisagreementCount]:
    """Count the disagreements by ordering, Gold grade and Bronze verdict, with totals.

    Parameters
    ----------
    labels : GoldBronze
        The docs.
    relevant, high : float
        The lowest relevant grade, and the lowest highly relevant grade.
    """
    voices = len(labels.voices)
    against = (labels.bronze < relevant).sum(axis=1)
    highly = (labels.bronze >= high).sum(axis=1)
    orderings = np.array(labels.orderings, dtype=object)
    for says, named, disputed in _parts(labels, relevant):
        said, number = (
            ("not relevant", against) if says == RELEVANT else ("highly relevant", highly)
        )
        for ordering in sorted(set(labels.orderings)):
            here = orderings == ordering
            total = int((named & here).sum())
            rows = np.flatnonzero(disputed & here)
            counts = Counter(zip(labels.gold[rows].tolist(), number[rows].tolist(), strict=True))
            for (grade, count), docs in sorted(counts.items(), reverse=True):
                yield DisagreementCount(
                    says, ordering, grade, f"{count} of {voices} {said}", docs, total
                )
            yield DisagreementCount(says, ordering, None, ANY, rows.size, total)


def orderings_compared(labels: GoldBronze, *, relevant: float) -> Iterator[OrderingsCompared]:
    """Test whether Gold and Bronze disagree equally often under each pair of orderings.

    Docs of one topic are treated as independent, as in the paper. If no doc of an ordering has a
    Gold verdict, the ordering is left out of the tests of this verdict.
    """
    orderings = np.array(labels.orderings, dtype=object)
    for says, named, disputed in _parts(labels, relevant):
        counts = {
            name: (
                int((disputed & (orderings == name)).sum()),
                int((named & (orderings == name)).sum()),
            )
            for name in sorted(set(labels.orderings))
        }
        for a, b in combinations([name for name, (_, total) in counts.items() if total], 2):
            yield OrderingsCompared(
                gold_says=says,
                first=a,
                second=b,
                hits=(counts[a][0], counts[b][0]),
                totals=(counts[a][1], counts[b][1]),
                test=equal_proportions(*counts[a], *counts[b]),
            )


def cross_counts(labels: GoldBronze) -> Iterator[tuple[str, float, tuple[float, ...], int]]:
    """Return rows of ordering, Gold grade, Bronze grades (one per voice) and number of docs."""
    rows = zip(
        labels.orderings, labels.gold.tolist(), map(tuple, labels.bronze.tolist()), strict=True
    )
    for (ordering, gold, bronze), docs in sorted(Counter(rows).items()):
        yield ordering, gold, bronze, docs


def _parts(labels: GoldBronze, relevant: float) -> Iterator[tuple[str, BoolArray, BoolArray]]:
    """Yield Gold's verdict, the docs with that verdict, and the docs on which Bronze disagrees."""
    gold = labels.gold >= relevant
    bronze = labels.bronze >= relevant
    yield RELEVANT, gold, gold & ~bronze.all(axis=1)
    yield NOT_RELEVANT, ~gold, ~gold & bronze.all(axis=1)

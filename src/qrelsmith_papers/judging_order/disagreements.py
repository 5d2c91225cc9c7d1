"""Table 8: docs on which Gold and Bronze disagree."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from qrelsmith.agreement.disagreement.disagreements import (
    ANY,
    NOT_RELEVANT,
    RELEVANT,
    disagreement_counts,
    orderings_compared,
)
from qrelsmith.base.scales import grade_text
from qrelsmith.stats.proportions import ProportionTest, equal_proportions
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.dl2021 import note_of
from qrelsmith_papers.judging_order.groups import ORDERINGS, PRI, RND
from qrelsmith_papers.judging_order.judged import collections, of_label_sets
from qrelsmith_papers.judging_order.printed_tables import TABLE_8, TABLE_8_TOTALS

_SMALLEST_P = 2.2e-16  # smallest p printed by R
_MARGIN = 0.05
# The test of PRI and RND, by Gold's label.
_Tests = Mapping[str, ProportionTest]
_Counts = Mapping[tuple[str, float | None, str, str], tuple[int, int]]


def _of(part: str, statistic: Callable[[ProportionTest], float]) -> Callable[[_Tests], float]:
    return lambda tests: statistic(tests[part]) if part in tests else math.nan


def _not_relevant(tests: _Tests) -> c.Difference | float:
    """Return the difference PRI − RND for docs not relevant by Gold, with an equivalence test."""
    if NOT_RELEVANT not in tests:
        return math.nan
    test = tests[NOT_RELEVANT]
    # The half-width of the difference's interval is 1.96 standard errors.
    error = (test.high - test.low) / (2 * 1.959964)
    return c.difference_test(test.difference, test.p, error=error, margin=_MARGIN)


_CHANCE = "The simulated Gold does not depend on the ordering, so a difference is chance."
_CLAIMS: tuple[c.Claim[_Tests], ...] = (
    c.claim(
        "Where Gold says relevant, there are significantly fewer disagreements under PRI.",
        ("disagreements, PRI minus RND", _of(RELEVANT, lambda test: test.difference), c.under(0)),
        ("p", _of(RELEVANT, lambda test: test.p), c.under(_SMALLEST_P)),
        not_simulated=_CHANCE,
    ),
    c.claim(
        "Where Gold says not relevant, the difference is not significant.",
        ("disagreements, PRI minus RND", _not_relevant, c.alike(f"{_MARGIN}")),
        not_simulated=_CHANCE,
    ),
)


@of_label_sets(
    "table8",
    title="Table 8: disagreements",
    claims=_CLAIMS,
    deviation="In the simulated campaign, the ordering does not affect Gold: any difference is"
    " chance.",
)
def table8(inputs: StudyInputs) -> Made:
    """Count disagreements of Gold and Bronze by ordering, with the test of equal proportions."""
    campaign, *others = collections(inputs)
    printed = {
        part: equal_proportions(hits[0], totals[0], hits[1], totals[1])
        for part, totals in TABLE_8_TOTALS.items()
        for hits in [next((r.pri, r.rnd) for r in TABLE_8 if r[:3] == (part, None, ANY))]
    }
    compared = orderings_compared(campaign.gold_and_bronze, relevant=campaign.relevant)
    tested = {row.gold_says: row.test for row in compared}
    counts = _counts(campaign)
    none = (0, 0)
    rows = [
        (r.gold_says, _level(r.gold), r.bronze, r.pri, r.rnd,
         *(counts.get((*r[:3], ordering), none)[0] for ordering in ORDERINGS))
        for r in TABLE_8
    ]  # fmt: skip
    rows += [
        (part, "any", "all docs that Gold calls so", *totals,
         *(counts.get((part, None, ANY, ordering), none)[1] for ordering in ORDERINGS))
        for part, totals in TABLE_8_TOTALS.items()
    ]  # fmt: skip
    tests = [
        (part, source, numbers[part].first, numbers[part].second, numbers[part].p)
        for part in (RELEVANT, NOT_RELEVANT)
        for source, numbers in (("published counts", printed), (campaign.short, tested))
        if part in numbers
    ]
    tables = [
        table_of(
            "table8",
            f"Docs in the paper and in {campaign.name}",
            f"Gold says|level|Bronze says|{PRI}, published|{RND}, published"
            f"|{PRI}, {campaign.short}|{RND}, {campaign.short}",
            rows,
        ),
        table_of(
            "table8-test",
            "Shares in disagreement under PRI and RND",
            f"Gold says|source|share {PRI}|share {RND}|p",
            tests,
            "Test of equal proportions; docs of a topic are taken for independent, as published.",
        ),
    ]
    for item in others:
        result = _counts(item)
        tables.append(
            table_of(
                f"table8-{item.key}",
                f"Docs of {item.name}",
                "Gold says|grade|Bronze says|docs|of",
                [
                    (part, _level(n, ""), says, *numbers)
                    for (part, n, says, _), numbers in result.items()
                ],
                f"Relevant from grade {grade_text(item.relevant)}, highly relevant from"
                f" {grade_text(item.scale.top)}. No ordering is known.",
            )
        )
    return Made(
        held=[c.on_print(printed), campaign.hold(tested)],
        paragraphs=[
            "Gold says relevant, and at least one of the two Bronze groups does not; or Gold says"
            " not relevant, and both do.",
            note_of(inputs),
        ],
        tables=tables,
    )


def _level(grade: float | None, start: str = "L") -> str:
    return "any" if grade is None else f"{start}{grade_text(grade)}"


def _counts(collection: JudgedCollection) -> _Counts:
    return {
        (row.gold_says, row.gold, row.bronze, row.ordering): (row.docs, row.of)
        for row in disagreement_counts(
            collection.gold_and_bronze, relevant=collection.relevant, high=collection.scale.top
        )
    }

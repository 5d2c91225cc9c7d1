"""Table 3: Gold's speed on prioritised and randomised pools."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from qrelsmith.judging_times.judging_efficiency import (
    GroupComparison,
    JudgingEfficiency,
    compared_groups,
    judging_efficiency,
)
from qrelsmith.judgments.environments import in_environments
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.stats.effects import glass_delta
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.groups import GOLD
from qrelsmith_papers.judging_order.judged import judged_collection, of_log
from qrelsmith_papers.judging_order.printed_tables import TABLE_3, TwoOrderings

_ALPHA = 0.05
_LARGE = 0.8  # in standard deviations: Cohen's large effect


def efficiency_of(campaign: JudgedCollection, judgments: Judgments) -> JudgingEfficiency:
    """Return the efficiency of judgments of a collection."""
    return judging_efficiency(judgments, relevant=campaign.relevant, high=campaign.scale.top)


def prioritised_efficiency(campaign: JudgedCollection) -> JudgingEfficiency:
    """Return the efficiency on topics whose docs were shown in prioritised order."""
    shown = in_environments(campaign.judgments, orderings=["prioritised"])
    return efficiency_of(campaign, shown)


# The rows of Table 3 by criterion.
_Orderings = Mapping[str, TwoOrderings]


def _difference(criterion: str) -> Callable[[_Orderings], c.Difference | float]:
    """Return a function for the difference PRI minus RND, with a test and an equivalence test."""

    def statistic(rows: _Orderings) -> c.Difference | float:
        if criterion not in rows:
            return math.nan
        row = rows[criterion]
        error = row.deviation * math.sqrt(1 / row.pri_size + 1 / row.rnd_size)
        margin, freedom = _LARGE * row.deviation, row.pri_size + row.rnd_size - 2
        return c.difference_test(
            row.pri - row.rnd, row.p, error=error, margin=margin, freedom=freedom
        )

    return statistic


def _sooner(criterion: str) -> tuple[c.Part[_Orderings], c.Part[_Orderings], c.Part[_Orderings]]:
    def of(field: Callable[[TwoOrderings], float]) -> Callable[[_Orderings], float]:
        return lambda rows: field(rows[criterion]) if criterion in rows else math.nan

    return (
        (f"{criterion}, PRI minus RND, in s", of(lambda r: r.pri - r.rnd), c.under(0)),
        (f"p of {criterion}", of(lambda r: r.p), c.under(_ALPHA)),
        (f"Glass's Δ of {criterion}", of(lambda r: abs(r.delta)), c.over(0.5)),
    )


def _two_alike(criterion: str) -> c.Part[_Orderings]:
    what = f"{criterion}, PRI minus RND"
    return (what, _difference(criterion), c.alike(f"{_LARGE} standard deviations of RND"))


_TABLE_3: tuple[c.Claim[_Orderings], ...] = (
    c.claim(
        "Glass's Δ of Table 3 follows from its means and deviations.",
        (
            "largest difference",
            lambda rows: max(
                abs(abs(float(glass_delta(r.pri, r.rnd, r.deviation))) - r.delta)
                for r in rows.values()
            ),
            c.at_most(0.005),
        ),
        of="print",
    ),
    c.claim(
        "There is no substantial difference between PRI and RND in ATBJ, the time spent for each"
        " document.",
        _two_alike("ATBJ"),
    ),
    c.claim(
        "The first relevant, and the first highly relevant document are found significantly sooner"
        " under PRI, with Δ over 0.5.",
        *_sooner("TF1RH"),
        *_sooner("TF1H"),
    ),
    c.claim(
        "The difference in TJ1D is not quite significant, and neither is that in NREJ.",
        _two_alike("TJ1D"),
        _two_alike("NREJ"),
        erratum="Neither is significant, and neither is shown to be small: Δ is .499 and .986.",
    ),
)


@of_log(
    "table3",
    title="Table 3: efficiency of Gold",
    claims=_TABLE_3,
    deviation="In the simulated campaign, the ordering changes only the positions of relevant"
    " docs.",
)
def table3(inputs: StudyInputs) -> Made:
    """Compare Gold's efficiency under PRI and RND: t test and Glass's Δ."""
    campaign = judged_collection(inputs, log=True)
    gold = in_environments(campaign.judgments, groups=[GOLD])
    compared = compared_groups(
        efficiency_of(campaign, gold), by="ordering", test="two-sample-t", control="randomised"
    )
    result = {row.criterion: _two_orderings(row) for row in compared}
    rows = [
        (criterion, source, *table[criterion])
        for criterion in TABLE_3
        for source, table in (("published", TABLE_3), (campaign.short, result))
        if criterion in table
    ]
    deltas = [
        (criterion, row.delta, delta, delta - row.delta)
        for criterion, row in TABLE_3.items()
        for delta in [abs(float(glass_delta(row.pri, row.rnd, row.deviation)))]
    ]
    return Made(
        held=[*(c.on_print(TABLE_3, of) for of in ("", "print")), campaign.hold(result)],
        paragraphs=[
            "Student's t test of Gold's PRI and RND topics; Glass's Δ is in standard deviations of"
            " RND, without its sign. Seconds; NREJ is a count."
        ],
        tables=[
            table_of(
                "table3",
                f"In the paper and in {campaign.name}",
                "criterion|source|mean PRI|n PRI|mean RND|n RND|p|sd RND|Glass's delta",
                rows,
            ),
            table_of(
                "table3-recomputed",
                "Glass's Δ from the printed means and deviations",
                "criterion|published|recomputed|difference",
                deltas,
                "What is printed is rounded, and so is what follows from it.",
            ),
        ],
    )


def _two_orderings(row: GroupComparison) -> TwoOrderings:
    (pri, rnd), (pri_size, rnd_size) = row.means, row.sizes
    delta = abs(row.glass_delta)
    return TwoOrderings(pri, pri_size, rnd, rnd_size, row.p, row.deviations[1], delta)

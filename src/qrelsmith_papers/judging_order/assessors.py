"""Tables 6 and 7: quadratic weighted κ of each assessor with two other groups."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import zip_longest

import numpy as np

from qrelsmith.agreement.group_agreement import mean_agreement
from qrelsmith.base.tables import Cell
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.judging_order.agreement import kappa_options, kappas, sides
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.groups import CAREFUL, GOLD, HASTY
from qrelsmith_papers.judging_order.judged import judged_collection, of_labels
from qrelsmith_papers.judging_order.printed_tables import TABLE_6, TABLE_7

# Mean κ of each assessor of a group with two other groups.
_Assessors = Sequence[tuple[float, float]]


def _assessors(collection: JudgedCollection, group: str, others: tuple[str, str]) -> _Assessors:
    """Return mean κ over topics of each assessor with two other groups; nan where undefined."""
    means = {
        sides(values): mean_agreement(values, kappa_options(collection)).value
        for values in kappas(collection, "assessor-group")
    }
    members = sorted(set(collection.judgments.by_group()[group].assessors))
    return [
        (means.get((who, others[0]), math.nan), means.get((who, others[1]), math.nan))
        for who in members
    ]


def _rows_of_assessors(
    group: str, printed: _Assessors, found: _Assessors
) -> list[tuple[Cell, ...]]:
    """Return rows with published and reproduced assessors side by side, to save space."""
    pairs = zip_longest(printed, found, fillvalue=(math.nan, math.nan))
    letter = group.removeprefix("Bronze")[0]
    return [(f"Assessor{letter}{n}", *one, *here) for n, (one, here) in enumerate(pairs, start=1)]


def _widest_range(means: _Assessors) -> float:
    """Return the range of the assessors' mean κ, for the other group with the widest range."""
    return float(np.max(np.ptp(np.array(means), axis=0)))


_TABLE_6: tuple[c.Claim[_Assessors], ...] = (
    c.claim(
        "For every Gold assessor but one the mean agreement with BronzeT is higher than that with"
        " BronzeW.",
        (
            "share of assessors with higher agreement with BronzeT",
            lambda means: float(np.mean([careful > hasty for hasty, careful in means])),
            c.at_least(6 / 7),
        ),
    ),
)


@of_labels("table6", title="Table 6: agreement of Gold assessors", claims=_TABLE_6)
def table6(inputs: StudyInputs) -> Made:
    """Tabulate the mean κ of each Gold assessor with BronzeW and BronzeT."""
    campaign = judged_collection(inputs)
    means = _assessors(campaign, GOLD, (HASTY, CAREFUL))
    columns = (
        "assessor|with BronzeW, published|with BronzeT, published"
        f"|with BronzeW, {campaign.short}|with BronzeT, {campaign.short}"
    )
    rows = _rows_of_assessors(GOLD, TABLE_6, means)
    return Made(
        held=[c.on_print(TABLE_6), campaign.hold(means)],
        paragraphs=["Mean κ over an assessor's topics. Simulated assessors are not the paper's."],
        tables=[table_of("table6", "Mean κ of each Gold assessor", columns, rows)],
    )


_Groups = Mapping[str, _Assessors]


def _with_gold(of: _Groups, group: str) -> list[float]:
    return [gold for gold, _ in of[group]]


_TABLE_7: tuple[c.Claim[_Groups], ...] = (
    c.claim(
        "Gold-BronzeT agreements tend to be higher than Gold-BronzeW ones at the assessor level.",
        (
            "lead of BronzeT in the mean over assessors",
            lambda of: float(np.mean(_with_gold(of, CAREFUL)) - np.mean(_with_gold(of, HASTY))),
            c.over(0),
        ),
        (
            "share of pairs of a BronzeT and a BronzeW assessor in which the former agrees more",
            lambda of: float(
                np.mean([c > h for c in _with_gold(of, CAREFUL) for h in _with_gold(of, HASTY)])
            ),
            c.over(0.5),
        ),
    ),
    c.claim(
        "The mean κ of different assessors of a group do not vary drastically.",
        (
            "largest range of mean κ within a group",
            lambda of: max(map(_widest_range, of.values())),
            c.within(0, 0.3),
        ),
    ),
)


@of_labels("table7", title="Table 7: agreement of Bronze assessors", claims=_TABLE_7)
def table7(inputs: StudyInputs) -> Made:
    """Tabulate the mean κ of each Bronze assessor with Gold and the other Bronze group."""
    campaign = judged_collection(inputs)
    result = {
        group: _assessors(campaign, group, (GOLD, other))
        for group, other in ((HASTY, CAREFUL), (CAREFUL, HASTY))
    }
    rows = [
        (row[0], group, *row[1:])
        for group, means in result.items()
        for row in _rows_of_assessors(group, TABLE_7[group], means)
    ]
    columns = (
        "assessor|group|with Gold, published|with other Bronze, published"
        f"|with Gold, {campaign.short}|with other Bronze, {campaign.short}"
    )
    return Made(
        held=[c.on_print(TABLE_7), campaign.hold(result)],
        paragraphs=["Mean κ over an assessor's topics; as for Table 6."],
        tables=[table_of("table7", "Mean κ of each Bronze assessor", columns, rows)],
    )

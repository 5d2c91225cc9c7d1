"""Table 4: the speed of Gold and Bronze on prioritised pools."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from typing import NamedTuple

import numpy as np

from qrelsmith.base.tables import Cell
from qrelsmith.judging_times import CRITERIA
from qrelsmith.judging_times.judging_efficiency import JudgingEfficiency, compared_groups
from qrelsmith.stats.unpaired_tukey import unpaired_tukey_summary
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.judging_order.efficiency import prioritised_efficiency
from qrelsmith_papers.judging_order.groups import CAREFUL, GOLD, GROUPS, HASTY
from qrelsmith_papers.judging_order.judged import judged_collection, of_log
from qrelsmith_papers.judging_order.printed_tables import TABLE_4, ThreeGroups

_ALPHA, _LARGE = 0.05, 0.8  # the latter in standard deviations: Cohen's large effect


class Groups(NamedTuple):
    """A row of Table 4: means, sizes, V_E1, and p of each pair (nan if not printed)."""

    means: Sequence[float]
    sizes: Sequence[int]
    variance: float
    p: Mapping[tuple[int, int], float]

    def slower(self, group: int) -> float:
        """Return BronzeT's mean minus another group's mean, in seconds or corrections."""
        return self.means[2] - self.means[group]

    def gold_and_hasty(self) -> c.Difference:
        """Return Gold's mean minus BronzeW's mean, with a test and an equivalence test."""
        error = math.sqrt(self.variance * (1 / self.sizes[0] + 1 / self.sizes[1]))
        margin, freedom = _LARGE * math.sqrt(self.variance), sum(self.sizes) - 3
        apart = self.means[0] - self.means[1]
        return c.difference_test(apart, self.p[0, 1], error=error, margin=margin, freedom=freedom)


Table4 = Mapping[str, Groups]


def _of_print(row: ThreeGroups) -> Groups:
    """Return the paper's row; the p of Gold and BronzeW, which is not printed, is computed."""
    test = unpaired_tukey_summary(row.means, row.sizes, row.variance)
    p = dict(zip(combinations(range(3), 2), test.p.tolist(), strict=True))
    return Groups(row.means, row.sizes, row.variance, p)


def _follows(rows: Mapping[str, ThreeGroups]) -> float:
    """Count the pairs of Table 4 whose p and effect size do not match its means and V_E1."""
    wrong = 0
    pairs = list(combinations(range(len(GROUPS)), 2))
    for row in rows.values():
        test = unpaired_tukey_summary(row.means, row.sizes, row.variance)
        for group, printed, effect in zip((0, 1), row.p, row.effects, strict=True):
            p, size = (float(of[pairs.index((group, 2))]) for of in (test.p, test.effect_size))
            digits = -int(Decimal(str(printed)).as_tuple().exponent)
            near = math.isclose(p, printed, rel_tol=0.15) or round(p, digits) == printed
            wrong += not (near and abs(abs(size) - effect) <= 0.005)
    return float(wrong)


def _smallest(statistic: Callable[[Groups], float]) -> Callable[[Table4], float]:
    """Return the smallest value over the criteria; nan if a criterion is missing."""
    return lambda rows: (
        min(statistic(rows[criterion]) for criterion in CRITERIA)
        if set(CRITERIA) <= set(rows)
        else math.nan
    )


def _highest_p(rows: Table4) -> float:
    return -_smallest(lambda row: -max(row.p[0, 2], row.p[1, 2]))(rows)


def _gold_and_hasty(criterion: str) -> Callable[[Table4], c.Difference | float]:
    return lambda rows: rows[criterion].gold_and_hasty() if criterion in rows else math.nan


_TABLE_4 = (
    c.claim(
        "Table 4 prints p and effect sizes of an unpaired Tukey HSD.",
        (
            "pairs whose p (within 15 %) or effect size (within .005) does not follow from means"
            " and V_E1",
            _follows,
            c.equal_to(0),
        ),
        of="print",
    ),
    c.claim(
        "For every criterion BronzeT takes significantly longer, or corrects more, than Gold and"
        " than BronzeW.",
        (
            "smallest difference",
            _smallest(lambda row: min(row.slower(0), row.slower(1))),
            c.over(0),
        ),
        ("highest p", _highest_p, c.under(_ALPHA)),
    ),
    c.claim(
        "The difference between Gold and BronzeW is small and not significant.",
        *(
            (
                f"difference of {criterion}",
                _gold_and_hasty(criterion),
                c.alike(f"{_LARGE} standard deviations"),
            )
            for criterion in CRITERIA
        ),
        erratum="By ATBJ, the main criterion, the equivalence test gives p = .06.",
    ),
)


@of_log(
    "table4",
    title="Table 4: efficiency under PRI",
    claims=_TABLE_4,
    deviation="The simulated campaign is fitted to the print; draws vary by chance.",
)
def table4(inputs: StudyInputs) -> Made:
    """Compare the groups' efficiency under PRI: Tukey HSD and effect sizes."""
    campaign = judged_collection(inputs, log=True)
    result = three_groups(prioritised_efficiency(campaign))
    printed = {criterion: _of_print(row) for criterion, row in TABLE_4.items()}
    tests, means = [], []
    for criterion, row in TABLE_4.items():
        means.append((criterion, "published", *_cells(printed[criterion]), *row.p, row.variance))
        if criterion in result:
            here = result[criterion]
            two = (here.p[0, 2], here.p[1, 2], here.variance)
            means.append((criterion, campaign.short, *_cells(here), *two))
        test = unpaired_tukey_summary(row.means, row.sizes, row.variance)
        for place, group in ((1, GOLD), (2, HASTY)):
            effect = abs(float(test.effect_size[place]))
            cells = (row.p[place - 1], float(test.p[place]), row.effects[place - 1], effect)
            tests.append((criterion, f"{group}, {CAREFUL}", *cells))
    columns = "criterion|source|" + "|".join(f"mean {g}|n {g}" for g in GROUPS)
    return Made(
        held=[c.on_print(TABLE_4, "print"), c.on_print(printed), campaign.hold(result)],
        paragraphs=[
            "Unpaired Tukey HSD of the three groups on the topics shown in prioritised order. The"
            " paper prints only p below .05."
        ],
        tables=[
            table_of(
                "table4",
                f"In the paper and in {campaign.name}",
                f"{columns}|p Gold, BronzeT|p BronzeW, BronzeT|V_E1",
                means,
            ),
            table_of(
                "table4-recomputed",
                "p and effect size from the printed means, sizes and V_E1",
                "criterion|groups|p, published|p, recomputed|ES, published|ES, recomputed",
                tests,
                "A p printed as 0 is 'about 0'.",
            ),
        ],
    )


def _cells(row: Groups) -> tuple[Cell, ...]:
    return tuple(cell for pair in zip(row.means, row.sizes, strict=True) for cell in pair)


def three_groups(efficiency: JudgingEfficiency) -> Table4:
    """Return the rows of Table 4 for criteria with values for all groups."""
    p: dict[str, dict[tuple[int, int], float]] = {}
    variances = {}
    for row in compared_groups(efficiency, by="group", test="unpaired-tukey"):
        one, other = sorted((GROUPS.index(row.first), GROUPS.index(row.second)))
        p.setdefault(row.criterion, {})[one, other] = row.p
        variances[row.criterion] = row.residual_variance
    rows = {}
    for criterion, of_pairs in p.items():
        samples = efficiency.samples(criterion, "group")
        values = [samples.get(group, np.empty(0)) for group in GROUPS]
        if len(of_pairs) == 3:
            means = [float(each.mean()) for each in values]
            sizes = [each.size for each in values]
            rows[criterion] = Groups(means, sizes, variances[criterion], of_pairs)
    return rows

"""Table 4: how fast Gold and Bronze judge prioritised pools."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.tables import Cell, Table
from qrelsmith.judging_times import CRITERIA
from qrelsmith.judging_times.judging_efficiency import (
    GroupComparison,
    compared_groups,
    judging_efficiency,
)
from qrelsmith.judgments.environments import in_environments
from qrelsmith.stats.unpaired_tukey import unpaired_tukey_summary
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import CAREFUL, GOLD, GROUPS, HASTY, JudgedCollection
from qrelsmith_papers.judging_order.judged import judged_collection, kind_of_log
from qrelsmith_papers.judging_order.published_judging import TABLE_4
from qrelsmith_papers.judging_order.www4 import labels_read

_KEY = "table4"
_ALPHA = 0.05

Compared = dict[tuple[str, frozenset[str]], GroupComparison]


@ORDERING.add(
    _KEY,
    kind=kind_of_log,
    reads=labels_read,
    sized=True,
    deviation=(
        "Means and V_E1 of the simulated campaign are fitted to the print; a draw of it has "
        "others by chance."
    ),
)
def table4(inputs: StudyInputs) -> Section:
    """Efficiency of the groups under PRI: Tukey HSD and effect sizes."""
    campaign = judged_collection(inputs, log=True)
    efficiency = judging_efficiency(
        in_environments(campaign.judgments, orderings=["prioritised"]),
        relevant=campaign.relevant,
        high=campaign.scale.top,
    )
    compared = {
        (row.criterion, frozenset((row.first, row.second))): row
        for row in compared_groups(efficiency, by="group", test="unpaired-tukey")
    }
    recomputed = Table.of(
        ("criterion", "groups", "p, published", "p, recomputed", "ES, published", "ES, recomputed"),
        list(_recomputed_tests()),
    )
    means = [
        (criterion, source, *cells)
        for criterion in CRITERIA
        for source, cells in (
            ("published", _published_cells(criterion)),
            (
                campaign.short,
                _obtained_cells(efficiency.samples(criterion, "group"), compared, criterion),
            ),
        )
    ]
    columns = ["criterion", "source"]
    columns += [f"{what} {group}" for group in GROUPS for what in ("mean", "n")]
    columns += ["p Gold, BronzeT", "p BronzeW, BronzeT", "V_E1"]
    return Section(
        key=_KEY,
        title="Table 4: efficiency under PRI",
        paragraphs=(
            "Unpaired Tukey HSD of the three groups on the topics shown prioritised. The paper"
            " prints p below .05 only.",
        ),
        tables=(
            NamedTable(_KEY, f"In the paper and in {campaign.name}", Table.of(columns, means)),
            NamedTable(
                f"{_KEY}-recomputed",
                "p and effect size from the printed means, sizes and V_E1",
                recomputed,
                "A p printed as 0 is 'about 0'.",
            ),
        ),
        findings=(_follows(recomputed), *_claims(compared, campaign)),
    )


def _published_cells(criterion: str) -> tuple[Cell, ...]:
    printed = TABLE_4[criterion]
    pairs = zip(printed.means, printed.sizes, strict=True)
    return (*(c for pair in pairs for c in pair), *map(float, printed.p), printed.variance)


def _obtained_cells(
    samples: dict[str, np.ndarray], compared: Compared, criterion: str
) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for group in GROUPS:
        values = samples.get(group, np.empty(0))
        cells += [float(values.mean()) if values.size else math.nan, values.size]
    pairs = [compared.get((criterion, frozenset((group, CAREFUL)))) for group in (GOLD, HASTY)]
    variance = next((row.residual_variance for row in pairs if row is not None), math.nan)
    return (*cells, *(math.nan if row is None else row.p for row in pairs), variance)


def _recomputed_tests() -> Iterator[tuple[Cell, ...]]:
    """Unpaired Tukey HSD from the printed means, for the two pairs that are printed."""
    pairs = list(combinations(range(len(GROUPS)), 2))
    for criterion, printed in TABLE_4.items():
        result = unpaired_tukey_summary(printed.means, printed.sizes, printed.variance)
        for group, p, effect in zip((0, 1), printed.p, printed.effects, strict=True):
            place = pairs.index((group, 2))
            names = f"{GROUPS[group]}, {CAREFUL}"
            size = abs(float(result.effect_size[place]))
            yield criterion, names, float(p), float(result.p[place]), effect, size


def _follows(recomputed: Table) -> Finding:
    """Whether p is within 15 % (or the same in print), and the effect size within .005."""
    printed = {
        (criterion, f"{group}, {CAREFUL}"): text
        for criterion, row in TABLE_4.items()
        for group, text in zip((GOLD, HASTY), row.p, strict=True)
    }
    agree = 0
    for criterion, names, p, value, effect, size in recomputed.rows:
        digits = len(printed[str(criterion), str(names)].partition(".")[2])
        near = math.isclose(float(p or 0), float(value or 0), rel_tol=0.15)
        equal = round(float(value or 0), digits) == p
        agree += (near or equal) and abs(float(effect or 0) - float(size or 0)) <= 0.005
    return claim(
        agree == len(recomputed.rows),
        f"p (within 15 %, the inputs are rounded) and the effect size (within .005) of {agree} of"
        f" the {len(recomputed.rows)} pairs of Table 4 follow from its means, sizes and V_E1.",
        section=_KEY,
        kind=ClaimKind.FROM_PRINT,
        any_size=True,
    )


def _claims(compared: Compared, campaign: JudgedCollection) -> tuple[Finding, ...]:
    slower, alike = [], []
    for criterion in CRITERIA:
        pairs = [compared.get((criterion, frozenset((one, CAREFUL)))) for one in (GOLD, HASTY)]
        if all(
            row is not None
            and row.p < _ALPHA
            and row.means[row.first != CAREFUL] > row.means[row.first == CAREFUL]
            for row in pairs
        ):
            slower.append(criterion)
        between = compared.get((criterion, frozenset((GOLD, HASTY))))
        if between is not None and between.p >= _ALPHA:
            alike.append(criterion)
    return (
        campaign.claim(
            len(slower) == len(CRITERIA),
            "The paper: by every criterion BronzeT takes significantly longer, or corrects more,"
            " than both Gold and BronzeW. On"
            f" {campaign.name} so by {', '.join(slower) or 'none'}.",
            section=_KEY,
        ),
        campaign.claim(
            len(alike) == len(CRITERIA),
            "The paper: Gold and BronzeW differ significantly by no criterion. On"
            f" {campaign.name} they do not by {', '.join(alike) or 'any'}.",
            section=_KEY,
        ),
    )

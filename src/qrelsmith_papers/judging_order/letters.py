"""The letters of Tables 11 and 12 from what is printed beside them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qrelsmith.base.content import NamedTable, Section
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Table
from qrelsmith.planning.simulation.two_way import two_way_rows
from qrelsmith.rankings.ranking_consistency import RankedHalves, compare_consistencies
from qrelsmith.stats.letters import letter
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.published_rankings import (
    TABLE_11,
    TABLE_11_VARIANCE,
    TABLE_12,
    TABLE_12_VARIANCE,
    Consistent,
)

_KEY = "letters"
_SPLITS = 1000
_SEEDS = 30
_TABLES = (("Table 11", TABLE_11, TABLE_11_VARIANCE), ("Table 12", TABLE_12, TABLE_12_VARIANCE))


@ORDERING.add(_KEY, kind=ClaimKind.FROM_PRINT, sized=True)
def letters(inputs: StudyInputs) -> Section:
    """Letters from rows that are drawn with the printed means and residual variance."""
    seeds = range(_SEEDS if inputs.paper_size else 2)
    tables, findings = [], []
    for name, printed, variance in _TABLES:
        drawn = [printed_letters(printed, variance, seed=inputs.seed + seed) for seed in seeds]
        expected = tuple(row.outperforms for row in printed)
        right = sum(found == expected for found in drawn)
        rows = [
            (letter(place), row.environment, row.measure, row.tau, row.outperforms, found)
            for place, (row, found) in enumerate(zip(printed, drawn[0], strict=True))
        ]
        columns = ("letter", "environment", "measure", "mean tau", "published", "obtained")
        tables.append(
            NamedTable(
                f"{_KEY}-{name.lower().replace(' ', '')}",
                f"{name}: what each row outperforms",
                Table.of(columns, rows),
                f"{_SPLITS:,} rows with V_E2 = {variance}; randomised Tukey HSD, 1,000 trials.",
            )
        )
        findings.append(
            claim(
                right == len(seeds),
                f"Rows drawn with the means and V_E2 of {name} give every printed letter with"
                f" {right} of {len(seeds)} seeds.",
                section=_KEY,
            )
        )
    return Section(
        key=_KEY,
        title="Letters of Tables 11 and 12",
        paragraphs=(
            "The splits behind the tables are not public. Rows of a two-way model that have the"
            " printed means and residual variance stand for them: what the test says of them"
            " depends on little else.",
        ),
        tables=tuple(tables),
        findings=tuple(findings),
    )


def printed_letters(
    printed: Sequence[Consistent], variance: float, *, seed: int
) -> tuple[str, ...]:
    """The letters of each row by one draw: whom it outperforms."""
    rng = rng_for(seed, "ordering", "rows", len(printed))
    means = np.array([row.tau for row in printed])
    taus = two_way_rows(means, variance, rows=_SPLITS, rng=rng)
    conditions = [RankedHalves(row.environment, "all", row.measure) for row in printed]
    return tuple(row.outperforms for row in compare_consistencies(conditions, taus, seed=seed).rows)

"""Artefacts computed only from printed numbers: topic set sizes, intervals of τ, letters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from qrelsmith.base.rng import rng_for
from qrelsmith.planning.simulation.two_way import two_way_rows
from qrelsmith.rankings.ranking_consistency import RankedHalves, compare_consistencies
from qrelsmith.rankings.topic_set_size import Aim, Variance, planned_topics, topic_curves
from qrelsmith.stats.letters import letter
from qrelsmith.stats.tau_intervals import fieller_limits
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.printed_tables import (
    SYSTEMS,
    TABLE_11,
    TABLE_11_VARIANCE,
    TABLE_12,
    TABLE_12_VARIANCE,
    Consistent,
    printed_intervals,
)

_TOPICS = 50
# The residual variances of WWW-3 (footnote 12), and the differences to detect.
_DESIGNS = (
    (Variance("nERR", 0.0284), Aim("anova", 0.1)),
    (Variance("iRBU", 0.00716), Aim("anova", 0.05)),
)


class _Planned(NamedTuple):
    """The sufficient number of topics, and the power of the paper's number of topics."""

    topics: Sequence[int]
    powers: Sequence[float]


@ORDERING.add(
    "topics",
    title="Section 3.2: number of topics",
    kind=c.ClaimKind.FROM_PRINT,
    claims=(
        c.claim(
            "50 topics have a power above .8 to detect a difference of 0.1 in nERR or 0.05 in iRBU"
            " between two systems.",
            ("power for nERR", lambda e: e.powers[0], c.over(0.8)),
            ("power for iRBU", lambda e: e.powers[1], c.over(0.8)),
            ("number of topics that suffice", lambda e: max(e.topics), c.at_most(_TOPICS)),
        ),
    ),
)
def topics(inputs: StudyInputs) -> Made:  # noqa: ARG001 - every artefact takes them
    """Compute the topic set size for two systems, and the power of the paper's 50 topics."""
    enough = [planned_topics([variance], [aim])[0] for variance, aim in _DESIGNS]
    planned = [planned_topics([variance], [aim], topics=[_TOPICS])[0] for variance, aim in _DESIGNS]
    rows = [
        (e.variance.measure, e.variance.value, e.aim.target, e.topics, of.power, of.reached)
        for e, of in zip(enough, planned, strict=True)
    ]
    evidence = _Planned([e.topics for e in enough], [of.power for of in planned])
    columns = (
        "measure|V_E2|difference|topics for power .8"
        f"|power of {_TOPICS} topics|difference detected by {_TOPICS} topics"
    )
    return Made(
        held=[c.on_print(evidence)],
        paragraphs=["One-way analysis of variance, α = .05, residual variances of WWW-3."],
        tables=[table_of("topics", "Topics and power", columns, rows)],
        figures=[topic_curves([_DESIGNS[0][0]], [_DESIGNS[0][1]])],
    )


_ROUNDED = 0.0005 + 1e-9  # three decimals are printed


@ORDERING.add(
    "letters",
    title="Letters of Tables 11 and 12",
    kind=c.ClaimKind.FROM_PRINT,
    claims=tuple(
        c.claim(
            f"{name} says which rows outperform which by randomised Tukey HSD.",
            (
                "share of draws from the printed means and V_E2 with every letter",
                lambda share: share,
                c.equal_to(1.0),
            ),
            of=name,
        )
        for name in ("Table 11", "Table 12")
    ),
)
def letters(inputs: StudyInputs) -> Made:
    """Compute letters from rows drawn with the printed means and residual variance."""
    seeds = range(30 if inputs.paper_size else 2)
    tables, held = [], []
    for name, printed, variance in (
        ("Table 11", TABLE_11, TABLE_11_VARIANCE),
        ("Table 12", TABLE_12, TABLE_12_VARIANCE),
    ):
        drawn = [printed_letters(printed, variance, seed=inputs.seed + seed) for seed in seeds]
        expected = tuple(row.outperforms for row in printed)
        right = sum(found == expected for found in drawn) / len(drawn)
        held.append(c.on_print(right, name, sized=True))
        rows = [
            (letter(place), row.environment, row.measure, row.tau, row.outperforms, found)
            for place, (row, found) in enumerate(zip(printed, drawn[0], strict=True))
        ]
        tables.append(
            table_of(
                f"letters-{name.lower().replace(' ', '')}",
                f"{name}: what each row outperforms",
                "letter|environment|measure|mean tau|published|obtained",
                rows,
                f"1,000 rows with V_E2 = {variance}; randomised Tukey HSD, 1,000 trials.",
            )
        )
    about = (
        "The splits behind the tables are not public. Rows of a two-way model that have the printed"
        f" means and residual variance stand for them, drawn {len(seeds)} times."
    )
    return Made(held=held, paragraphs=[about], tables=tables)


def printed_letters(
    printed: Sequence[Consistent], variance: float, *, seed: int
) -> tuple[str, ...]:
    """Return the letters of the rows that each row outperforms in one draw."""
    rng = rng_for(seed, "ordering", "rows", len(printed))
    means = np.array([row.tau for row in printed])
    taus = two_way_rows(means, variance, rows=1000, rng=rng)
    conditions = [RankedHalves(row.environment, "all", row.measure) for row in printed]
    return tuple(row.outperforms for row in compare_consistencies(conditions, taus, seed=seed).rows)


_INTERVALS: tuple[c.Claim[Sequence[str]], ...] = (
    c.claim(
        "Each τ of Tables 9, 10, 17 and 18 has a 95% interval.",
        ("intervals that do not follow from their τ", len, c.equal_to(0)),
        erratum="Table 17, RND-Gold-nDCG, lo-THUIR is a misprint: the same τ has another interval"
        " in Table 18. The fourth row of Table 17 is printed as RND-Gold-nDCG again; it is Q.",
    ),
)


@ORDERING.add(
    "intervals", title="Printed intervals of τ", kind=c.ClaimKind.FROM_PRINT, claims=_INTERVALS
)
def intervals(inputs: StudyInputs) -> Made:  # noqa: ARG001 - every artefact takes them
    """Compare Fieller's interval of every printed τ with the printed interval."""
    rows, apart = [], []
    for one in printed_intervals():
        tau, low, high = one.value
        ends = [float(end) for end in fieller_limits(tau, SYSTEMS)]
        follows = abs(ends[0] - low) <= _ROUNDED and abs(ends[1] - high) <= _ROUNDED
        rows.append((one.table, one.row, one.column, tau, low, high, *ends, follows))
        apart += [] if follows else [f"Table {one.table}, {one.row}, {one.column}"]
    about = (
        f"Fieller's interval tanh(atanh τ ± 1.96·√(.437/(n−4))) for n = {SYSTEMS} systems, from"
        " each printed τ. Rows that Tables 17 and 18 share count in both."
    )
    columns = "table|row|column|tau|low, published|high, published|low|high|follows"
    return Made(
        held=[c.on_print(apart)],
        paragraphs=[about],
        tables=[table_of("intervals", "Printed and recomputed intervals", columns, rows)],
    )

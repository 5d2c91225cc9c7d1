"""Do halves of the topics rank the systems alike (Tables 11 and 12 of ordering-gold-bronze)."""

from __future__ import annotations

import numpy as np

from qrelsmith.analyses.ranking_consistency import (
    Condition,
    Consistency,
    consistency,
    split_half_taus,
)
from qrelsmith.arrays import FloatArray
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.rules import ALPHA, CONSISTENCY
from qrelsmith.audit.wording import findings_by_verdict, listed
from qrelsmith.content import Figure, Finding, Intervals, NamedTable, Section, Verdict
from qrelsmith.tables import Table

_KEY = "consistency"
_TITLE = "Ranking consistency"
_SPLITS = 1000
_ALL = "all"


@SECTIONS.add("consistency", place=80)
def ranking_consistency(inputs: AuditInputs) -> Section:
    """τ between random halves of the topics under every label set, by every measure."""
    if len(inputs.runs) < 2 or len(inputs.topics) < 2:
        return Section(
            key=_KEY,
            title=_TITLE,
            missing="two runs or more, and two topics or more that every label set has; there are"
            f" {len(inputs.runs)} and {len(inputs.topics)}",
        )
    named = [
        (
            Condition(name, _ALL, measure, len(inputs.topics), len(inputs.runs)),
            inputs.scores(name, measure),
        )
        for name in inputs.label_sets
        for measure in inputs.measures
    ]
    taus = split_half_taus(named, splits=_SPLITS, seed=inputs.seed)
    conditions = [condition for condition, _ in named]
    found = consistency(conditions, taus, alpha=ALPHA, seed=inputs.seed)
    first = {
        condition.qrels: _range(taus[:, column])
        for column, condition in enumerate(conditions)
        if condition.measure == inputs.measures[0]
    }
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            f"The topics are split in half {_SPLITS:,} times; τ compares the two rankings. Labels"
            " that rank the systems otherwise when the topics change will do so on the next topics."
            " Half of the topics rank less well than all of them: τ is lower than it would be for a"
            " second set of the full size.",
        ),
        tables=(_table(found, len(inputs.measures) > 1),),
        figures=(_figure(inputs, first),),
        findings=(
            *findings_by_verdict(
                CONSISTENCY, first, _SENTENCES, symbol="τ between halves", section=_KEY
            ),
            *_beside_the_reference(inputs, found),
        ),
    )


_SENTENCES = {
    Verdict.GOOD: "Halves of the topics rank the systems alike",
    Verdict.DOUBTFUL: "Halves of the topics rank the systems much alike, with noticeable changes",
    Verdict.BAD: "Halves of the topics rank the systems differently; more topics are needed",
    Verdict.CANNOT_TELL: "Whether halves of the topics rank the systems alike depends on the split",
}


def _range(taus: FloatArray) -> tuple[float, float, float]:
    """Mean τ, and where 95 % of the splits lie."""
    known = taus[~np.isnan(taus)]
    if not known.size:
        return float("nan"), float("nan"), float("nan")
    low, high = np.quantile(known, [0.025, 0.975]).tolist()
    return float(known.mean()), low, high


def _table(found: Consistency, several: bool) -> NamedTable:
    columns = ("letter", "label set", "measure", "mean tau", "sd", "splits", "outperforms")
    rows = [
        (
            row.letter, row.condition.qrels, row.condition.measure, row.tau, row.deviation,
            row.splits, row.outperforms,
        )
        for row in found.rows
    ]  # fmt: skip
    note = "Outperforms: the letters of those whose mean is significantly lower"
    if found.test is not None:
        note += (
            f" (randomised Tukey HSD, α = {ALPHA}, {found.test.trials:,} trials;"
            f" V_E2 = {found.test.residual_variance:.4g})"
        )
    what = "label sets and measures" if several else "label sets"
    return NamedTable(
        "consistency",
        f"τ between halves of the topics for all {what}",
        Table.of(columns, rows),
        f"{note}. The test is about these topics' splits, not about other topics.",
    )


def _figure(inputs: AuditInputs, found: dict[str, tuple[float, float, float]]) -> Figure:
    names = sorted(found, key=lambda name: -np.nan_to_num(found[name][0], nan=-2.0))
    return Figure(
        "consistency",
        f"τ between halves of the topics by {inputs.measures[0]}",
        Intervals(
            names=names,
            values=[found[name][0] for name in names],
            lows=[found[name][1] for name in names],
            highs=[found[name][2] for name in names],
            label="mean τ-b, and where 95 % of the splits lie",
            reference=CONSISTENCY.good,
        ),
        f"The line is at {CONSISTENCY.good}. The bars show how much it depends on which topics are"
        " in which half.",
    )


def _beside_the_reference(inputs: AuditInputs, found: Consistency) -> tuple[Finding, ...]:
    """Which label sets rank more, and which less consistently than the reference."""
    rows = [row for row in found.rows if row.condition.measure == inputs.measures[0]]
    own = next(row for row in rows if row.condition.qrels == inputs.reference)
    better = [r.condition.qrels for r in rows if own.letter in r.outperforms.split(",")]
    worse = [r.condition.qrels for r in rows if r.letter in own.outperforms.split(",")]
    if found.test is None or not (better or worse):
        return ()
    parts = [
        f"{how} consistent than under {inputs.reference}: {listed(names)}"
        for how, names in (("more", better), ("less", worse))
        if names
    ]
    sentence = f"By {inputs.measures[0]}, rankings are significantly {'; '.join(parts)}."
    return (Finding(CONSISTENCY.name, Verdict.FACT, sentence, _KEY),)

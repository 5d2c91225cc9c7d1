"""Which systems differ, and whether label sets agree about that."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from qrelsmith.audit.conflicts import Conflicts, conflicts
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.rules import ALPHA, CONFLICTS, TRIALS
from qrelsmith.audit.wording import findings_by_verdict
from qrelsmith.content import Figure, Finding, NamedTable, Section, StackedShares, Verdict
from qrelsmith.rng import rng_for
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.power import discriminative_power
from qrelsmith.stats.randomised_tukey import randomised_tukey
from qrelsmith.tables import Cell, Table

_KEY = "significance"


@SECTIONS.add("significance", place=90)
def significance(inputs: AuditInputs) -> Section:
    """Pairs of systems that differ significantly under each label set."""
    if len(inputs.runs) < 2 or len(inputs.topics) < 2:
        return Section(
            key=_KEY,
            title="Significance",
            missing="two runs or more, and two topics or more that every label set has; there are"
            f" {len(inputs.runs)} and {len(inputs.topics)}",
        )
    tables: list[NamedTable] = []
    figures: list[Figure] = []
    findings: list[Finding] = []
    for place, measure in enumerate(inputs.measures):
        results = {name: _tested(inputs, name, measure) for name in inputs.label_sets}
        found = {name: _conflicts(inputs, results, name, measure) for name in inputs.others}
        tables.append(
            NamedTable(
                key=f"significance-{place + 1}",
                title=f"Pairs of systems that {measure} tells apart",
                table=_table(inputs, results, found),
                note=f"Randomised Tukey HSD, α = {ALPHA}, {TRIALS:,} trials. Both: significant here"
                " and under the reference; opposite: both, but pointing the other way; alike: share"
                " of both that is not opposite, with its Wilson interval. Delta: the difference"
                " from which on every pair would be significant.",
            )
        )
        if place == 0:
            findings += _findings(inputs, found)
            if inputs.others:
                figures.append(_pairs_figure(inputs, results, measure))
    return Section(
        key=_KEY,
        title="Significance",
        paragraphs=(
            "A label set is useful if it can tell systems apart, and trustworthy if it then orders"
            " them as the reference does.",
        ),
        tables=tuple(tables),
        figures=tuple(figures),
        findings=tuple(findings),
    )


def _sentences(reference: str) -> dict[Verdict, str]:
    pairs = f"system pairs that differ significantly both here and under {reference}"
    return {
        Verdict.GOOD: f"Nearly all {pairs} point the same way",
        Verdict.DOUBTFUL: f"Most {pairs} point the same way",
        Verdict.BAD: f"Many {pairs} point the other way",
        Verdict.CANNOT_TELL: f"Whether the {pairs} point the same way cannot be told",
    }


def _tested(inputs: AuditInputs, name: str, measure: str) -> PairwiseResult:
    result: PairwiseResult = randomised_tukey(
        inputs.scores(name, measure).scores.T,
        rng=rng_for(inputs.seed, "audit", "significance", measure),
        trials=TRIALS,
        alpha=ALPHA,
    )
    return result


def _conflicts(
    inputs: AuditInputs, results: Mapping[str, PairwiseResult], name: str, measure: str
) -> Conflicts:
    """A label set beside the reference; all label sets share the samples of topics."""
    return conflicts(
        results[inputs.reference],
        results[name],
        (
            inputs.scores(inputs.reference, measure).scores.T,
            inputs.scores(name, measure).scores.T,
        ),
        rng=rng_for(inputs.seed, "audit", "conflicts", measure),
    )


def _findings(inputs: AuditInputs, found: Mapping[str, Conflicts]) -> tuple[Finding, ...]:
    """What the rule says, and beside it what it does not look at: pairs that are missed."""
    reference = inputs.reference
    told = {name: one for name, one in found.items() if one.of}
    return findings_by_verdict(
        CONFLICTS,
        {name: (one.share, one.low, one.high) for name, one in told.items()},
        _sentences(reference),
        symbol="the share",
        section=_KEY,
        asides={
            name: f"misses {one.missed:,} of the {one.of:,} that differ under {reference}"
            for name, one in told.items()
        },
    )


def _table(
    inputs: AuditInputs,
    results: dict[str, PairwiseResult],
    found: Mapping[str, Conflicts],
) -> Table:
    reference = results[inputs.reference]
    rows: list[tuple[Cell, ...]] = []
    for name in (inputs.reference, *inputs.others):
        result = results[name]
        power = discriminative_power(result)
        both = result.significant & reference.significant
        opposite = both & (np.sign(result.difference) != np.sign(reference.difference))
        rows.append(
            (
                name, power.pairs, power.significant, power.power, power.delta, int(both.sum()),
                int((reference.significant & ~result.significant).sum()),
                int((result.significant & ~reference.significant).sum()),
                int(opposite.sum()), *_interval(found.get(name)),
            )
        )  # fmt: skip
    columns = (
        "label set", "pairs", "significant", "share", "delta", "both", "only reference",
        "only this", "opposite", "alike", "low", "high",
    )  # fmt: skip
    return Table.of(columns, rows)


def _interval(one: Conflicts | None) -> tuple[float, float, float]:
    """The share with its interval; of the reference, which is like itself, there is none."""
    return (1.0, float("nan"), float("nan")) if one is None else (one.share, one.low, one.high)


def _pairs_figure(inputs: AuditInputs, results: dict[str, PairwiseResult], measure: str) -> Figure:
    """What becomes of the pairs of systems under each of the other label sets."""
    reference = results[inputs.reference]
    shares = []
    for name in inputs.others:
        result = results[name]
        both = result.significant & reference.significant
        opposite = both & (np.sign(result.difference) != np.sign(reference.difference))
        parts = (
            both & ~opposite,
            ~result.significant & ~reference.significant,
            reference.significant & ~result.significant,
            result.significant & ~reference.significant,
            opposite,
        )
        shares.append([float(part.mean()) for part in parts])
    return Figure(
        key="significance",
        title=f"The pairs of systems under {inputs.reference} and under the other label sets",
        drawing=StackedShares(
            names=inputs.others,
            parts=(
                "differ in both, the same way",
                "differ in neither",
                f"only under {inputs.reference}",
                "only under the label set",
                "differ in both, opposite ways",
            ),
            shares=shares,
            label=f"share of the system pairs, {measure}",
        ),
        caption="The first two parts agree with the reference; the last one contradicts it.",
    )

"""Which systems differ, and whether label sets agree about that."""

from __future__ import annotations

import numpy as np

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.rules import ALPHA, CONFLICTS, TRIALS
from qrelsmith.audit.wording import findings_by_verdict
from qrelsmith.content import Figure, Finding, NamedTable, Section, StackedShares, Verdict
from qrelsmith.rng import rng_for
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.power import discriminative_power
from qrelsmith.stats.proportions import wilson_interval
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
        reference = results[inputs.reference]
        shares = {name: _agreement_share(reference, results[name]) for name in inputs.others}
        tables.append(
            NamedTable(
                key=f"significance-{place + 1}",
                title=f"Pairs of systems that {measure} tells apart",
                table=_table(inputs, results, shares),
                note=f"Randomised Tukey HSD, α = {ALPHA}, {TRIALS:,} trials. Both: significant here"
                " and under the reference; opposite: both, but pointing the other way; alike: share"
                " of both that is not opposite, with its Wilson interval. Delta: the difference"
                " from which on every pair would be significant.",
            )
        )
        if place == 0:
            known = {name: share for name, share in shares.items() if not np.isnan(share[0])}
            findings += findings_by_verdict(
                CONFLICTS,
                known,
                _sentences(inputs.reference),
                symbol="the share",
                section=_KEY,
            )
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


def _agreement_share(
    reference: PairwiseResult, other: PairwiseResult
) -> tuple[float, float, float]:
    """Share of the pairs significant in both that have one direction, with a Wilson interval."""
    both = reference.significant & other.significant
    pairs = int(both.sum())
    if not pairs:
        return float("nan"), float("nan"), float("nan")
    alike = int((np.sign(reference.difference[both]) == np.sign(other.difference[both])).sum())
    low, high = wilson_interval(alike, pairs)
    return alike / pairs, low, high


def _table(
    inputs: AuditInputs,
    results: dict[str, PairwiseResult],
    shares: dict[str, tuple[float, float, float]],
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
                int(opposite.sum()), *shares.get(name, (1.0, float("nan"), float("nan"))),
            )
        )  # fmt: skip
    columns = (
        "label set", "pairs", "significant", "share", "delta", "both", "only reference",
        "only this", "opposite", "alike", "low", "high",
    )  # fmt: skip
    return Table.of(columns, rows)


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

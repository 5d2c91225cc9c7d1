"""Do groups agree, topic by topic (Tables 5, 6 and 7 of ordering-gold-bronze)."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.analyses.group_agreement import (
    ScopesCompared,
    TopicValues,
    compared_scopes,
    mean_agreement,
    topic_values,
)
from qrelsmith.analyses.label_agreement import AgreementOptions, LabelAgreement
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.rules import ALPHA
from qrelsmith.audit.wording import short
from qrelsmith.content import Finding, NamedTable, Section, Verdict
from qrelsmith.errors import UndefinedError
from qrelsmith.tables import Table

_KEY = "group-agreement"
_TITLE = "Agreement of groups, topic by topic"
_COEFFICIENT = "kappa-quadratic"


@SECTIONS.add("group-agreement", place=42)
def group_agreement(inputs: AuditInputs) -> Section:
    """Quadratic weighted κ between environments, and between assessors and the other groups."""
    judgments = inputs.judgments
    if judgments is None or judgments.group is None or len(inputs.groups) < 2:
        there = "there are no judgments" if judgments is None else "they are of one group"
        return Section(key=_KEY, title=_TITLE, missing=f"judgments of two groups; {there}")
    options = AgreementOptions(_COEFFICIENT, scale=inputs.campaign.scale, seed=inputs.seed)
    agreement = LabelAgreement(judgments, options)
    try:
        environments = topic_values(agreement, judgments, "environment-pair")
        assessors = topic_values(agreement, judgments, "assessor-group")
    except UndefinedError:
        return Section(key=_KEY, title=_TITLE, missing="a topic that two groups judged")
    compared, variance = _compared(environments)
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            "Cohen's κ with quadratic weights on every topic, and its mean over the topics. An"
            " environment is a group and the ordering in which it was shown the docs. A topic"
            " counts as much as any other, however many docs it has.",
        ),
        tables=(
            NamedTable(
                _KEY,
                "Mean κ between environments",
                _means(environments, options),
                "95 % intervals from a bootstrap over topics.",
            ),
            *_tested(compared, variance),
            NamedTable(
                f"{_KEY}-assessors",
                "Mean κ of each assessor with the other groups",
                _means(assessors, options),
                "An assessor far below the others of a group is one to look at.",
            ),
        ),
        findings=_findings(environments, compared),
    )


def _compared(found: Sequence[TopicValues]) -> tuple[list[ScopesCompared], float]:
    try:
        return compared_scopes(found)
    except UndefinedError:
        return [], float("nan")


def _means(found: Sequence[TopicValues], options: AgreementOptions) -> Table:
    rows = []
    for values in found:
        mean = mean_agreement(values, options, _COEFFICIENT)
        rows.append((mean.scope, len(values.known), mean.value, mean.low, mean.high, mean.units))
    return Table.of(("between", "topics", "mean kappa", "low", "high", "docs"), rows)


def _tested(compared: Sequence[ScopesCompared], variance: float) -> tuple[NamedTable, ...]:
    if not compared:
        return ()
    columns = ("a", "b", "topics a", "topics b", "difference", "p", "effect size")
    rows = [(r.first, r.second, *r.topics, r.difference, r.p, r.effect_size) for r in compared]
    return (
        NamedTable(
            f"{_KEY}-test",
            "Mean κ of every two pairs of environments compared",
            Table.of(columns, rows),
            "Unpaired Tukey HSD; the effect size is ES_E1, with a residual variance V_E1 of"
            f" {variance:.4g}. Topics that two pairs share are not paired.",
        ),
    )


def _findings(
    found: Sequence[TopicValues], compared: Sequence[ScopesCompared]
) -> tuple[Finding, ...]:
    """Who agrees significantly more than whom."""
    if not compared:
        return ()
    means = {values.scope: float(values.known.mean()) for values in found if values.known.size}
    best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
    number = sum(row.p < ALPHA for row in compared)
    sentence = (
        f"Topic by topic, {best} agree most (mean κ {short(means[best])}) and {worst} least"
        f" ({short(means[worst])}); {number} of {len(compared)} differences between such means"
        " are significant."
    )
    return (Finding(_KEY, Verdict.FACT, sentence, _KEY),)

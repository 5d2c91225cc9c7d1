"""Agreement of groups by topic (ordering-gold-bronze, Tables 5, 6 and 7)."""

from __future__ import annotations

from qrelsmith.agreement.agree import agree
from qrelsmith.agreement.agreement_of_labels import Agreement
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.rules import ALPHA
from qrelsmith.base.content import Finding, NamedTable, Section, Verdict
from qrelsmith.base.errors import UndefinedError
from qrelsmith.base.figure_text import short
from qrelsmith.base.tables import Table

_KEY = "group-agreement"
_TITLE = "Agreement of groups, topic by topic"
_COEFFICIENT = "kappa-quadratic"


@SECTIONS.add("group-agreement", place=42)
def group_agreement(inputs: AuditInputs) -> Section:
    """Compute quadratic weighted κ between environments, and of each assessor with other groups."""
    judgments = inputs.judgments
    if judgments is None or judgments.group is None or len(inputs.groups) < 2:
        there = "there are no judgments" if judgments is None else "all are from one group"
        return Section(key=_KEY, title=_TITLE, missing=f"judgments from two groups; {there}")
    try:
        environments = inputs.ask(agree, _COEFFICIENT, by="environment-pair", reference=None)
        assessors = inputs.ask(agree, _COEFFICIENT, by="assessor-group", reference=None)
    except UndefinedError:
        return Section(key=_KEY, title=_TITLE, missing="a topic judged by two groups")
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            "Agreement is Cohen's κ with quadratic weights, as a mean over topics. An environment"
            " is a group with the ordering in which docs were shown to the group.",
        ),
        tables=(
            NamedTable(
                _KEY,
                "Mean κ between environments",
                _means(environments),
                "The 95% intervals generalise to similar topics.",
                answer=environments,
            ),
            *_test_tables(inputs, environments),
            NamedTable(
                f"{_KEY}-assessors",
                "Mean κ of each assessor with the other groups",
                _means(assessors),
                "Check assessors whose mean κ is far below that of the rest of their group.",
                answer=assessors,
            ),
        ),
        findings=_findings(environments),
    )


def _means(answer: Agreement) -> Table:
    columns = ("between", "topics", "mean kappa", "low", "high", "docs", "over")
    rows = [(p.scope, p.topics, p.value, p.low, p.high, p.units, p.over) for p in answer.parts[1:]]
    return Table.of(columns, rows)


def _test_tables(inputs: AuditInputs, environments: Agreement) -> tuple[NamedTable, ...]:
    if not environments.tests:
        return ()
    (tests,) = environments.tests
    columns = ("a", "b", "topics a", "topics b", "difference", "p", "effect size")
    rows = [
        (r.first, r.second, *r.topics, r.difference, r.p, r.effect_size) for r in tests.compared
    ]
    return (
        NamedTable(
            f"{_KEY}-test",
            "Comparison of mean κ between pairs of environments",
            Table.of(columns, rows),
            "Test: unpaired Tukey HSD. Effect size: the difference divided by the square root of"
            f" the residual variance (ES_E1; V_E1 = {tests.residual_variance:.4g}). The test"
            " ignores that pairs of environments have topics in common.",
            answer=inputs.ask(
                agree, _COEFFICIENT, by="environment-pair", pairs=True, reference=None
            ),
        ),
    )


def _findings(environments: Agreement) -> tuple[Finding, ...]:
    """Return findings on groups that agree significantly more than other groups."""
    if not environments.tests:
        return ()
    (tests,) = environments.tests
    means = {part.scope: part.value for part in environments.parts[1:] if part.topics}
    best, worst = max(means, key=means.__getitem__), min(means, key=means.__getitem__)
    number = sum(row.p < ALPHA for row in tests.compared)
    sentence = (
        f"Mean κ is highest for {best} ({short(means[best])}) and lowest for {worst}"
        f" ({short(means[worst])}); {number} of {len(tests.compared)} differences between means are"
        " significant."
    )
    return (Finding(_KEY, Verdict.FACT, sentence, _KEY),)

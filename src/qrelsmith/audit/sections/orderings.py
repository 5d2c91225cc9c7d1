"""Effects of the order in which docs were shown (ordering-gold-bronze, Tables 2, 9 to 12)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.wording import count, figure, name_list
from qrelsmith.base.content import Finding, NamedTable, Section, Verdict
from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Cell, Table
from qrelsmith.judgments.environments import level_counts
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.rankings.compared_rankings import compare
from qrelsmith.rankings.consistency import consistency
from qrelsmith.rankings.ranking_comparison import RankingComparison
from qrelsmith.rankings.ranking_consistency import Consistency

_KEY = "orderings"
_TITLE = "Orderings of the docs"
_FEWEST = 2  # minimum number of topics of an ordering, to divide the topics into halves


@SECTIONS.add("orderings", place=83, of="docs")
def orderings(inputs: AuditInputs) -> Section:
    """Report system rankings and their consistency over the topics of each ordering."""
    judgments = inputs.judgments
    if judgments is None or len(inputs.orderings) < 2:
        there = name_list(list(inputs.orderings)) or "no recorded ordering"
        return Section(
            key=_KEY,
            title=_TITLE,
            missing=f"docs that the assessors of {inputs.reference} saw in at least two orderings"
            f" (found: {there})",
        )
    tables = [_grades(judgments)]
    findings: tuple[Finding, ...] = ()
    if len(inputs.runs) > 1:
        across = list(_compare_orderings(inputs))
        tables += [_rankings(across), _label_sets(inputs)]
        found = _consistency(inputs, [inputs.reference], list(inputs.orderings))
        if found is not None:
            title = f"τ between halves of the topics of {inputs.reference} by ordering"
            tables.append(_halves_table("orderings-consistency", title, found))
        tables += _within(inputs)
        findings = _findings(inputs, across)
    shown = [
        f"{count(len(topics), 'topic', 'topics')} in the ordering {ordering}"
        for ordering, topics in inputs.orderings.items()
    ]
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            f"The assessors of {inputs.reference} saw the docs of {name_list(shown)}. "
            "Differences may come from the ordering or from the topics.",
        ),
        tables=tuple(tables),
        findings=findings,
    )


def _grades(judgments: Judgments) -> NamedTable:
    counted = list(level_counts(judgments))
    grades = list(counted[0][1])
    columns = ("judged by", *(f"grade {grade_text(grade)}" for grade in grades), "total")
    rows: list[tuple[Cell, ...]] = [
        (name, *counts.values(), sum(counts.values())) for name, counts in counted
    ]
    return NamedTable("orderings-grades", "Grades by group and ordering", Table.of(columns, rows))


def _compare_orderings(inputs: AuditInputs) -> Iterator[tuple[str, RankingComparison]]:
    """Compare the rankings between the topics of two orderings, by label set and measure."""
    for name in (inputs.reference, *inputs.others):
        found = inputs.ask(compare, label_set=name, ordering=tuple(inputs.orderings))
        for one in found.comparisons:
            if one.interval == "fieller":
                yield name, one


def _rankings(across: Sequence[tuple[str, RankingComparison]]) -> NamedTable:
    columns = ("label set", "measure", "topics a", "topics b", "tau_b", "low", "high")
    rows = [(n, one.measure, one.first, one.second, *_tau(one)) for n, one in across]
    return NamedTable(
        "orderings-rankings",
        "τ between the rankings over the topics of two orderings, by label set",
        Table.of(columns, rows),
        "The intervals are Fieller's. The two rankings have no topics in common.",
    )


def _label_sets(inputs: AuditInputs) -> NamedTable:
    columns = ("topics", "measure", "label set a", "label set b", "tau_b", "low", "high")
    rows: list[tuple[Cell, ...]] = [
        (ordering, one.measure, one.first, one.second, *_tau(one))
        for ordering in inputs.orderings
        if inputs.others
        for one in inputs.ask(compare, ordering=(ordering,)).comparisons
        if one.interval == "fieller"
    ]
    return NamedTable(
        "orderings-label-sets",
        "τ between the rankings under each pair of label sets, by ordering of the topics",
        Table.of(columns, rows),
        "The intervals are Fieller's.",
    )


def _tau(one: RankingComparison) -> tuple[float, float, float]:
    return one.tau_b, one.low, one.high


def _within(inputs: AuditInputs) -> list[NamedTable]:
    """Compute the consistency of all label sets on the topics of each ordering."""
    tables = []
    for number, ordering in enumerate(inputs.orderings, start=1):
        found = _consistency(inputs, list(inputs.label_sets), [ordering])
        if found is not None and inputs.others:
            title = f"τ between halves of the {ordering} topics for all label sets"
            tables.append(_halves_table(f"orderings-consistency-{number}", title, found))
    return tables


def _consistency(
    inputs: AuditInputs, names: Sequence[str], chosen: Sequence[str]
) -> Consistency | None:
    """Return the consistency of label sets on the orderings' topics, or None for few topics."""
    if any(len(inputs.orderings[ordering]) < _FEWEST for ordering in chosen):
        return None
    return inputs.ask(consistency, label_set=tuple(names), ordering=tuple(chosen))


def _halves_table(key: str, title: str, found: Consistency) -> NamedTable:
    note = "Outperforms: letters of the label sets with a significantly lower mean"
    if found.test is not None:
        note += f" (randomised Tukey HSD; V_E2 = {found.test.residual_variance:.4g})"
    return NamedTable(key, title, found.table(), f"{note}.", answer=found)


def _findings(
    inputs: AuditInputs, across: Sequence[tuple[str, RankingComparison]]
) -> tuple[Finding, ...]:
    """Return findings on τ between rankings over the orderings' topics (first measure)."""
    by_pair = {
        (one.first, one.second): one
        for name, one in across
        if name == inputs.reference and one.measure == inputs.measures[0]
    }
    parts = [
        f"{first} and {second} {figure(*_tau(by_pair[first, second]))}"
        for first, second in combinations(inputs.orderings, 2)
    ]
    sentence = (
        f"By {inputs.measures[0]} under {inputs.reference}, τ between the rankings "
        f"over the topics of two orderings: {name_list(parts)}."
    )
    return (Finding(_KEY, Verdict.FACT, sentence, _KEY),)

"""PDP: how much of the ideal ranking of a few docs the labels leave undecided."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.preferences_needed import (
    advice_on_other_preferences,
    advice_without_preferences,
)
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.wording import count, figure, figures_finding
from qrelsmith.base.content import Figure, Finding, HeatMap, NamedTable, Section, Verdict
from qrelsmith.base.errors import UndefinedError
from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Cell, Table
from qrelsmith.discrimination.campaign_pdp import WITHIN
from qrelsmith.discrimination.pdp import pdp as pdp_of
from qrelsmith.discrimination.pdp_compare import pdp_compare
from qrelsmith.discrimination.pdp_compared import PdpCompared
from qrelsmith.discrimination.pdp_result import PdpOfLabels

_KEY, _TITLE = "pdp", "Pairwise discriminative power (PDP)"
# The share of preferences that random guessing predicts. Labels below it predict the opposite, so
# their power to distinguish docs has no value.
_COIN = 0.5
# A grade matrix with more levels is not drawn; it is in the table only.
_LEVELS_DRAWN = 12


@SECTIONS.add("pdp", place=60, of="docs")
def pdp(inputs: AuditInputs) -> Section:
    """Compare the PDP of label sets with the reference; test whether grades predict preferences."""
    if inputs.preferences is None:
        return Section(key=_KEY, title=_TITLE, missing=advice_without_preferences(inputs))
    try:
        result = inputs.ask(pdp_of)
    except UndefinedError as error:
        return Section(
            key=_KEY, title=_TITLE, missing=advice_on_other_preferences(inputs, str(error))
        )
    lacking = dict(result.lacking)
    tables = [_pdp_table(result), _accuracy_table(result), _cells_table(result)]
    compared = inputs.ask(pdp_compare)
    if lacking:
        tables.append(
            NamedTable(
                key="pdp-lacking",
                title="Label sets without PDP",
                table=Table.of(("label set", "why"), list(lacking.items())),
                note="The same preference tests are used for all label sets; `qrelsmith plan"
                " preferences` draws the missing tests.",
            )
        )
    answered = [replace(table, answer=result) for table in tables]
    answered += [replace(table, answer=compared) for table in _comparison_tables(compared)]
    drawn = compared.figure()
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=_paragraphs(result),
        tables=tuple(table for table in answered if table.table.rows),
        figures=(*_figures(result, inputs.reference), *([drawn] if drawn else [])),
        findings=(*_findings(result, inputs.reference), *_findings_without_pdp(inputs, lacking)),
    )


def _paragraphs(found: PdpOfLabels) -> tuple[str, ...]:
    common = found.common
    if common is None:
        return ()
    top, words = found.most()
    docs = common.size
    lists = count(len(common.lists.topics), "list", "lists")
    how = (
        f"{lists} of {docs} docs, drawn at random because there are no runs"
        if common.drawn
        else f"{lists} of the first {docs} docs that every label set grades among the first"
        f" {WITHIN} docs of each run"
    )
    short = (
        (f"; {count(common.short, 'shorter list is', 'shorter lists are')} left out")
        if common.short
        else ""
    )
    topics = count(int(np.unique(common.tests.topics).size), "topic", "topics")
    return (
        f"PDP is the entropy, in nats, over the rankings that the labels allow for {docs} docs."
        f" PDP is 0 if one ranking is certain, and {words} = {top:.3f} without information. Lower"
        " is better. PDP is estimated from"
        f" {count(len(common.tests), 'preference test', 'preference tests')} on {topics}.",
        f"PDP is a mean over topics, computed on {how}{short}.",
        "Reversed labels have as low a PDP as correct labels, so also check how often the doc with"
        " the higher grade is preferred. If preferences and labels come from the same people or"
        " model, both figures are too optimistic.",
    )


def _pdp_table(found: PdpOfLabels) -> NamedTable:
    rows: list[tuple[Cell, ...]] = []
    for row in found.sets:
        matrix, behind = row.pdp.matrix, row.pdp.lists.tests
        needed = behind[np.isfinite(behind)]
        cells = matrix.tests[:, *np.triu_indices(len(matrix.levels), 1)]
        rows.append(
            (
                row.name, row.mode, row.assessors, len(matrix.levels),
                row.pdp.mean, row.pdp.low, row.pdp.high, row.pdp.defined,
                _whole(needed.min(initial=math.inf)), _whole(np.median(cells)), len(matrix.p),
            )
        )  # fmt: skip
    columns = (
        "label set", "mode", "assessors", "levels", "pdp", "low", "high", "topics",
        "tests, fewest", "tests, median", "grade matrices",
    )  # fmt: skip
    return NamedTable(
        key="pdp",
        title="PDP of the label sets",
        table=Table.of(columns, rows),
        note="Individual: each assessor alone. Aggregate: the median of the assessors. Tests,"
        " fewest: the smallest number of tests among the pairs of grades that PDP uses.",
    )


def _whole(tests: float) -> Cell:
    """Return a number of tests as a table cell; an infinite number is an empty cell."""
    return (int(tests) if float(tests).is_integer() else float(tests)) if tests < math.inf else None


def _comparison_tables(compared: PdpCompared) -> list[NamedTable]:
    """Return tables of the differences from the reference, and of missing tests."""
    return [
        NamedTable(
            key="pdp-differences",
            title=f"PDP of the label sets minus that of {compared.answer.reference}",
            table=compared.table(),
            note="Below 0, the label set separates docs better than the reference does. Tests to"
            " decide: number of further tests that would decide the difference (inf: more topics"
            " are needed).",
        ),
        NamedTable(
            key="pdp-missing",
            title=f"Pairs of grades with fewer than {compared.per_pair} preference tests",
            table=compared.missing(),
            note="`qrelsmith plan preferences --after` draws the missing tests.",
        ),
    ]


def _accuracy_table(found: PdpOfLabels) -> NamedTable:
    rows = [
        (name, one.share, one.low, one.high, one.tests, one.equal)
        for name, one in found.accuracies.items()
    ]
    return NamedTable(
        key="preferences-foretold",
        title="Share of tests in which the doc with the higher grade is preferred",
        table=Table.of(("label set", "share", "low", "high", "tests", "tests, one grade"), rows),
        note="Only tests between docs with different grades are counted; a tie counts as half. Low,"
        " high: 95% interval from a bootstrap over topics.",
    )


def _cells_table(found: PdpOfLabels) -> NamedTable:
    rows: list[tuple[Cell, ...]] = []
    for row in found.sets:
        matrix = row.pdp.matrix
        for batch, low, high in np.ndindex(len(matrix.p), len(matrix.levels), len(matrix.levels)):
            if low < high:
                rows.append(
                    (
                        row.name, row.mode, batch + 1, grade_text(matrix.levels[high]),
                        grade_text(matrix.levels[low]), float(matrix.p[batch, high, low]),
                        int(matrix.tests[batch, high, low]),
                    )
                )  # fmt: skip
    columns = ("label set", "mode", "matrix", "grade", "other grade", "p preferred", "tests")
    return NamedTable(
        key="pdp-grades",
        title="Probability that a doc of one grade is preferred to a doc of a lower grade",
        table=Table.of(columns, rows),
        note="PDP is computed from these probabilities. Tests: number of preference tests.",
    )


def _figures(result: PdpOfLabels, reference: str) -> tuple[Figure, ...]:
    if not result.sets:
        return ()
    own = result.single().get(reference)
    whole = result.figure()
    figures = [] if whole is None else [whole]
    shown = own or min(result.sets, key=lambda row: row.pdp.mean)
    levels = shown.pdp.matrix.levels
    if len(shown.pdp.matrix.p) == 1 and 1 < len(levels) <= _LEVELS_DRAWN:
        names = [grade_text(level) for level in levels]
        figures.append(
            Figure(
                key="pdp-grades",
                title=f"Probability that a doc with the row's grade in {shown.name} is preferred to"
                " a doc with the column's grade",
                drawing=HeatMap(
                    names, names, shown.pdp.matrix.p[0].tolist(), 0.0, 1.0, "p(row preferred)"
                ),
                caption="Higher grades are preferred if values below the diagonal are above ½. Near"
                " ½, the two grades are not distinguished. Empty cells have no tests.",
            )
        )
    return tuple(figures)


def _findings(result: PdpOfLabels, reference: str) -> tuple[Finding, ...]:
    top, words = result.most()
    rows = result.single()
    findings: list[Finding] = []
    if rows:
        ranked = sorted(rows.values(), key=lambda row: row.pdp.mean)
        best, worst = (
            f"{row.name} {figure(row.pdp.mean, row.pdp.low, row.pdp.high)}"
            for row in (ranked[0], ranked[-1])
        )
        others = f" and {worst} has the highest" if len(ranked) > 1 else ""
        findings.append(
            Finding(
                _KEY,
                Verdict.FACT,
                f"{best} has the lowest PDP{others}; the maximum is {words} = {top:.3f} nats.",
                _KEY,
            )
        )
    saved = {
        name: (-other.difference / top, -other.high / top, -other.low / top)
        for name, other in ((name, row.comparison) for name, row in rows.items())
        if other is not None and not result.accuracies[name].high < _COIN
    }
    if saved:
        drop = f"Reduction of PDP compared with {reference}, as a share of {words}"
        findings.append(figures_finding(drop, saved, section=_KEY))
    shares = {
        name: (one.share, one.low, one.high) for name, one in result.accuracies.items() if one.tests
    }
    if shares:
        foretold = "Share of tests in which the doc with the higher grade is preferred"
        findings.append(figures_finding(foretold, shares, section=_KEY))
    return tuple(findings)


def _findings_without_pdp(inputs: AuditInputs, lacking: dict[str, str]) -> tuple[Finding, ...]:
    """Return the findings for a reference without PDP."""
    if inputs.reference not in lacking:
        return ()
    sentence = f"PDP cannot be compared with {inputs.reference}: {lacking[inputs.reference]}."
    return (Finding(_KEY, Verdict.FACT, sentence, _KEY),)

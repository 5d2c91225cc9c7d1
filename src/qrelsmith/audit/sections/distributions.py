"""Distributions of the grades of each label set (Table 2 of ordering-gold-bronze)."""

from __future__ import annotations

import numpy as np

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.wording import count
from qrelsmith.base.content import Figure, Finding, NamedTable, Section, StackedShares, Verdict
from qrelsmith.base.scales import grade_text, levels_seen
from qrelsmith.base.tables import Cell, Table
from qrelsmith.stats.proportions import paired_proportions

_KEY = "distributions"
_MOST_LEVELS = 12


@SECTIONS.add("distributions", place=20)
def distributions(inputs: AuditInputs) -> Section:
    """Report the share of each grade, and label sets that are more liberal than the reference."""
    by_scale: dict[str, list[str]] = {}
    for name in inputs.label_sets:
        by_scale.setdefault(inputs.scale_text(name), []).append(name)
    tables, figures = [], []
    for scale, names in sorted(by_scale.items()):
        levels = levels_seen(np.concatenate([inputs.label_sets[name].grade for name in names]))
        if scale == "real" or len(levels) > _MOST_LEVELS:
            continue
        counts = {
            name: [int((inputs.label_sets[name].grade == level).sum()) for level in levels]
            for name in names
        }
        parts = [grade_text(level) for level in levels]
        slug = scale.replace("..", "-")
        tables.append(
            NamedTable(
                key=f"grades-{slug}",
                title=f"Grades on the scale {scale}",
                table=Table.of(
                    ("label set", *(f"grade {part}" for part in parts), "codes", "total"),
                    [
                        (
                            name,
                            *counts[name],
                            int((inputs.label_sets[name].grade < 0).sum()),
                            len(inputs.label_sets[name]),
                        )
                        for name in names
                    ],
                ),
            )
        )
        totals = {name: max(sum(counts[name]), 1) for name in names}
        figures.append(
            Figure(
                key=f"grades-{slug}",
                title=f"Grades on the scale {scale}",
                drawing=StackedShares(
                    names=names,
                    parts=parts,
                    shares=[[n / totals[name] for n in counts[name]] for name in names],
                    label="share of the judged docs",
                ),
                caption="The lowest grade is on the left.",
            )
        )
    real = by_scale.get("real", [])
    if real:
        tables.append(_summary_of_real(inputs, real))
    liberal = _liberal(inputs)
    return Section(
        key=_KEY,
        title="Label distributions",
        paragraphs=(
            "A label set is more liberal than the reference if more of their common docs are"
            " relevant in the label set (grade above 0; McNemar test).",
        ),
        tables=(*tables, *([liberal] if liberal.table.rows else [])),
        figures=tuple(figures),
        findings=_findings(inputs, liberal.table),
    )


def _summary_of_real(inputs: AuditInputs, names: list[str]) -> NamedTable:
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        grades = inputs.label_sets[name].grade
        known = grades[grades >= 0]
        quartiles = np.quantile(known, [0, 0.25, 0.5, 0.75, 1]).tolist()
        rows.append((name, len(known), len(levels_seen(known)), *quartiles))
    return NamedTable(
        key="grades-real",
        title="Grades on a continuous scale",
        table=Table.of(
            (
                "label set",
                "judgments",
                "distinct",
                "lowest",
                "quartile 1",
                "median",
                "quartile 3",
                "highest",
            ),
            rows,
        ),
    )


def _liberal(inputs: AuditInputs) -> NamedTable:
    reference = {(t, d): g for t, d, g in inputs.label_sets[inputs.reference].rows() if g >= 0}
    rows: list[tuple[Cell, ...]] = []
    for name in inputs.others:
        own = {(t, d): g for t, d, g in inputs.label_sets[name].rows() if g >= 0}
        shared = own.keys() & reference.keys()
        if not shared:
            continue
        here = sum(own[pair] > 0 for pair in shared)
        there = sum(reference[pair] > 0 for pair in shared)
        test = paired_proportions(
            sum(own[pair] > 0 and reference[pair] <= 0 for pair in shared),
            sum(own[pair] <= 0 and reference[pair] > 0 for pair in shared),
            len(shared),
        )
        rows.append(
            (
                name, len(shared), here / len(shared), there / len(shared),
                (here - there) / len(shared), test.low, test.high, test.p,
            )
        )  # fmt: skip
    return NamedTable(
        key="relevant-shares",
        title=f"Share of docs with a grade above 0, compared with {inputs.reference}",
        table=Table.of(
            (
                "label set",
                "shared docs",
                "share",
                "reference's share",
                "difference",
                "low",
                "high",
                "p",
            ),
            rows,
        ),
        note="Low, high: ends of the 95% interval of the difference.",
    )


def _findings(inputs: AuditInputs, table: Table) -> tuple[Finding, ...]:
    more = [str(row[0]) for row in table.rows if float(row[5] or 0) > 0]
    fewer = [str(row[0]) for row in table.rows if float(row[6] or 0) < 0]
    if not table.rows:
        return ()
    sentence = (
        f"Compared with {inputs.reference} on the same docs,"
        f" {count(len(more), 'label set calls', 'label sets call')} significantly more docs"
        f" relevant, and {count(len(fewer), 'calls', 'call')} significantly fewer."
    )
    return (Finding("liberality", Verdict.FACT, sentence, _KEY),)

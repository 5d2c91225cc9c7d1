"""Consistency of system rankings over topic halves (ordering-gold-bronze, Tables 11 and 12)."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.wording import name_list
from qrelsmith.base.content import Finding, NamedTable, Section, Verdict
from qrelsmith.base.tables import Cell, Table
from qrelsmith.rankings.consistency import consistency
from qrelsmith.rankings.ranking_consistency import Consistency

_KEY = "consistency"
_TITLE = "Ranking consistency"


@SECTIONS.add("consistency", place=80)
def ranking_consistency(inputs: AuditInputs) -> Section:
    """Compute τ between random topic halves for every label set and measure."""
    if missing := inputs.missing_to_rank:
        return Section(key=_KEY, title=_TITLE, missing=missing)
    result = inputs.ask(consistency)
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            "Consistency is τ between the rankings over two random halves of the topics, averaged"
            f" over {result.splits:,} splits. Two full topic sets would give a higher τ than two"
            " halves.",
        ),
        tables=(_table(result, inputs.reference, len(inputs.measures) > 1),),
        figures=() if (figure := result.figure()) is None else (figure,),
        findings=_findings_about_consistency(inputs, result),
    )


def _table(result: Consistency, reference: str, several: bool) -> NamedTable:
    what = "label sets and measures" if several else "label sets"
    rows: list[tuple[Cell, ...]] = [
        (
            row.condition.qrels, row.condition.measure, row.condition.topics, row.tau, row.low,
            row.high, row.difference, row.difference_low, row.difference_high,
        )
        for row in result.rows
    ]  # fmt: skip
    columns = (
        "label set", "measure", "topics", "tau", "low", "high", f"less {reference}", "from", "to",
    )  # fmt: skip
    return NamedTable(
        "consistency",
        f"τ between halves of the topics for all {what}",
        result.table(),
        f"From, to: ends of the 95% interval of the difference from {reference}. The files and the"
        " output of the command also contain significance letters, which do not generalise to other"
        " topics.",
        answer=result,
        on_page=Table.of(columns, rows),
        undefined="a label set ties all systems in some halves of the topics",
    )


def _findings_about_consistency(inputs: AuditInputs, result: Consistency) -> tuple[Finding, ...]:
    """Report which label sets rank systems more or less consistently than the reference."""
    rows = result.of_measure(inputs.measures[0])
    better = [row.condition.qrels for row in rows if row.difference_low > 0]
    worse = [row.condition.qrels for row in rows if row.difference_high < 0]
    parts = [
        f"{how} consistent under {name_list(names)} than under {inputs.reference}"
        for how, names in (("more", better), ("less", worse))
        if names
    ]
    if not parts:
        return ()
    sentence = f"By {inputs.measures[0]}, rankings are significantly {', and '.join(parts)}."
    return (Finding(_KEY, Verdict.FACT, sentence, _KEY),)

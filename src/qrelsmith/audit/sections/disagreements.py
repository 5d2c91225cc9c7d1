"""Docs that the reference and other sets label differently (ordering-gold-bronze, Table 8)."""

from __future__ import annotations

from qrelsmith.agreement.disagreement.disagree import disagree
from qrelsmith.agreement.disagreement.disagreement_result import Disagreements
from qrelsmith.agreement.disagreement.gold_bronze import GoldBronze
from qrelsmith.agreement.disagreement.rules import SERIOUS
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.wording import count, name_list
from qrelsmith.base.content import NamedTable, Section
from qrelsmith.base.errors import UndefinedError
from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Table

_KEY = "disagreements"
_TITLE = "Disagreements"


@SECTIONS.add("disagreements", place=50, apart=True)
def disagreements(inputs: AuditInputs) -> Section:
    """Count docs by both grades (the reference's and another set's), and serious disagreements."""
    reference = inputs.reference
    scale = inputs.scale_text(reference)
    others = [name for name in inputs.others if inputs.is_on_reference_scale(name)]
    if not others:
        return Section(
            key=_KEY,
            title=_TITLE,
            missing=f"a second label set on the scale {scale} of {reference}; none exists",
        )
    try:
        answer = inputs.ask(disagree)
    except UndefinedError:
        return Section(
            key=_KEY,
            title=_TITLE,
            missing=f"docs that {reference} and all of {name_list(others)} judged; none exist",
        )
    labels, contested = answer.labels, answer.serious
    tables = [
        NamedTable(
            "disagreements",
            f"Docs on which {reference} and the other label sets disagree",
            _counts(answer),
            f"Docs that are relevant for {reference} and non-relevant for another label"
            f" set, or non-relevant for {reference} and relevant for all other label sets.",
            answer=answer,
        ),
        *_tests(inputs, answer),
    ]
    if contested.docs:
        tables.append(
            NamedTable(
                "disagreements-serious",
                "Docs to judge again",
                _disagreement_table(contested),
                f"Rule: {SERIOUS}. The command qrelsmith disagree can write a"
                " judging round with the docs of this table.",
                answer=inputs.ask(disagree, show="serious"),
            )
        )
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            f"The comparison uses {count(len(labels.docs), 'doc', 'docs')} that {reference} and"
            f" {count(len(labels.voices), 'other label set', 'other label sets')} judged. Docs"
            " with a grade of at least 1 are relevant, and docs with a grade of at least"
            f" {grade_text(answer.high)} are highly relevant."
            + (
                f" Left out: {count(labels.unmatched, 'doc', 'docs')} that some label sets did not"
                " judge."
                if labels.unmatched
                else ""
            ),
        ),
        tables=tuple(tables),
    )


def _counts(answer: Disagreements) -> Table:
    return Table.of(
        ("reference says", "ordering", "grade", "others say", "docs", "of", "share"),
        [
            (
                row.gold_says, row.ordering, None if row.gold is None else grade_text(row.gold),
                row.bronze, row.docs, row.of, row.docs / row.of if row.of else float("nan"),
            )
            for row in answer.counts
        ],
    )  # fmt: skip


def _tests(inputs: AuditInputs, answer: Disagreements) -> list[NamedTable]:
    if not answer.tests:
        return []
    columns = (
        "reference says",
        "ordering a",
        "ordering b",
        "share a",
        "share b",
        "low",
        "high",
        "p",
    )
    rows = [
        (
            row.gold_says, row.first, row.second, row.test.first, row.test.second, row.test.low,
            row.test.high, row.test.p,
        )
        for row in answer.tests
    ]  # fmt: skip
    return [
        NamedTable(
            "disagreements-orderings",
            "Share of docs with disagreement for each pair of orderings",
            Table.of(columns, rows),
            "Test of equal proportions. Low, high: ends of the 95% interval of the difference.",
            answer=inputs.ask(disagree, show="tests"),
        )
    ]


def _disagreement_table(contested: GoldBronze) -> Table:
    return Table.of(
        ("topic", "doc", contested.gold_name, *contested.voices),
        [
            (
                *contested.docs[row],
                grade_text(contested.gold[row]),
                *map(grade_text, contested.bronze[row].tolist()),
            )
            for row in contested.in_original_order().tolist()
        ],
    )

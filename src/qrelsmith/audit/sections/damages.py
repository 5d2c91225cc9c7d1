"""Damages: what is broken in the label sets, and whose it is."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.wording import count, name_list
from qrelsmith.base.content import NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.damages.damage_rows import DamageRow, Damages
from qrelsmith.damages.find_damages import find_damages

_KEY = "damages"


@SECTIONS.add(_KEY, place=52)
def damages(inputs: AuditInputs) -> Section:
    """Return the findings, those that count as damage first; the files hold every test."""
    answer = inputs.ask(find_damages)
    broken = sum(row.counts for row in answer.found)
    notes = [f"{note[0].upper()}{note[1:]}." for note in answer.notes]
    return Section(
        key=_KEY,
        title="Damages",
        paragraphs=(
            f"Looked for: {name_list(answer.kinds)}. {len(answer.examined):,} tests,"
            f" {count(broken, 'damage', 'damages')}. Of clean campaigns 5 % at most report any. A"
            " row is a reason to look, never a proof against a person.",
            *notes,
        ),
        figures=() if (figure := answer.figure()) is None else (figure,),
        tables=(
            NamedTable(
                _KEY,
                "What is broken, and whose it is",
                answer.table(),
                "What was found only; the files hold a row for every test of every culprit."
                " Facts, such as runs that are the same, are no damages.",
                answer=answer,
                on_page=_page_table(answer),
            ),
        ),
    )


def _page_table(answer: Damages) -> Table:
    rows = sorted(answer.found, key=lambda row: (not row.counts, not row.is_certain))
    columns = ("damage", "label set", "culprit", "value", "what was seen", "what to do")
    return Table.of(
        columns,
        [
            (
                row.damage if row.counts else f"{row.damage} (fact)", row.label_set, _culprit(row),
                row.value, row.sentence, row.action,
            )
            for row in rows
        ],
    )  # fmt: skip


def _culprit(row: DamageRow) -> str:
    return row.assessor or row.topic or row.team

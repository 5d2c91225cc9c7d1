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
            f"Tests for: {name_list(answer.kinds)}. {len(answer.examined):,} tests,"
            f" {count(broken, 'damage', 'damages')}. At most 5% of clean campaigns "
            "report a problem. A finding is a reason to check, not proof against a person.",
            *notes,
        ),
        figures=() if (figure := answer.figure()) is None else (figure,),
        tables=(
            NamedTable(
                _KEY,
                "Data problems and their sources",
                answer.table(),
                "Only problems that were found; the files contain a row for every "
                "test. Facts such as identical runs are not data problems.",
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

"""Data problems in the label sets, and their sources."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.wording import count
from qrelsmith.base.content import NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.damages.damage_rows import DamageRow, Damages
from qrelsmith.damages.find_damages import find_damages

_KEY = "damages"


@SECTIONS.add(_KEY, place=52)
def damages(inputs: AuditInputs) -> Section:
    """Report the data problems, certain problems first; the table's files list all tests."""
    answer = inputs.ask(find_damages)
    broken = sum(row.counts for row in answer.found)
    notes = [f"{note[0].upper()}{note[1:]}." for note in answer.notes]
    return Section(
        key=_KEY,
        title="Data problems",
        paragraphs=(
            f"{count(len(answer.examined), 'test', 'tests')} for"
            f" {count(len(answer.kinds), 'kind', 'kinds')} of data problems found"
            f" {count(broken, 'problem', 'problems')}. At most 5% of campaigns without"
            " data problems have a finding. A finding is a reason to check labels, not a proof.",
            *notes,
        ),
        figures=() if (figure := answer.figure()) is None else (figure,),
        tables=(
            NamedTable(
                _KEY,
                "Data problems and their sources",
                answer.table(),
                "The files of this table contain all tests.",
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

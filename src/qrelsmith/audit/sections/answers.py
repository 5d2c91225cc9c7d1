"""The answer judges that can replace people, by criterion, and the agreement between people."""

from __future__ import annotations

import math

from qrelsmith.agreement.agree import agree
from qrelsmith.agreement.answer_judges import ONE_PERSON, JudgedLikePeople, judges_beside_people
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.base.content import Finding, NamedTable, Section, Verdict
from qrelsmith.base.figure_text import short
from qrelsmith.base.tables import Table
from qrelsmith.judgments.item_scales import kinds_of_items

_KEY = "answers"
_MARGIN = 0.05
"""How far a judge's correlation with people may be below a person's to replace it (our choice)."""


@SECTIONS.add(_KEY, place=38, of="answers")
def answers(inputs: AuditInputs) -> Section:
    """Compare judges with people by kind of aspect, and report the agreement between people."""
    reference = inputs.label_sets[inputs.reference]
    kinds = sorted(set(kinds_of_items(reference, inputs.aspects)) - {""})
    people = inputs.groups.get(inputs.reference)
    judges = {name: inputs.label_sets[name] for name in inputs.others}
    rows = [
        row
        for kind in kinds
        for row in judges_beside_people(kind, people, reference, judges, inputs.aspects)
    ]
    columns = (
        "aspect", "judge", "correlation", "low", "high", "difference", "difference_low",
        "difference_high", "can_replace", "answers", "topics", "over",
    )  # fmt: skip
    table = Table.of(
        columns,
        [
            (
                row.kind, row.judge, row.value, row.low, row.high, row.difference,
                row.difference_low, row.difference_high, _can_replace(row), row.answers,
                row.topics, "topics",
            )
            for row in rows
        ],
    )  # fmt: skip
    tables = [
        NamedTable(
            key="answer-judges",
            title="Judges of answers compared with people",
            table=table,
            note="Correlation: Spearman's ρ between a judge's labels and the lower median of the"
            " human labels, over answers. One person: ρ between one person and the median of the"
            " other people. Difference: ρ of the judge minus ρ of one person. A judge can replace"
            f" one person if the whole interval of the difference is above −{_MARGIN:g}.",
            undefined="there is no second person, or a judge gives all answers the same grade",
        )
    ]
    if inputs.judgments is not None and people is not None and len(people.assessors) > 1:
        agreement = inputs.ask(agree, "alpha-ordinal", by="aspect", label_set=(inputs.reference,))
        agreed = agreement.table()
        tables.append(
            NamedTable(
                key="answer-agreement",
                title=f"Agreement of the assessors of {inputs.reference} by kind of aspect",
                table=agreed,
                note="The row ‘all’ combines all kinds of aspects, which have different scales.",
                answer=agreement,
            )
        )
    return Section(
        key=_KEY,
        title="Judges of answers",
        tables=tuple(tables),
        findings=tuple(
            Finding(_KEY, Verdict.FACT, _sentence(kind, rows), _KEY)
            for kind in kinds
            if any(row.kind == kind and row.judge != ONE_PERSON for row in rows)
        ),
    )


def _can_replace(row: JudgedLikePeople) -> str:
    if row.judge == ONE_PERSON or math.isnan(row.difference_low):
        return ""
    if row.difference_low >= -_MARGIN:
        return "yes"
    return "no" if row.difference_high < -_MARGIN else "open"


def _sentence(kind: str, rows: list[JudgedLikePeople]) -> str:
    of_kind = [row for row in rows if row.kind == kind]
    best = max((row for row in of_kind if row.judge != ONE_PERSON), key=lambda row: row.value)
    person = next((row for row in of_kind if row.judge == ONE_PERSON), None)
    name = kind.removeprefix("criterion.")
    able = [row.judge for row in of_kind if _can_replace(row) == "yes"]
    text = (
        f"On aspects of the kind ‘{name}’, {best.judge} agrees best with people (ρ ="
        f" {short(best.value)} [{short(best.low)}, {short(best.high)}]"
    )
    text += f"; ρ of one person: {short(person.value)})" if person is not None else ")"
    return f"{text}. Judges that can replace one person: {', '.join(able) or 'none shown so far'}."

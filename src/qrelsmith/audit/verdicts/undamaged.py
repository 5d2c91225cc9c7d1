"""The scorecard's question `undamaged`: data problems of a label set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import no_cell, plain_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.audit.wording import count, name_list
from qrelsmith.base.content import CellVerdict, ScorecardCell
from qrelsmith.damages.damage_rows import DamageRow
from qrelsmith.damages.find_damages import find_damages

_KEY = "undamaged"
_TOLD = 3  # maximum number of damages described in the cell


@VERDICTS.add(
    _KEY,
    place=80,
    asks="Data problems?",
    section="damages",
    warning="data problems found",
    words={"good": "nothing found", "fair": "perhaps", "bad": "yes"},
)
def undamaged(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Count the data problems; the verdict is fair if no problem is certain."""
    answer = inputs.ask(find_damages)
    rows = damages_of(inputs, answer.of(name))
    qrels = inputs.label_sets[name]
    topics = len(qrels.topics)
    if rows:
        verdict: CellVerdict = "bad" if any(row.is_certain for row in rows) else "fair"
        return plain_cell(name, _KEY, verdict, float(len(rows)), _sentence(rows), topics=topics)
    if not inputs.others:
        reason = "most tests need another label set for a comparison"
        return no_cell(name, _KEY, reason, topics=topics)
    if not (qrels.grade >= 0).any():
        return no_cell(name, _KEY, f"{name} grades no docs", topics=topics)
    tests = sum(row.label_set == name for row in answer.examined)
    sentence = f"{count(tests, 'test', 'tests')} found no data problem"
    return plain_cell(name, _KEY, "good", 0.0, sentence, topics=topics)


def damages_of(inputs: AuditInputs, rows: Sequence[DamageRow]) -> list[DamageRow]:
    """Return the data problems, certain problems first, without bias toward guessed teams.

    A bias that most other methods share is used only by `fair-to-teams`.
    """
    known = [
        row
        for row in rows
        if row.damage != "favoured" or not (inputs.teams_guessed or row.is_shared)
    ]
    return sorted(known, key=lambda row: not row.is_certain)


def _sentence(rows: Sequence[DamageRow]) -> str:
    kinds = [f"{kind} ({number:,})" for kind, number in Counter(r.damage for r in rows).items()]
    facts = " ".join(f"{row.sentence}." for row in rows[:_TOLD])
    more = (
        f" The section on data problems lists {len(rows) - _TOLD:,} more."
        if len(rows) > _TOLD
        else ""
    )
    return f"Data problems found, by kind: {name_list(kinds)}. {facts}{more}".removesuffix(".")

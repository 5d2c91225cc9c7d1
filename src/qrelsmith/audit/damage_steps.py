"""Next steps that follow from data problems: labels to check, and label sets to leave out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.steps import Step, command, first_names
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.audit.verdicts.undamaged import damages_of
from qrelsmith.audit.wording import count
from qrelsmith.base.content import Action, ScorecardCell
from qrelsmith.damages.damage_rows import DamageRow
from qrelsmith.damages.find_damages import find_damages

_MOST_DAMAGES = 4
_BLIND_DOCS = 100  # docs of a favoured team to judge again


def mend_damages(inputs: AuditInputs, useless: Sequence[str]) -> Iterator[Step]:
    """Yield a step for every kind of data problem, the reference's problems first.

    If a useless label set is biased toward a team, there is no step, because the team's docs need
    not be judged again.
    """
    answer = inputs.ask(find_damages)
    rows: dict[tuple[str, str], list[DamageRow]] = {}
    for label_set in (inputs.reference, *inputs.others):
        favours = [row for row in answer.of(label_set) if row.is_shared]
        shown = [] if inputs.teams_guessed else [r for r in favours if r.damage == "favoured"]
        for row in (*damages_of(inputs, answer.of(label_set)), *shown):
            if not (row.team and label_set in useless):
                rows.setdefault((row.damage, row.culprit_kind), []).append(row)
    for of_kind in list(rows.values())[:_MOST_DAMAGES]:
        damage, kind = of_kind[0].damage, of_kind[0].culprit_kind
        sets = list(dict.fromkeys(row.label_set for row in of_kind))
        culprits = dict.fromkeys(row.assessor or row.topic or row.team for row in of_kind)
        named = first_names([each for each in culprits if each])
        whose = f" ({kind}: {named})" if named else ""
        action = of_kind[0].action or "check the labels"
        cost, docs = _cost_of_damage(inputs, of_kind)
        yield Step(
            Action(
                f"Check {first_names(sets)} for the data problem “{damage}”{whose}: {action}.",
                f"{of_kind[0].sentence}.",
                cost,
                command("damages", inputs.campaign.placeholder, "--damage", damage),
                label_sets=tuple(sets),
            ),
            docs,
            len(sets),
        )


def _cost_of_damage(inputs: AuditInputs, rows: Sequence[DamageRow]) -> tuple[str, int]:
    topics = {(row.label_set, topic) for row in rows for topic in row.topic.split()}
    if topics:
        docs = sum(
            (name, topic) in topics
            for name in {name for name, _ in topics}
            for topic, _, _ in inputs.label_sets[name].rows()
        )
        return f"at most {count(docs, 'doc', 'docs')} to judge again", docs
    if rows[0].team:
        return f"about {_BLIND_DOCS} docs to judge again, blind", _BLIND_DOCS
    return "a conversation, and a sample of docs to judge again" if rows[
        0
    ].assessor else "no judging yet", 0


def useless_sets(inputs: AuditInputs, cells: Sequence[ScorecardCell]) -> list[str]:
    """Return the label sets that cannot replace the reference for any purpose.

    The result includes sets with bad grades, a data problem and no good verdict, and sets that give
    almost every doc the same grade.
    """
    purposes = {entry.name for entry in VERDICTS.entries() if entry.about["purpose"]}
    constant = {
        row.label_set
        for row in inputs.ask(find_damages).found
        if (row.damage, row.culprit_kind) == ("constant", "set")
    }
    useless = []
    for name in inputs.others:
        said = {cell.question: cell.verdict for cell in cells if cell.label_set == name}
        asked = {verdict for question, verdict in said.items() if question in purposes} - {"none"}
        broken = said["agrees"] == "bad" and said["undamaged"] == "bad" and "good" not in asked
        unfit = "bad" in asked and asked <= {"bad", "probably bad", "fair or worse"}
        if unfit or broken or name in constant:
            useless.append(name)
    return useless


def leave_out(inputs: AuditInputs, useless: Sequence[str]) -> Iterator[Step]:
    """Yield the step of leaving out the useless label sets."""
    if not useless:
        return
    rest = [name for name in inputs.label_sets if name not in useless]
    options = [word for name in rest for word in ("--label-set", name)]
    action = Action(
        f"Leave out {first_names(useless)}.",
        f"Labels that cannot replace {inputs.reference} for any purpose are useful only as a"
        " baseline.",
        "no judging",
        command("compare", inputs.campaign.placeholder, *options) if len(rest) > 1 else "",
        label_sets=tuple(useless),
    )
    yield Step(action, 0, len(useless))

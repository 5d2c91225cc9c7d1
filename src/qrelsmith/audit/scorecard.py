"""The scorecard: label sets by questions, and the next steps."""

from __future__ import annotations

import qrelsmith.audit.verdicts  # noqa: F401 - fills the registry
from qrelsmith.audit.actions import actions_of
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.set_views import set_views
from qrelsmith.audit.uses import families_of, use_of
from qrelsmith.audit.verdicts.bounds import RULES
from qrelsmith.audit.verdicts.cells import bound, no_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import Scorecard, ScorecardCell
from qrelsmith.base.figure_text import percent

_NOBODY_CHOSE = "no label set is the reference; choose a reference with --reference"
_ALONE = "there is no other label set for a comparison"


def scorecard(inputs: AuditInputs) -> Scorecard:
    """Compute the verdict of every question for the label sets to which it applies."""
    entries = sorted(VERDICTS.entries(), key=lambda entry: entry.about["place"])
    label_sets = (inputs.reference, *inputs.others)
    reference = "" if inputs.reference_notice else inputs.reference
    cells = [
        _cell(inputs, label_set, entry.name, reference)
        for label_set in label_sets
        for entry in entries
    ]
    by_set = {name: [cell for cell in cells if cell.label_set == name] for name in label_sets}
    systems, views = set_views(inputs) if reference else ((), {})
    return Scorecard(
        cells=tuple(cells),
        reference=reference,
        label_sets=label_sets,
        questions={entry.name: entry.about["asks"] for entry in entries},
        actions=actions_of(inputs, cells),
        uses={
            name: use_of(name, reference, by_set[name], is_alone=not inputs.others)
            for name in label_sets
        },
        families=families_of(label_sets, {name: inputs.family(name) for name in label_sets}),
        sections={entry.name: entry.about["section"] for entry in entries},
        words={entry.name: entry.about["words"] for entry in entries},
        figures={
            name: (rule.brief, rule.bounds(percent if rule.lower_is_better else bound))
            for name, rule in RULES.items()
        },
        purposes={entry.name: entry.about["purpose"] for entry in entries},
        measure=inputs.measures[0],
        systems=systems,
        views=views,
    )


def _cell(inputs: AuditInputs, label_set: str, question: str, reference: str) -> ScorecardCell:
    entry = VERDICTS.get(question).entry
    label_sets = entry.about["of"]
    if not reference:
        return no_cell(label_set, question, _NOBODY_CHOSE)
    if label_sets == "others" and label_set == reference:
        compared = f"{label_set} is the reference"
        return no_cell(label_set, question, compared if inputs.others else _ALONE)
    if label_sets == "reference" and label_set != reference:
        return no_cell(label_set, question, f"this question applies only to {reference}")
    return entry.function(inputs, label_set)

"""The scorecard's question `agrees`: agreement of the grades."""

from __future__ import annotations

import math

from qrelsmith.agreement.agree import agree
from qrelsmith.agreement.topic_correlation import mean_topic_correlation
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import JudgedFigure, no_cell, same_labels_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.audit.wording import count
from qrelsmith.base.content import ScorecardCell
from qrelsmith.base.figure_text import short

_KEY, _ALPHA, _SAME = "agrees", "alpha-ordinal", "agreement"


@VERDICTS.add(
    _KEY, place=20, asks="Grades agree?", of="others", section="agreement", purpose="grades of docs"
)
def agrees(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Compute Krippendorff's ordinal α with the reference, on the docs graded by both."""
    reference = inputs.reference
    topics = inputs.topics_with_reference(name)
    if not topics:
        return no_cell(name, _KEY, f"no topic in common with {reference}")
    first, second = inputs.label_sets[reference], inputs.label_sets[name]
    if not inputs.is_on_reference_scale(name):
        rho = mean_topic_correlation(first.to_dict(), second.to_dict())
        return no_cell(
            name,
            _KEY,
            f"the scale of {name} is {inputs.scale_text(name)} and that of {reference} is"
            f" {inputs.scale_text(reference)}, so equal grades differ in meaning. The mean rank"
            f" correlation of the grades within topics is {short(rho)}",
            topics=len(topics),
        )
    pairs = inputs.ask(agree, (_ALPHA, _SAME), by="pair", reference=None)
    both = {reference, name}
    part = next(each for each in pairs.of(_ALPHA)[1:] if set(each.sides) == both)
    same = next(each for each in pairs.of(_SAME)[1:] if set(each.sides) == both)
    if same.value == 1:
        return same_labels_cell(name, _KEY, reference, value=part.value, topics=part.topics)
    if math.isnan(part.value):
        return no_cell(name, _KEY, part.note or "α is not defined", topics=part.topics)
    found = JudgedFigure(
        name, _KEY, reference, part.value, part.low, part.high, part.topics, part.over
    )
    return found.cell(
        also=f"{same.value:.0%} of {count(part.units, 'doc has', 'docs have')} the same grade in"
        f" {reference} and {name}"
    )

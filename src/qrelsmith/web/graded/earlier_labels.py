"""The labels of the first round, for assessors of a later one that is not blind."""

from __future__ import annotations

from django.utils.translation import gettext

from qrelsmith.web.graded.scale import ShownScale
from qrelsmith.web.models import AssignedDoc, RejudgingRound

FIRST_ROUND = 1


def earlier_labels(doc: AssignedDoc, scale: ShownScale) -> str:
    """What was said of a doc in the first round, in a sentence; nobody is named.

    Empty in the first round, in a round that is blind, and where nobody judged the doc.
    """
    assignment = doc.assignment
    if assignment.round == FIRST_ROUND:
        return ""
    rounds = RejudgingRound.objects.filter(number=assignment.round, shows_labels=True)
    if not rounds.exists():
        return ""
    labels = AssignedDoc.objects.filter(
        assignment__round=FIRST_ROUND,
        assignment__topic=assignment.topic_id,
        doc=doc.doc_id,
        is_judged=True,
    )
    own, others = (
        [
            scale.label(value)
            for value in found.order_by("value").values_list("value", flat=True)
            if value is not None
        ]
        for found in (
            labels.filter(assignment__assessor=assignment.assessor_id),
            labels.exclude(assignment__assessor=assignment.assessor_id),
        )
    )
    said = []
    if own:
        said.append(gettext("you said: %(labels)s") % {"labels": ", ".join(own)})
    if others:
        said.append(gettext("others said: %(labels)s") % {"labels": ", ".join(others)})
    return gettext("In the first round %(said)s") % {"said": "; ".join(said)} if said else ""

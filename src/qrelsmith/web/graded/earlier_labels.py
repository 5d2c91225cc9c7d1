"""Labels and reasons of the first round, for assessors of a later round that is not blind."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.text import Truncator
from django.utils.translation import gettext

from qrelsmith.web.graded.scale import ShownScale
from qrelsmith.web.models import AssignedDoc, RejudgingRound

FIRST_ROUND = 1
_LONGEST_QUOTE = 160


def earlier_labels(doc: AssignedDoc, scale: ShownScale) -> str:
    """Return a sentence on the first round's labels of a doc, without names.

    The sentence is empty in the first round, in a blind round, and for a doc without labels.
    """
    assignment, labels = doc.assignment, _visible_labels(doc)
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
        said.append(gettext("your label: %(labels)s") % {"labels": ", ".join(own)})
    if others:
        said.append(gettext("other assessors: %(labels)s") % {"labels": ", ".join(others)})
    notes = [each.note for each in labels if each.note]
    if notes:
        said.append(gettext("notes: %(notes)s") % {"notes": _quoted(notes)})
    quotes = [passage["quote"] for each in labels for passage in each.passages]
    if quotes:
        said.append(gettext("passages: %(passages)s") % {"passages": _quoted(quotes)})
    return gettext("In the first round: %(said)s") % {"said": "; ".join(said)} if said else ""


def earlier_passages(doc: AssignedDoc) -> list[dict[str, Any]]:
    """Return the passages behind the labels of `earlier_labels`, by position and without names."""
    found = {
        (passage["start"], passage["quote"], passage["sha256"])
        for label in _visible_labels(doc)
        for passage in label.passages
    }
    return [{"start": start, "quote": quote, "sha256": of} for start, quote, of in sorted(found)]


def _visible_labels(doc: AssignedDoc) -> QuerySet[AssignedDoc]:
    """Return the labels of the first round that the assessor of a doc may see."""
    assignment = doc.assignment
    rounds = RejudgingRound.objects.filter(number=assignment.round, shows_labels=True)
    if assignment.round == FIRST_ROUND or not rounds.exists():
        return AssignedDoc.objects.none()
    labels = AssignedDoc.objects.filter(
        assignment__round=FIRST_ROUND,
        assignment__topic=assignment.topic_id,
        doc=doc.doc_id,
        is_judged=True,
    )
    return labels.order_by("assignment__assessor__name")


def _quoted(texts: list[str]) -> str:
    words = (Truncator(" ".join(text.split())).chars(_LONGEST_QUOTE) for text in texts)
    return " ".join(f"“{text}”" for text in dict.fromkeys(words))

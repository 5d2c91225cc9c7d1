"""Aspects of answers with different labels, and the verdicts on them."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from qrelsmith.answers.judged_aspects import answer_doc
from qrelsmith.campaign.aspect_settings import CONTRADICTS
from qrelsmith.web.answers.kind import judged_items, run_of
from qrelsmith.web.desk.contested import Contested, spread
from qrelsmith.web.desk.matters import Matter, decided_matters
from qrelsmith.web.graded.earlier_labels import FIRST_ROUND
from qrelsmith.web.graded.scale import current_scale
from qrelsmith.web.models import AnswerAspect, Doc

_KINDS = {
    "nugget": gettext_lazy("Nugget"),
    "rubric": gettext_lazy("Rubric"),
    "subtopic": gettext_lazy("Subtopic"),
    "citation": gettext_lazy("Citation"),
    "criterion": gettext_lazy("Criterion"),
}


def contested_aspects() -> list[Contested]:
    """Return the aspects on which assessors differ, largest difference first."""
    judged = _items().filter(is_judged=True).select_related("assignment__topic")
    judged = judged.defer("passages", "note", "wording")
    groups: dict[tuple[int, str, str], list[AnswerAspect]] = {}
    for item in judged.order_by("pk"):
        if item.value is not None and (item.value >= 0 or item.value == CONTRADICTS):
            key = (item.assignment.topic_id, _answer_of(item), item.aspect)
            groups.setdefault(key, []).append(item)
    different = {
        key: items for key, items in groups.items() if len({item.value for item in items}) > 1
    }
    docs = dict(
        Doc.objects.filter(name__in={name for _, name, _ in different}).values_list("name", "pk")
    )
    decided = decided_matters()
    scale = current_scale()
    contested = []
    for (topic, name, aspect), items in different.items():
        matter = Matter(topic, docs[name], aspect=aspect)
        first, own = items[0], scale.family(items[0].family)
        values = sorted(item.value or 0.0 for item in items)
        contested.append(
            Contested(
                matter, first.pk, first.assignment.topic.name, first.text, kind_name(first.family),
                labels=tuple(map(own.label, values)),
                distance=spread(values, own),
                is_decided=matter in decided,
            )
        )  # fmt: skip
    return sorted(contested, key=lambda each: (-each.distance, each.topic, each.item))


def kind_name(family: str) -> str:
    """Return the kind of an aspect in the words of the pages."""
    return str(_KINDS[family.partition(".")[0]])


def aspect_matter(item: AnswerAspect) -> Matter:
    """Return the key of the disagreement about an item."""
    doc = Doc.objects.get(name=_answer_of(item))
    return Matter(item.assignment.topic_id, doc.pk, aspect=item.aspect)


def items_of(matter: Matter) -> Sequence[AnswerAspect]:
    """Return all assessors' items for an aspect of an answer, by group and name."""
    found = _items().filter(assignment__topic=matter.topic, aspect=matter.aspect)
    name = Doc.objects.get(pk=matter.doc or 0).name
    ordered = found.select_related("doc", "assignment__topic", "assignment__assessor").order_by(
        "assignment__assessor__group", "assignment__assessor__name"
    )
    return [item for item in ordered if _answer_of(item) == name]


def _items() -> QuerySet[AnswerAspect]:
    return judged_items().filter(assignment__round=FIRST_ROUND)


def _answer_of(item: AnswerAspect) -> str:
    """Return the name of the answer as a doc; the `doc` of a citation is the cited doc."""
    return answer_doc(item.assignment.topic.name, run_of(item))

"""Docs and aspects of answers that assessors label differently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, Max, Min

from qrelsmith.web.desk.matters import Matter, decided_matters
from qrelsmith.web.graded.scale import ShownScale, current_scale
from qrelsmith.web.models import AssignedDoc
from qrelsmith.web.tables.judged import FIRST_ROUND


@dataclass(frozen=True, slots=True)
class Contested:
    """A doc or an aspect of an answer with different labels.

    Attributes
    ----------
    matter : Matter
        The disagreement's key.
    item : int
        The number of one of its rows, for addresses.
    topic, text, kind : str
        Topic name, text or name, and the kind in words.
    labels : tuple of str
        The labels, ascending.
    distance : float
        Distance of the lowest and highest label, as a share of the scale.
    is_decided : bool
        Whether there is a verdict.
    """

    matter: Matter
    item: int
    topic: str
    text: str
    kind: str
    labels: tuple[str, ...]
    distance: float
    is_decided: bool


def spread(values: Sequence[float], scale: ShownScale) -> float:
    """Return the distance from the lowest value to the highest, as a share of the scale."""
    span = max(scale.levels, default=1.0) - min(scale.levels, default=0.0)
    return (max(values) - min(values)) / (span or 1.0)


def contested_docs() -> list[Contested]:
    """Return the docs with different grades in the first round, largest difference first.

    As in an export, labels in HITs count once the HIT is submitted; attention checks never count.
    """
    graded = AssignedDoc.objects.filter(
        assignment__round=FIRST_ROUND, is_judged=True, value__gte=0
    ).order_by()
    ranges = graded.values("assignment__topic", "doc").annotate(low=Min("value"), high=Max("value"))
    different = set(ranges.filter(low__lt=F("high")).values_list("assignment__topic", "doc"))
    rows: dict[tuple[int, int], list[AssignedDoc]] = {doc: [] for doc in different}
    of_topics = graded.filter(assignment__topic__in={topic for topic, _ in different})
    own = of_topics.select_related("assignment__topic", "assignment__crowd_hit", "doc")
    for row in own.defer("assignment__crowd_hit__docs").order_by("pk"):
        hit, key = getattr(row.assignment, "crowd_hit", None), (row.assignment.topic_id, row.doc_id)
        if key in rows and (hit is None or hit.counts(row.doc.name)):
            rows[key].append(row)
    decided, scale = decided_matters(), current_scale()
    contested = []
    for doc, found in rows.items():
        values = sorted(row.value or 0.0 for row in found)
        if len(set(values)) < 2:
            continue
        matter, first = Matter(*doc), found[0]
        contested.append(
            Contested(
                matter, first.pk, first.assignment.topic.name, first.doc.name, kind="",
                labels=tuple(map(scale.label, values)), distance=spread(values, scale),
                is_decided=matter in decided,
            )
        )  # fmt: skip
    return sorted(contested, key=lambda each: (-each.distance, each.topic, each.item))

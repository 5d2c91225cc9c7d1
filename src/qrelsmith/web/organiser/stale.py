"""First-round labels of texts that have changed since."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Q, QuerySet
from django.db.models.functions import Coalesce

from qrelsmith.web.graded.scale import current_scale
from qrelsmith.web.models import AssignedDoc, Doc, DocVersion, RejudgingRound, Topic
from qrelsmith.web.organiser.first_looks import FirstLook, looks
from qrelsmith.web.tables.judged import FIRST_ROUND

#: The parts whose change makes a label out of date.
PARTS = ("topic", "doc", "scale")


@dataclass(slots=True)
class StaleLabels:
    """Labels of an assessor on a topic that are out of date.

    Attributes
    ----------
    topic, assessor, group : str
        The topic, and the assessor with their group.
    labels : int
        Number of labels that are out of date for any reason.
    topic_changed, doc_changed, scale_changed : int
        Number of labels out of date for each reason; a label may have several reasons.
    """

    topic: str
    assessor: str
    group: str
    labels: int = 0
    topic_changed: int = 0
    doc_changed: int = 0
    scale_changed: int = 0


def stale_labels() -> list[StaleLabels]:
    """Return the labels that are out of date, by topic and assessor."""
    by_doc: dict[tuple[str, str], StaleLabels] = {}
    for name, parts in (("labels", PARTS), *((f"{part}_changed", (part,)) for part in PARTS)):
        rows = (
            stale_docs(parts)
            .order_by()
            .values_list(
                "assignment__topic__name", "assignment__assessor__name",
                "assignment__assessor__group",
            )
            .annotate(Count("pk"))
        )  # fmt: skip
        for topic, assessor, group, count in map(tuple, rows):
            row = by_doc.setdefault((topic, assessor), StaleLabels(topic, assessor, group))
            setattr(row, name, count)
    return [by_doc[key] for key in sorted(by_doc)]


def stale_docs(parts: Collection[str] = PARTS, *, topic: str = "") -> QuerySet[AssignedDoc]:
    """Return first-round labels that are out of date because of changes to the given parts.

    Parameters
    ----------
    parts : collection of str
        Some of `PARTS`.
    topic : str
        Only labels of this topic; empty for all topics.
    """
    docs = AssignedDoc.objects.filter(assignment__round=FIRST_ROUND, is_judged=True)
    if topic:
        docs = docs.filter(assignment__topic__name=topic)
    return _stale(docs, parts)


def waiting(parts: Collection[str], *, topic: str = "") -> list[FirstLook]:
    """Return the stale labels that no round for stale labels includes yet."""
    stale_looks = list(looks(stale_docs(parts, topic=topic)))
    stale: dict[tuple[int, int], set[int]] = defaultdict(set)
    for look in stale_looks:
        stale[look.topic, look.doc].add(look.assessor)
    taken = _assessors_again()
    # A different assessor who judges a doc again replaces all assessors with stale labels of the
    # doc.
    return [
        look
        for look in stale_looks
        if look.assessor not in taken[look.topic, look.doc]
        and taken[look.topic, look.doc] <= stale[look.topic, look.doc]
    ]


def changed_topics() -> list[tuple[Topic, int, int]]:
    """Return topic, version and number of labels of every older topic version with labels."""
    rows = (
        stale_docs(("topic",))
        .order_by()
        .values_list("assignment__topic", "topic_version")
        .annotate(Count("pk"))
    )
    topics = Topic.objects.in_bulk()
    found = [(topics[key], version, count) for key, version, count in map(tuple, rows)]
    return sorted(found, key=lambda row: (row[0].name, row[1]))


def changed_docs(most: int) -> tuple[Sequence[tuple[int, str, str, int]], int]:
    """Return docs with the digest and labels of an older version, and the number of further docs.

    Parameters
    ----------
    most : int
        The largest number of docs to return.
    """
    rows = (
        stale_docs(("doc",))
        .order_by("doc__name", "sha256")
        .values_list("doc", "doc__name", "sha256")
        .annotate(Count("pk"))
    )
    found = [(key, name, digest, count) for key, name, digest, count in map(tuple, rows)]
    return found[:most], max(len(found) - most, 0)


def changed_scales() -> list[tuple[int, int]]:
    """Return every older version of the scale that has labels, and the number of its labels."""
    rows = stale_docs(("scale",)).order_by("scale_version").values_list("scale_version")
    return [(version, count) for version, count in map(tuple, rows.annotate(Count("pk")))]


def _stale(docs: QuerySet[AssignedDoc], parts: Collection[str]) -> QuerySet[AssignedDoc]:
    changed = Q(pk__in=())
    scale = current_scale().version
    if "topic" in parts:
        topics = Topic.objects.filter(version__gt=1)
        changed |= Q(
            assignment__topic__in=list(topics), topic_version__lt=F("assignment__topic__version")
        )
    if "scale" in parts and scale > 1:
        changed |= Q(scale_version__lt=scale)
    # Docs change seldom. If none has changed, this query is skipped.
    if "doc" in parts and Doc.objects.filter(version__gt=1).exists():
        current = DocVersion.current("doc", "sha256")
        docs = docs.annotate(current_sha256=Coalesce(current, "sha256"))
        changed |= Q(doc__version__gt=1) & ~Q(sha256=F("current_sha256"))
    return docs.filter(changed)


def _assessors_again() -> dict[tuple[int, int], set[int]]:
    """Return the assessors who judge each doc of a topic again because of a stale label."""
    reason = RejudgingRound.Reason.STALE
    numbers = RejudgingRound.objects.filter(reason=reason).values_list("number", flat=True)
    again = AssignedDoc.objects.filter(assignment__round__in=list(numbers))
    once_more = set(_stale(again.filter(is_judged=True), PARTS).values_list("pk", flat=True))
    rows = again.values_list("pk", "assignment__topic", "doc", "assignment__assessor")
    found: dict[tuple[int, int], set[int]] = defaultdict(set)
    for key, topic, doc, assessor in rows:
        if key not in once_more:
            found[topic, doc].add(assessor)
    return found

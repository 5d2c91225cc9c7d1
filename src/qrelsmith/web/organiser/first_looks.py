"""Positions of docs in the first round, so that a later round can keep their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from django.db.models import QuerySet

from qrelsmith.web.models import AssignedDoc
from qrelsmith.web.tables.judged import FIRST_ROUND

_BATCH = 400


class FirstLook(NamedTuple):
    """A doc that an assessor judged in the first round.

    Attributes
    ----------
    assigned, assessor, topic, doc : int
        Ids of the assigned doc, assessor, topic and doc.
    hit, position : str, int
        The HIT, and the position of the doc.
    ordering, seed : str, int or None
        The order in which the docs were shown.
    assessor_name, group, topic_name, doc_name : str
        The names of the assessor, group, topic and doc.
    """

    assigned: int
    assessor: int
    topic: int
    doc: int
    hit: str
    position: int
    ordering: str
    seed: int | None
    assessor_name: str
    group: str
    topic_name: str
    doc_name: str


_FIELDS = (
    "pk", "assignment__assessor", "assignment__topic", "doc", "assignment__hit", "position",
    "assignment__ordering", "assignment__seed", "assignment__assessor__name",
    "assignment__assessor__group", "assignment__topic__name", "doc__name",
)  # fmt: skip


def looks(docs: QuerySet[AssignedDoc]) -> Iterator[FirstLook]:
    """Return the first-round judgments among the docs of a query."""
    found = docs.filter(assignment__round=FIRST_ROUND, is_judged=True)
    return (FirstLook(*row) for row in found.values_list(*_FIELDS))


def looks_at(docs: Iterable[tuple[str, str]]) -> list[FirstLook]:
    """Return all assessors' first-round judgments of docs of topics."""
    wanted = set(docs)
    found: list[FirstLook] = []
    names = sorted({doc for _, doc in wanted})
    for start in range(0, len(names), _BATCH):
        query = AssignedDoc.objects.filter(doc__name__in=names[start : start + _BATCH])
        found += (look for look in looks(query) if (look.topic_name, look.doc_name) in wanted)
    return found


def in_order(found: Iterable[FirstLook]) -> list[FirstLook]:
    """Sort first-round judgments by topic, assessor and position."""
    return sorted(
        found,
        key=lambda look: (
            look.topic_name, look.assessor_name, look.hit, look.position, look.doc_name,
        ),
    )  # fmt: skip


def earliest(found: Sequence[FirstLook]) -> list[FirstLook]:
    """Return one first-round judgment per doc of a topic: the one with the lowest position."""
    first: dict[tuple[int, int], FirstLook] = {}
    for look in sorted(found, key=lambda look: (look.position, look.assessor_name, look.hit)):
        first.setdefault((look.topic, look.doc), look)
    return list(first.values())

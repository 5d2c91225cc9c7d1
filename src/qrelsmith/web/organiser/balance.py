"""The balance of the assignments: docs, topics and orderings of every assessor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Count, Sum

from qrelsmith.web.models import Assignment
from qrelsmith.web.tables.judged import FIRST_ROUND


@dataclass(slots=True)
class Share:
    """The work assigned to an assessor.

    Attributes
    ----------
    assessor, group : str
        Name and group of the assessor.
    topics, docs : int
        Number of topics (each HIT counts as one), and of their docs.
    by_ordering : list of (int, int)
        Topics and docs in each ordering, in the order of `Balance.orderings`.
    """

    assessor: str
    group: str
    topics: int = 0
    docs: int = 0
    by_ordering: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Balance:
    """The assignments of the first round.

    Attributes
    ----------
    orderings : sequence of str
        The orderings in use, sorted.
    shares : sequence of Share
        The share of every assessor, by group and name.
    most_docs : int
        The largest number of docs of an assessor.
    """

    orderings: Sequence[str]
    shares: Sequence[Share]
    most_docs: int


def balance() -> Balance:
    """Count the assigned topics and docs of the first round."""
    rows = (
        Assignment.objects.filter(round=FIRST_ROUND)
        .values_list("assessor__group", "assessor__name", "ordering")
        .annotate(Count("id"), Sum("total"))
        .order_by("assessor__group", "assessor__name", "ordering")
    )
    counts: dict[tuple[str, str], dict[str, tuple[int, int]]] = {}
    for group, name, ordering, topics, docs in map(tuple, rows):
        counts.setdefault((group, name), {})[ordering] = (topics, docs)
    orderings = sorted({ordering for found in counts.values() for ordering in found})
    shares = []
    for (group, name), found in counts.items():
        parts = [found.get(ordering, (0, 0)) for ordering in orderings]
        topics, docs = (sum(column) for column in zip(*parts, strict=True))
        shares.append(Share(name, group, topics, docs, parts))
    return Balance(orderings, shares, max((share.docs for share in shares), default=0))

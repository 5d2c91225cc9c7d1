"""The keys of HITs."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Max

from qrelsmith.web.models import Batch, Hit


def recorded(batch: Batch, hits: Sequence[Hit]) -> list[Hit]:
    """Record new HITs of a batch, numbered, each with a key of its own: its name, and a number.

    Only inside a transaction that writes.
    """
    last = Hit.objects.filter(batch=batch).aggregate(last=Max("number"))["last"] or 0
    known: dict[str, int] = {}
    for name in Hit.objects.filter(name__in={hit.name for hit in hits}).values_list(
        "name", flat=True
    ):
        known[name] = known.get(name, 0) + 1
    for number, hit in enumerate(hits, start=last + 1):
        known[hit.name] = known.get(hit.name, 0) + 1
        hit.batch = batch
        hit.number = number
        hit.key = hit.name if known[hit.name] == 1 else f"{hit.name}/{known[hit.name]}"
    return Hit.objects.bulk_create(hits)

"""The keys of HITs."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Max

from qrelsmith.web.models import Batch, Hit


def record_hits(batch: Batch, hits: Sequence[Hit]) -> list[Hit]:
    """Record new HITs of a batch with their numbers, and make their keys unique.

    Requires a write transaction.
    """
    last = Hit.objects.filter(batch=batch).aggregate(last=Max("number"))["last"] or 0
    numbers: dict[str, int] = {}
    for name in Hit.objects.filter(name__in={hit.name for hit in hits}).values_list(
        "name", flat=True
    ):
        numbers[name] = numbers.get(name, 0) + 1
    for number, hit in enumerate(hits, start=last + 1):
        numbers[hit.name] = numbers.get(hit.name, 0) + 1
        hit.batch = batch
        hit.number = number
        hit.key = hit.name if numbers[hit.name] == 1 else f"{hit.name}/{numbers[hit.name]}"
    return Hit.objects.bulk_create(hits)

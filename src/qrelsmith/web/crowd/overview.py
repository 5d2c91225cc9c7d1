"""Tables of batches, HITs and workers; workers appear only by pseudonym."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, Q, QuerySet, Sum

from qrelsmith.base.errors import UnknownNameError
from qrelsmith.base.tables import Table
from qrelsmith.topk.crowd.platforms import platform_of
from qrelsmith.web.crowd.hit_kinds import HIT_KINDS
from qrelsmith.web.crowd.terms import terms_of, work_of
from qrelsmith.web.crowd.tokens import address_of
from qrelsmith.web.models import Batch, CrowdWorker, Hit

_STATES = tuple(Hit.State.values)


def batch_named(name: str) -> Batch:
    """Return the batch with the given name.

    Raises
    ------
    UnknownNameError
        If there is no batch with that name.
    """
    found = Batch.objects.filter(name=name).first()
    if found is None:
        names = Batch.objects.order_by("name").values_list("name", flat=True)
        raise UnknownNameError("batch", name, list(names))
    return found


def counted_batches() -> QuerySet[Batch]:
    """Return all batches, oldest first, with the number of their HITs in each state."""
    counts = {
        f"{state}_hits": Count("hits", filter=Q(hits__state=state), distinct=True)
        for state in _STATES
    }
    return Batch.objects.annotate(**counts).order_by("created_at", "pk")


def batches_table() -> Table:
    """Return the progress of every batch."""
    columns = ("batch", "kind", "platform", "group", "is_open", *_STATES)
    rows = (
        (
            batch.name,
            batch.kind,
            batch.platform,
            batch.group,
            "yes" if batch.is_open else "no",
            *(int(getattr(batch, f"{state}_hits")) for state in _STATES),
        )
        for batch in counted_batches()
    )
    return Table.of(columns, rows)


def hits_table(batch: Batch) -> Table:
    """Return every HIT of a batch with its worker, progress and failed attention checks."""
    columns = ("hit", "state", "assessor", "done", "total", "missed", "taken_at", "finished_at")
    rows = []
    kind = HIT_KINDS[batch.kind]
    hits = batch.hits.select_related("worker__assessor").defer("docs").order_by("number")
    for hit in hits:
        progress = kind.progress(hit) if hit.state == Hit.State.TAKEN else None
        rows.append(
            (
                hit.key,
                hit.state,
                hit.worker.assessor.name if hit.worker else "",
                progress.done if progress else None,
                progress.total if progress else None,
                hit.missed if hit.finished_at else None,
                hit.taken_at.isoformat(timespec="seconds") if hit.taken_at else "",
                hit.finished_at.isoformat(timespec="seconds") if hit.finished_at else "",
            )
        )
    return Table.of(columns, rows)


def workers_table(batches: Iterable[Batch]) -> Table:
    """Return all workers of some batches, with their work and payments."""
    chosen = list(batches)
    workers = CrowdWorker.objects.select_related("assessor").filter(sittings__batch__in=chosen)
    finished = Q(hits__state__in=(Hit.State.FINISHED, Hit.State.DISCARDED), hits__batch__in=chosen)
    discarded = Q(hits__state=Hit.State.DISCARDED, hits__batch__in=chosen)
    approved = Q(sittings__approved_at__isnull=False, sittings__batch__in=chosen)
    counted = workers.distinct().annotate(
        approved=Count("sittings", filter=approved, distinct=True),
        done=Count("hits", filter=finished, distinct=True),
        thrown=Count("hits", filter=discarded, distinct=True),
    )
    rows = []
    for worker in counted.order_by("created_at", "pk"):
        pay = worker.sittings.filter(batch__in=chosen).aggregate(sum=Sum("pay"))["sum"] or 0.0
        trained = {
            kind: "passed" if passed else "failed" for kind, passed in worker.trained.items()
        }
        rows.append(
            (
                worker.assessor.name,
                " ".join(sorted(set(trained.values()))),
                int(worker.done),
                int(worker.thrown),
                int(worker.approved),
                "yes" if worker.excluded_at else "no",
                worker.reason,
                round(pay, 2),
            )
        )
    return Table.of(
        ("assessor", "training", "hits", "discarded", "approved", "excluded", "reason", "pay"), rows
    )


def to_publish(batch: Batch, site: str) -> Table:
    """Return the texts to copy into the platform: address, terms, and conditions for workers."""
    terms = terms_of(batch)
    platform = platform_of(batch.platform)
    query = f"?{platform.parameters}" if platform.parameters else ""
    open_hits = batch.hits.filter(state=Hit.State.OPEN).count()
    rows = [
        ("platform", platform.title),
        ("address", f"{site.rstrip('/')}/hit/{address_of(batch)}{query}"),
        ("places", str(open_hits)),
        ("reward", f"{terms.reward:.2f} {terms.currency}"),
        ("fee", f"{terms.fee:.2f} {terms.currency}"),
        ("expected minutes", str(work_of(batch).minutes)),
        ("time allowed, minutes", str(terms.hold)),
        ("approval rate above, per cent", f"{terms.approval:g}"),
        ("tasks completed, at least", str(terms.completed)),
        ("countries", " ".join(terms.countries) or "all"),
        ("completion code", batch.study_code or "one for each worker, shown at the end"),
    ]
    return Table.of(("what", "value"), rows)

"""The organiser's pages of crowd work: batches, HITs, workers by pseudonym, codes, payments."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from qrelsmith.base.tables import Cell
from qrelsmith.io.table_writing import table_bytes
from qrelsmith.web.accounts.access import ORGANISERS, page
from qrelsmith.web.accounts.actions import note_action
from qrelsmith.web.crowd.overview import counted_batches, hits_table, to_publish, workers_table
from qrelsmith.web.crowd.payments import PAYMENTS, Approval, approve_code, money, payment_rows
from qrelsmith.web.models import Batch, Hit
from qrelsmith.web.site.parameters import form_text

_SHOWN = 500


@page(ORGANISERS)
def crowd(request: HttpRequest) -> HttpResponse:
    """Show all batches with their costs, and a field for codes."""
    batches = list(counted_batches())
    spent = {row[0]: row for row in money(batches).rows}
    rows = [
        {
            "batch": published,
            "states": [(state, getattr(published, f"{state}_hits")) for state in Hit.State.values],
            "pay": spent[published.name][2],
            "owed": spent[published.name][3],
            "currency": spent[published.name][5],
        }
        for published in batches
    ]
    return render(request, "organiser/crowd.html", {"rows": rows, "states": Hit.State.values})


@page(ORGANISERS)
def batch(request: HttpRequest, batch_id: int) -> HttpResponse:
    """Show a batch: the data to publish, its HITs and its workers."""
    opened = get_object_or_404(Batch, pk=batch_id)
    context = {
        "batch": opened,
        "published": to_publish(opened, request.build_absolute_uri(reverse("home"))).rows,
        "hits": [_with_times(row) for row in hits_table(opened).rows[:_SHOWN]],
        "hit_count": opened.hits.count(),
        "workers": workers_table([opened]).rows[:_SHOWN],
    }
    return render(request, "organiser/batch.html", context)


@page(ORGANISERS, methods=("POST",))
def switch(request: HttpRequest, batch_id: int) -> HttpResponse:
    """Close or reopen a batch."""
    found = get_object_or_404(Batch, pk=batch_id)
    found.is_open = not found.is_open
    found.save(update_fields=["is_open"])
    note_action(request, "crowd reopen" if found.is_open else "crowd close", found.name)
    return redirect("crowd-batch", found.pk)


@page(ORGANISERS, methods=("POST",))
def approve(request: HttpRequest) -> HttpResponse:
    """Approve a code submitted by a worker, once."""
    code = form_text(request, "code")
    approval = approve_code(code)
    note_action(request, "crowd approve", _approval_name(approval))
    messages.info(request, _approval_sentence(approval, code))
    return redirect("crowd")


@page(ORGANISERS, methods=("POST",))
def payments(request: HttpRequest, batch_id: int) -> HttpResponse:
    """Return the payments as a file with the platform's worker ids."""
    found = get_object_or_404(Batch, pk=batch_id)
    rows = payment_rows(found)
    note_action(request, "crowd payments", found.name)
    columns = {name: [row[place] for row in rows] for place, name in enumerate(PAYMENTS)}
    response = HttpResponse(table_bytes(columns), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="payments-{found.name}.csv"'
    return response


def _with_times(row: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return a row of the HITs with its two times formatted for display."""
    return (*row[:-2], *(str(time)[:16].replace("T", " ") for time in row[-2:]))


def _approval_name(approval: Approval) -> str:
    who = approval.sitting.worker.assessor.name if approval.sitting else ""
    return f"{approval.state} {who}".strip()


def _approval_sentence(approval: Approval, code: str) -> str:
    """Return a sentence on the result of approving a code."""
    sitting = approval.sitting
    if sitting is None:
        return gettext("Code not found: %(code)s.") % {"code": code[:20]}
    words = {
        "worker": sitting.worker.assessor.name,
        "batch": sitting.batch.name,
        "pay": f"{sitting.pay:.2f} {sitting.batch.terms['currency']}",
    }
    if approval.state == "used":
        return gettext("This code was already approved for %(worker)s.") % words
    return gettext("Approved: %(worker)s, batch %(batch)s, %(pay)s.") % words

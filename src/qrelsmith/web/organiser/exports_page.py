"""The organiser's page of exports: created on request, streamed from a finished file."""

from __future__ import annotations

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from qrelsmith.web.accounts.access import ORGANISERS, page
from qrelsmith.web.accounts.actions import note_action
from qrelsmith.web.jobs.queue import cancel
from qrelsmith.web.organiser.exports import EXPORT, delete_export, export_path, exports, start
from qrelsmith.web.site.parameters import ParameterError, choice

_PARTS = ("documents", "runs", "spreadsheet")
_AGAIN_S = "3"


@page(ORGANISERS)
def exports_page(request: HttpRequest) -> HttpResponse:
    """Show the exports, and a form for a new export."""
    there = exports()
    answer = render(request, "organiser/exports.html", {"exports": there})
    if any(each.state == "making" for each in there):
        answer["Refresh"] = _AGAIN_S
    return answer


@page(ORGANISERS, methods=("POST",))
def make_export(request: HttpRequest) -> HttpResponse:
    """Start an export."""
    choice(request.POST.get("what", ""), "what", ("campaign",))
    parts = {choice(each, "part", _PARTS) for each in request.POST.getlist("part")}
    name = start(EXPORT, {part: part in parts for part in _PARTS})
    note_action(request, "export", " ".join((name, *sorted(parts))))
    messages.success(request, gettext("The export is being created. You can leave this page."))
    return redirect("exports")


@page(ORGANISERS)
def download(request: HttpRequest, file: str) -> HttpResponseBase:
    """Stream an export."""
    path = export_path(file)
    if path is None:
        raise Http404
    note_action(request, "download", file)
    return FileResponse(
        path.open("rb"), as_attachment=True, filename=file, content_type="application/zip"
    )


@page(ORGANISERS, methods=("POST",))
def remove(request: HttpRequest, file: str) -> HttpResponse:
    """Delete an export; the campaign is not affected."""
    if not delete_export(file):
        raise ParameterError(gettext("This export does not exist or is still in progress."))
    note_action(request, "delete-export", file)
    return redirect("exports")


@page(ORGANISERS, methods=("POST",))
def cancel_job(request: HttpRequest, job_id: int) -> HttpResponse:
    """Cancel a background job."""
    if not cancel(job_id):
        raise ParameterError(gettext("The job is already finished."))
    note_action(request, "cancel-job", str(job_id))
    return redirect(
        choice(request.POST.get("next", "exports"), "next", ("exports", "audits", "tokens"))
    )

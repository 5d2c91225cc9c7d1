"""The organiser's pages of audits and backups."""

from __future__ import annotations

import mimetypes
from datetime import UTC, datetime

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from qrelsmith.base.errors import QrelsmithError
from qrelsmith.base.registry import split_names
from qrelsmith.collection.run_order import RUN_ORDERS
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.web.accounts.access import ORGANISERS, page
from qrelsmith.web.accounts.actions import note_action
from qrelsmith.web.jobs.queue import ask, unfinished_jobs
from qrelsmith.web.jobs.runner import work_now
from qrelsmith.web.models import Job
from qrelsmith.web.organiser.audits import AUDIT, BACKUP, PAGE, WantedAudit, label_set_names
from qrelsmith.web.organiser.exports import delete_export, export_path, exports, start
from qrelsmith.web.project import current_instance
from qrelsmith.web.site.parameters import ParameterError, choice, form_text
from qrelsmith.web.site.remarks import remark

_AGAIN_S = "3"
# The report's own policy allows only its script and style, by their digests. The report may be
# shown in a frame of the app and save its files, and nothing else.
_REPORT_POLICY = (
    "sandbox allow-scripts allow-same-origin allow-downloads; default-src 'none'; script-src "
    "'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'"
)


@page(ORGANISERS)
def audits_page(request: HttpRequest) -> HttpResponse:
    """Show the existing audits, and a button for a new audit."""
    there = exports(AUDIT)
    context = {
        "audits": there,
        "label_sets": label_set_names(),
        "measures": current_instance().campaign.measures,
        "orders": RUN_ORDERS.names(),
        "order": WantedAudit().order,
    }
    answer = render(request, "organiser/audits.html", context)
    if any(each.state == "making" for each in there):
        answer["Refresh"] = _AGAIN_S
    return answer


@page(ORGANISERS, methods=("POST",))
def make_audit(request: HttpRequest) -> HttpResponse:
    """Start an audit, unless one is in progress."""
    reference = request.POST.get("reference", "")
    if reference:
        choice(reference, "reference", label_set_names())
    try:
        names = split_names([form_text(request, "measures", longest=500)])
        measures = tuple(map(MEASURES.label, names))
    except QrelsmithError as error:
        raise ParameterError(remark(str(error))) from None
    default = WantedAudit().order
    order = choice(request.POST.get("order", default), "order", RUN_ORDERS.names())
    wanted = WantedAudit(reference, measures, order, "calibrate" in request.POST)
    name = start(AUDIT, wanted.options())
    note_action(request, "audit", " ".join((name, *wanted.words())))
    messages.success(request, gettext("The audit is in progress. You can leave this page."))
    return redirect("audits")


@page(ORGANISERS)
def audit_page(request: HttpRequest, name: str) -> HttpResponse:
    """Show the page of an audit within the app, with its files."""
    folder = export_path(name, AUDIT)
    if folder is None:
        raise Http404
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))
    context = {"name": name, "files": files, "page": PAGE, "earlier": exports(AUDIT)}
    return render(request, "organiser/audit.html", context)


@page(ORGANISERS)
def audit_file(request: HttpRequest, name: str, path: str) -> HttpResponseBase:
    """Return a file of an audit: its page for display, other files as downloads."""
    folder = export_path(name, AUDIT)
    file = folder and (folder / path)
    if folder is None or file is None or not file.is_file():
        raise Http404
    if not file.resolve().is_relative_to(folder.resolve()):
        raise Http404
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    is_page = path == PAGE
    answer = FileResponse(file.open("rb"), as_attachment=not is_page, content_type=kind)
    answer["Content-Security-Policy"] = _REPORT_POLICY
    return answer


@page(ORGANISERS, methods=("POST",))
def remove_audit(request: HttpRequest, name: str) -> HttpResponse:
    """Delete an audit; the campaign is not affected."""
    if not delete_export(name, AUDIT):
        raise ParameterError(gettext("This audit does not exist or is still in progress."))
    note_action(request, "delete-audit", name)
    return redirect("audits")


@page(ORGANISERS)
def backups_page(request: HttpRequest) -> HttpResponse:
    """Show the backups on the server, and how to restore one."""
    found = (path for path in current_instance().backups.glob("*") if not path.name.startswith("."))
    rows = []
    for path in sorted(found, reverse=True):
        facts = path.stat()
        rows.append((path.name, datetime.fromtimestamp(facts.st_mtime, UTC), facts.st_size))
    failed = Job.objects.filter(kind=BACKUP, state=Job.State.FAILED).order_by("-pk").first()
    instance = current_instance()
    context = {
        "backups": rows,
        "campaign": instance.campaign.folder,
        "folder": instance.backups,
        "is_making": unfinished_jobs(BACKUP).exists(),
        "problem": failed.problem if failed else "",
    }
    answer = render(request, "organiser/backups.html", context)
    if context["is_making"]:
        answer["Refresh"] = _AGAIN_S
    return answer


@page(ORGANISERS, methods=("POST",))
def make_backup(request: HttpRequest) -> HttpResponse:
    """Start a backup, unless one is in progress."""
    Job.objects.filter(kind=BACKUP, state=Job.State.FAILED).delete()
    ask(BACKUP, {})
    work_now()
    note_action(request, "backup", "")
    return redirect("backups")

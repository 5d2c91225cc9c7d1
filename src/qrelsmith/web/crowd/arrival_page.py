"""The page on which crowd workers arrive: the terms and the worker's consent."""

from __future__ import annotations

from django.contrib.auth import login
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from qrelsmith.base.errors import UsageError
from qrelsmith.topk.crowd.platforms import Arrival, platform_of
from qrelsmith.web.accounts import limits
from qrelsmith.web.accounts.access import public
from qrelsmith.web.crowd.sittings import (
    TurnedAwayError,
    account_of_worker,
    begin,
    check_work,
    sitting_of,
    worker_of,
)
from qrelsmith.web.crowd.terms import terms_of, work_of
from qrelsmith.web.crowd.tokens import batch_at
from qrelsmith.web.models import Account, Batch, CrowdWorker, Sitting
from qrelsmith.web.project import current_instance
from qrelsmith.web.site.headers import PAGE_POLICY
from qrelsmith.web.site.parameters import ParameterError

# The session key for the number of the worker's work session.
SITTING = "sitting"
_BACKEND = "qrelsmith.web.accounts.login.AccountBackend"


@public(methods=("GET", "POST"))
def arrive(request: HttpRequest, batch: str) -> HttpResponse:
    """Show the terms to a worker and, after consent, begin or continue the work."""
    address = request.META.get("REMOTE_ADDR", "")
    if limits.is_limited("guess", address, limits.GUESSES):
        return _away(request, "often", status=429)
    opened_batch = batch_at(batch)
    if opened_batch is None:
        limits.count("guess", address)
        raise Http404
    platform = platform_of(opened_batch.platform)
    bare = gettext(
        "This link lacks the platform's parameters. Open the task from {platform}."
    ).format(platform=platform.title)
    if not request.GET:
        # Anyone may see a description of the work by opening the link without the platform's
        # parameters.
        preview = Arrival("", "", is_preview=True)
        return _landing(request, opened_batch, preview, None, problem=bare)
    try:
        arrival = platform.arrival(request.GET.dict())
    except UsageError as error:
        raise ParameterError(bare) from error
    worker = None if arrival.is_preview else worker_of(opened_batch, arrival)
    own = _own_worker(request)
    try:
        if not arrival.is_preview:
            check_work(opened_batch, worker, arrival, own=own)
        if request.method == "POST" and not arrival.is_preview:
            return _begin(request, opened_batch, arrival, worker, own)
    except TurnedAwayError as error:
        return _away(request, error.reason, status=409)
    sitting = sitting_of(opened_batch, worker, arrival)
    return _landing(request, opened_batch, arrival, sitting)


def own_sitting(request: HttpRequest) -> int | None:
    """Return the number of the work session stored in the browser session."""
    found = request.session.get(SITTING)
    return found if isinstance(found, int) else None


def _begin(
    request: HttpRequest,
    batch: Batch,
    arrival: Arrival,
    worker: CrowdWorker | None,
    own: CrowdWorker | None,
) -> HttpResponse:
    address = request.META.get("REMOTE_ADDR", "")
    if worker is None:
        if limits.is_limited("worker", address, limits.NEW_WORKERS):
            return _away(request, "often", status=429)
        limits.count("worker", address)
    if request.POST.get("agree") != "yes":
        problem = gettext("You can't start without agreeing. Tick the box, or return the task.")
        return _landing(request, batch, arrival, None, problem=problem, status=400)
    try:
        sitting = begin(batch, arrival, own=own)
    except IntegrityError:
        # The same worker came twice at the same moment; the first request has succeeded by now.
        sitting = begin(batch, arrival, own=own)
    login(request, account_of_worker(sitting.worker), backend=_BACKEND)
    request.session[SITTING] = sitting.pk
    return redirect("work")


def _landing(
    request: HttpRequest,
    batch: Batch,
    arrival: Arrival,
    sitting: Sitting | None,
    *,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "batch": batch,
        "terms": terms_of(batch),
        "work": work_of(batch),
        "activity": current_instance().campaign.judging.activity,
        "arrival": arrival,
        # The worker pastes the code into the form of the platform's page around this frame.
        "ending": platform_of(batch.platform).ending(arrival, "", batch.study_code),
        "sitting": sitting,
        "problem": problem,
        "is_framed": request.headers.get("Sec-Fetch-Dest") in ("iframe", "frame"),
        "address": request.get_full_path(),
    }
    response = render(request, "crowd/landing.html", context, status=status)
    _let_frame(response, batch, arrival)
    return response


def _let_frame(response: HttpResponse, batch: Batch, arrival: Arrival) -> None:
    """Allow the platform to frame the page, and allow the page to send forms to the platform."""
    framed_by = platform_of(batch.platform).framed_by
    if not framed_by:
        return
    policy = PAGE_POLICY.replace("frame-ancestors 'none'", f"frame-ancestors {framed_by}")
    target = f"form-action 'self' {arrival.submit_to}"
    response["Content-Security-Policy"] = policy.replace("form-action 'self'", target)


def _own_worker(request: HttpRequest) -> CrowdWorker | None:
    """Return the worker who is logged in to this browser."""
    user = request.user
    if not isinstance(user, Account) or user.assessor_id is None:
        return None
    return CrowdWorker.objects.filter(assessor=user.assessor_id).first()


def _away(request: HttpRequest, reason: str, *, status: int) -> HttpResponse:
    return render(request, "crowd/away.html", {"reason": reason}, status=status)

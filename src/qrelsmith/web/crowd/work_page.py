"""A crowd worker's own pages: the next step, submission of a HIT, the code."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from qrelsmith.topk.crowd.platforms import Arrival, platform_of
from qrelsmith.web.accounts.access import JUDGES, assessor_of, page
from qrelsmith.web.crowd.arrival_page import own_sitting
from qrelsmith.web.crowd.claims import take_hit
from qrelsmith.web.crowd.finishing import UnfinishedError, end_empty, hand_in
from qrelsmith.web.crowd.hit_kinds import hit_kind
from qrelsmith.web.crowd.sittings import current_sitting
from qrelsmith.web.crowd.tokens import code_of
from qrelsmith.web.crowd.training import needs_training, next_lesson
from qrelsmith.web.models import CrowdWorker, Sitting
from qrelsmith.web.site.headers import PAGE_POLICY


@page(JUDGES)
def work(request: HttpRequest) -> HttpResponse:
    """Show the next step: training, HIT, submission or code."""
    sitting = sitting_of(request)
    if sitting.ended_at is not None:
        return _over(request, sitting)
    if needs_training(sitting.worker, sitting.batch):
        return redirect("training", next_lesson(sitting.worker, sitting.batch))
    hit = take_hit(sitting)
    if hit is None:
        return render(request, "crowd/waiting.html", {"sitting": sitting})
    progress = hit_kind(hit).progress(hit)
    return redirect(progress.address if progress.left else "hand-in")


@page(JUDGES, methods=("GET", "POST"))
def handing_in(request: HttpRequest) -> HttpResponse:
    """Show the progress of the HIT, and accept its submission."""
    sitting = sitting_of(request)
    if request.method == "POST" and sitting.ended_at is None:
        try:
            sitting = hand_in(sitting) if sitting.hit else end_empty(sitting)
        except UnfinishedError:
            pass
        else:
            return redirect("work")
    if sitting.ended_at is not None or sitting.hit is None:
        return redirect("work")
    progress = hit_kind(sitting.hit).progress(sitting.hit)
    context = {"sitting": sitting, "progress": progress, "kind": sitting.batch.kind}
    status = 409 if request.method == "POST" else 200
    return render(request, "crowd/hand_in.html", context, status=status)


def sitting_of(request: HttpRequest) -> Sitting:
    """Return the session of the request's worker; 404 for other assessors."""
    assessor = assessor_of(request)
    worker = CrowdWorker.objects.filter(assessor=assessor).first() if assessor else None
    sitting = current_sitting(worker, wanted=own_sitting(request)) if worker else None
    if sitting is None:
        raise Http404
    return sitting


def _over(request: HttpRequest, sitting: Sitting) -> HttpResponse:
    """Show how the session ended and, if it is paid, the code."""
    code = code_of(sitting)
    platform = platform_of(sitting.batch.platform)
    arrival = Arrival(
        worker="", reference=sitting.reference, study=sitting.study, submit_to=sitting.submit_to
    )
    ending = platform.ending(arrival, code, sitting.batch.study_code) if code else None
    context = {"sitting": sitting, "code": code, "ending": ending, "platform": platform}
    response = render(request, "crowd/done.html", context)
    if ending is not None and ending.fields:
        target = f"form-action 'self' {sitting.submit_to}"
        response["Content-Security-Policy"] = PAGE_POLICY.replace("form-action 'self'", target)
    return response

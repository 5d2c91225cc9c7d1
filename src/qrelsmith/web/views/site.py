"""The front page, static files, health."""

from __future__ import annotations

from django.db import connection
from django.db.models import F, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from qrelsmith.web.access import EVERYBODY, account_of, page, public
from qrelsmith.web.assets import assets
from qrelsmith.web.models import Assignment, CrowdWorker, Role, TopicVersion
from qrelsmith.web.preferring.shown import shown_contests


@page(EVERYBODY)
def home(request: HttpRequest) -> HttpResponse:
    """An assessor's topics; everybody else's overview of the campaign."""
    account = account_of(request)
    if account.role != Role.ASSESSOR:
        from qrelsmith.web.views.organiser import overview

        return overview(request)
    if CrowdWorker.objects.filter(assessor=account.assessor_id).exists():
        return redirect("work")
    assignments = list(
        Assignment.objects.filter(assessor=account.assessor)
        .select_related("topic")
        .order_by("round", "topic__name", "hit")
    )
    contests = shown_contests(account.assessor) if account.assessor else []
    of_assignments = Q(topic__in={each.topic_id for each in assignments})
    of_contests = Q(topic__name__in=[each["topic"] for each in contests])
    texts = TopicVersion.objects.filter(of_assignments | of_contests, version=F("topic__version"))
    titles = dict(texts.values_list("topic__name", "title"))
    rows = [{"assignment": each, "title": titles.get(each.topic.name, "")} for each in assignments]
    preferred = [{"state": each, "title": titles.get(each["topic"], "")} for each in contests]
    unfinished = [each for each in assignments if each.judged < each.total and each.is_open]
    started = [each for each in unfinished if each.judged]
    following = next(iter(started or unfinished), None)
    context = {"rows": rows, "next": following, "contests": preferred}
    return render(request, "home.html", context)


@public()
def asset(request: HttpRequest, digest: str, name: str) -> HttpResponse:
    """A static file; its address changes with its content, so that it can be kept for ever."""
    found = assets().get(name)
    if found is None or found.digest != digest:
        raise Http404
    response = HttpResponse(found.content, content_type=found.kind)
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


@public()
def health(request: HttpRequest) -> HttpResponse:
    """Whether the app answers and has its database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse("ok\n", content_type="text/plain")

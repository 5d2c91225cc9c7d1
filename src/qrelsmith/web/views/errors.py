"""What is shown when something is not there, not allowed, or broken."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from qrelsmith.web.answers import failed
from qrelsmith.web.models import Account


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The page was not sent by us, or the session it was sent in is over."""
    if not isinstance(getattr(request, "user", None), Account) and request.path.startswith("/api/"):
        return failed(401, "login", gettext("Log in again; what you judged is kept."))
    if request.path.startswith("/api/"):
        return failed(403, "csrf", gettext("The page is too old; load it again."))
    message = gettext("This form is too old. Go back, load the page again and send it once more.")
    return render(request, "error.html", {"status": 403, "message": message}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """There is no such thing, or it is not yours."""
    if request.path.startswith("/api/"):
        return failed(404, "unknown", gettext("There is no such thing, or it is not yours."))
    context = {"status": 404, "message": gettext("There is no such page, or it is not yours.")}
    return render(request, "error.html", context, status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """A fault of ours."""
    if request.path.startswith("/api/"):
        return failed(500, "fault", gettext("Something went wrong here; it is in the log."))
    context = {"status": 500, "message": gettext("Something went wrong here; it is in the log.")}
    return render(request, "error.html", context, status=500)

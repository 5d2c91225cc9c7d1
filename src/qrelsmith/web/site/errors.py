"""Error pages: not found, forbidden, malformed request, or internal error."""

from __future__ import annotations

import sys

from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext

from qrelsmith.web.core.database import is_disk_full
from qrelsmith.web.models import Account
from qrelsmith.web.site.answers import failed
from qrelsmith.web.site.context import campaign_title

_API = "/api/"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the error of a request that is malformed, too large, or for a different host."""
    status, error = 400, "request"
    message = gettext("The request is malformed.")
    if isinstance(exception, DisallowedHost):
        message = gettext(
            "The app is not available at this address. The app's operator sets the address with"
            " --public-url."
        )
    elif isinstance(exception, RequestDataTooBig):
        status, error = 413, "size"
        message = gettext("This request is too large.")
    return refused(request, status, error, message)


def not_allowed(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the error of a page that is forbidden for the user."""
    return refused(request, 403, "role", gettext("Forbidden."))


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the error of a form from another site or an ended session."""
    if not request.path_info.startswith(_API):
        message = gettext(
            "This form has expired. Go back, reload the page and send the form again."
        )
    elif isinstance(getattr(request, "user", None), Account):
        message = gettext("This page is out of date. Reload the page.")
    else:
        return refused(request, 401, "login", gettext("Log in again. Your judgments are saved."))
    return refused(request, 403, "csrf", message)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the error of a page that does not exist or is not accessible."""
    message = gettext("Page not found, or you don't have access.")
    if request.path_info.startswith(_API):
        message = gettext("Not found, or you don't have access.")
    return refused(request, 404, "unknown", message)


def broken_page(request: HttpRequest) -> HttpResponse:
    """Return an internal or database error, on a page that needs neither database nor session."""
    status, error = 500, "fault"
    message = gettext("An internal error occurred; see the server's log.")
    fault = sys.exc_info()[1]
    if is_disk_full(fault):
        status, error = 503, "full"
        message = gettext(
            "The server's disk is full: nothing can be saved until the server's operator frees up"
            " space. Everything reported as saved is safe."
        )
    elif isinstance(fault, (InterfaceError, OperationalError)):
        status, error = 503, "storage"
        message = gettext(
            "The database is not available at the moment. Everything reported as saved is safe."
        )
    if request.path_info.startswith(_API):
        return failed(status, error, message)
    context = {"status": status, "message": message, "campaign_title": campaign_title()}
    return HttpResponse(render_to_string("error.html", context), status=status)


def refused(request: HttpRequest, status: int, error: str, message: str) -> HttpResponse:
    """Return an error as a page, or as JSON for scripts."""
    if request.path_info.startswith(_API):
        return failed(status, error, message)
    return render(request, "error.html", {"status": status, "message": message}, status=status)

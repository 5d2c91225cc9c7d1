"""Static files, and the health of the app."""

from __future__ import annotations

from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse

from qrelsmith.web.accounts.access import public
from qrelsmith.web.accounts.sessions import check_writable
from qrelsmith.web.site.assets import assets


@public()
def asset(request: HttpRequest, digest: str, name: str) -> HttpResponse:
    """Return a static file, cached forever because its address changes with its content."""
    found = assets().get(name)
    if found is None or found.digest != digest:
        raise Http404
    is_packed = "gzip" in request.headers.get("Accept-Encoding", "")
    response = HttpResponse(found.packed if is_packed else found.content, content_type=found.kind)
    if is_packed:
        response["Content-Encoding"] = "gzip"
    response["Vary"] = "Accept-Encoding"
    response["Cache-Control"] = "public, max-age=31536000, immutable"
    if name == "worker.js":
        # The service worker keeps judging pages, so that they can be reloaded offline.
        response["Service-Worker-Allowed"] = f"{request.path.partition('/static/')[0]}/"
    return response


@public()
def health(request: HttpRequest) -> HttpResponse:
    """Answer `ok` if the app can read its database and, as far as known, write to it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    check_writable()
    return HttpResponse("ok\n", content_type="text/plain")

"""The page of the metrics, for local requests or requests with the token."""

from __future__ import annotations

import hmac
import ipaddress
import os

from django.http import Http404, HttpRequest, HttpResponse

from qrelsmith.web.accounts.access import public

VARIABLE = "QRELSMITH_METRICS_TOKEN"
_LOCAL_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})


@public()
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics of this process in Prometheus' format, or 404 without access."""
    if not (_brings_token(request) or _is_local(request)):
        raise Http404
    from qrelsmith.web.serving.metrics import CONTENT_TYPE, metrics_text

    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE)


def _brings_token(request: HttpRequest) -> bool:
    expected = os.environ.get(VARIABLE, "")
    given = request.headers.get("Authorization", "")
    return bool(expected) and hmac.compare_digest(given.encode(), f"Bearer {expected}".encode())


def _is_local(request: HttpRequest) -> bool:
    """Return whether the request comes directly from this machine, not through a proxy."""
    # An untrusted proxy looks like this machine, but it uses the public host name.
    host = request.get_host().rsplit(":", 1)[0].strip("[]")
    try:
        comes_from = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    return host in _LOCAL_NAMES and comes_from.is_loopback

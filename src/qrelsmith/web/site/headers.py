"""Headers of every response: the policy of its page, and the id of its request."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)


def security_headers(
    answer: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Add the headers of a page to every response, unless its view sets a policy."""

    def guard(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        response.headers.setdefault("Content-Security-Policy", PAGE_POLICY)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        # With `no-referrer`, browsers send forms with a null origin, which the CSRF check refuses.
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Cache-Control", "private, no-store")
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault(
            "Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=()"
        )
        return response

    return guard


def request_id_of(request: HttpRequest) -> str:
    """Return the id that `request_log` gave to a request."""
    return str(request.META.get("QRELSMITH_REQUEST_ID", ""))

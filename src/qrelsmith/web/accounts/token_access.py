"""Access with tokens, which are checked only for views that require a token."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse

from qrelsmith.web.accounts import limits
from qrelsmith.web.accounts.tokens import TokenError, open_token
from qrelsmith.web.models import ApiToken
from qrelsmith.web.openapi.problems import problem

_NAME = "qrelsmith_token"


def token_refusal(request: HttpRequest, scope: str) -> HttpResponse | None:
    """Return the refusal of a request without a valid token; None if the token is valid.

    Sessions are ignored. A valid token is accepted even after many wrong tokens from the same
    address: tokens cannot be guessed, and other users of the address must not block the token.
    """
    request.user = AnonymousUser()
    kind, _, text = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not text.strip():
        return unknown_token("Send a token in a header: Authorization: Bearer TOKEN.")
    try:
        token = open_token(text.strip())
    except TokenError as error:
        address = request.META.get("REMOTE_ADDR", "")
        if limits.is_limited("token", address, limits.TOKENS):
            answer = problem(
                429, "Too many invalid tokens came from this address. Try again later."
            )
            answer["Retry-After"] = str(int(limits.WINDOW.total_seconds()))
            return answer
        limits.count("token", address)
        return unknown_token(str(error))
    if not token.may(scope):
        return problem(403, f"This token has the scopes {token.scopes}; expected {scope}.")
    setattr(request, _NAME, token)
    return None


def token_of(request: HttpRequest) -> ApiToken:
    """Return the token of a request; only for views that require a token."""
    token = getattr(request, _NAME, None)
    if not isinstance(token, ApiToken):
        raise TypeError("expected a view that requires a token")
    return token


def token_number(request: HttpRequest) -> int | None:
    """Return the number of a request's token for the log, or None for a request without a token."""
    token = getattr(request, _NAME, None)
    return token.pk if isinstance(token, ApiToken) else None


def unknown_token(detail: str) -> HttpResponse:
    """Return the refusal of a request without a valid token."""
    answer = problem(401, detail)
    answer["WWW-Authenticate"] = 'Bearer realm="qrelsmith"'
    return answer

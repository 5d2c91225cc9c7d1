"""API tokens, stored as digests and checked at every request."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.utils import timezone

from qrelsmith.base.errors import UsageError
from qrelsmith.web.accounts.assessors import is_model
from qrelsmith.web.models import Account, ApiToken, Assessor

SCOPES = tuple(ApiToken.Scope.values)
VALID_FOR = timedelta(days=30)
# The prefix by which leaked tokens can be found.
_PREFIX = "qrelsmith_"
# Precision of the time of last use; more frequent requests do not write.
_EXACT = timedelta(minutes=1)


class TokenError(Exception):
    """An invalid token; the text gives the reason."""


def make_token(
    assessor: Assessor,
    scopes: Iterable[str] = SCOPES,
    *,
    created_by: Account | None = None,
    valid_for: timedelta = VALID_FOR,
) -> str:
    """Return a new token; it is shown once and not stored.

    Raises
    ------
    UsageError
        If the assessor is not a model, or the scopes are empty or unknown.
    """
    wanted = sorted(set(scopes))
    if not wanted or not set(wanted) <= set(SCOPES):
        raise UsageError(
            f"the scopes are {', '.join(wanted)}; expected some of {', '.join(SCOPES)}"
        )
    if not is_model(assessor):
        raise UsageError(f"{assessor.name} is not an assessor in a group with the role 'llm'")
    token = _PREFIX + secrets.token_urlsafe(32)
    ApiToken.objects.create(
        token_sha256=token_digest(token),
        assessor=assessor,
        scopes=" ".join(wanted),
        created_by=created_by,
        expires_at=timezone.now() + valid_for,
    )
    return token


def revoke(tokens: Iterable[ApiToken]) -> int:
    """Revoke tokens; return the number of tokens that were still valid."""
    wanted = [token.pk for token in tokens]
    open_ones = ApiToken.objects.filter(pk__in=wanted, revoked_at=None)
    return open_ones.update(revoked_at=timezone.now())


def open_token(text: str) -> ApiToken:
    """Return the token with the given text, and record its use.

    Raises
    ------
    TokenError
        If the token is unknown, revoked or expired, or its assessor is no longer a model.
    """
    now = timezone.now()
    token = (
        ApiToken.objects.select_related("assessor").filter(token_sha256=token_digest(text)).first()
    )
    if token is None:
        raise TokenError("This token is unknown.")
    if token.revoked_at is not None:
        raise TokenError("This token was revoked.")
    if token.expires_at <= now:
        raise TokenError("This token has expired.")
    if not is_model(token.assessor):
        raise TokenError("The assessor of this token is no longer in a group with the role 'llm'.")
    if token.last_used_at is None or token.last_used_at < now - _EXACT:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


def check_unrevoked(token: ApiToken) -> None:
    """Raise an error if a token was revoked; otherwise block revocation during the transaction.

    Raises
    ------
    TokenError
        If the token was revoked, or its assessor was forgotten, since the last check.
    """
    found = ApiToken.objects.select_for_update(no_key=True).filter(pk=token.pk, revoked_at=None)
    if found.values_list("pk", flat=True).first() is None:
        raise TokenError("This token was revoked.")


def token_digest(token: str) -> str:
    """Return the digest that identifies a token; the token itself is not stored."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()

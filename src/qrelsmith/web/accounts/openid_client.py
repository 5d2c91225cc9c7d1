"""The OpenID Connect client: a person's claims from a provider's answer, or a clear refusal."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

import jwt
import requests
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext
from mozilla_django_oidc.auth import OIDCAuthenticationBackend
from mozilla_django_oidc.views import OIDCAuthenticationRequestView

from qrelsmith.web.accounts.identities import LoginRefusedError, OpenIdPerson
from qrelsmith.web.accounts.openid_settings import (
    OpenId,
    library_setting,
    openid,
    provider_metadata,
)

_LOG = logging.getLogger(__name__)
_LEEWAY_S = 60


def begin(request: HttpRequest) -> HttpResponseBase:
    """Redirect to the provider, with state, nonce and PKCE.

    Raises
    ------
    LoginRefusedError
        If the provider does not answer.
    """
    with _explain_errors():
        answer: HttpResponseBase = _Begin.as_view()(request)
        return answer


def addresses() -> dict[str, Any]:
    """Return the metadata that the provider publishes.

    Raises
    ------
    LoginRefusedError
        If the provider does not answer.
    """
    with _explain_errors():
        return provider_metadata(_provider())


def person_of(request: HttpRequest, sent: Mapping[str, Any]) -> OpenIdPerson:
    """Return the person whom the provider's answer authenticates.

    Parameters
    ----------
    request : HttpRequest
        The request to which the provider redirected the browser.
    sent : mapping
        The nonce and code verifier that belong to the state in the request.

    Raises
    ------
    LoginRefusedError
        If the provider does not answer, or its answer is not valid.
    """
    with _explain_errors():
        claims = _Client().authenticate(
            request, nonce=sent["nonce"], code_verifier=sent["code_verifier"]
        )
        if claims is None:
            raise SuspiciousOperation("the user info and the ID token belong to different people")
    return OpenIdPerson(
        subject=str(claims["sub"]),
        email=str(claims.get("email") or ""),
        is_verified=claims.get("email_verified") in (True, "true"),
        name=str(claims.get(_provider().name_claim) or ""),
    )


class _Begin(OIDCAuthenticationRequestView):  # type: ignore[misc]
    """The redirect of mozilla-django-oidc, with the addresses that the provider publishes."""

    @staticmethod
    def get_settings(attr: str, *args: Any) -> Any:
        return library_setting(_provider(), attr, *args)


class _Client(OIDCAuthenticationBackend):  # type: ignore[misc]
    """The client of mozilla-django-oidc, which also checks audience, issuer and subject.

    The client returns claims; `identities` finds the account of a person.
    """

    @staticmethod
    def get_settings(attr: str, *args: Any) -> Any:
        return library_setting(_provider(), attr, *args)

    def _verify_jws(self, payload: str, key: Any) -> dict[str, Any]:
        provider = _provider()
        claims: dict[str, Any] = jwt.decode(
            payload, key, algorithms=[self.OIDC_RP_SIGN_ALGO], audience=provider.client,
            issuer=provider.issuer, leeway=_LEEWAY_S,
            options={"require": ["aud", "exp", "iat", "iss", "sub"]},
        )  # fmt: skip
        if claims.get("azp", provider.client) != provider.client:
            raise SuspiciousOperation("the ID token is for another client")
        return claims

    def get_or_create_user(
        self, access_token: str, id_token: str, payload: dict[str, Any]
    ) -> dict[str, Any]:
        info: dict[str, Any] = self.get_userinfo(access_token, id_token, payload)
        if info.get("sub") != payload["sub"]:
            raise SuspiciousOperation("the user info and the ID token have different subjects")
        return {**info, **payload}


@contextmanager
def _explain_errors() -> Iterator[None]:
    """Turn errors of the provider and its answers into one sentence."""
    names = {"provider": _provider().provider}
    try:
        yield
    except (SuspiciousOperation, jwt.PyJWTError, KeyError, ValueError) as error:
        # An exception of `requests` that is a ValueError is about the answer's content or address.
        _LOG.warning("login with the provider refused: %s", _reason(error))
        raise LoginRefusedError(
            gettext("The response from %(provider)s is not valid. Ask the server's admin.") % names
        ) from None
    except requests.RequestException as error:
        _LOG.warning("login with the provider failed: %s", _reason(error))
        status = error.response.status_code if error.response is not None else 0
        if HTTPStatus.BAD_REQUEST <= status < HTTPStatus.INTERNAL_SERVER_ERROR:
            message = gettext("%(provider)s did not accept this login. Start again.")
        else:
            message = gettext(
                "%(provider)s does not answer. Try again later, or log in with your password."
            )
        raise LoginRefusedError(message % names) from None


def _reason(error: Exception) -> str:
    """Return a reason for the log, without the addresses and answers in messages of `requests`."""
    name = type(error).__name__
    return name if isinstance(error, requests.RequestException) else f"{name}: {error}"


def _provider() -> OpenId:
    found = openid()
    if found is None:
        raise TypeError("no provider is configured")
    return found

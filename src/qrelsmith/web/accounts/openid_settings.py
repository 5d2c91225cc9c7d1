"""Settings of the login with an OpenID Connect provider, and the addresses that it publishes."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from qrelsmith.base.errors import MissingDependencyError, UsageError, quoted

PREFIX = "QRELSMITH_OIDC_"
_SETTING = "QRELSMITH_OPENID"
_LOCAL = ("127.0.0.1", "localhost", "::1")
_TIMEOUT_S = 10
_FRESH_S = 3600.0
# The settings of the library whose values a provider publishes.
_PUBLISHED = {
    "OIDC_OP_AUTHORIZATION_ENDPOINT": "authorization_endpoint",
    "OIDC_OP_TOKEN_ENDPOINT": "token_endpoint",
    "OIDC_OP_USER_ENDPOINT": "userinfo_endpoint",
    "OIDC_OP_JWKS_ENDPOINT": "jwks_uri",
}
_BASIC = "OIDC_TOKEN_USE_BASIC_AUTH"


@dataclass(frozen=True, slots=True)
class OpenId:
    """A provider with which people log in to the server.

    Attributes
    ----------
    issuer : str
        The provider's address.
    client, secret : str
        The id and secret with which the server is registered at the provider.
    name_claim : str
        The claim that contains the name of a new account.
    domains : tuple of str
        The domains whose verified e-mail addresses may log in; empty: all.
    creates_accounts : bool
        Whether unknown people of these domains get an account.
    """

    issuer: str
    client: str
    secret: str
    name_claim: str
    domains: tuple[str, ...]
    creates_accounts: bool

    @property
    def provider(self) -> str:
        """The provider's name on pages: its host."""
        return urlsplit(self.issuer).hostname or self.issuer


def openid_settings(*, creates_accounts: bool = False) -> dict[str, Any]:
    """Return the Django settings of the login with a provider, from environment variables.

    Parameters
    ----------
    creates_accounts : bool
        Whether unknown people of permitted domains get an account.

    Raises
    ------
    UsageError
        If a variable is missing or malformed.
    MissingDependencyError
        If the extra `openid` is not installed.
    """
    issuer = _variable("ISSUER")
    if not issuer:
        return {_SETTING: None}
    parts = urlsplit(issuer)
    if parts.scheme != "https" and parts.hostname not in _LOCAL:
        raise UsageError(f"{PREFIX}ISSUER is {quoted(issuer)}; expected https://HOST")
    if find_spec("mozilla_django_oidc") is None:
        raise MissingDependencyError(
            "mozilla-django-oidc", extra="openid", purpose=f"{PREFIX}ISSUER"
        )
    client, secret = _variable("CLIENT"), _secret()
    if not client or not secret:
        raise UsageError(
            f"{PREFIX}ISSUER needs {PREFIX}CLIENT, and {PREFIX}SECRET or {PREFIX}SECRET_FILE"
        )
    name = _variable("NAME") or "preferred_username"
    domains = tuple(_variable("DOMAINS").lower().split())
    return {
        _SETTING: OpenId(issuer, client, secret, name, domains, creates_accounts),
        "OIDC_RP_CLIENT_ID": client,
        "OIDC_RP_CLIENT_SECRET": secret,
        "OIDC_RP_SIGN_ALGO": "RS256",  # every provider has to support this
        "OIDC_RP_SCOPES": "openid email profile",
        "OIDC_USE_PKCE": True,
        "OIDC_TIMEOUT": _TIMEOUT_S,
        "OIDC_AUTHENTICATION_CALLBACK_URL": "openid-callback",
    }


def openid() -> OpenId | None:
    """Return the provider of this server, if one is configured."""
    found: OpenId | None = getattr(settings, _SETTING, None)
    return found


def provider_metadata(provider: OpenId) -> dict[str, Any]:
    """Return the provider's metadata, fetched again after an hour.

    Raises
    ------
    requests.RequestException
        If the provider does not answer.
    ValueError
        If the answer is not the metadata of this provider.
    """
    import requests

    earlier = _KEPT.get(provider.issuer)
    if earlier is not None and earlier[0] > time.monotonic() - _FRESH_S:
        return earlier[1]
    address = f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration"
    answer = requests.get(address, timeout=_TIMEOUT_S)
    answer.raise_for_status()
    metadata = answer.json()
    needed = {"issuer", *_PUBLISHED.values()}
    if not isinstance(metadata, dict) or not all(
        isinstance(metadata.get(key), str) for key in needed
    ):
        raise ValueError(f"{address} lacks at least one of {', '.join(sorted(needed))}")
    if metadata["issuer"] != provider.issuer:
        raise ValueError(f"the issuer is {metadata['issuer']}; expected {provider.issuer}")
    _KEPT[provider.issuer] = (time.monotonic(), metadata)
    return metadata


def library_setting(provider: OpenId, name: str, *default: Any) -> Any:
    """Return a setting of mozilla-django-oidc, from the provider's metadata or from Django."""
    if name in _PUBLISHED:
        return provider_metadata(provider)[_PUBLISHED[name]]
    if name == _BASIC:
        methods = provider_metadata(provider).get("token_endpoint_auth_methods_supported", ())
        return "client_secret_post" not in methods
    return getattr(settings, name, *default)


def _variable(name: str) -> str:
    return os.environ.get(PREFIX + name, "").strip()


def _secret() -> str:
    path = _variable("SECRET_FILE")
    if not path:
        return _variable("SECRET")
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise UsageError(f"{PREFIX}SECRET_FILE: {path} cannot be read: {reason}") from None


_KEPT: dict[str, tuple[float, dict[str, Any]]] = {}

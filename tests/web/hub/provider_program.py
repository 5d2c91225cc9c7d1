"""An OpenID Connect provider: Django OAuth Toolkit, which sites run in production.

    python provider_program.py REDIRECT_URI FILE

The program prints its port. It requires PKCE and the client's secret, signs ID tokens with RS256,
and accepts each code once. FILE contains the claims of each person, the validity of codes, and
false claims for ID tokens. `/as/NAME` logs the browser in as a person, without a password.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import django
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.conf import settings

REDIRECT_URI, FILE = sys.argv[1], Path(sys.argv[2])
CLIENT, SECRET = "qrelsmith-test", "a-secret-of-this-test"
_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
)
settings.configure(
    SECRET_KEY=SECRET, ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF="__main__", USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    INSTALLED_APPS=[
        "django.contrib.contenttypes", "django.contrib.auth", "django.contrib.sessions",
        "oauth2_provider",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}],
    SESSION_COOKIE_NAME="provider_session", CSRF_COOKIE_NAME="provider_csrf",
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True, "OIDC_RSA_PRIVATE_KEY": _KEY.decode(), "PKCE_REQUIRED": True,
        "OIDC_RP_INITIATED_LOGOUT_ENABLED": True,
        "OIDC_RP_INITIATED_LOGOUT_ALWAYS_PROMPT": False,
        "OAUTH2_VALIDATOR_CLASS": "__main__.Validator", "ALLOWED_REDIRECT_URI_SCHEMES": ["http"],
        "SCOPES": {"openid": "", "email": "", "profile": ""},
    },
)  # fmt: skip
django.setup()

from django.contrib.auth import get_user_model, login  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.urls import include, path  # noqa: E402
from oauth2_provider.models import get_application_model  # noqa: E402
from oauth2_provider.oauth2_validators import OAuth2Validator  # noqa: E402
from oauth2_provider.settings import oauth2_settings  # noqa: E402


class Validator(OAuth2Validator):
    """The toolkit's validator, with the claims of FILE."""

    def get_additional_claims(self, request: Any) -> dict[str, Any]:
        return json.loads(FILE.read_text())["people"][request.user.username]

    def get_id_token_dictionary(self, token: Any, handler: Any, request: Any) -> tuple[Any, Any]:
        claims, expires = super().get_id_token_dictionary(token, handler, request)
        return claims | json.loads(FILE.read_text())["id_token"], expires

    def save_authorization_code(self, client_id: Any, code: Any, request: Any, *a: Any) -> None:
        seconds = json.loads(FILE.read_text())["code_s"]
        oauth2_settings.AUTHORIZATION_CODE_EXPIRE_SECONDS = seconds
        super().save_authorization_code(client_id, code, request, *a)


def become(request: HttpRequest, name: str) -> HttpResponse:
    """Log in the browser as a person."""
    user, _ = get_user_model().objects.get_or_create(username=name)
    login(request, user)
    return HttpResponse(name)


urlpatterns = [
    path("as/<str:name>", become),
    path("", include("oauth2_provider.urls", namespace="oauth2_provider")),
]


class Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


def main() -> None:
    call_command("migrate", verbosity=0)
    get_application_model().objects.create(
        name="qrelsmith", client_id=CLIENT, client_secret=SECRET, client_type="confidential",
        authorization_grant_type="authorization-code", redirect_uris=REDIRECT_URI,
        post_logout_redirect_uris=REDIRECT_URI.removesuffix("/openid/answer"),
        skip_authorization=True, algorithm="RS256",
    )  # fmt: skip
    with make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet) as server:
        print(server.server_port, flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()

"""Django's settings: those common to all campaigns, and those of an instance."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.campaign.server_settings import server_settings
from qrelsmith.web.instance import Instance

_HERE = Path(__file__).parent

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "qrelsmith.web.apps.Web",
]
MIDDLEWARE = [
    "qrelsmith.web.serving.middleware.request_log",
    "qrelsmith.web.site.headers.security_headers",
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "qrelsmith.web.accounts.access.DenyUnlessAllowed",
    "qrelsmith.web.home.refusals.AnswerRefusals",
]
ROOT_URLCONF = "qrelsmith.web.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.messages.context_processors.messages",
                "qrelsmith.web.site.context.campaign",
            ],
            "builtins": ["qrelsmith.web.templatetags.assets", "qrelsmith.web.templatetags.prose"],
        },
    }
]
AUTH_USER_MODEL = "qrelsmith_web.Account"
AUTHENTICATION_BACKENDS = ["qrelsmith.web.accounts.login.AccountBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = True
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ja", "日本語")]
LOCALE_PATHS = [str(_HERE / "locale")]
LANGUAGE_COOKIE_NAME = "qrelsmith_language"
LANGUAGE_COOKIE_AGE = 366 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LOGIN_URL = "login"

SESSION_ENGINE = "qrelsmith.web.accounts.sessions"
SESSION_COOKIE_NAME = "qrelsmith_session"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
# The token has its own cookie: if it were in the session, every anonymous request would add a row.
# Scripts read the token from the page, not from the cookie.
CSRF_COOKIE_NAME = "qrelsmith_csrf"
CSRF_COOKIE_AGE = None
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "qrelsmith.web.site.errors.csrf_failed"
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
# `security_headers` sets these headers itself, since those of docs and pages differ.
SECURE_REFERRER_POLICY = None
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
DATA_UPLOAD_MAX_MEMORY_SIZE = 1 << 20
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
LOGGING_CONFIG = None
# Off: checking messages against the database would cost one query per message.
DEBUG = False

# How long SQLite waits for another writing process, and a thread for a connection to PostgreSQL.
_PATIENCE_S = 20
# After how long one of several idle connections to PostgreSQL is closed.
_IDLE_S = 10.0
_DAY_S = 24 * 3600
_LOCAL_HOSTS = ["127.0.0.1", "localhost", "[::1]"]


def settings_of(instance: Instance, *, public_url: str = "") -> dict[str, Any]:
    """Return all Django settings of an instance.

    Parameters
    ----------
    instance : Instance
        The app of one campaign.
    public_url : str
        The address for browsers behind a proxy, such as `https://judge.example.org`.

    Raises
    ------
    UsageError
        If the public URL is not a valid address.
    """
    values = {name: value for name, value in globals().items() if name.isupper()}
    values["SECRET_KEY"] = instance.secret()
    values["DATABASES"] = {"default": database_settings(instance)}
    values["QRELSMITH_INSTANCE"] = instance
    values["ALLOWED_HOSTS"] = list(_LOCAL_HOSTS)
    values["CSRF_TRUSTED_ORIGINS"] = []
    days = server_settings(instance.campaign.server).session_days
    values["SESSION_COOKIE_AGE"] = days * _DAY_S
    is_https = False
    if public_url:
        parts = urlsplit(public_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/"):
            raise UsageError(
                f"the public URL is {quoted(public_url)}; expected https://HOST or http://HOST:PORT"
            )
        is_https = parts.scheme == "https"
        values["ALLOWED_HOSTS"].append(parts.hostname)
        values["CSRF_TRUSTED_ORIGINS"].append(f"{parts.scheme}://{parts.netloc}")
    values["SESSION_COOKIE_SECURE"] = is_https
    values["LANGUAGE_COOKIE_SECURE"] = is_https
    values["CSRF_COOKIE_SECURE"] = is_https
    values["SECURE_PROXY_SSL_HEADER"] = ("HTTP_X_FORWARDED_PROTO", "https") if is_https else None
    values["SECURE_HSTS_SECONDS"] = 3600 * 24 * 30 if is_https else 0
    return values


def pool_settings(instance: Instance, connections: int) -> dict[str, Any]:
    """Return the database settings of a server, which shares its connections between threads.

    Without a pool, each thread would keep a connection.

    Parameters
    ----------
    instance : Instance
        The app of a campaign, or the server of several.
    connections : int
        Most open connections at a time; when idle, only one connection stays open.
    """
    values = database_settings(instance)
    if instance.database is not None:
        pool = {
            "min_size": 1,
            "max_size": connections,
            "max_idle": _IDLE_S,
            "num_workers": 1,
            "timeout": _PATIENCE_S,
        }
        values |= {"CONN_MAX_AGE": 0, "OPTIONS": {**values["OPTIONS"], "pool": pool}}
    return {"DATABASES": {"default": values}}


def database_settings(instance: Instance) -> dict[str, Any]:
    """Return Django's database settings for an instance."""
    database = instance.database
    if database is None:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(instance.sqlite),
            "CONN_MAX_AGE": None,
            "OPTIONS": {
                "timeout": _PATIENCE_S,
                "transaction_mode": "IMMEDIATE",
                # FULL: acknowledged judgments also survive a power cut. secure_delete: nothing of a
                # forgotten person stays in the file.
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
                " PRAGMA secure_delete=ON;",
            },
        }
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": database.name,
        "HOST": database.host,
        "PORT": "" if database.port is None else str(database.port),
        "USER": database.user,
        "PASSWORD": database.password,
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": dict(database.options),
    }

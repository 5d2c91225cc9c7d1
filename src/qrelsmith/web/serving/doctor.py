"""Checks of a set-up: each is a function that yields problems and their fixes.

To add a check, write a function with the decorator `@_check`. `doctor` runs all checks.
"""

from __future__ import annotations

import shutil
import stat
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from datetime import timedelta
from urllib.parse import urlsplit

from django.db import DatabaseError
from django.db.models import Max
from django.utils import timezone

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.base.tables import Table
from qrelsmith.campaign.server_settings import ServerSettings
from qrelsmith.web.core.alive import app_address
from qrelsmith.web.core.stamp import check_stamp
from qrelsmith.web.instance import Instance
from qrelsmith.web.models import ApiToken, OrganiserAction
from qrelsmith.web.project import check_schema, current_instance
from qrelsmith.web.settings import settings_of

Check = Callable[[Instance, ServerSettings], Iterator[str]]
_CHECKS: dict[str, Check] = {}
_DAY_S = 24 * 3600
_BACKUP_DAYS = 7
_SECRET_DAYS = 400
_LONGEST_TOKEN = timedelta(days=366)
_SPARE_BYTES = 1 << 30
_CLOCK = timedelta(minutes=5)
_PATIENCE_S = 10


def examine(server: ServerSettings) -> Table:
    """Return a row for each check: `ok`, or the problem with its fix.

    Parameters
    ----------
    server : ServerSettings
        The settings of `serve`.
    """
    instance = current_instance()
    rows = []
    for name, check in _CHECKS.items():
        try:
            problems = list(check(instance, server))
        except (InputError, UsageError) as error:
            problems = [str(error)]
        except DatabaseError as error:
            problems = [f"the database reports an error: {' '.join(str(error).split())}"]
        rows += [(name, "wrong", problem) for problem in problems] or [(name, "ok", "")]
    return Table.of(("check", "state", "problem"), rows)


def _check(check: Check) -> Check:
    _CHECKS[check.__name__.strip("_").replace("_", "-")] = check
    return check


@_check
def _identity(instance: Instance, server: ServerSettings) -> Iterator[str]:
    """Check that the database belongs to this campaign."""
    check_stamp()
    yield from ()


@_check
def _schema(instance: Instance, server: ServerSettings) -> Iterator[str]:
    """Check that the database has the current schema."""
    check_schema()
    yield from ()


@_check
def _public_url(instance: Instance, server: ServerSettings) -> Iterator[str]:
    """Check that the public URL is valid and uses TLS."""
    settings_of(instance, public_url=server.public_url)
    parts = urlsplit(server.public_url)
    if parts.scheme == "http" and parts.hostname not in ("127.0.0.1", "localhost", "::1"):
        yield f"{server.public_url} has no TLS; put a proxy with a certificate in front of the app"


@_check
def _answer(instance: Instance, server: ServerSettings) -> Iterator[str]:
    """Check that the app answers at the public URL."""
    address = app_address()
    try:
        _, text = _fetch(f"{address}/health")
    except (OSError, ValueError) as error:
        yield (
            f"no answer at {address} ({error}); check that the app is running and that public_url"
            " is correct"
        )
        return
    if text != "ok\n":
        yield f"another program answers at {address}; correct public_url or the proxy"


@_check
def _proxy(instance: Instance, server: ServerSettings) -> Iterator[str]:
    """Check that the proxy reports HTTPS."""
    if not server.public_url.startswith("https:"):
        return
    try:
        headers, _ = _fetch(f"{server.public_url.rstrip('/')}/health")
    except (OSError, ValueError):
        return  # the check above reports this
    if "strict-transport-security" not in headers:
        yield (
            "the proxy does not send X-Forwarded-Proto: https, or does not connect from"
            f" {server.proxy or 'an address named in [server]'}; set the header in the proxy's"
            " settings, and proxy in [server]"
        )


@_check
def _clock(instance: Instance, server: ServerSettings) -> Iterator[str]:
    """Check that no logged action is in the future."""
    last = OrganiserAction.objects.aggregate(last=Max("at"))["last"]
    if last is not None and last > timezone.now() + _CLOCK:
        yield f"an action is dated {last:%Y-%m-%d %H:%M} UTC, in the future; set the clock"


@_check
def _backup(instance: Instance, server: ServerSettings) -> Iterator[str]:
    """Check that there is a recent backup."""
    times = [path.stat().st_mtime for path in instance.backups.glob("*") if path.is_file()]
    if not times:
        yield f"no backup in {instance.backups}; run qrelsmith app backup every night"
    elif time.time() - max(times) > _BACKUP_DAYS * _DAY_S:
        days = (time.time() - max(times)) / _DAY_S
        yield f"the last backup is {days:.0f} days old; run qrelsmith app backup every night"


@_check
def _permissions(instance: Instance, server: ServerSettings) -> Iterator[str]:
    """Check that other users cannot read the app's files."""
    for path in (instance.folder, *sorted(instance.folder.rglob("*"))):
        mode = stat.S_IMODE(path.stat().st_mode)
        # Files in a folder that only its owner can access are safe.
        if path in (instance.folder, instance.key, instance.sqlite) and mode & 0o077:
            yield f"other users can read {path} (mode {mode:o}); run chmod go= {path}"


@_check
def _disk(instance: Instance, server: ServerSettings) -> Iterator[str]:
    """Check that there is enough disk space for judgments and a backup."""
    size = instance.sqlite.stat().st_size if instance.sqlite.exists() else 0
    free = shutil.disk_usage(instance.folder).free
    if free < max(_SPARE_BYTES, 3 * size):
        yield f"{free / 1e6:.0f} MB free in {instance.folder}; free up space, or judging fails"


@_check
def _secret(instance: Instance, server: ServerSettings) -> Iterator[str]:
    """Check that the secret exists and is recent."""
    instance.secret()
    days = (time.time() - instance.key.stat().st_mtime) / _DAY_S
    if days > _SECRET_DAYS:
        yield (
            f"the secret is {days:.0f} days old; stop the app, delete {instance.key} and start it:"
            " all users must log in again"
        )


@_check
def _tokens(instance: Instance, server: ServerSettings) -> Iterator[str]:
    """Check that tokens of models expire within a year."""
    late = ApiToken.objects.filter(
        expires_at__gt=timezone.now() + _LONGEST_TOKEN, revoked_at__isnull=True
    )
    for token in late.select_related("assessor"):
        yield (
            f"a token of {token.assessor.name} is valid until {token.expires_at:%Y-%m-%d}; revoke"
            " the token and create one for a few weeks"
        )


def _fetch(url: str) -> tuple[dict[str, str], str]:
    """Return the headers and the text of a response."""
    with urllib.request.urlopen(url, timeout=_PATIENCE_S) as answer:  # noqa: S310 - http by settings
        text = answer.read(1000).decode("utf-8", "replace")
        return {name.lower(): value for name, value in answer.headers.items()}, text

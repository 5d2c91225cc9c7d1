"""Requests without a server account, and the check of their credentials in a campaign.

The server checks credentials itself, so that a request without credentials starts no process and
cannot find out whether a campaign exists.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from django.contrib.sessions.models import Session
from django.db import DatabaseError, connections
from django.db.models import Model
from django.db.utils import load_backend
from django.http import HttpRequest

from qrelsmith.base.errors import QrelsmithError
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.web.accounts.invites import invite_digest
from qrelsmith.web.accounts.sessions import session_digest
from qrelsmith.web.accounts.tokens import token_digest
from qrelsmith.web.crowd.tokens import is_batch_address
from qrelsmith.web.hub.claims import COOKIE
from qrelsmith.web.hub.schemas import keeps_sqlite
from qrelsmith.web.instance import Instance, find_instance
from qrelsmith.web.models import ApiToken, Invite
from qrelsmith.web.settings import database_settings

HIT = "hit/"
_MOST = 10_000


def is_guest(folder: Path, request: HttpRequest, path: str) -> bool:
    """Return whether a request has a token, session or HIT address of the campaign."""
    if path.startswith(HIT) and _is_hit(folder, path.removeprefix(HIT)):
        return True
    key = request.COOKIES.get(COOKIE)
    if key and _knows(folder, Session, "session_key", session_digest(key)):
        return True
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    is_token = kind.lower() == "bearer" and bool(token.strip())
    return is_token and _knows(folder, ApiToken, "token_sha256", token_digest(token.strip()))


def knows_invite(folder: Path, token: str) -> bool:
    """Return whether an invite, used or unused, belongs to a campaign."""
    return _knows(folder, Invite, "token_sha256", invite_digest(token))


def _is_hit(folder: Path, address: str) -> bool:
    try:
        instance = _instance(folder)
    except QrelsmithError:
        return False
    return instance.key.exists() and is_batch_address(address, instance)


def _knows(folder: Path, table: type[Model], column: str, digest: str) -> bool:
    """Return whether a campaign's database has a row, or had it at an earlier check."""
    entry = (folder.name, digest)
    if entry in _KNOWN:
        return True
    try:
        options = database_settings(_instance(folder))
    except QrelsmithError:
        return False
    if options["ENGINE"].endswith("sqlite3"):
        options |= {"NAME": f"{Path(options['NAME']).resolve().as_uri()}?mode=ro", "OPTIONS": {}}
    values = connections.configure_settings({"default": options})["default"]
    connection = load_backend(options["ENGINE"]).DatabaseWrapper(values, "guests")
    name = connection.ops.quote_name
    query = f"SELECT 1 FROM {name(table._meta.db_table)} WHERE {name(column)} = %s"  # noqa: S608
    try:
        with closing(connection), connection.cursor() as cursor:
            cursor.execute(query, [digest])
            is_known = cursor.fetchone() is not None
    except DatabaseError:
        # The campaign was never served and has no tables.
        return False
    if is_known:
        if len(_KNOWN) >= _MOST:
            _KNOWN.clear()
        _KNOWN.add(entry)
    return is_known


def _instance(folder: Path) -> Instance:
    return Instance(read_campaign(folder)) if keeps_sqlite(folder) else find_instance(folder)


# Digests found, so that a token sent with thousands of requests is looked up only once.
_KNOWN: set[tuple[str, str]] = set()

"""Secrets are in no backup, no log of any level, and no export."""

from __future__ import annotations

import io
import json
import logging
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session

from qrelsmith.cli import run
from qrelsmith.web.accounts.invites import make_invite
from qrelsmith.web.models import Role
from qrelsmith.web.serving.logs import log_to

PASSWORD = "a long enough phrase"  # noqa: S105 - of nobody


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Return everything that is logged, at every level, in the format of a server."""
    stream = io.StringIO()
    names = ("", "qrelsmith.web", "django", "waitress", "py.warnings")
    before = [
        (each, each.handlers, each.level, each.propagate) for each in map(logging.getLogger, names)
    ]
    last = logging.lastResort
    log_to(stream)
    for logger, *_ in before[1:]:
        logger.setLevel(logging.DEBUG)
    logging.getLogger().setLevel(logging.DEBUG)
    yield stream
    for logger, handlers, level, propagate in before:
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)
    logging.lastResort = last
    logging.captureWarnings(capture=False)


@pytest.fixture
def secrets_given_out(
    app: Any, log: io.StringIO, make_model: Any, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """Return all secrets that the app gives out, after they were used correctly and incorrectly."""
    invite, used = make_invite(Role.VIEWER), make_invite(Role.VIEWER)
    client = app.client(csrf=True)
    assert client.post("/invite", {"token": invite}).status_code == 403  # no cookie
    assert client.post(f"/invite/{invite}", {"password": PASSWORD}).status_code in (403, 405)
    assert client.get(f"/invite/{invite}/").status_code == 404
    client = app.client()
    given = {"token": used, "login": "vera", "password": PASSWORD, "again": PASSWORD}
    assert client.post("/invite", given).status_code == 302
    assert client.get("/organiser/").status_code == 200
    session = client.cookies["qrelsmith_session"].value
    for method in ("get", "post", "put"):
        getattr(client, method)(f"/no/such/{session}/{invite}")
    headers = {"host": f"{invite}.example.org", "Authorization": f"Bearer {invite}"}
    assert client.get(f"/{invite}", headers=headers).status_code == 400
    assert client.get("/api/topics", headers=headers | {"host": "127.0.0.1"}).status_code == 401
    model = make_model(app)
    assert model.judge({"doc": "d00000"}).status_code == 200
    assert model.judge({"doc": "d00000", "grade": f"Bearer {model.token}"}).status_code == 400
    key, metrics = f"sk-{'k' * 40}", "m" * 40
    monkeypatch.setenv("OPENAI_API_KEY", key)
    monkeypatch.setenv("QRELSMITH_METRICS_TOKEN", metrics)
    assert get_metrics(app, metrics).status_code == 200
    assert get_metrics(app, f"{metrics}x").status_code == 404
    secret = (app.folder / ".qrelsmith" / "secret.key").read_text().strip()
    return {
        "invite": invite, "used invite": used, "session": session, "password": PASSWORD,
        "secret": secret, "csrf": client.cookies["qrelsmith_csrf"].value,
        "model's token": model.token, "model's key": key, "metrics": metrics,
    }  # fmt: skip


def get_metrics(app: Any, token: str) -> Any:
    """Return the metrics as seen by a remote client with this token."""
    headers = {"host": "127.0.0.1", "Authorization": f"Bearer {token}"}
    return app.client().get("/metrics", headers=headers, REMOTE_ADDR="198.51.100.7")


def assert_none(given: dict[str, str], content: bytes, where: str) -> None:
    there = [name for name, secret in given.items() if secret.encode() in content]
    assert there == [], where


def test_no_log_contains_a_secret_and_every_line_is_json(
    secrets_given_out: dict[str, str], log: io.StringIO
) -> None:
    text = log.getvalue()
    assert_none(secrets_given_out, text.encode(), text)
    levels = {json.loads(line)["level"] for line in text.splitlines()}
    assert {"info", "warning"} <= levels
    assert "Traceback" not in text


def test_no_backup_and_no_export_contains_a_secret(
    app: Any, secrets_given_out: dict[str, str], tmp_path: Path
) -> None:
    backup, out = tmp_path / "backup", tmp_path / "out"
    assert run(["backup", str(app.folder), "-o", str(backup)]) == 0
    assert_none(secrets_given_out, backup.read_bytes(), "the backup")
    if backup.read_bytes().startswith(b"SQLite"):
        with closing(sqlite3.connect(backup)) as copy:
            assert copy.execute("SELECT count(*) FROM django_session").fetchone() == (0,)
    assert run(["export", str(app.folder), "-o", str(out), "--quiet", "--documents"]) == 0
    spread = ["export", str(app.folder), "-o", str(tmp_path / "cells"), "--quiet", "--spreadsheet"]
    assert run(spread) == 0
    written = [path for path in tmp_path.rglob("*") if is_export(path, tmp_path)]
    assert {path.name for path in written} >= {"judgments.csv", "events.jsonl", "manifest.json"}
    for path in written:
        assert_none(secrets_given_out, path.read_bytes(), path.name)


def is_export(path: Path, root: Path) -> bool:
    return path.is_file() and path.relative_to(root).parts[0] in ("out", "cells")


def test_the_database_contains_only_the_digest_of_a_session(app: Any) -> None:
    client = app.client("b1")
    key = client.cookies["qrelsmith_session"].value
    (kept,) = Session.objects.values_list("session_key", flat=True)
    assert kept != key
    assert client.get("/").status_code == 200
    other = app.client()
    other.cookies["qrelsmith_session"] = kept
    assert other.get("/").status_code == 302, "what is in the database opens nothing"
    assert client.post("/logout").status_code == 302
    assert not Session.objects.filter(session_key=kept).exists()


def test_a_user_logged_in_before_the_migration_stays_logged_in(lite_app: Any) -> None:
    from importlib import import_module

    client = lite_app.client("b1")
    key = client.cookies["qrelsmith_session"].value
    Session.objects.update(session_key=key)
    assert client.get("/").status_code == 302
    client.cookies["qrelsmith_session"] = key

    import_module("qrelsmith.web.migrations.0007_session_digests").digest_sessions(apps, None)
    assert client.get("/").status_code == 200


def test_a_log_record_without_a_handler_is_a_json_line_too(log: io.StringIO) -> None:
    assert logging.lastResort is not None
    logging.lastResort.handle(logging.makeLogRecord({"msg": "strange", "name": "elsewhere"}))
    assert json.loads(log.getvalue().splitlines()[-1])["message"] == "strange"
    assert sys.stderr is not log

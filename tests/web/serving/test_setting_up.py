"""Errors in the set-up of a server: what commands know of it, how it ends, and slow clients."""

from __future__ import annotations

import signal
import socket
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from qrelsmith.cli import run
from qrelsmith.web.accounts.invites import open_invite
from qrelsmith.web.core.stamp import stamp_database
from qrelsmith.web.project import current_instance

LOGIN = (
    b"POST /login HTTP/1.1\r\nHost: %b\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 25\r\nConnection: close\r\n\r\nlogin=nobody&password=none"
)


def connected(url: str) -> socket.socket:
    parts = urlsplit(url)
    return socket.create_connection((str(parts.hostname), parts.port or 80), timeout=60)


def healthy(url: str) -> bool:
    with urllib.request.urlopen(f"{url}/health", timeout=60) as answer:  # noqa: S310 - our own
        return bool(answer.status == 200)


def test_an_app_that_was_in_postgresql_does_not_open_sqlite(
    tmp_path: Path, make_campaign: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = make_campaign(tmp_path / "campaign")
    (folder / ".qrelsmith").mkdir()
    (folder / ".qrelsmith" / "postgresql").touch()
    for command in ("serve", "backup", "verify", "import", "migrate"):
        assert run([command, str(folder)]) == 2
        assert (
            "the app's database is PostgreSQL, but its address is missing. Set "
            "DATABASE_URL" in capsys.readouterr().err
        )
    assert not (folder / ".qrelsmith" / "app.sqlite3").exists()


def test_postgresql_leaves_a_mark_in_the_folder(app: Any) -> None:
    stamp_database()
    instance = current_instance()
    assert instance.moved.exists() == (instance.database is not None)


def test_an_invite_to_an_app_that_was_never_served_says_that_its_address_is_a_guess(
    blank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["app", "invite", str(blank), "--role", "admin"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("http://127.0.0.1:8000/invite#")
    assert "the app has not been started yet, so the link uses http://127.0.0.1:8000" in printed.err
    with (blank / "campaign.toml").open("a", encoding="utf-8") as toml:
        toml.write("\n[server]\nport = 8123\n")
    assert run(["app", "invite", str(blank), "--role", "admin"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("http://127.0.0.1:8123/invite#")
    assert "note" not in printed.err


def test_an_invite_names_the_served_address_and_survives_a_restart(
    tmp_path: Path,
    make_campaign: Callable[..., Path],
    start_server: Callable[..., Any],
    open_app: Callable[..., Any],
) -> None:
    folder = make_campaign(tmp_path / "campaign")
    first = start_server(folder)
    link = first.run("invite", "--role", "admin").strip()
    assert link.startswith(f"{first.url}/invite#")
    first.close()
    again = start_server(folder)
    again.close()
    assert again.said[0].startswith("An invite for an admin is pending")
    with open_app(folder, is_ready=True):
        assert open_invite(link.rpartition("#")[2]) is not None


def test_on_sigterm_requests_in_progress_are_finished(
    tmp_path: Path, make_campaign: Callable[..., Path], start_server: Callable[..., Any]
) -> None:
    server = start_server(make_campaign(tmp_path / "campaign"))
    host = urlsplit(server.url).netloc.encode()
    sockets = [connected(server.url) for _ in range(12)]
    for each in sockets:
        each.sendall(LOGIN % host)
    # The response shows that the loop has seen the earlier data.
    assert healthy(server.url)
    server.process.send_signal(signal.SIGTERM)
    for each in sockets:
        with each, each.makefile("rb") as answer:
            assert answer.read().startswith(b"HTTP/1.1 403 ")
    assert server.process.wait(timeout=60) == 0
    with pytest.raises(OSError, match="refused"):
        connected(server.url)


@pytest.mark.full
def test_many_slow_clients_do_not_block_others(
    tmp_path: Path, make_campaign: Callable[..., Path], start_server: Callable[..., Any]
) -> None:
    server = start_server(make_campaign(tmp_path / "campaign"))
    slow = [connected(server.url) for _ in range(300)]
    try:
        for each in slow:
            each.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        for turn in range(5):
            for each in slow:
                each.sendall(b"x")
            assert healthy(server.url), turn
    finally:
        for each in slow:
            each.close()

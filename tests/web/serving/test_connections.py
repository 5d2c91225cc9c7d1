"""Connections of a server to PostgreSQL: limited under load, few at rest."""

from __future__ import annotations

import shutil
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.full
CLIENTS = 16
REQUESTS = 20
# One connection of the pool, and one whose lock shows that the app is in use.
AT_REST = 2


def count(connection: Any) -> int:
    """Count connections to a database, except the one used for counting."""
    query = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    return int(connection.execute(query).fetchone()[0])


def ask_often(url: str) -> None:
    for _ in range(REQUESTS):
        with urllib.request.urlopen(f"{url}/health", timeout=60) as answer:  # noqa: S310
            assert answer.read() == b"ok\n"


@pytest.mark.parametrize("most", [4, 2])
def test_connections_are_limited_under_load_and_few_at_rest(
    blank_folder: Path,
    make_database: Callable[[], Any],
    start_server: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    most: int,
) -> None:
    psycopg = pytest.importorskip("psycopg")
    folder = tmp_path / "campaign"
    shutil.copytree(blank_folder, folder)
    shutil.rmtree(folder / ".qrelsmith")
    if most != 4:
        monkeypatch.setenv("QRELSMITH_CONNECTIONS", str(most))
    with make_database() as url, psycopg.connect(url, autocommit=True) as counting:
        server = start_server(folder, database_url=url)
        clients = [threading.Thread(target=ask_often, args=(server.url,)) for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        counts = []
        while any(client.is_alive() for client in clients):
            counts.append(count(counting))
        assert max(counts) <= most + 1
        deadline = time.monotonic() + 90
        while count(counting) > AT_REST:
            assert time.monotonic() < deadline
            time.sleep(0.5)
        server.close()
